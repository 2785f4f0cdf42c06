#pragma once
#include <cstdint>
#include <vector>

#include "linalg/block_cholesky_kernel.h"
#include "linalg/block_front.h"
#include "linalg/block_ordering.h"

namespace trilith::linalg {

/// Fronts [begin, end): a whole branch of the tree. Branches share no memory and may be factored at the same time.
struct Branch {
  int begin, end;
  double flops;
};

/// The plan of a factorization. Positions count blocks in elimination order, rows count scalars.
struct BlockSymbolic::Impl {
  EliminationOrder order;
  std::vector<int> size;  ///< scalar size by position
  std::vector<int> row;   ///< first scalar row by position; size blocks + 1
  PairLists pairs;        ///< off-diagonal blocks of A, in the order of `off_diagonal`

  std::vector<Front> fronts;
  std::vector<int> child;
  std::vector<Run> runs;
  std::vector<Segment> segments;
  std::vector<BlockCopy> diagonal_copy, off_diagonal_copy;

  std::vector<Branch> branches;  ///< heaviest first (CHOL-10)
  std::vector<int> trunk;        ///< the other fronts, ascending: they follow when all branches are done

  std::int64_t diagonal_entries = 0, off_diagonal_entries = 0;  ///< doubles that the blocks of A take
  std::int64_t panel_entries = 0, update_entries = 0;           ///< doubles of the factor and of the update matrices
  int longest_front = 0;                                        ///< rows, padded
  double factor_entries = 0, factor_flops = 0;
};

}  // namespace trilith::linalg
