#pragma once
#include <bit>
#include <cstdint>

#include "base/lanes.h"
#include "trilith/vec.h"

/// Running error bounds of double arithmetic (round to nearest, no contraction). A sum of terms that each went through at most n roundings
/// is off by at most gamma(n) times the sum of the absolute values.
namespace trilith::certify {

/// Half the spacing of doubles at 1.
inline constexpr double roundoff = 0x1p-53;
/// Covers the roundings of the bounds themselves: they are sums and products of nonnegative numbers.
inline constexpr double bound_slack = 1.02;
/// A product that underflows loses less than this, whatever its factors.
inline constexpr double underflow_loss = 0x1p-1022;

/// n u / (1 - n u), rounded up; n < 1e13.
constexpr double gamma(double n) { return bound_slack * n * roundoff; }

/// A sum with the sum of its absolute terms.
struct BoundedSum {
  double value = 0, absolute = 0;
  int terms = 0;

  void add(double term) {
    value += term;
    absolute += abs(term);
    ++terms;
  }
  double error() const { return gamma(terms + 3) * absolute; }
  /// Largest magnitude that the true sum may have.
  double most() const { return abs(value) + error(); }
};

TRI_INLINE double sum_abs(const Vec3d& a) { return abs(a.x) + abs(a.y) + abs(a.z); }
TRI_INLINE double max_abs(const Vec3d& a) { return max(max(abs(a.x), abs(a.y)), abs(a.z)); }

/// Largest power of two that is <= a (2^-1022 for smaller ones); a > 0 and finite.
TRI_INLINE double power_of_two_below(double a) {
  const double normal = max(a, 0x1p-1022);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(normal) & 0x7ff0000000000000u);
}

}  // namespace trilith::certify
