#pragma once
#include <optional>
#include <span>
#include <vector>

#include "statics/order.h"
#include "statics/order_search.h"

namespace trilith::statics {

/// An order and the blocks that have to be held for it.
struct PropPlan {
  std::vector<std::uint32_t> order;
  BlockSet held;
  bool fewest = false;  ///< proved: every order needs at least as many held blocks
};

/// The fewest blocks to hold so that an order exists, each held from its placing to the end. `unmet`: sets of blocks that are known to need
/// a held one each. None where time or rounds ran out. (ORD-4)
std::optional<PropPlan> find_props(BuildStates& states, std::span<const std::uint32_t> rank, std::vector<BlockSet> unmet,
                                   const OrderSettings& settings);

/// For each step the blocks of the plan that must still be held in the state after it, no more than that state and all later ones need;
/// held without a break. The finished assembly must stand by itself. (ORD-5)
std::vector<BlockSet> release_props(BuildStates& states, const PropPlan& plan);

}  // namespace trilith::statics
