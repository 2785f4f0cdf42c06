#pragma once
#include <climits>
#include <span>
#include <vector>

namespace trilith::linalg {

/// When neighbouring columns may share a front although that stores explicit zeros: a front of at most `width` scalar columns may hold
/// the share `zeros` of its entries as zeros. Wide fronts run fast, zeros cost memory and work. (CHOL-5)
struct Relaxation {
  struct Step {
    int width;     ///< scalar columns
    double zeros;  ///< share of the front's entries in L, 0 to 1
  };
  Step steps[4] = {{12, 0.6}, {24, 0.35}, {48, 0.15}, {INT_MAX, 0.05}};
};

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

FrontPartition make_front_partition(const ColumnShapes& columns, const PairLists& pairs, const Relaxation& relaxation);

}  // namespace trilith::linalg
