// Which blocks to hold, and how long. Equations: (ORD-3) (ORD-4) (ORD-5)
#include "statics/order_props.h"

#include <algorithm>

#include "statics/hitting_set.h"

namespace trilith::statics {
namespace {

/// Adds what must be held besides `held`; true where something was added.
bool add_blocking(BuildStates& states, const BlockSet& held, std::vector<BlockSet>& unmet) {
  const BlockSet blocking = find_blocking(states, held);
  for (BlockSet& piece : states.pieces_of(blocking)) unmet.push_back(std::move(piece));
  return !blocking.empty();
}

}  // namespace

std::optional<PropPlan> find_props(BuildStates& states, std::span<const std::uint32_t> rank, std::vector<BlockSet> unmet,
                                   const OrderSettings& settings) {
  const std::size_t blocks = states.assembly().blocks.size();
  bool proved = true;  // every set in `unmet` needs a held block
  for (int round = 0; round < settings.most_prop_rounds && !states.out_of_time(); ++round) {
    const HittingSet choice = find_hitting_set(unmet, blocks, settings.most_prop_branches);
    if (add_blocking(states, choice.chosen, unmet)) continue;
    const SearchReport search = search_order(states, rank, choice.chosen, settings.most_checks);
    if (search.end == SearchReport::End::found) return PropPlan{search.order, choice.chosen, proved && choice.smallest};
    // whatever holds none of the moved blocks meets the same falls
    BlockSet needed = search.moved;
    if (search.end == SearchReport::End::open) {
      proved = false;
      needed.add(search.refused);
      needed.remove(choice.chosen);
    }
    if (needed.empty()) return std::nullopt;
    unmet.push_back(std::move(needed));
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
    const BlockSet carried = state.held;
    BlockSet spare = plan.held;
    spare.keep(state.placed);
    spare.remove(carried);
    std::vector<std::uint32_t> added;
    for (BuildStates::Answer answer = states.ask(state); answer.verdict != Verdict::stands && !spare.empty(); answer = states.ask(state)) {
      // the block that falls is the one to hold, where that is known
      BlockSet wanted = spare;
      if (answer.verdict == Verdict::falls) wanted.keep(states.cuts()[answer.cut].moving);
      const std::uint32_t block = wanted.empty() ? spare.list().front() : wanted.list().front();
      spare.remove(block);
      state.held.add(block);
      added.push_back(block);
    }
    for (const std::uint32_t block : added) {
      state.held.remove(block);
      if (states.ask(state).verdict != Verdict::stands) state.held.add(block);
    }
    needed[step] = state.held;
  }
  return needed;
}

}  // namespace trilith::statics
