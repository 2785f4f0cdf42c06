#pragma once
#include "multibody/lane_memory.h"
#include "spatial/quaternion.h"

/// Steps and differences on the configuration manifold, for use inside kernels.

namespace trilith::multibody {
TRI_ISA_BEGIN

template <class T>
TRI_INLINE Quaternion<T> get_quaternion(const Scalar<T>* q, std::int64_t i) {
  return normalized(Quaternion<T>{get<T>(q, i), get<T>(q, i + 1), get<T>(q, i + 2), get<T>(q, i + 3)});
}
template <class T>
TRI_INLINE void put_quaternion(Scalar<T>* q, std::int64_t i, const Quaternion<T>& a) {
  put<T>(q, i, a.w), put<T>(q, i + 1, a.x), put<T>(q, i + 2, a.y), put<T>(q, i + 3, a.z);
}

/// out = q (+) dt v; out may be q. Quaternions come out with length 1. (TREE-17)
template <class T>
TRI_INLINE void integrate(const TreeView<Scalar<T>>& tree, const Scalar<T>* q, const Scalar<T>* v, Scalar<T> dt, Scalar<T>* out) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    if (link.kind == LinkKind::ball) {
      const Vec3<T> turn = T(dt) * get3<T>(v, link.v);
      put_quaternion<T>(out, link.q, normalized(get_quaternion<T>(q, link.q) * exp_rotation(turn)));
      continue;
    }
    for (int k = 0; k < link.nv; ++k) put<T>(out, link.q + k, get<T>(q, link.q + k) + T(dt) * get<T>(v, link.v + k));
  }
}

/// out = to (-) from: the velocity that leads from one to the other in unit time. (TREE-17)
template <class T>
TRI_INLINE void difference(const TreeView<Scalar<T>>& tree, const Scalar<T>* from, const Scalar<T>* to, Scalar<T>* out) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    if (link.kind == LinkKind::ball) {
      put3<T>(out, link.v, log_rotation(conjugate(get_quaternion<T>(from, link.q)) * get_quaternion<T>(to, link.q)));
      continue;
    }
    for (int k = 0; k < link.nv; ++k) put<T>(out, link.v + k, get<T>(to, link.q + k) - get<T>(from, link.q + k));
  }
}

/// a - b x + c x^2 - d x^3 + e x^4
template <class T>
TRI_INLINE T series(const T& x, double a, double b, double c, double d, double e) {
  using S = Scalar<T>;
  return T(S(a)) - x * (T(S(b)) - x * (T(S(c)) - x * (T(S(d)) - x * T(S(e)))));
}

/// Right Jacobian of the rotation exp(r): 1 - (1 - cos t) / t^2 [r]x + (t - sin t) / t^3 [r]x^2, t = |r|. (TREE-18)
template <class T>
TRI_INLINE Mat3<T> right_jacobian(const Vec3<T>& r) {
  using S = Scalar<T>;
  const T square = dot(r, r);
  // below 0.2 rad the closed form of `second` loses digits; the series to t^8 are exact to rounding there
  const auto small = square < T(S(0.04));
  const T angle = select(small, T(1), sqrt(square));
  const SinCos<T> half = sincos(T(S(0.5)) * angle), whole = sincos(angle);
  const T first = T(2) * half.sin * half.sin / (angle * angle), second = (angle - whole.sin) / (angle * angle * angle);
  const T first_series = series<T>(square, 1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800);
  const T second_series = series<T>(square, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800);
  const Mat3<T> cross_matrix = skew(r);
  return identity3<T>() - select(small, first_series, first) * cross_matrix +
         select(small, second_series, second) * (cross_matrix * cross_matrix);
}

/// The 3 x 3 blocks (per degree of freedom one row of 3; 1 x 1 blocks use the first place) of d(q (+) dt v) / dq and / dv, tangents at both
/// ends. (TREE-18)
template <class T>
TRI_INLINE void write_integrate_jacobians(const TreeView<Scalar<T>>& tree, const Scalar<T>* v, Scalar<T> dt, Scalar<T>* by_q,
                                          Scalar<T>* by_v) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    Mat3<T> Q = identity3<T>(), V = T(dt) * identity3<T>();
    if (link.kind == LinkKind::ball) {
      const Vec3<T> turn = T(dt) * get3<T>(v, link.v);
      Q = transpose(to_matrix(exp_rotation(turn)));
      V = T(dt) * right_jacobian(turn);
    }
    for (int k = 0; k < link.nv; ++k) {
      for (int j = 0; j < 3; ++j) {
        put<T>(by_q, 3 * (link.v + k) + j, link.nv == 3 ? Q.m[3 * k + j] : T(j == 0 ? 1 : 0));
        put<T>(by_v, 3 * (link.v + k) + j, link.nv == 3 ? V.m[3 * k + j] : T(j == 0 ? dt : Scalar<T>(0)));
      }
    }
  }
}

TRI_ISA_END
}  // namespace trilith::multibody
