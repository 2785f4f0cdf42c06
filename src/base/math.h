#pragma once
#include "base/lanes.h"
#include "base/math_constants.h"

/// Elementary functions with the same bits for every width, instruction set, compiler and optimisation level: only + - * / comparisons,
/// selections and integer bit operations, no fused operations, no libm. Theory and error bounds: docs/theory/elementary_functions.md.
/// Angles in rad. Never `using namespace trilith` beside <cmath> at global scope: the calls would be ambiguous (an error, not libm).

namespace trilith {

// not in `detail`, which lives in the namespace of the instruction set
namespace large_angle {
/// x = quadrant pi/2 + high + low with |high + low| <= pi/4; quadrant counts modulo 4.
template <class S>
struct Reduced {
  S high, low;
  std::uint32_t quadrant;
};
/// Exact reduction of any finite angle (NaN otherwise), in integer arithmetic; compiled once for all instruction sets. (MATH-2)
Reduced<double> reduce(double x) noexcept;
Reduced<float> reduce(float x) noexcept;
}  // namespace large_angle

TRI_ISA_BEGIN

template <class T>
struct SinCos {
  T sin, cos;
};

namespace detail {

/// The type of `to_bits(T)`.
template <class T>
using BitsOf = decltype(to_bits(T()));

template <class T>
struct ReducedAngle {
  T high, low;
  BitsOf<T> quadrant;  ///< modulo 4 in the lowest two bits
};

/// s = a - b rounded; returns the exact a - b - s, whatever the sizes of a and b (Knuth's TwoSum).
template <class T>
TRI_INLINE T difference_error(T a, T b, T s) {
  const T back = a - s;
  return (a - (s + back)) + (back - b);
}

TRI_INLINE void reduce_large(double x, ReducedAngle<double>& r) {
  const large_angle::Reduced<double> exact = large_angle::reduce(x);
  r = {exact.high, exact.low, exact.quadrant};
}
TRI_INLINE void reduce_large(float x, ReducedAngle<float>& r) {
  const large_angle::Reduced<float> exact = large_angle::reduce(x);
  r = {exact.high, exact.low, exact.quadrant};
}
/// Replaces the lanes whose angle lies beyond the fast range; goes through memory so that the common path stays in registers.
template <class S, int N>
TRI_INLINE void reduce_large(Lanes<S, N> x, ReducedAngle<Lanes<S, N>>& r) {
  S angle[N], high[N], low[N];
  BitInt<S> quadrant[N];
  x.store(angle), r.high.store(high), r.low.store(low), r.quadrant.pack.store(quadrant);
  for (int i = 0; i < N; ++i) {
    if (abs(angle[i]) <= MathConstants<S>::fast_angle) continue;
    const large_angle::Reduced<S> exact = large_angle::reduce(angle[i]);
    high[i] = exact.high, low[i] = exact.low, quadrant[i] = exact.quadrant;
  }
  r.high = Lanes<S, N>::load(high), r.low = Lanes<S, N>::load(low);
  r.quadrant = LaneBits<S, N>::from(Pack<BitInt<S>, N>::load(quadrant));
}

/// (MATH-1): Cody and Waite with four parts of pi/2; the first three products are exact up to `fast_angle`.
template <class T>
TRI_INLINE ReducedAngle<T> reduce_angle(T x) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  // the nearest integer, read from the bits of a sum whose last bit is worth 1
  const T shifted = x * T(K::two_over_pi) + T(K::round);
  const T n = shifted - T(K::round);
  const T a = x - n * T(K::half_pi_1);
  const T b = n * T(K::half_pi_2), s = a - b;
  const T c = n * T(K::half_pi_3), t = s - c;
  const T rest = n * T(K::half_pi_4) - (difference_error(a, b, s) + difference_error(s, c, t));
  const T high = t - rest;
  ReducedAngle<T> r{high, (t - high) - rest, to_bits(shifted)};
  if (any(!(abs(x) <= T(K::fast_angle)))) [[unlikely]]
    reduce_large(x, r);
  return r;
}

/// sin(high + low) for |high| <= pi/4 and |low| <= half a unit in the last place of high. (MATH-3)
template <class T>
TRI_INLINE T sin_kernel(T high, T low) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  const T z = high * high;
  const T v = z * high;
  return high - ((z * (T(K::half) * low - v * K::sin_rest(z)) - low) - v * T(K::sin_1));
}
/// cos(high + low) for the same range. (MATH-4)
template <class T>
TRI_INLINE T cos_kernel(T high, T low) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  const T z = high * high;
  const T hz = T(K::half) * z;
  const T w = T(1) - hz;
  return w + (((T(1) - w) - hz) + (z * (z * K::cos_rest(z)) - high * low));
}

