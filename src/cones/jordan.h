#pragma once
#include "linalg/fixed.h"

/// Algebra of the second-order cone L = {(x0, x1, x2) : |(x1, x2)| <= x0} that interior points need. (IPM-2)..(IPM-5)
/// Points are Vec3 with x the cone's axis. Arguments called z and s lie strictly inside L.
namespace trilith::cones {
TRI_ISA_BEGIN

/// x0^2 - |x_t|^2 without cancellation, at least `floor`.
template <class T>
TRI_INLINE T determinant(const Vec3<T>& x, T floor) {
  const T r = sqrt(x.y * x.y + x.z * x.z);
  return max((x.x - r) * (x.x + r), floor);
}

/// Nesterov-Todd scaling of a pair: H = eta^2 (2 w w' - J) with H s = z, and its root W = sqrt(H). (IPM-3)
template <class T>
struct NesterovTodd {
  Vec3<T> w;  ///< w' J w = 1
  T eta_squared;

  TRI_INLINE static NesterovTodd of(const Vec3<T>& z, const Vec3<T>& s, T floor) {
    const T dz = sqrt(determinant(z, floor)), ds = sqrt(determinant(s, floor));
    const T iz = T(1) / dz, is = T(1) / ds;
    const Vec3<T> a = iz * z, b = is * s;
    const T half = T(0.5) / sqrt(T(0.5) * (T(1) + dot(a, b)));
    return {{(a.x + b.x) * half, (a.y - b.y) * half, (a.z - b.z) * half}, dz * is};
  }

  /// H x
  TRI_INLINE Vec3<T> apply(const Vec3<T>& x) const {
    const T d = dot(w, x), twice = d + d;
    return {eta_squared * (twice * w.x - x.x), eta_squared * (twice * w.y + x.y), eta_squared * (twice * w.z + x.z)};
  }
  /// Upper triangle 00 01 02 11 12 22 of H.
  TRI_INLINE void upper(T (&h)[6]) const {
    const T a = w.x + w.x, b = w.y + w.y, e = eta_squared;
    h[0] = e * (a * w.x - T(1));
    h[1] = e * (a * w.y);
    h[2] = e * (a * w.z);
    h[3] = e * (b * w.y + T(1));
    h[4] = e * (b * w.z);
    h[5] = e * ((w.z + w.z) * w.z + T(1));
  }
  /// W x and W^-1 x. `eta`: root of eta_squared.
  TRI_INLINE Vec3<T> root(const Vec3<T>& x, T eta) const { return half_step(x, eta, T(1)); }
  TRI_INLINE Vec3<T> inverse_root(const Vec3<T>& x, T eta) const { return half_step(x, T(1) / eta, T(-1)); }

 private:
  TRI_INLINE Vec3<T> half_step(const Vec3<T>& x, T scale, T sign) const {
    const T p = w.y * x.y + w.z * x.z, k = sign * x.x + p / (T(1) + w.x);
    return {scale * (w.x * x.x + sign * p), scale * (x.y + w.y * k), scale * (x.z + w.z * k)};
  }
};

/// Jordan product a o b = (a'b, a0 b_t + b0 a_t). (IPM-4)
template <class T>
TRI_INLINE Vec3<T> jordan_product(const Vec3<T>& a, const Vec3<T>& b) {
  return {dot(a, b), a.x * b.y + b.x * a.y, a.x * b.z + b.x * a.z};
}

/// The v with a o v = p.
template <class T>
TRI_INLINE Vec3<T> jordan_divide(const Vec3<T>& a, const Vec3<T>& p, T floor) {
  const T v0 = (a.x * p.x - a.y * p.y - a.z * p.z) / determinant(a, floor), inverse = T(1) / a.x;
  return {v0, (p.y - v0 * a.y) * inverse, (p.z - v0 * a.z) * inverse};
}

/// J x / det x: the inverse of x under the Jordan product.
template <class T>
TRI_INLINE Vec3<T> jordan_inverse(const Vec3<T>& x, T floor) {
  const T inverse = T(1) / determinant(x, floor);
  return {x.x * inverse, -(x.y * inverse), -(x.z * inverse)};
}

/// One over the largest t with x + t d in L; 0 or less: every t. (IPM-5)
template <class T>
TRI_INLINE T inverse_step(const Vec3<T>& x, const Vec3<T>& d, T floor) {
  const T inverse = T(1) / sqrt(determinant(x, floor));
  const Vec3<T> a = inverse * x;
  const T along = a.x * d.x - a.y * d.y - a.z * d.z, k = (along + d.x) / (a.x + T(1));
  const T across1 = d.y - k * a.y, across2 = d.z - k * a.z;
  return inverse * (sqrt(across1 * across1 + across2 * across2) - along);
}

/// The scales t >= 0 with e + t d in L: [low, high], empty (low > high) where there is none. (IPM-7)
template <class T>
struct ConeInterval {
  T low, high;
};
template <class T>
TRI_INLINE ConeInterval<T> cone_interval(const Vec3<T>& e, const Vec3<T>& d) {
  const T zero(0), never(1e300);
  const T qa = d.x * d.x - d.y * d.y - d.z * d.z, qb = e.x * d.x - e.y * d.y - e.z * d.z, qc = e.x * e.x - e.y * e.y - e.z * e.z;
  const T discriminant = qb * qb - qa * qc, root = sqrt(max(discriminant, zero));
  const T k = select(qb >= zero, -(qb + root), root - qb);
  const T r1 = k / qa, r2 = qc / k, first = min(r1, r2), second = max(r1, r2), middle = -(qb / qa);
  const T low = select(qa > zero, select(d.x > zero, second, zero), first);
  const T high = select(qa > zero, select(d.x > zero, never, first), second);
  // a direction outside the double cone: no root, or both on the wrong nappe
  const auto outside = (qa <= zero) & ((discriminant < zero) | (e.x + middle * d.x < zero));
  return {select(outside, never, low), high};
}

TRI_ISA_END
}  // namespace trilith::cones
