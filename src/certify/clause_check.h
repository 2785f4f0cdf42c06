#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace trilith::certify {

/// Clauses over true/false variables, and whether another one follows from them by unit propagation alone: with all its literals false,
/// setting what the clauses leave no choice for ends in a contradiction. Literals: variable + 1, negative for "not".
class ClauseCheck {
 public:
  explicit ClauseCheck(std::size_t variables) : value_(variables, 0), uses_(2 * variables) {}
  void add(std::span<const int> clause);
  /// Literals out of range: false.
  bool follows(std::span<const int> clause);

 private:
  std::size_t place(int literal) const;
  bool set(int literal);
  bool propagate();

  std::vector<std::vector<int>> clauses_;
  std::vector<signed char> value_;              // per variable: 1 true, -1 false
  std::vector<std::vector<std::size_t>> uses_;  // literal place to the clauses that hold it
  std::vector<int> trail_;
};

}  // namespace trilith::certify
