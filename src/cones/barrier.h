#pragma once
#include <limits>

#include "base/math.h"
#include "cones/convex_set.h"

/// The relaxed logarithmic barrier (CONE-14) and its form for second-order cones and balls (CONE-15).
namespace trilith::cones {
TRI_ISA_BEGIN

/// A scalar function and its two derivatives.
template <class T>
struct ScalarJet {
  T value, first, second;
};

/// B(d): -weight log d for d > delta; below, the parabola that joins it with two derivatives. Convex, defined for all d. (CONE-14)
template <class T>
TRI_INLINE ScalarJet<T> relaxed_log(T d, const BarrierShape<T>& shape) {
  const auto far = d > shape.delta;
  const T ratio = d / shape.delta;
  const T log_part = log(select(far, d, shape.delta));
  const T parabola = T(2) * ratio - T(0.5) * (ratio * ratio) - T(1.5);
  ScalarJet<T> b;
  b.value = T(0) - shape.weight * (log_part + select(far, T(0), parabola));
  b.first = T(0) - shape.weight * select(far, T(1) / d, (T(2) - ratio) / shape.delta);
  const T reach = select(far, d, shape.delta);
  b.second = shape.weight / (reach * reach);
  return b;
}

/// The same for the distance to a bound that may be infinite (then 0).
template <class T>
TRI_INLINE ScalarJet<T> relaxed_log_of_bound(T d, const BarrierShape<T>& shape) {
  const auto absent = d > T(std::numeric_limits<typename ScalarOf<T>::type>::max());
  const ScalarJet<T> b = relaxed_log(select(absent, T(1), d), shape);
  return {select(absent, T(0), b.value), select(absent, T(0), b.first), select(absent, T(0), b.second)};
}

/// lower <= v <= upper for one row: one barrier per finite bound.
template <class T>
TRI_INLINE Energy<T, 1> barrier_of_interval(T v, T lower, T upper, const BarrierShape<T>& shape) {
  const ScalarJet<T> below = relaxed_log_of_bound(v - lower, shape), above = relaxed_log_of_bound(upper - v, shape);
  Energy<T, 1> e;
  e.value = below.value + above.value;
  e.gradient[0] = below.first - above.first;
  e.hessian.m[0][0] = below.second + above.second;
  return e;
}

/// B(n - r) + B(n + r) and its derivatives by n and r = |g|; where both terms are logarithms this is -weight log(n^2 - r^2). (CONE-15)
template <class T>
struct SpectralJet {
  T value, by_n, by_r, by_nn, by_nr, by_rr;
  T by_r_over_r;  ///< by_r / r, with its limit at r = 0
};

template <class T>
TRI_INLINE SpectralJet<T> spectral_barrier(T n, T r, const BarrierShape<T>& shape) {
  const T delta = shape.delta, low = n - r, high = n + r;
  const ScalarJet<T> a = relaxed_log(low, shape), b = relaxed_log(high, shape);
  SpectralJet<T> s;
  s.value = a.value + b.value;
  s.by_n = a.first + b.first;
  s.by_r = b.first - a.first;
  s.by_nn = s.by_rr = a.second + b.second;
  s.by_nr = b.second - a.second;

  // the divided difference, per zone, without cancellation
  const auto both_far = low > delta;
  const auto both_near = high <= delta;
  const T bend = (delta - low) * (high - delta) / select(r > T(0), r, T(1));
  const T mixed = (T(2) * delta + bend) / (delta * delta * high);
  s.by_r_over_r = shape.weight * select(both_far, T(2) / (low * high), select(both_near, T(2) / (delta * delta), mixed));
  return s;
}

TRI_ISA_END
}  // namespace trilith::cones
