#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "statics/build_states.h"

namespace trilith::statics {

/// What one search for an order under a fixed choice of held blocks came to.
struct SearchReport {
  enum class End : std::uint8_t {
    found,
    impossible,  ///< proved: every way on falls
    open,        ///< out of checks or time, or a state was undecided
  };
  End end = End::open;
  std::vector<std::uint32_t> order;  ///< found: all free blocks; else the longest that stood
  std::uint32_t refused = 0;         ///< not found: the first block that could not follow `order`
  BlockSet moved;  ///< not found: blocks that the falls met on the way move; holding none of them helps nothing where impossible
};

/// Depth-first search over the states that stand, in the order of `rank`, with the blocks of `held` held from their placing to the end.
SearchReport search_order(BuildStates& states, std::span<const std::uint32_t> rank, const BlockSet& held, int most_checks);

/// Blocks of which none can be the first to be placed: each falls with all blocks outside of the set standing firm around it. Not empty:
/// no order exists with `held` held, and one block of each piece (pieces_of) has to be held besides. (ORD-3)
BlockSet find_blocking(BuildStates& states, const BlockSet& held);

}  // namespace trilith::statics
