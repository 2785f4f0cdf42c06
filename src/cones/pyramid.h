#pragma once
#include "cones/barrier.h"
#include "cones/pyramid_faces.h"

namespace trilith::cones {

TRI_ISA_BEGIN

/// K = {n >= 0, cos_k t1 + sin_k t2 <= mu n for every face k}; mu >= 0 is the effective coefficient. A view of the face table.
template <class T>
struct Pyramid {
  using Scalar = T;
  using Number = typename ScalarOf<T>::type;
  static constexpr int dim = 3;
  T mu;
  int faces;
  const Number* cosine;
  const Number* sine;
  Number half_width;

  TRI_INLINE Block<T, 3> project(const Block<T, 3>& v) const { return isotropic(v, T(1), T(1)).point; }

  /// By symmetry where the tangents share one weight, else by search over the faces. (CONE-13)
  TRI_INLINE Projection<T, 3> projection(const Block<T, 3>& v, const Block<T, 3>& R) const {
    Projection<T, 3> p = isotropic(v, R[0], R[1]);
    const auto uneven = R[1] != R[2];
    if (any(uneven)) {
      const Projection<T, 3> q = search(v, R);
      p.point = select_block(uneven, q.point, p.point);
      p.slope = select_block(uneven, q.slope, p.slope);
    }
    return p;
  }

  TRI_INLINE T polar_violation(const Block<T, 3>& y) const { return norm(project(y)); }
  TRI_INLINE T support(const Block<T, 3>& y) const { return zero_unless_nan(dot(y, y)); }

  /// One barrier per face, of mu n - cos t1 - sin t2: delta in the unit of the tangents.
  TRI_INLINE Energy<T, 3> barrier(const Block<T, 3>& v, const BarrierShape<T>& shape) const {
    Energy<T, 3> e = {T(0), filled<T, 3>(T(0)), zero_matrix<T, 3>()};
    for (int k = 0; k < faces; ++k) {
      const Block<T, 3> normal = {{mu, T(Number(0) - cosine[k]), T(Number(0) - sine[k])}};
      const ScalarJet<T> b = relaxed_log(dot(normal, v), shape);
      e.value += b.value;
      e.gradient = e.gradient + b.first * normal;
      e.hessian = e.hessian + outer(b.second, normal);
    }
    return e;
  }

 private:
  using Mask = decltype(T(0) < T(0));

  TRI_INLINE Mask contains(T n, T largest) const { return both(largest <= mu * n, n >= T(0)); }
  /// R^-1 without its part along the face normal a = (-mu, c, s).
  TRI_INLINE static SymmetricBlock<T, 3> face_slope(const Block<T, 3>& a, const Block<T, 3>& R) {
    const Block<T, 3> eased = {{a[0] / R[0], a[1] / R[1], a[2] / R[2]}};
    return inverse_diagonal(R) - outer(T(1) / dot(a, eased), eased);
  }
  TRI_INLINE static SymmetricBlock<T, 3> ray_slope(const Block<T, 3>& e, const Block<T, 3>& R) {
    return outer(T(1) / (R[0] * (e[0] * e[0]) + R[1] * (e[1] * e[1]) + R[2] * (e[2] * e[2])), e);
  }

  /// Weight R0 on the normal, R1 on both tangents: fold into the sector of the nearest face, where only that face and its edge can act.
  TRI_INLINE Projection<T, 3> isotropic(const Block<T, 3>& v, T R0, T R1) const {
    const T n = v[0];
    T c = T(cosine[0]), s = T(sine[0]);
    T along = c * v[1] + s * v[2];
    for (int k = 1; k < faces; ++k) {
      const T d = T(cosine[k]) * v[1] + T(sine[k]) * v[2];
      const auto nearer = d > along;
      along = select(nearer, d, along);
      c = select(nearer, T(cosine[k]), c);
      s = select(nearer, T(sine[k]), s);
    }
    const T across = c * v[2] - s * v[1];
    const T side = select(across < T(0), T(-1), T(1));
    const T reach = mu * T(half_width);

    // foot on the face, and on the edge where that lies beyond it
    const T n_face = (R0 * n + R1 * (mu * along)) / (R0 + R1 * (mu * mu));
    const auto on_face = abs(across) < reach * n_face;
    T n_edge = (R0 * n + R1 * (mu * along + reach * abs(across))) / (R0 + R1 * (mu * mu + reach * reach));
    n_edge = select(n_edge < T(0), T(0), n_edge);
    const T n_foot = select(on_face, n_face, n_edge);
    const T p = mu * n_foot;
    const T q = select(on_face, across, side * (reach * n_foot));
    const auto inside = contains(n, along);

    const Block<T, 3> R = {{R0, R1, R1}};
    const Block<T, 3> edge = {{T(1), mu * c - side * reach * s, mu * s + side * reach * c}};
    SymmetricBlock<T, 3> slope = select_block(on_face, face_slope({{T(0) - mu, c, s}}, R), ray_slope(edge, R));
    slope = select_block(n_foot <= T(0), zero_matrix<T, 3>(), slope);
    return {select_block(inside, v, Block<T, 3>{{n_foot, c * p - s * q, s * p + c * q}}), select_block(inside, inverse_diagonal(R), slope)};
  }

