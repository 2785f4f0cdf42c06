#include "certify/clause_check.h"

#include <cstdlib>

namespace trilith::certify {

std::size_t ClauseCheck::place(int literal) const { return 2 * (static_cast<std::size_t>(std::abs(literal)) - 1) + (literal < 0 ? 1 : 0); }

void ClauseCheck::add(std::span<const int> clause) {
  for (const int literal : clause) uses_[place(literal)].push_back(clauses_.size());
  clauses_.emplace_back(clause.begin(), clause.end());
}

/// False where the literal is already false.
bool ClauseCheck::set(int literal) {
  signed char& value = value_[static_cast<std::size_t>(std::abs(literal)) - 1];
  const signed char wanted = literal > 0 ? 1 : -1;
  if (value == wanted) return true;
  if (value != 0) return false;
  value = wanted;
  trail_.push_back(literal);
  return true;
}

/// Sets what is forced; false where a clause has no literal left.
bool ClauseCheck::propagate() {
  std::size_t next = 0;  // the trail grows while it is walked
  while (next < trail_.size())
    for (const std::size_t index : uses_[place(-trail_[next++])]) {
      int open = 0, open_count = 0;
      bool satisfied = false;
      for (const int literal : clauses_[index]) {
        const int value = value_[static_cast<std::size_t>(std::abs(literal)) - 1] * (literal > 0 ? 1 : -1);
        satisfied = satisfied || value > 0;
        if (value == 0) {
          open = literal;
          ++open_count;
        }
      }
      if (satisfied || open_count > 1) continue;
      if (open_count == 0 || !set(open)) return false;
    }
  return true;
}

bool ClauseCheck::follows(std::span<const int> clause) {
  for (const int literal : clause)
    if (literal == 0 || static_cast<std::size_t>(std::abs(literal)) > value_.size()) return false;
  bool consistent = true;
  for (const int literal : clause) consistent = consistent && set(-literal);
  // single literals speak even where nothing was assumed
  for (const std::vector<int>& known : clauses_)
    if (known.size() == 1) consistent = consistent && set(known[0]);
  const bool contradiction = !consistent || !propagate();
  for (const int literal : trail_) value_[static_cast<std::size_t>(std::abs(literal)) - 1] = 0;
  trail_.clear();
  return contradiction;
}

}  // namespace trilith::certify
