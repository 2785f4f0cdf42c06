#pragma once
#include <vector>

#include "constraints/contact_rows.h"

/// CHOLMOD on the matrix of the closed-form rung, A A' as whole 6 x 6 blocks.
namespace trilith::bench {

/// False where the bench was built without CHOLMOD. Prints its version and the OpenBLAS kernels, and sets one thread.
bool announce_cholmod();

/// One way to use CHOLMOD, and its CPU seconds of analyse + factor, one entry per run.
struct CholmodWay {
  const char* label;
  int ordering, kind;
  std::vector<double> total = {};
};

/// CHOLMOD's own choice and both orderings; the simplicial kind only where it can win. Empty where CHOLMOD is absent.
class CholmodPeer {
 public:
  explicit CholmodPeer(const constraints::ContactRows& contacts);
  ~CholmodPeer();
  CholmodPeer(const CholmodPeer&) = delete;
  CholmodPeer& operator=(const CholmodPeer&) = delete;

  /// Every way once.
  void run();
  const std::vector<CholmodWay>& ways() const { return ways_; }
  /// Least time of the best way; 0 where nothing ran.
  double best() const;

 private:
  struct State;
  State* state_ = nullptr;
  std::vector<CholmodWay> ways_;
};

}  // namespace trilith::bench
