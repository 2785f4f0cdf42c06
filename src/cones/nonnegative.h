#pragma once
#include "cones/barrier.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// K = {v >= 0}: gaps, one-sided limits, normal forces without friction. Its polar is {y <= 0}.
template <class T>
struct Nonnegative {
  using Scalar = T;
  static constexpr int dim = 1;

  TRI_INLINE Block<T, 1> project(const Block<T, 1>& v) const { return {{select(v[0] < T(0), T(0), v[0])}}; }
  TRI_INLINE Projection<T, 1> projection(const Block<T, 1>& v, const Block<T, 1>& R) const {
    return {project(v), {{{select(v[0] < T(0), T(0), T(1) / R[0])}}}};
  }
  TRI_INLINE T polar_violation(const Block<T, 1>& y) const { return project(y)[0]; }
  TRI_INLINE T support(const Block<T, 1>& y) const { return zero_unless_nan(y[0]); }
  TRI_INLINE Energy<T, 1> barrier(const Block<T, 1>& v, const BarrierShape<T>& shape) const {
    const ScalarJet<T> b = relaxed_log(v[0], shape);
    return {b.value, {{b.first}}, {{{b.second}}}};
  }
};
static_assert(ConvexSet<Nonnegative<double>> && ConvexSet<Nonnegative<Double8>>);

TRI_ISA_END
}  // namespace trilith::cones
