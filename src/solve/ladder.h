#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "trilith/status.h"

namespace trilith::solve {

/// What a rung puts before the judge. Views into the rung's own storage, valid until its next call.
struct Proposal {
  enum class Kind : std::uint8_t { none, force_state, collapse };
  Kind kind = Kind::none;
  std::span<const double> values = {};  ///< force_state: row vector, lane layout; collapse: velocities, 6 per body
};

/// What a rung says about its own work. Never a verdict.
struct Attempt {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  double residual = 0;  ///< in the rung's normalised unit
  std::string reason;   ///< one line for the report: "no chain of contacts from b3 to a support", "stalled at 2e-3"
  Proposal proposal{};
};

/// One proposer of the ladder.
struct Rung {
  std::string_view name;  ///< static storage: "connectivity", "closed_form", "projections"
  std::function<Attempt(const Deadline&)> propose;
};

/// One rung's word, kept for the report.
struct RungReport {
  std::string_view name;
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  double residual = 0;
  double seconds = 0;     ///< wall clock, the judge included
  bool proposed = false;  ///< a certificate was put before the judge
  bool accepted = false;  ///< and the judge accepted it
  std::string reason;
};

struct LadderReport {
  int decided = -1;  ///< index into `rungs` of the accepted one; -1: undecided
  Proposal::Kind kind = Proposal::Kind::none;
  std::vector<RungReport> rungs;  ///< every rung that was asked, in order
};

/// Asks the rungs in order, cheapest first, until the judge accepts a proposal or the deadline passes. `accept` is the independent
/// verifier: nothing else turns a proposal into a verdict (RBE-6, RBE-8).
LadderReport climb(std::span<const Rung> rungs, const std::function<bool(const Proposal&)>& accept, const Deadline& deadline);

}  // namespace trilith::solve
