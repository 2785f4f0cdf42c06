#pragma once
#include "cones/disc.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// Disc with its own reach per axis, K = {|(v_1 / mu_1, ...)| <= radius}, mu > 0: friction under a given normal force where the axes have
/// different coefficients. A disc in the coordinates v_j / mu_j, with weights R_j mu_j^2 there. (CONE-11)
template <class T, int D>
struct Ellipse {
  using Scalar = T;
  static constexpr int dim = D;
  T radius;
  Block<T, D> mu;

  TRI_INLINE Block<T, D> project(const Block<T, D>& v) const { return projection(v, filled<T, D>(T(1))).point; }
  TRI_INLINE Projection<T, D> projection(const Block<T, D>& v, const Block<T, D>& R) const {
    Block<T, D> scaled, weight;
    for (int j = 0; j < D; ++j) {
      scaled[j] = v[j] / mu[j];
      weight[j] = R[j] * (mu[j] * mu[j]);
    }
    Projection<T, D> p = Disc<T, D>{radius}.projection(scaled, weight);
    const auto inside = norm(scaled) <= radius;
    for (int i = 0; i < D; ++i) {
      p.point[i] = select(inside, v[i], mu[i] * p.point[i]);
      for (int j = i; j < D; ++j) p.slope.m[i][j] = p.slope.m[j][i] = mu[i] * p.slope.m[i][j] * mu[j];
      p.slope.m[i][i] = select(inside, T(1) / R[i], p.slope.m[i][i]);
    }
    return p;
  }

  TRI_INLINE T polar_violation(const Block<T, D>& y) const { return zero_unless_nan(dot(y, y)); }
  TRI_INLINE T support(const Block<T, D>& y) const {
    Block<T, D> reach;
    for (int j = 0; j < D; ++j) reach[j] = mu[j] * y[j];
    return radius * norm(reach);
  }

  /// Barrier of radius -+ |(v_j / mu_j)|, radius > 0. (CONE-15)
  TRI_INLINE Energy<T, D> barrier(const Block<T, D>& v, const BarrierShape<T>& shape) const {
    Block<T, D> scaled;
    for (int j = 0; j < D; ++j) scaled[j] = v[j] / mu[j];
    Energy<T, D> e = Disc<T, D>{radius}.barrier(scaled, shape);
    for (int i = 0; i < D; ++i) {
      e.gradient[i] = e.gradient[i] / mu[i];
      for (int j = 0; j < D; ++j) e.hessian.m[i][j] = e.hessian.m[i][j] / (mu[i] * mu[j]);
    }
    return e;
  }
};
static_assert(ConvexSet<Ellipse<double, 2>> && ConvexSet<Ellipse<Double8, 2>>);

TRI_ISA_END
}  // namespace trilith::cones
