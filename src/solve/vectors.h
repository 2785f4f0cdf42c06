#pragma once
#include <limits>
#include <span>

#include "base/lanes.h"

/// Sums and sizes of plain vectors, each in one order whatever the machine.
namespace trilith::solve {

/// Partial sums of a dot product: one after the other they would wait for each other.
inline constexpr std::size_t dot_lanes = 8;

/// Eight sums, of every eighth product, then those in order. Below eight products in their order.
inline double dot_of(std::span<const double> a, std::span<const double> b) noexcept {
  double part[dot_lanes] = {};
  const std::size_t whole = a.size() / dot_lanes * dot_lanes;
  for (std::size_t i = 0; i < whole; i += dot_lanes)
    for (std::size_t k = 0; k < dot_lanes; ++k) part[k] += a[i + k] * b[i + k];
  double sum = 0;
  if (whole > 0)
    for (const double p : part) sum += p;
  for (std::size_t i = whole; i < a.size(); ++i) sum += a[i] * b[i];
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
