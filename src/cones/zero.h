#pragma once
#include "cones/barrier.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// K = {0}: the value of an equality row. Its polar is everything: an equality row has a free force (`Box` without bounds in `respond`).
template <class T>
struct Zero {
  using Scalar = T;
  static constexpr int dim = 1;

  TRI_INLINE Block<T, 1> project(const Block<T, 1>& v) const { return {{zero_unless_nan(v[0])}}; }
  TRI_INLINE Projection<T, 1> projection(const Block<T, 1>& v, const Block<T, 1>&) const { return {project(v), {{{T(0)}}}}; }
  TRI_INLINE T polar_violation(const Block<T, 1>& y) const { return zero_unless_nan(y[0]); }
  TRI_INLINE T support(const Block<T, 1>& y) const { return zero_unless_nan(y[0]); }
  /// Both sides of the empty interval [0, 0]: a parabola near 0.
  TRI_INLINE Energy<T, 1> barrier(const Block<T, 1>& v, const BarrierShape<T>& shape) const {
    return barrier_of_interval(v[0], T(0), T(0), shape);
  }
};
static_assert(ConvexSet<Zero<double>> && ConvexSet<Zero<Double8>>);

TRI_ISA_END
}  // namespace trilith::cones
