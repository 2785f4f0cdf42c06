// (CRA-11)
#include "solve/clause_search.h"

#include <algorithm>
#include <cstdlib>

namespace trilith::solve {
namespace {

constexpr double largest_activity = 1e100;  // rescaled beyond it

std::size_t variable_of(int literal) { return static_cast<std::size_t>(std::abs(literal)) - 1; }

}  // namespace

ClauseSearch::ClauseSearch(int variables, const ClauseSearchSettings& settings)
    : seen_(2 * static_cast<std::size_t>(variables)),
      value_(static_cast<std::size_t>(variables), 0),
      level_(value_.size(), 0),
      reason_(value_.size(), none),
      activity_(value_.size(), 0.0),
      in_conflict_(value_.size(), 0),
      settings_(settings) {}

int ClauseSearch::truth(int literal) const { return literal > 0 ? value_[variable_of(literal)] : -value_[variable_of(literal)]; }

std::size_t ClauseSearch::place(int literal) const { return 2 * variable_of(literal) + (literal < 0 ? 1 : 0); }

void ClauseSearch::enqueue(int literal, std::size_t reason) {
  const std::size_t v = variable_of(literal);
  value_[v] = literal > 0 ? 1 : -1;
  level_[v] = level();
  reason_[v] = reason;
  trail_.push_back(literal);
}

void ClauseSearch::watch(std::size_t clause) {
  const std::vector<int>& literals = clauses_[clause];
  for (std::size_t k = 0; k < 2 && k < literals.size(); ++k) seen_[place(literals[k])].push_back(clause);
}

std::size_t ClauseSearch::add(std::span<const int> clause) {
  clauses_.emplace_back(clause.begin(), clause.end());
  // the literals that became false last are watched: they are the first to open again
  std::sort(clauses_.back().begin(), clauses_.back().end(), [&](int a, int b) {
    const int la = truth(a) < 0 ? level_[variable_of(a)] : level() + 1, lb = truth(b) < 0 ? level_[variable_of(b)] : level() + 1;
    return la != lb ? la > lb : a < b;
  });
  watch(clauses_.size() - 1);
  if (clause.size() == 1 && level() == 0 && truth(clause[0]) == 0) enqueue(clause[0], clauses_.size() - 1);
  return clauses_.size() - 1;
}

void ClauseSearch::decide(int literal) {
  marks_.push_back(trail_.size());
  enqueue(literal, none);
}

/// Finds another literal to watch in place of the false `literal`; false where there is none. The clause's other watch comes first.
bool ClauseSearch::move_watch(std::size_t clause, int literal) {
  std::vector<int>& literals = clauses_[clause];
  if (literals[0] == literal && literals.size() > 1) std::swap(literals[0], literals[1]);
  for (std::size_t k = 2; k < literals.size(); ++k)
    if (truth(literals[k]) >= 0) {
      std::swap(literals[1], literals[k]);
      seen_[place(literals[1])].push_back(clause);
      return true;
    }
  return false;
}

std::size_t ClauseSearch::propagate() {
  for (; head_ < trail_.size(); ++head_) {
    const int fell = -trail_[head_];
    std::vector<std::size_t>& list = seen_[place(fell)];
    for (std::size_t i = 0; i < list.size();) {
      const std::size_t clause = list[i];
      if (move_watch(clause, fell)) {
        list[i] = list.back();
        list.pop_back();
        continue;
      }
      ++i;
      const int other = clauses_[clause][0];
      if (truth(other) > 0) continue;
      if (other == fell || truth(other) < 0) return clause;
      enqueue(other, clause);
    }
  }
  return none;
}

void ClauseSearch::back_to(int wanted) {
  if (level() <= wanted) return;
  const std::size_t keep = marks_[static_cast<std::size_t>(wanted)];
  for (std::size_t i = keep; i < trail_.size(); ++i) value_[variable_of(trail_[i])] = 0;
  trail_.resize(keep);
  marks_.resize(static_cast<std::size_t>(wanted));
  head_ = std::min(head_, keep);
}

void ClauseSearch::bump(std::size_t variable) {
  activity_[variable] += bump_;
  if (activity_[variable] < largest_activity) return;
  for (double& a : activity_) a /= largest_activity;
  bump_ /= largest_activity;
}

bool ClauseSearch::resolve(std::size_t conflict) {
  learned_.clear();
  // a clause may have become false before the last decision
  int highest = 0;
  for (const int literal : clauses_[conflict]) highest = std::max(highest, level_[variable_of(literal)]);
  back_to(highest);
  if (highest == 0) return false;

  std::size_t at = trail_.size(), clause = conflict;
  int open = 0, point = 0, back = 0;
  do {
    for (const int literal : clauses_[clause]) {
      const std::size_t v = variable_of(literal);
      if (literal == point || in_conflict_[v] || level_[v] == 0) continue;
      in_conflict_[v] = 1;
      bump(v);
      if (level_[v] == level()) {
        ++open;
      } else {
        learned_.push_back(literal);
        back = std::max(back, level_[v]);
      }
    }
    do --at;
    while (!in_conflict_[variable_of(trail_[at])]);
    point = trail_[at];
    clause = reason_[variable_of(point)];
    in_conflict_[variable_of(point)] = 0;
    --open;
  } while (open > 0);
  for (const int literal : learned_) in_conflict_[variable_of(literal)] = 0;
  learned_.push_back(-point);
  std::sort(learned_.begin(), learned_.end());
  bump_ /= settings_.decay;

  back_to(back);
  clauses_.push_back(learned_);
  std::vector<int>& literals = clauses_.back();
  std::swap(literals[0], *std::find(literals.begin(), literals.end(), -point));
  // the second watch is a literal of the level that is returned to
  for (std::size_t k = 2; k < literals.size(); ++k)
    if (level_[variable_of(literals[k])] > level_[variable_of(literals[1])]) std::swap(literals[1], literals[k]);
  watch(clauses_.size() - 1);
  enqueue(-point, clauses_.size() - 1);
  return true;
}

}  // namespace trilith::solve