template <class T>
TRI_INLINE SinCos<T> sincos_of(T x) {
  using B = BitsOf<T>;
  constexpr int to_sign = 8 * sizeof(typename ScalarOf<T>::type) - 2;
  const ReducedAngle<T> r = reduce_angle(x);
  const T s = sin_kernel(r.high, r.low), c = cos_kernel(r.high, r.low);
  // odd quadrants swap the two; sine turns its sign in quadrants 2 and 3, cosine in 1 and 2
  const auto even = (r.quadrant & B(1)) == B(0);
  const B sin_sign = (r.quadrant & B(2)) << to_sign;
  const B cos_sign = ((r.quadrant + B(1)) & B(2)) << to_sign;
  return {from_bits(to_bits(select(even, s, c)) ^ sin_sign), from_bits(to_bits(select(even, c, s)) ^ cos_sign)};
}

/// 2^n for an integer n given as n + round, within the exponent range of normal numbers.
template <class T>
TRI_INLINE T power_of_two(T shifted) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  using B = BitsOf<T>;
  return from_bits((to_bits(shifted) + B(K::exponent_bias)) << K::mantissa_bits);
}

template <class T>
TRI_INLINE T exp_of(T x) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  // beyond these the result is 0 or infinite anyway
  const T y = min(max(x, T(K::exp_low)), T(K::exp_high));
  // (MATH-5) x = n ln 2 + high - low
  const T n = (y * T(K::log2_e) + T(K::round)) - T(K::round);
  const T high = y - n * T(K::ln2_high), low = n * T(K::ln2_low);
  const T r = high - low;
  // (MATH-6)
  const T c = r - r * r * K::exp_rest(r * r);
  const T e = T(1) - ((low - (r * c) / (T(2) - c)) - high);
  // two factors, so that a subnormal result is rounded once
  const T first = n * T(K::half) + T(K::round);
  const T second = (n - (first - T(K::round))) + T(K::round);
  return select(x == x, e * power_of_two(first) * power_of_two(second), T(K::not_a_number));
}

template <class T>
TRI_INLINE T log_of(T x) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  using B = BitsOf<T>;
  const auto tiny = x < T(K::smallest_normal);
  const B bits = to_bits(select(tiny, x * T(K::scale_up), x)) + B(K::one_bits - K::sqrt_half_bits);
  // (MATH-7) x = 2^n (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); the exponent field becomes a number below the point of 2^mantissa_bits
  const T field = from_bits((bits >> K::mantissa_bits) | to_bits(T(K::exponent_unit)));
  const T n = field - T(K::exponent_unit + K::exponent_bias) - select(tiny, T(K::scale_up_log2), T(0));
  const T f = from_bits((bits & B(K::mantissa_mask)) + B(K::sqrt_half_bits)) - T(1);
  // (MATH-8)
  const T half_square = T(K::half) * f * f;
  const T s = f / (T(2) + f);
  const T rest = K::log_rest(s * s);
  const T log = n * T(K::ln2_high) - ((half_square - (s * (half_square + rest) + n * T(K::ln2_low))) - f);
  const T special = select(x == T(0), T(-K::infinity), T(K::not_a_number));
  return select(x > T(0), select(x == T(K::infinity), x, log), special);
}

