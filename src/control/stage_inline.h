#pragma once
#include <limits>

#include "base/math.h"
#include "control/stage_kernel.h"

/// Cost and steps of a knot, for use inside kernels. `T` is double, or lanes: then numbers are interleaved.
namespace trilith::control {
TRI_ISA_BEGIN

/// Distances below are taken as these: in the value (CTL-3), and in its derivatives.
inline constexpr double least_distance = 1e-10, least_slope_distance = 1e-6;
/// Distances whose product makes one logarithm: far from over- and underflow.
inline constexpr int factors_per_log = 8;

template <class T>
TRI_INLINE T take(const double* p, std::int64_t i) {
  if constexpr (sizeof(T) == sizeof(double))
    return p[i];
  else
    return T::load(p + i * T::size);
}

/// -weight sum of log(distance to each finite bound). (CTL-3)
template <class T>
TRI_INLINE T barrier_value(const BarrierTerm& b, int count, const double* x) {
  const double infinity = std::numeric_limits<double>::infinity();
  T sum = T(0), product = T(1);
  for (int i = 0; i < count; ++i) {
    const T value = take<T>(x, i);
    if (b.lower[i] > -infinity) product = product * max(value - T(b.lower[i]), T(least_distance));
    if (b.upper[i] < infinity) product = product * max(T(b.upper[i]) - value, T(least_distance));
    if (i % factors_per_log == factors_per_log - 1 || i == count - 1) sum = sum + log(product), product = T(1);
  }
  return T(0) - T(b.weight) * sum;
}

/// (CTL-1)
template <class T>
TRI_INLINE T knot_cost(const KnotCost& c, const KnotPoint& at) {
  T tracking = T(0), speed = T(0), posture = T(0), input = T(0);
  if (c.end_effector != 0)
    for (int i = 0; i < 3; ++i) {
      const T e = take<T>(at.position, i) - T(c.target[i]);
      tracking = tracking + e * e;
    }
  for (int i = 0; i < c.dofs; ++i) {
    const T v = take<T>(at.v, i);
    speed = speed + v * v;
  }
  for (int i = 0; c.posture != nullptr && i < c.dofs; ++i) {
    const T e = take<T>(at.q, i) - T(c.nominal[i]);
    posture = posture + T(c.posture[i]) * (e * e);
  }
  for (int i = 0; i < c.inputs; ++i) {
    const T u = take<T>(at.u, i);
    input = input + T(c.input[i]) * (u * u);
  }
  T cost = T(0.5) * (T(c.end_effector) * tracking + T(c.velocity) * speed + posture + input);
  if (c.position.weight != 0) cost = cost + barrier_value<T>(c.position, c.dofs, at.q);
  if (c.speed.weight != 0) cost = cost + barrier_value<T>(c.speed, c.dofs, at.v);
  if (c.effort.weight != 0 && c.inputs > 0) cost = cost + barrier_value<T>(c.effort, c.inputs, at.u);
  return cost;
}

template <class T>
TRI_INLINE T gap_norm(int count, const double* a, const double* b) {
  T sum = T(0);
  for (int i = 0; i < count; ++i) sum = sum + abs(take<T>(a, i) - take<T>(b, i));
  return sum;
}

/// Adds the barrier's gradient and Hessian, eight numbers side by side. (CTL-3)
template <class T>
TRI_INLINE void add_barrier(const BarrierTerm& b, int first, const T& x, T& gradient, T& diagonal) {
  const T infinity = T(std::numeric_limits<double>::infinity());
  const T to_low = x - T::load(b.lower + first), to_high = T::load(b.upper + first) - x;
  const T low = copysign(max(abs(to_low), T(least_slope_distance)), to_low);
  const T high = copysign(max(abs(to_high), T(least_slope_distance)), to_high);
  const T by_low = select(low == infinity, T(0), T(1) / low), by_high = select(high == infinity, T(0), T(1) / high);
  gradient = gradient + T(b.weight) * (by_high - by_low);
  diagonal = diagonal + T(b.weight) * (by_low * by_low + by_high * by_high);
}

template <class T>
TRI_INLINE void write_derivatives(const KnotCost& c, const KnotPoint& at, const double* jacobian, const StageTerms& out) {
  const int n = padded(c.dofs), m = padded(c.inputs);
  double pull[3] = {0, 0, 0};
  if (c.end_effector != 0)
    for (int i = 0; i < 3; ++i) pull[i] = c.end_effector * (at.position[i] - c.target[i]);
  for (int i = 0; i < n; i += T::size) {
    const T q = T::load(at.q + i), v = T::load(at.v + i);
    T gq = T(0), dq = T(0), gv = T(c.velocity) * v, dv = T(c.velocity);
    if (c.end_effector != 0)
      for (int r = 0; r < 3; ++r) gq = gq + T(pull[r]) * T::load(jacobian + r * n + i);
    if (c.posture != nullptr) {
      dq = T::load(c.posture + i);
      gq = gq + dq * (q - T::load(c.nominal + i));
    }
    if (c.position.weight != 0) add_barrier(c.position, i, q, gq, dq);
    if (c.speed.weight != 0) add_barrier(c.speed, i, v, gv, dv);
    gq.store(out.gq + i), dq.store(out.dq + i), gv.store(out.gv + i), dv.store(out.dv + i);
  }
  for (int i = 0; i < m; i += T::size) {
    const T u = T::load(at.u + i);
    T du = T::load(c.input + i), gu = du * u;
    if (c.effort.weight != 0) add_barrier(c.effort, i, u, gu, du);
    gu.store(out.gu + i), du.store(out.du + i);
  }
}

TRI_ISA_END
}  // namespace trilith::control
