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
    open,        ///< out of dead ends or time, or a state was undecided
  };
  End end = End::open;
  std::vector<std::uint32_t> order;  ///< blocks that are not held: all where found, else the longest that stood
  std::uint32_t refused = 0;         ///< not found: the first block that could not follow
  /// Impossible: sets of blocks of which one each has to be held besides. Open: the blocks that could not follow, each a set: a guess.
  std::vector<BlockSet> unmet;
};

/// Depth-first search over the states that stand, in the order of `rank`, with the blocks of `held` in place and held from the start; piece
/// by piece, as the held blocks divide what is to be built. At most `most_dead_ends` states of each piece from which no way leads on are
/// left again; at the next one the search gives up. (ORD-4)
SearchReport search_order(BuildStates& states, std::span<const std::uint32_t> rank, const BlockSet& held, int most_dead_ends);

/// Sets of blocks, apart from each other and as small as can be, of which none can be the first to be placed: each falls with all blocks
/// outside of its set standing firm around it. Not empty: no order exists with `held` held, and one block of each set has to be held
/// besides. (ORD-3)
std::vector<BlockSet> find_blocking(BuildStates& states, const BlockSet& held);

}  // namespace trilith::statics
