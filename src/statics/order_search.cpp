// Search for a build order under given props. Equations: (ORD-2) (ORD-3)
#include "statics/order_search.h"

#include <set>

namespace trilith::statics {
namespace {

/// The search by depth, on a stack of its own.
class Search {
 public:
  Search(BuildStates& states, std::span<const std::uint32_t> rank, const BlockSet& held, int most_checks)
      : states_(states), rank_(rank), held_(held), last_check_(states.checks() + most_checks) {
    report_.moved = BlockSet(states.assembly().blocks.size());
  }

  SearchReport run() {
    BlockSet placed(states_.assembly().blocks.size());
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> next{0};  // per depth: the place in rank_ that is tried next
    while (order.size() < rank_.size() && !over()) {
      const std::size_t place = find_way(placed, next.back());
      if (place < rank_.size()) {
        next.back() = place + 1;
        placed.add(rank_[place]);
        order.push_back(rank_[place]);
        next.push_back(0);
        continue;
      }
      keep_longest(order, placed);
      if (over()) break;
      dead_.insert(placed);
      next.pop_back();
      if (order.empty()) return finish(undecided_ ? SearchReport::End::open : SearchReport::End::impossible);
      placed.remove(order.back());
      order.pop_back();
    }
    if (order.size() < rank_.size()) return finish(SearchReport::End::open);
    report_.order = order;
    return finish(SearchReport::End::found);
  }

 private:
  bool over() const { return states_.out_of_time() || states_.checks() >= last_check_; }

  SearchReport finish(SearchReport::End end) {
    report_.end = end;
    report_.moved.remove(held_);
    return std::move(report_);
  }

  /// The first place from `from` on whose block can come next; rank_.size(): none.
  std::size_t find_way(const BlockSet& placed, std::size_t from) {
    for (std::size_t place = from; place < rank_.size(); ++place) {
      const std::uint32_t block = rank_[place];
      if (placed.has(block)) continue;
      BuildState state{placed, held_};
      state.placed.add(block);
      if (dead_.contains(state.placed)) continue;
      const BuildStates::Answer answer = states_.ask(state);
      if (answer.verdict == Verdict::stands) return place;
      if (answer.verdict == Verdict::falls)
        report_.moved.add(states_.cuts()[answer.cut].moving);
      else
        undecided_ = true;
      if (over()) return rank_.size();
    }
    return rank_.size();
  }

  void keep_longest(const std::vector<std::uint32_t>& order, const BlockSet& placed) {
    if (stuck_ && order.size() <= report_.order.size()) return;
    stuck_ = true;
    report_.order = order;
    // the first that could not follow; rather one that falls than one that is not decided
    bool told = false;
    for (const std::uint32_t block : rank_) {
      if (placed.has(block)) continue;
      BuildState state{placed, held_};
      state.placed.add(block);
      const bool falls = states_.ask(state).verdict == Verdict::falls;
      if (!told || falls) report_.refused = block;
      told = true;
      if (falls) break;
    }
  }

  BuildStates& states_;
  const std::span<const std::uint32_t> rank_;
  const BlockSet& held_;
  const int last_check_;
  std::set<BlockSet> dead_;
  bool undecided_ = false, stuck_ = false;
  SearchReport report_;
};

}  // namespace

SearchReport search_order(BuildStates& states, std::span<const std::uint32_t> rank, const BlockSet& held, int most_checks) {
  return Search(states, rank, held, most_checks).run();
}

BlockSet find_blocking(BuildStates& states, const BlockSet& held) {
  BlockSet blocking = states.free_blocks();
  blocking.remove(held);
  // takes blocks out until every one left falls alone
  for (bool changed = true; changed && !states.out_of_time();) {
    changed = false;
    for (const std::uint32_t block : blocking.list()) {
      BuildState alone{states.free_blocks(), states.free_blocks()};
      alone.placed.remove(blocking);
      alone.held.remove(blocking);
      alone.placed.add(block);
      if (states.ask(alone).verdict == Verdict::falls) continue;
      blocking.remove(block);
      changed = true;
    }
  }
  if (states.out_of_time()) return BlockSet(states.assembly().blocks.size());
  return blocking;
}

}  // namespace trilith::statics