  TRI_INLINE Block<T, 3> ray(int k) const {
    return {{T(1), mu * T(cosine[k] - half_width * sine[k]), mu * T(sine[k] + half_width * cosine[k])}};
  }

  /// Largest component of R (v - y) along the unit rays: at most 0 at the projection, and then only there.
  TRI_INLINE T misfit(const Block<T, 3>& v, const Block<T, 3>& y, const Block<T, 3>& R) const {
    const Block<T, 3> pull = {{R[0] * (v[0] - y[0]), R[1] * (v[1] - y[1]), R[2] * (v[2] - y[2])}};
    T worst = T(0);
    for (int k = 0; k < faces; ++k) {
      const Block<T, 3> e = ray(k);
      const T length = sqrt(R[0] * (e[0] * e[0]) + R[1] * (e[1] * e[1]) + R[2] * (e[2] * e[2]));
      const T d = dot(pull, e) / length;
      worst = k == 0 ? d : max(worst, d);
    }
    return worst;
  }

  /// Any weights: of the feet on all faces and all rays, the one that fits the optimality condition best.
  TRI_INLINE Projection<T, 3> search(const Block<T, 3>& v, const Block<T, 3>& R) const {
    Projection<T, 3> best = {v, zero_matrix<T, 3>()};
    T best_misfit = T(0), largest = T(0);
    for (int k = 0; k < faces; ++k) {
      // foot on the ray between faces k and k + 1
      const Block<T, 3> e = ray(k);
      const SymmetricBlock<T, 3> e_slope = ray_slope(e, R);
      T along = e_slope.m[0][0] * (R[0] * v[0] * e[0] + R[1] * v[1] * e[1] + R[2] * v[2] * e[2]);
      along = select(along < T(0), T(0), along);
      const Block<T, 3> on_ray = along * e;
      const T ray_misfit = misfit(v, on_ray, R);
      const auto better = k == 0 ? ray_misfit == ray_misfit : ray_misfit < best_misfit;
      best.point = select_block(better, on_ray, best.point);
      best.slope = select_block(better, select_block(along > T(0), e_slope, zero_matrix<T, 3>()), best.slope);
      best_misfit = select(better, ray_misfit, best_misfit);

      // foot on face k, where it lies between the rays
      const Block<T, 3> a = {{T(0) - mu, T(cosine[k]), T(sine[k])}};
      const Block<T, 3> eased = {{a[0] / R[0], a[1] / R[1], a[2] / R[2]}};
      const T excess = dot(a, v);
      const Block<T, 3> on_face = v - (excess / dot(a, eased)) * eased;
      const T across = T(cosine[k]) * on_face[2] - T(sine[k]) * on_face[1];
      const auto within = abs(across) < mu * T(half_width) * on_face[0];
      const T face_misfit = misfit(v, on_face, R);
      const auto face_better = both(within, face_misfit < best_misfit);
      best.point = select_block(face_better, on_face, best.point);
      best.slope = select_block(face_better, face_slope(a, R), best.slope);
      best_misfit = select(face_better, face_misfit, best_misfit);
      const T d = T(cosine[k]) * v[1] + T(sine[k]) * v[2];
      largest = k == 0 ? d : max(largest, d);
    }
    const auto inside = contains(v[0], largest);
    return {select_block(inside, v, best.point), select_block(inside, inverse_diagonal(R), best.slope)};
  }
};
static_assert(ConvexSet<Pyramid<double>> && ConvexSet<Pyramid<Double8>>);

/// A pyramid on the table of its faces, which must outlive it.
template <class T>
TRI_INLINE Pyramid<T> make_pyramid(const PyramidFaces& faces, T effective_mu) {
  if constexpr (sizeof(typename ScalarOf<T>::type) == sizeof(double)) {
    return {effective_mu, faces.count(), faces.cosine().data(), faces.sine().data(), faces.half_width()};
  } else {
    return {effective_mu, faces.count(), faces.cosine_float().data(), faces.sine_float().data(), static_cast<float>(faces.half_width())};
  }
}

TRI_ISA_END
}  // namespace trilith::cones
