// Which blocks to hold, and how long. Equations: (ORD-3) (ORD-4) (ORD-5)
#include "statics/order_props.h"

#include <algorithm>

#include "statics/hitting_set.h"

namespace trilith::statics {

namespace {

/// Holds blocks of `spare` in `state`, and places them where they are not, until it stands; those that were not needed are taken back. What
/// falls, or would be in the way of the fall, comes first.
void hold_what_is_needed(BuildStates& states, BlockSet spare, BuildState& state) {
  const BlockSet placed = state.placed;
  std::vector<std::uint32_t> added;
  for (BuildStates::Answer answer = states.ask(state); answer.verdict != Verdict::stands && !spare.empty(); answer = states.ask(state)) {
    BlockSet wanted = spare;
    if (answer.verdict == Verdict::falls) {
      BlockSet helping = states.cuts()[answer.cut].moving;
      helping.add(states.cuts()[answer.cut].resisting);
      wanted.keep(helping);
    }
    const std::uint32_t block = wanted.empty() ? spare.list().front() : wanted.list().front();
    spare.remove(block);
    state.placed.add(block);
    state.held.add(block);
    added.push_back(block);
  }
  for (const std::uint32_t block : added) {
    BuildState fewer = state;
    fewer.held.remove(block);
    if (!placed.has(block)) fewer.placed.remove(block);
    if (states.ask(fewer).verdict == Verdict::stands) state = std::move(fewer);
  }
}

/// Puts the held blocks into an order of the others in which all of them were there from the start, each as late as the states allow, and
/// those that nothing needs at the end.
std::vector<std::uint32_t> place_late(BuildStates& states, std::span<const std::uint32_t> rank, std::span<const std::uint32_t> loose,
                                      const BlockSet& held) {
  const BlockSet none(states.assembly().blocks.size());
  BuildState state{none, none};
  BlockSet there = none;
  std::vector<std::uint32_t> order;
  const auto place = [&](const BlockSet& wanted) {
    for (const std::uint32_t block : rank) {
      if (!wanted.has(block) || there.has(block)) continue;
      there.add(block);
      order.push_back(block);
    }
  };
  for (const std::uint32_t block : loose) {
    state.placed.add(block);
    BlockSet spare = held;
    spare.remove(state.held);
    hold_what_is_needed(states, spare, state);
    place(state.held);
    order.push_back(block);
  }
  place(held);
  return order;
}

}  // namespace

std::optional<PropPlan> find_props(BuildStates& states, std::span<const std::uint32_t> rank, std::vector<BlockSet> unmet,
                                   const OrderSettings& settings) {
  const std::size_t blocks = states.assembly().blocks.size();
  bool proved = true;  // every set in `unmet` needs a held block
  for (int round = 0; round < settings.most_prop_rounds && !states.out_of_time(); ++round) {
    const HittingSet choice = find_hitting_set(unmet, blocks, settings.most_prop_branches);
    const std::vector<BlockSet> blocking = find_blocking(states, choice.chosen);
    unmet.insert(unmet.end(), blocking.begin(), blocking.end());
    if (!blocking.empty()) continue;
    const SearchReport search = search_order(states, rank, choice.chosen, settings.most_dead_ends);
    if (search.end == SearchReport::End::found)
      return PropPlan{place_late(states, rank, search.order, choice.chosen), choice.chosen, proved && choice.smallest};
    // whatever holds none of the moved blocks meets the same falls
    if (search.end == SearchReport::End::open) proved = false;
    if (search.unmet.empty()) return std::nullopt;
    unmet.insert(unmet.end(), search.unmet.begin(), search.unmet.end());
  }
  return std::nullopt;
}

std::vector<BlockSet> release_props(BuildStates& states, const PropPlan& plan) {
  const std::size_t blocks = states.assembly().blocks.size();
  std::vector<BlockSet> needed(plan.order.size(), BlockSet(blocks));
  BuildState state{states.free_blocks(), BlockSet(blocks)};
  // from the end: what is held later is held now, if it is there
  for (std::size_t step = plan.order.size(); step-- > 0;) {
    if (step + 1 < plan.order.size()) {
      state.placed.remove(plan.order[step + 1]);
      state.held = needed[step + 1];
      state.held.keep(state.placed);
    }
    BlockSet spare = plan.held;
    spare.keep(state.placed);
    spare.remove(state.held);
    hold_what_is_needed(states, spare, state);
    needed[step] = state.held;
  }
  return needed;
}

}  // namespace trilith::statics
