#pragma once
#include "cones/second_order.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// A contact force, or any value in contact axes: normal and two tangents, one unit.
template <class T>
struct Contact3 {
  T n, t1, t2;
};

/// Circular Coulomb cone K = {(n, t) : |t| <= mu n}, D - 1 tangents. All rows share one unit (N, N s, m/s); mu >= 0 without unit, and
/// mu = 0 is the ray n >= 0, t = 0. Its polar is {|t| mu <= -n}. mu = 1 is the second-order cone. Zones and formulas: (CONE-4).
template <class T, int D = 3>
struct FrictionCone {
  using Scalar = T;
  static constexpr int dim = D;
  T mu;

  TRI_INLINE Block<T, D> project(const Block<T, D>& v) const { return zones(v, T(1), T(1)).point(v); }

  /// Closed form where the tangents share one weight (then it is the cone of mu sqrt(R1/R0) in scaled variables), else (CONE-10).
  TRI_INLINE Projection<T, D> projection(const Block<T, D>& v, const Block<T, D>& R) const {
    Projection<T, D> p = isotropic(v, R[0], R[1]);
    auto uneven = R[1] < T(0);
    for (int i = 2; i < D; ++i) uneven = either(uneven, R[i] != R[1]);
    if (any(uneven)) {
      const Projection<T, D> q = project_elliptic(v, filled<T, D - 1>(mu), R);
      p.point = select_block(uneven, q.point, p.point);
      p.slope = select_block(uneven, q.slope, p.slope);
    }
    return p;
  }

  /// The closed form: weight R0 on the normal, R1 on every tangent. (CONE-4), slope (CONE-5)
  TRI_INLINE Projection<T, D> isotropic(const Block<T, D>& v, T R0, T R1) const {
    const Zones z = zones(v, R0, R1);
    Projection<T, D> p;
    p.point = z.point(v);

    // tangent direction times mu, and the part across it
    const T inverse = T(1) / z.stiffness;
    const T across = z.shrink / R1;
    Block<T, D> along;
    along[0] = T(1);
    for (int i = 1; i < D; ++i) along[i] = mu * (v[i] / z.safe_r);
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) {
        const T inside = i != j ? T(0) : i == 0 ? T(1) / R0 : T(1) / R1;
        T edge = inverse * (along[i] * along[j]);
        if (i > 0) edge += across * (T(i == j ? 1 : 0) - (v[i] / z.safe_r) * (v[j] / z.safe_r));
        p.slope.m[i][j] = p.slope.m[j][i] = z.pick(inside, edge);
      }
    return p;
  }

  /// Distance to the polar cone: the length of the projection onto K (Moreau). (CONE-2)
  TRI_INLINE T polar_violation(const Block<T, D>& y) const { return norm(project(y)); }
  TRI_INLINE T support(const Block<T, D>& y) const { return zero_unless_nan(dot(y, y)); }

  /// Barrier of n -+ |t| / mu, the margins along the normal: delta in the unit of n, mu > 0. (CONE-15)
  TRI_INLINE Energy<T, D> barrier(const Block<T, D>& v, const BarrierShape<T>& shape) const {
    return barrier_of_cone(v, filled<T, D - 1>(mu), shape);
  }

 private:
  using Mask = decltype(T(0) < T(0));
  struct Zones {
    Mask inside, polar;
    T n;          ///< normal component of the foot on the cone
    T stiffness;  ///< R0 + R1 mu^2
    T shrink;     ///< tangents of the foot are shrink * v
    T safe_r;     ///< |t|, 1 where that is 0
    TRI_INLINE T pick(T in, T edge) const { return select(inside, in, select(polar, T(0), edge)); }
    TRI_INLINE Block<T, D> point(const Block<T, D>& v) const {
      Block<T, D> p;
      p[0] = pick(v[0], n);
      for (int i = 1; i < D; ++i) p[i] = pick(v[i], shrink * v[i]);
      return p;
    }
  };

  TRI_INLINE Zones zones(const Block<T, D>& v, T R0, T R1) const {
    T square = v[1] * v[1];
    for (int i = 2; i < D; ++i) square += v[i] * v[i];
    const T r = sqrt(square);
    const T pull = R1 * (mu * r);
    Zones z;
    z.inside = both(r <= mu * v[0], v[0] >= T(0));
    z.polar = pull <= T(0) - R0 * v[0];
    z.stiffness = R0 + R1 * (mu * mu);
    z.n = (R0 * v[0] + pull) / z.stiffness;
    z.safe_r = select(r <= T(0), T(1), r);
    z.shrink = mu * z.n / z.safe_r;
    return z;
  }
};

/// Euclidean projection of `f` onto |t| <= mu n. (CONE-4)
template <class T>
TRI_INLINE Contact3<T> project(const Contact3<T>& f, T mu) {
  const Block<T, 3> p = FrictionCone<T>{mu}.project({{f.n, f.t1, f.t2}});
  return {p[0], p[1], p[2]};
}

static_assert(ConvexSet<FrictionCone<double>> && ConvexSet<FrictionCone<Double8>> && ConvexSet<FrictionCone<float, 6>>);

TRI_ISA_END
}  // namespace trilith::cones
