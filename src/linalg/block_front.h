#pragma once
#include <span>
#include <vector>

namespace trilith::linalg {

/// Blocks that will be eliminated, and the later ones they are adjacent to: pairs of positions, later one sorted within the earlier.
struct PairLists {
  std::vector<int> start;  ///< size blocks + 1
  std::vector<int> later;  ///< later positions of position p: later[start[p] .. start[p + 1]), ascending
};

/// Positions grouped into fronts (supernodes), in elimination order, with the rows and the tree of the fronts. (CHOL-4)
struct FrontPartition {
  std::vector<int> first;        ///< first position of every front; size fronts + 1
  std::vector<int> row_start;    ///< size fronts + 1
  std::vector<int> row;          ///< later positions that front f touches: row[row_start[f] .. row_start[f + 1]), ascending
  std::vector<int> child_start;  ///< size fronts + 1
  std::vector<int> child;        ///< children of front f, ascending
  int fronts() const { return static_cast<int>(first.size()) - 1; }
};

/// What is known of every position before it is grouped: tree (postordered), scalar rows below its diagonal block, scalar size.
struct ColumnShapes {
  std::span<const int> parent, below, size;
};

/// Largest fronts that store no zero block. (CHOL-5)
FrontPartition make_front_partition(const ColumnShapes& columns, const PairLists& pairs);

}  // namespace trilith::linalg
