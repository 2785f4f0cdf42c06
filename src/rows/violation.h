#pragma once
#include "rows/row_group.h"

namespace trilith::rows {

/// How far the values of a group are outside of its set, in the group's unit. A NaN counts as infinitely far.
struct Violation {
  double max = 0;               ///< largest distance of a block
  double sum = 0;               ///< over blocks, in their order
  std::int32_t worst_row = -1;  ///< problem row where the worst block begins (the first of equals); -1: nothing is outside
};

/// Distances of the group's blocks to their sets. `value`: all rows of the problem. Never allocates.
Violation measure(const RowGroup& group, std::span<const double> value) noexcept;

/// What a multiplier y says about a set of values: y'k <= support for every k in K, finite only without violation. (CONE-2)
struct PolarMeasure {
  Violation violation;  ///< distance of y to the multipliers that have a finite support, unit of y
  double support = 0;   ///< sum of the blocks' support functions
};

/// The pieces of an infeasibility certificate: with A'y = 0 and no violation, a negative support proves that no x has A x in K.
PolarMeasure measure_polar(const RowGroup& group, std::span<const double> y) noexcept;

/// Distances of the group's blocks to the directions in which their sets are unbounded: a cone itself, the open sides of a box. What a ray
/// of a cost without lower bound must satisfy. (CONE-2)
Violation measure_recession(const RowGroup& group, std::span<const double> direction) noexcept;

}  // namespace trilith::rows
