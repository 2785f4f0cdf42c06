#pragma once
#include "cones/barrier.h"
#include "cones/secular.h"

/// What friction cones with one and with several coefficients share: projection in any diagonal metric, and the barrier. Coefficients
/// mu[j] >= 0 per tangent; the scaled tangents are g_j = t_j / mu_j.
namespace trilith::cones {
TRI_ISA_BEGIN

/// Nearest point of |(t_j / mu_j)| <= n in the metric of R, any weights > 0. A coefficient of 0 keeps its tangent at 0. (CONE-10)
template <class T, int M>
TRI_INLINE Projection<T, M + 1> project_elliptic(const Block<T, M + 1>& v, const Block<T, M>& mu, const Block<T, M + 1>& R) {
  // scaled variables; a tangent without friction takes no part
  Block<T, M> pull, w, scaled, moves;
  for (int j = 0; j < M; ++j) {
    const auto none = mu[j] <= T(0);
    moves[j] = select(none, T(0), T(1));
    pull[j] = R[j + 1] * (mu[j] * v[j + 1]);
    w[j] = select(none, R[0], R[j + 1] * (mu[j] * mu[j]));
    scaled[j] = select(none, T(0), v[j + 1]) / select(none, T(1), mu[j]);
  }
  const auto inside = both(norm(scaled) <= v[0], v[0] >= T(0));
  const auto polar = norm(pull) <= T(0) - R[0] * v[0];
  const ConeFoot<T, M> foot = foot_on_cone(v[0], pull, R[0], w);

  Projection<T, M + 1> p;
  const auto pick = [&](T in, T edge) { return select(inside, in, select(polar, T(0), edge)); };
  p.point[0] = pick(v[0], foot.n);
  p.slope.m[0][0] = pick(T(1) / R[0], foot.slope_nn);
  for (int i = 0; i < M; ++i) {
    p.point[i + 1] = pick(moves[i] * v[i + 1], mu[i] * foot.g[i]);
    p.slope.m[0][i + 1] = p.slope.m[i + 1][0] = pick(T(0), mu[i] * foot.slope_n[i]);
    for (int j = i; j < M; ++j) {
      const T in = i == j ? moves[i] / R[i + 1] : T(0);
      p.slope.m[i + 1][j + 1] = p.slope.m[j + 1][i + 1] = pick(in, mu[i] * foot.slope_g.m[i][j] * mu[j]);
    }
  }
  return p;
}

/// Relaxed -weight log(n^2 - |(t_j / mu_j)|^2), every mu[j] > 0. (CONE-15)
template <class T, int M>
TRI_INLINE Energy<T, M + 1> barrier_of_cone(const Block<T, M + 1>& v, const Block<T, M>& mu, const BarrierShape<T>& shape) {
  Block<T, M> g;
  for (int j = 0; j < M; ++j) g[j] = v[j + 1] / mu[j];
  const T r = norm(g);
  const SpectralJet<T> s = spectral_barrier(v[0], r, shape);
  const Block<T, M> direction = (T(1) / select(r > T(0), r, T(1))) * g;

  Energy<T, M + 1> e;
  e.value = s.value;
  e.gradient[0] = s.by_n;
  e.hessian.m[0][0] = s.by_nn;
  for (int i = 0; i < M; ++i) {
    e.gradient[i + 1] = s.by_r * direction[i] / mu[i];
    e.hessian.m[0][i + 1] = e.hessian.m[i + 1][0] = s.by_nr * direction[i] / mu[i];
    for (int j = i; j < M; ++j) {
      const T round = s.by_r_over_r * T(i == j ? 1 : 0);
      const T bend = round + (s.by_rr - s.by_r_over_r) * (direction[i] * direction[j]);
      e.hessian.m[i + 1][j + 1] = e.hessian.m[j + 1][i + 1] = bend / (mu[i] * mu[j]);
    }
  }
  return e;
}

TRI_ISA_END
}  // namespace trilith::cones
