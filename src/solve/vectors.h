#pragma once
#include <limits>
#include <span>

#include "base/lanes.h"

/// Sums and sizes of plain vectors, in their order.
namespace trilith::solve {

inline double dot_of(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Largest magnitude; 0 where there is none.
inline double largest_of(std::span<const double> a) noexcept {
  double worst = 0;
  for (const double v : a) worst = max(worst, abs(v));
  return worst;
}

/// Lifts `largest` to the candidate; what is not a number counts as infinite.
inline void raise(double candidate, double& largest) noexcept {
  if (!(candidate <= largest)) largest = candidate == candidate ? candidate : std::numeric_limits<double>::infinity();
}

inline double length_of(std::span<const double> a) noexcept { return sqrt(dot_of(a, a)); }

}  // namespace trilith::solve
