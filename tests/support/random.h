#pragma once
#include <cmath>
#include <cstdint>
#include <random>

#include "trilith/vec.h"

namespace trilith::test {

/// Numbers for property tests: the same sequence for a seed on every compiler. Not part of the library (it may call libm).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53); }
  /// Standard normal (Box-Muller).
  double gauss() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(0, 1)));
    return radius * std::cos(2.0 * 3.14159265358979323846 * uniform(0, 1));
  }
  /// Log-uniform in [low, high), both > 0: for scales that span decades.
  double scale(double low, double high) { return low * std::pow(high / low, uniform(0, 1)); }
  /// Whole number in [0, count), count >= 1.
  std::uint64_t index(std::uint64_t count) { return engine_() % count; }
  bool coin() { return (engine_() & 1) != 0; }
  Vec3d gauss_vector() {
    const double x = gauss(), y = gauss(), z = gauss();
    return {x, y, z};
  }
  /// Uniform on the unit sphere.
  Vec3d direction() {
    for (;;) {
      const Vec3d v = gauss_vector();
      const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
      if (length > 1e-6) return {v.x / length, v.y / length, v.z / length};
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace trilith::test
