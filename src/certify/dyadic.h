#pragma once
#include <cstddef>
#include <cstdint>

namespace trilith::certify {

/// An exact number m 2^e with integers m and e. Every finite double is one, and sums, differences and products stay exact, without
/// fractions and without common divisors. Storage and arithmetic of m are GMP's and hidden in exact.cpp.
class Dyadic {
 public:
  Dyadic() noexcept;
  Dyadic(int value) noexcept;     // NOLINT(google-explicit-constructor): the same number
  Dyadic(double value) noexcept;  // NOLINT(google-explicit-constructor): the same number; `value` is finite
  Dyadic(const Dyadic& other) noexcept;
  Dyadic(Dyadic&& other) noexcept;
  Dyadic& operator=(const Dyadic& other) noexcept;
  Dyadic& operator=(Dyadic&& other) noexcept;
  ~Dyadic();

  Dyadic& operator+=(const Dyadic& b) noexcept;
  Dyadic& operator-=(const Dyadic& b) noexcept;
  Dyadic& operator*=(const Dyadic& b) noexcept;

  /// -1, 0 or 1.
  int sign() const noexcept;
  /// This number times 2^power.
  Dyadic shifted(std::int64_t power) const noexcept;
  /// Magnitude as fraction * 2^exponent with .5 <= |fraction| < 1, truncated to 53 bits; 0 and 0 for zero.
  double fraction(std::int64_t& exponent) const noexcept;

 private:
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) noexcept;
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b) noexcept;
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) noexcept;
  /// Becomes a + sign b; a or b may be this object.
  void set_sum(const Dyadic& a, const Dyadic& b, int sign) noexcept;

  alignas(8) std::byte integer_[16];
  std::int64_t exponent_ = 0;
};

Dyadic operator+(const Dyadic& a, const Dyadic& b) noexcept;
inline Dyadic operator+(Dyadic&& a, const Dyadic& b) noexcept {
  a += b;
  return static_cast<Dyadic&&>(a);
}
Dyadic operator-(const Dyadic& a, const Dyadic& b) noexcept;
inline Dyadic operator-(Dyadic&& a, const Dyadic& b) noexcept {
  a -= b;
  return static_cast<Dyadic&&>(a);
}
Dyadic operator*(const Dyadic& a, const Dyadic& b) noexcept;
inline Dyadic square(const Dyadic& a) noexcept { return a * a; }

/// Sign of a - b.
int compare(const Dyadic& a, const Dyadic& b) noexcept;
inline bool operator<=(const Dyadic& a, const Dyadic& b) noexcept { return compare(a, b) <= 0; }
inline bool operator<(const Dyadic& a, const Dyadic& b) noexcept { return compare(a, b) < 0; }
inline const Dyadic& larger(const Dyadic& a, const Dyadic& b) noexcept { return a < b ? b : a; }

/// numerator / denominator as a double, for reports: a few roundings, +-infinity or 0 where out of range or where the denominator is 0.
double ratio(const Dyadic& numerator, const Dyadic& denominator) noexcept;
/// The square root of numerator / denominator, both >= 0, for reports.
double root_of_ratio(const Dyadic& numerator, const Dyadic& denominator) noexcept;

/// Bounds of the square root of a >= 0: low^2 <= a <= high^2, relative width about 2^-49.
struct RootBounds {
  Dyadic low, high;
};
RootBounds bound_root(const Dyadic& a) noexcept;

}  // namespace trilith::certify
