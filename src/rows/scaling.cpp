// Equilibration that keeps cones (CONE-17).
#include "rows/scaling.h"

#include <algorithm>

#include "base/check.h"
#include "base/lanes.h"

namespace trilith::rows {
namespace {

/// The power of two nearest to a positive number, in ratio.
double nearest_power_of_two(double a) {
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
  const double below = from_bits(to_bits(a) & ~mantissa);
  return a * a > 2 * (below * below) ? 2 * below : below;
}

/// One scale step for a largest entry; 1 for an empty row and for what is not finite.
double step(double largest) { return largest > 0 && largest <= std::numeric_limits<double>::max() ? 1 / sqrt(largest) : 1; }

/// Largest scaled entry of every row and of every column.
void find_largest(const SparseRows& matrix, Scaling& s) {
  std::fill(s.column_largest.begin(), s.column_largest.end(), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    double largest = 0;
    for (auto k = static_cast<std::size_t>(matrix.row_start[i]); k < static_cast<std::size_t>(matrix.row_start[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(matrix.column[k]);
      const double entry = s.row[i] * abs(matrix.value[k]) * s.column[j];
      largest = std::max(largest, entry);
      s.column_largest[j] = std::max(s.column_largest[j], entry);
    }
    s.row_largest[i] = largest;
  }
}

/// Gives all rows of a block the largest entry of the block.
void share_in_blocks(std::span<const RowGroup> groups, Scaling& s) {
  for (const RowGroup& group : groups)
    for (std::int32_t row = group.first; row < group.end(); row += group.block) {
      const auto begin = s.row_largest.begin() + row;
      std::fill(begin, begin + group.block, *std::max_element(begin, begin + group.block));
    }
}

}  // namespace

Scaling make_scaling(std::int32_t rows, std::int32_t columns) {
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  return {std::vector<double>(m, 1), std::vector<double>(n, 1), std::vector<double>(m), std::vector<double>(n)};
}

void equilibrate(std::span<const RowGroup> groups, const ScalingSettings& settings, const SparseRows& matrix, Scaling& scaling) noexcept {
  TRI_CHECK(scaling.row.size() == static_cast<std::size_t>(matrix.rows));
  TRI_CHECK(scaling.column.size() == static_cast<std::size_t>(matrix.columns));
  std::fill(scaling.row.begin(), scaling.row.end(), 1.0);
  std::fill(scaling.column.begin(), scaling.column.end(), 1.0);
  for (int pass = 0; pass < settings.passes; ++pass) {
    find_largest(matrix, scaling);
    share_in_blocks(groups, scaling);
    for (std::size_t i = 0; i < scaling.row.size(); ++i) scaling.row[i] *= step(scaling.row_largest[i]);
    for (std::size_t j = 0; j < scaling.column.size(); ++j) scaling.column[j] *= step(scaling.column_largest[j]);
  }

  // powers of two: the scaled matrix has the digits of the given one
  for (double& scale : scaling.row) scale = nearest_power_of_two(scale);
  for (double& scale : scaling.column) scale = nearest_power_of_two(scale);
  for (std::size_t i = 0; i < scaling.row.size(); ++i)
    for (auto k = static_cast<std::size_t>(matrix.row_start[i]); k < static_cast<std::size_t>(matrix.row_start[i + 1]); ++k)
      matrix.value[k] *= scaling.row[i] * scaling.column[static_cast<std::size_t>(matrix.column[k])];
}

void scale_group(const RowGroup& group, const Scaling& scaling, std::span<double> lower, std::span<double> upper,
                 std::span<double> radius) noexcept {
  const double* scale = scaling.row.data() + group.first;
  if (group.set == SetKind::box) {
    TRI_CHECK(lower.size() == group.lower.size() && upper.size() == group.upper.size());
    for (std::size_t i = 0; i < lower.size(); ++i) {
      lower[i] = scale[i] * group.lower[i];
      upper[i] = scale[i] * group.upper[i];
    }
  }
  if (group.set == SetKind::disc || group.set == SetKind::ellipse) {
    TRI_CHECK(radius.size() == group.radius.size());
    for (std::size_t b = 0; b < radius.size(); ++b) radius[b] = scale[b * static_cast<std::size_t>(group.block)] * group.radius[b];
  }
}

}  // namespace trilith::rows
