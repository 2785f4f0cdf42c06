#pragma once
#include "cones/barrier.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// K = {lower <= v <= upper}, lower <= upper, either may be infinite. In `respond`: friction loss is [-F, F], a free force (equality rows)
/// [-inf, inf], an L1-soft inequality [0, sigma].
template <class T>
struct Box {
  using Scalar = T;
  static constexpr int dim = 1;
  T lower, upper;

  TRI_INLINE Block<T, 1> project(const Block<T, 1>& v) const { return {{select(v[0] < lower, lower, select(v[0] > upper, upper, v[0]))}}; }
  TRI_INLINE Projection<T, 1> projection(const Block<T, 1>& v, const Block<T, 1>& R) const {
    const auto outside = either(v[0]<lower, v[0]> upper);
    return {project(v), {{{select(outside, T(0), T(1) / R[0])}}}};
  }
  /// A positive y needs an upper bound, a negative one a lower bound.
  TRI_INLINE T polar_violation(const Block<T, 1>& y) const {
    const T largest = T(std::numeric_limits<typename ScalarOf<T>::type>::max());
    const auto unbounded = either(both(y[0] > T(0), upper > largest), both(y[0] < T(0), lower < T(0) - largest));
    return select(unbounded, abs(y[0]), zero_unless_nan(y[0]));
  }
  TRI_INLINE T support(const Block<T, 1>& y) const {
    const T largest = T(std::numeric_limits<typename ScalarOf<T>::type>::max());
    const T bound = select(y[0] > T(0), upper, lower);
    return y[0] * select(abs(bound) > largest, T(0), bound);
  }
  TRI_INLINE Energy<T, 1> barrier(const Block<T, 1>& v, const BarrierShape<T>& shape) const {
    return barrier_of_interval(v[0], lower, upper, shape);
  }
};
static_assert(ConvexSet<Box<double>> && ConvexSet<Box<Double8>>);

TRI_ISA_END
}  // namespace trilith::cones
