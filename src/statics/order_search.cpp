// Search for a build order under given props. Equations: (ORD-2) (ORD-3)
#include "statics/order_search.h"

#include <algorithm>
#include <set>
#include <utility>

namespace trilith::statics {
namespace {

/// The search of one piece by depth, on a stack of its own.
class PieceSearch {
 public:
  using End = SearchReport::End;

  /// `blocks`: those of the piece, in the order in which they are tried.
  PieceSearch(BuildStates& states, std::vector<std::uint32_t> blocks, const BlockSet& held, int most_dead_ends)
      : states_(states),
        blocks_(std::move(blocks)),
        held_(held),
        dead_ends_left_(most_dead_ends),
        moved_(states.assembly().blocks.size()) {}

  End run() {
    BlockSet placed = held_;
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> next{0};  // per depth: the place in blocks_ that is tried next
    while (order.size() < blocks_.size() && !over()) {
      const std::size_t place = find_way(placed, next.back());
      if (place < blocks_.size()) {
        next.back() = place + 1;
        placed.add(blocks_[place]);
        order.push_back(blocks_[place]);
        next.push_back(0);
        continue;
      }
      keep_longest(order, placed);
      if (states_.out_of_time()) break;
      dead_.insert(placed);
      --dead_ends_left_;
      next.pop_back();
      if (order.empty()) return undecided_ ? End::open : End::impossible;
      placed.remove(order.back());
      order.pop_back();
    }
    if (order.size() < blocks_.size()) {
      keep_longest(order, placed);
      return End::open;
    }
    longest_ = order;
    return End::found;
  }

  const std::vector<std::uint32_t>& longest() const { return longest_; }
  std::uint32_t refused() const { return refused_; }
  const BlockSet& moved() const { return moved_; }

 private:
  bool over() const { return states_.out_of_time() || dead_ends_left_ < 0; }

  /// The first place from `from` on whose block can come next; blocks_.size(): none.
  std::size_t find_way(const BlockSet& placed, std::size_t from) {
    for (std::size_t place = from; place < blocks_.size(); ++place) {
      const std::uint32_t block = blocks_[place];
      if (placed.has(block)) continue;
      BuildState state{placed, held_};
      state.placed.add(block);
      if (dead_.contains(state.placed)) continue;
      const BuildStates::Answer answer = states_.ask(state);
      if (answer.verdict == Verdict::stands) return place;
      if (answer.verdict == Verdict::falls)
        moved_.add(states_.cuts()[answer.cut].moving);
      else
        undecided_ = true;
      if (states_.out_of_time()) break;
    }
    return blocks_.size();
  }

  void keep_longest(const std::vector<std::uint32_t>& order, const BlockSet& placed) {
    if (stuck_ && order.size() <= longest_.size()) return;
    longest_ = order;
    // the first that could not follow; rather one that falls than one that is not decided
    bool told = false;
    for (const std::uint32_t block : blocks_) {
      if (placed.has(block)) continue;
      BuildState state{placed, held_};
      state.placed.add(block);
      const bool falls = states_.ask(state).verdict == Verdict::falls;
      if (!told || falls) refused_ = block;
      told = true;
      if (falls) break;
    }
    stuck_ = true;
  }

  BuildStates& states_;
  const std::vector<std::uint32_t> blocks_;
  const BlockSet& held_;
  int dead_ends_left_;
  std::set<BlockSet> dead_;
  bool undecided_ = false, stuck_ = false;
  std::vector<std::uint32_t> longest_;
  std::uint32_t refused_ = 0;
  BlockSet moved_;
};

/// The orders of pieces as one: always the block that comes first in `rank`.
std::vector<std::uint32_t> merge(std::span<const std::uint32_t> rank, const std::vector<std::vector<std::uint32_t>>& parts) {
  std::vector<std::size_t> place(rank.empty() ? 0 : *std::ranges::max_element(rank) + 1);
  for (std::size_t i = 0; i < rank.size(); ++i) place[rank[i]] = i;
  std::vector<std::size_t> next(parts.size(), 0);
  std::vector<std::uint32_t> order;
  for (;;) {
    std::size_t best = parts.size();
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (next[p] < parts[p].size() && (best == parts.size() || place[parts[p][next[p]]] < place[parts[best][next[best]]])) best = p;
    if (best == parts.size()) return order;
    order.push_back(parts[best][next[best]++]);
  }
}

/// The largest set of blocks in their own way within `blocks`: takes blocks out until every one left falls alone. Empty when out of time.
BlockSet largest_blocking(BuildStates& states, BlockSet blocks) {
  for (bool changed = true; changed && !states.out_of_time();) {
    changed = false;
    for (const std::uint32_t block : blocks.list()) {
      BuildState alone{states.free_blocks(), states.free_blocks()};
      alone.placed.remove(blocks);
      alone.held.remove(blocks);
      alone.placed.add(block);
      if (states.ask(alone).verdict == Verdict::falls) continue;
      blocks.remove(block);
      changed = true;
    }
  }
  return states.out_of_time() ? BlockSet(states.assembly().blocks.size()) : blocks;
}

/// A set within `blocks`, itself one in its own way, of which no part is. What is not in the way without a block is not without two.
BlockSet smallest_blocking(BuildStates& states, BlockSet blocks) {
  for (const std::uint32_t block : blocks.list()) {
    if (!blocks.has(block)) continue;
    BlockSet fewer = blocks;
    fewer.remove(block);
    fewer = largest_blocking(states, std::move(fewer));
    if (!fewer.empty()) blocks = states.pieces_of(fewer).front();
  }
  return blocks;
}

}  // namespace

SearchReport search_order(BuildStates& states, std::span<const std::uint32_t> rank, const BlockSet& held, int most_dead_ends) {
  using End = SearchReport::End;
  SearchReport report;
  report.end = End::found;
  std::vector<std::vector<std::uint32_t>> parts;
  BlockSet loose = states.free_blocks();
  loose.remove(held);
  for (const BlockSet& piece : states.pieces_of(loose)) {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t block : rank)
      if (piece.has(block)) blocks.push_back(block);
    PieceSearch search(states, std::move(blocks), held, most_dead_ends);
    const End end = search.run();
    parts.push_back(search.longest());
    if (end == End::found) continue;
    // one piece that is impossible makes all impossible, whatever is open about others
    const bool first = report.end == End::found || (report.end == End::open && end == End::impossible);
    if (first) {
      report.end = end;
      report.refused = search.refused();
      report.unmet.clear();
    }
    if (end != report.end) continue;
    BlockSet needed = search.moved();
    if (end == End::open) {
      // nothing is proved: the block that could not follow is the one to hold
      needed.remove(needed);
      needed.add(search.refused());
    }
    needed.remove(held);
    if (!needed.empty()) report.unmet.push_back(std::move(needed));
  }
  report.order = merge(rank, parts);
  return report;
}

std::vector<BlockSet> find_blocking(BuildStates& states, const BlockSet& held) {
  std::vector<BlockSet> sets;
  BlockSet left = states.free_blocks();
  left.remove(held);
  for (;;) {
    left = largest_blocking(states, std::move(left));
    if (left.empty() || states.out_of_time()) return sets;
    sets.push_back(smallest_blocking(states, states.pieces_of(left).front()));
    left.remove(sets.back());
  }
}

}  // namespace trilith::statics
