#pragma once
#include "cones/second_order.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// Ball of fixed radius >= 0, K = {|v| <= radius}: friction whose normal force is given (sliding D = 2, spin D = 1, rolling D = 2), and
/// bounds on the length of a vector. Every y has a finite support, radius |y|.
template <class T, int D>
struct Disc {
  using Scalar = T;
  static constexpr int dim = D;
  T radius;

  TRI_INLINE Block<T, D> project(const Block<T, D>& v) const {
    const T r = norm(v);
    return select_block(r <= radius, v, (radius / safe(r)) * v);
  }

  /// One weight: radial; several: one scalar equation. (CONE-11)
  TRI_INLINE Projection<T, D> projection(const Block<T, D>& v, const Block<T, D>& R) const {
    const T r = norm(v);
    const auto inside = r <= radius;
    Block<T, D> direction = (T(1) / safe(r)) * v;
    Projection<T, D> p;
    p.point = select_block(inside, v, (radius / safe(r)) * v);
    p.slope = tangent_slope(radius / (safe(r) * R[0]), direction);

    auto uneven = R[0] < T(0);
    for (int i = 1; i < D; ++i) uneven = either(uneven, R[i] != R[0]);
    if (any(uneven)) {
      const Projection<T, D> q = foot_on_ball(v, R);
      const auto take = both(uneven, !inside);
      p.point = select_block(take, q.point, p.point);
      p.slope = select_block(take, q.slope, p.slope);
    }
    p.slope = select_block(inside, inverse_diagonal(R), p.slope);
    return p;
  }

  TRI_INLINE T polar_violation(const Block<T, D>& y) const { return zero_unless_nan(dot(y, y)); }
  TRI_INLINE T support(const Block<T, D>& y) const { return radius * norm(y); }

  /// Barrier of radius -+ |v|, radius > 0. (CONE-15)
  TRI_INLINE Energy<T, D> barrier(const Block<T, D>& v, const BarrierShape<T>& shape) const {
    Block<T, D + 1> lifted;
    lifted[0] = radius;
    for (int i = 0; i < D; ++i) lifted[i + 1] = v[i];
    const Energy<T, D + 1> of_cone = barrier_of_cone(lifted, filled<T, D>(T(1)), shape);
    Energy<T, D> e;
    e.value = of_cone.value;
    for (int i = 0; i < D; ++i) {
      e.gradient[i] = of_cone.gradient[i + 1];
      for (int j = 0; j < D; ++j) e.hessian.m[i][j] = of_cone.hessian.m[i + 1][j + 1];
    }
    return e;
  }

 private:
  TRI_INLINE static T safe(T r) { return select(r <= T(0), T(1), r); }
  TRI_INLINE static SymmetricBlock<T, D> tangent_slope(T s, const Block<T, D>& direction) {
    SymmetricBlock<T, D> m = outer(T(0) - s, direction);
    for (int i = 0; i < D; ++i) m.m[i][i] += s;
    return m;
  }

  /// The multiplier s of |R v / (R + s)| = radius, from s = 0 up; the function is concave, so Newton never passes the root. (CONE-11)
  TRI_INLINE Projection<T, D> foot_on_ball(const Block<T, D>& v, const Block<T, D>& R) const {
    T s = T(0);
    Block<T, D> point, direction;
    for (int step = 0; step < secular_step_limit; ++step) {
      for (int i = 0; i < D; ++i) point[i] = R[i] * v[i] / (R[i] + s);
      const T length = norm(point);
      direction = (T(1) / safe(length)) * point;
      T bend = T(0);
      for (int i = 0; i < D; ++i) bend += direction[i] * direction[i] / (R[i] + s);
      const T next = s + (length - radius) / (radius * bend);
      const auto moves = next > s;
      if (!any(moves)) break;
      s = select(moves, next, s);
    }
    Block<T, D> eased;
    for (int i = 0; i < D; ++i) eased[i] = direction[i] / (R[i] + s);
    const T spread = dot(direction, eased);
    const auto point_set = radius <= T(0);
    Projection<T, D> p;
    p.slope = outer(T(0) - T(1) / spread, eased);
    for (int i = 0; i < D; ++i) p.slope.m[i][i] += T(1) / (R[i] + s);
    p.slope = select_block(point_set, zero_matrix<T, D>(), p.slope);
    for (int i = 0; i < D; ++i) p.point[i] = select(point_set, zero_unless_nan(v[i]), point[i]);
    return p;
  }
};
static_assert(ConvexSet<Disc<double, 1>> && ConvexSet<Disc<Double8, 2>>);

TRI_ISA_END
}  // namespace trilith::cones
