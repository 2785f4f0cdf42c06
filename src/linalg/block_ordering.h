#pragma once
#include <span>
#include <vector>

#include "linalg/block_cholesky.h"

namespace trilith::linalg {

/// Elimination order: `block_at[position]` and its inverse `position[block]`.
struct EliminationOrder {
  std::vector<int> block_at, position;
};

std::vector<int> inverse(std::span<const int> permutation);

/// Order that keeps the factor sparse; `natural` leaves the blocks as numbered. (CHOL-2)
EliminationOrder make_elimination_order(const BlockPattern& pattern, Ordering ordering);

/// The order that takes the block at `steps[i]` of `order` as number i.
EliminationOrder reordered(const EliminationOrder& order, std::span<const int> steps);

/// Elimination tree: parent position of every position, -1 for roots. (CHOL-3)
std::vector<int> elimination_tree(const BlockPattern& pattern, const EliminationOrder& order);

/// Positions so that every subtree is contiguous and ends with its root; of several children the one with the largest subtree comes last,
/// next to its parent, where it can be merged with it. Returns old positions in new order.
std::vector<int> postorder(std::span<const int> parent);

/// Scalar rows of L below the diagonal block, for every position; `parent` is the tree of `order`, `size` the scalar size by position.
/// Walks the rows of L: time is the number of blocks of L. (CHOL-3)
std::vector<int> rows_below(const BlockPattern& pattern, const EliminationOrder& order, std::span<const int> parent,
                            std::span<const int> size);

}  // namespace trilith::linalg
