#pragma once
#include <optional>
#include <vector>

#include "statics/block_set.h"

namespace trilith::statics {

struct HittingSet {
  BlockSet chosen;
  bool smallest = false;  ///< proved: no smaller set meets all
};

/// A set that meets every set of `sets` (none of them empty): the smallest, found by deepening search, as long as that takes at most
/// `most_branches` steps; else one found greedily. Among equals the one of the earliest branches. `blocks`: size of the sets.
HittingSet find_hitting_set(const std::vector<BlockSet>& sets, std::size_t blocks, int most_branches);

}  // namespace trilith::statics
