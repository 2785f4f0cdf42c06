#pragma once
#include "base/lanes.h"

namespace trilith::statics {

/// Pressures below this part of the largest, and below this many N, have no utilisation: their ratio is rounding dust (seed 000, 1.6).
inline constexpr double utilization_floor = 1e-4, least_normal_force = 1e-12;

inline double least_counted_force(double largest_N) noexcept { return max(least_normal_force, utilization_floor * largest_N); }

}  // namespace trilith::statics
