#pragma once
#include "rows/row_group.h"

namespace trilith::rows {

/// A sparse matrix by rows, a view: entries of row i at [row_start[i], row_start[i + 1]).
struct SparseRows {
  std::int32_t rows = 0, columns = 0;
  std::span<const std::int32_t> row_start;  ///< rows + 1
  std::span<const std::int32_t> column;
  std::span<double> value;
};

struct ScalingSettings {
  /// Equilibration passes over rows and columns (docs/defaults.md). 0: leave the matrix alone.
  int passes = 3;
};

/// Scales of rows and columns: the scaled matrix is diag(row) A diag(column), scaled values are row * value. Powers of two, so scaling and
/// unscaling change no digit; one scale for all rows of a block, so cones stay the same cones.
struct Scaling {
  std::vector<double> row, column;
  std::vector<double> row_largest, column_largest;  ///< work
};

/// All ones, with room for the work of `equilibrate`.
Scaling make_scaling(std::int32_t rows, std::int32_t columns);

/// Ruiz equilibration in the largest norm: afterwards the largest entry of every block of rows and of every column is near 1. Empty rows
/// and columns keep 1. Overwrites the matrix with the scaled one. Rows outside of every group are scaled one by one. Never allocates.
/// (CONE-17)
void equilibrate(std::span<const RowGroup> groups, const ScalingSettings& settings, const SparseRows& matrix, Scaling& scaling) noexcept;

/// Bounds and radii of a group in scaled values: `lower` and `upper` have one entry per row of the group where the set is a box, `radius`
/// one per block where it is a disc or an ellipse; else empty. Cones need none.
void scale_group(const RowGroup& group, const Scaling& scaling, std::span<double> lower, std::span<double> upper,
                 std::span<double> radius) noexcept;

}  // namespace trilith::rows
