#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace trilith::solve {

struct ClauseSearchSettings {
  double decay = 0.95;  ///< of the activity of variables not met in conflicts, per conflict
};

/// True/false variables under clauses, with decisions, unit propagation and clauses learned from conflicts (first unique implication
/// point). Literals: variable + 1, negative for "not". The caller decides and adds clauses; what was learned is handed back so that it can
/// be checked elsewhere. (CRA-11)
class ClauseSearch {
 public:
  explicit ClauseSearch(int variables, const ClauseSearchSettings& settings = {});

  /// A clause before any decision, or one whose literals are all false now; returns its index.
  std::size_t add(std::span<const int> clause);
  /// 1 true, -1 false, 0 open.
  int value(int variable) const { return value_[static_cast<std::size_t>(variable)]; }
  double activity(int variable) const { return activity_[static_cast<std::size_t>(variable)]; }
  int level() const { return static_cast<int>(marks_.size()); }
  void decide(int literal);
  /// Index of a clause that has become false, or `none`.
  std::size_t propagate();
  /// Learns from a false clause and steps back. False: there is no assignment at all (`learned` is then empty).
  bool resolve(std::size_t conflict);
  std::span<const int> learned() const { return learned_; }
  /// Takes back all decisions.
  void restart() { back_to(0); }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

 private:
  int truth(int literal) const;
  std::size_t place(int literal) const;
  void enqueue(int literal, std::size_t reason);
  void back_to(int level);
  void watch(std::size_t clause);
  bool move_watch(std::size_t clause, int literal);
  void bump(std::size_t variable);

  std::vector<std::vector<int>> clauses_;       // the first two literals are watched
  std::vector<std::vector<std::size_t>> seen_;  // literal place to the clauses that watch it
  std::vector<signed char> value_;
  std::vector<int> level_, trail_;
  std::vector<std::size_t> reason_, marks_;
  std::vector<double> activity_;
  std::vector<char> in_conflict_;
  std::vector<int> learned_;
  std::size_t head_ = 0;
  double bump_ = 1;
  ClauseSearchSettings settings_;
};

}  // namespace trilith::solve
