#pragma once
#include <span>
#include <utility>
#include <vector>

namespace trilith::linalg {

/// Which blocks (bodies, trees) share a row of constraints. Symmetric adjacency, both directions, sorted, no self loops, no repeats.
struct BlockPattern {
  std::vector<int> start{0};   ///< size blocks + 1
  std::vector<int> neighbour;  ///< neighbours of block i: neighbour[start[i] .. start[i + 1])
  int blocks() const { return static_cast<int>(start.size()) - 1; }
};

/// `edges` in any order, with repeats, either direction; self loops are dropped. Indices must lie in [0, blocks). Linear time.
BlockPattern make_block_pattern(int blocks, std::span<const std::pair<int, int>> edges);

}  // namespace trilith::linalg