/// |angle| in [0, pi] from the sizes of x and y and the sign of x. (MATH-9)
template <class T>
TRI_INLINE T atan2_size(T ax, T ay, T sign_x) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  const auto swapped = ay > ax;
  const T top = select(swapped, ax, ay), bottom = select(swapped, ay, ax);
  // beyond tan(pi/8) turn by pi/4: the quotient stays within tan(pi/8)
  const auto turned = top > T(K::tan_eighth_pi) * bottom;
  const T divisor = select(turned, bottom + top, bottom);
  const T q = select(turned, top - bottom, top) / select(divisor == T(0), T(1), divisor);
  const auto left = sign_x < T(0);
  const T straight_high = select(swapped, T(K::half_pi), select(left, T(K::pi), T(0)));
  const T straight_low = select(swapped, T(K::half_pi_low), select(left, T(K::pi_low), T(0)));
  const T high = select(turned, select(left, T(K::three_quarter_pi), T(K::quarter_pi)), straight_high);
  const T low = select(turned, select(left, T(K::three_quarter_pi_low), T(K::quarter_pi_low)), straight_low);
  // the quotient counts backwards after a swap and on the left, forwards after both
  const T once = select(swapped, -q, q);
  const T signed_q = select(left, -once, once);
  return high - ((signed_q * K::atan_rest(q * q) - low) - signed_q);
}

template <class T>
TRI_INLINE T atan2_of(T y, T x) {
  using K = MathConstants<typename ScalarOf<T>::type>;
  const T ax = abs(x), ay = abs(y);
  const T largest = max(ax, ay);
  // keep sums and quotients in range: only the ratio counts
  const T scale = select(largest > T(K::huge), T(K::shrink), select(largest < T(K::minute), T(K::grow), T(1)));
  const auto both_infinite = min(ax, ay) == T(K::infinity);
  const T sx = select(both_infinite, T(1), ax * scale), sy = select(both_infinite, T(1), ay * scale);
  const T size = atan2_size(sx, sy, copysign(T(1), x));
  return select((x == x) & (y == y), copysign(size, y), T(K::not_a_number));
}

}  // namespace detail

/// Sine and cosine of any finite angle, each within 1 unit in the last place; NaN for infinities and NaN. Angles beyond `fast_angle`
/// (1e6 rad in double, 3e3 rad in float) leave the branch-free path and cost about 30 ns each.
TRI_INLINE SinCos<double> sincos(double x) { return detail::sincos_of(x); }
TRI_INLINE SinCos<float> sincos(float x) { return detail::sincos_of(x); }
template <class T, int N>
TRI_INLINE SinCos<Lanes<T, N>> sincos(Lanes<T, N> x) {
  return detail::sincos_of(x);
}
TRI_INLINE double sin(double x) { return sincos(x).sin; }
TRI_INLINE float sin(float x) { return sincos(x).sin; }
template <class T, int N>
TRI_INLINE Lanes<T, N> sin(Lanes<T, N> x) {
  return sincos(x).sin;
}
TRI_INLINE double cos(double x) { return sincos(x).cos; }
TRI_INLINE float cos(float x) { return sincos(x).cos; }
template <class T, int N>
TRI_INLINE Lanes<T, N> cos(Lanes<T, N> x) {
  return sincos(x).cos;
}

/// e^x within 1 unit in the last place (subnormal results too); 0 below and infinity above the range.
TRI_INLINE double exp(double x) { return detail::exp_of(x); }
TRI_INLINE float exp(float x) { return detail::exp_of(x); }
template <class T, int N>
TRI_INLINE Lanes<T, N> exp(Lanes<T, N> x) {
  return detail::exp_of(x);
}

/// Natural logarithm within 1 unit in the last place; -infinity at either zero, NaN below.
TRI_INLINE double log(double x) { return detail::log_of(x); }
TRI_INLINE float log(float x) { return detail::log_of(x); }
template <class T, int N>
TRI_INLINE Lanes<T, N> log(Lanes<T, N> x) {
  return detail::log_of(x);
}

/// Angle of the point (x, y) in [-pi, pi], within 2 units in the last place; signed zeros and infinities as in C (atan2(0, -0) = pi).
TRI_INLINE double atan2(double y, double x) { return detail::atan2_of(y, x); }
TRI_INLINE float atan2(float y, float x) { return detail::atan2_of(y, x); }
template <class T, int N>
TRI_INLINE Lanes<T, N> atan2(Lanes<T, N> y, Lanes<T, N> x) {
  return detail::atan2_of(y, x);
}

TRI_ISA_END
}  // namespace trilith
