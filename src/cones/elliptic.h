#pragma once
#include "cones/friction_cone.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// Cone with its own friction coefficient per axis: K = {(n, t) : |(t_1 / mu_1, ...)| <= n}. D = 3, 4, 6 are the contacts of condim 3, 4, 6
/// (sliding, torsional [m], rolling [m] coefficients >= 0). Its polar is {|(mu_j t_j)| <= -n}.
template <class T, int D>
struct Elliptic {
  using Scalar = T;
  static constexpr int dim = D;
  Block<T, D - 1> mu;

  TRI_INLINE Block<T, D> project(const Block<T, D>& v) const { return projection(v, filled<T, D>(T(1))).point; }
  /// Any weights (CONE-10); those of a soft contact have a closed form (CONE-9).
  TRI_INLINE Projection<T, D> projection(const Block<T, D>& v, const Block<T, D>& R) const {
    auto uneven = mu[0] <= T(0);
    for (int j = 1; j < D - 1; ++j) uneven = either(uneven, either(mu[j] <= T(0), R[j + 1] != R[1] * (mu[0] * mu[0]) / (mu[j] * mu[j])));
    if (all(uneven)) return project_elliptic(v, mu, R);
    Projection<T, D> p = contact_projection(v, R[0], R[1]);
    if (any(uneven)) {
      const Projection<T, D> q = project_elliptic(v, mu, R);
      p.point = select_block(uneven, q.point, p.point);
      p.slope = select_block(uneven, q.slope, p.slope);
    }
    return p;
  }

  /// The metric of soft contacts, R_j = R1 mu_1^2 / mu_j^2 on the tangents, in which the scaled cone is round: closed form. mu_j > 0.
  /// (CONE-9)
  TRI_INLINE Projection<T, D> contact_projection(const Block<T, D>& v, T R0, T R1) const {
    Block<T, D> scaled;
    scaled[0] = v[0];
    for (int j = 1; j < D; ++j) scaled[j] = v[j] / mu[j - 1];
    Projection<T, D> p = FrictionCone<T, D>{T(1)}.isotropic(scaled, R0, R1 * (mu[0] * mu[0]));
    for (int i = 1; i < D; ++i) {
      p.point[i] = mu[i - 1] * p.point[i];
      p.slope.m[0][i] = p.slope.m[i][0] = mu[i - 1] * p.slope.m[0][i];
      for (int j = i; j < D; ++j) p.slope.m[i][j] = p.slope.m[j][i] = mu[i - 1] * p.slope.m[i][j] * mu[j - 1];
    }
    return p;
  }

  TRI_INLINE T polar_violation(const Block<T, D>& y) const { return norm(project(y)); }
  TRI_INLINE T support(const Block<T, D>& y) const { return zero_unless_nan(dot(y, y)); }
  /// Barrier of n -+ |(t_j / mu_j)|: delta in the unit of n, mu_j > 0. (CONE-15)
  TRI_INLINE Energy<T, D> barrier(const Block<T, D>& v, const BarrierShape<T>& shape) const { return barrier_of_cone(v, mu, shape); }
};
static_assert(ConvexSet<Elliptic<double, 3>> && ConvexSet<Elliptic<double, 6>> && ConvexSet<Elliptic<Float16, 4>>);

/// Weights of a soft contact: R0 on the normal, R1 on the first tangent, R1 mu_1^2 / mu_j^2 on the others. (CONE-9)
template <class T, int M>
TRI_INLINE Block<T, M + 1> contact_weights(const Block<T, M>& mu, T R0, T R1) {
  Block<T, M + 1> R;
  R[0] = R0;
  for (int j = 0; j < M; ++j) R[j + 1] = j == 0 ? R1 : R1 * (mu[0] * mu[0]) / (mu[j] * mu[j]);
  return R;
}

/// `respond` of an elliptic contact in its own metric, on the closed form: three zones, no iteration. (CONE-9)
template <class T, int D>
TRI_INLINE Response<T, D> respond_contact(const Elliptic<T, D>& set, const Block<T, D>& x, T R0, T R1, const Block<T, D>& lambda) {
  const Block<T, D> R = contact_weights(set.mu, R0, R1);
  return response_of(set.contact_projection(shifted_force(x, R, lambda), R0, R1), x, R, lambda);
}

TRI_ISA_END
}  // namespace trilith::cones
