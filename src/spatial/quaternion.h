#pragma once
#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith {

/// Rotation as a unit quaternion, w first. q and -q are the same rotation. q_WB turns components in B into components in W.
template <class T>
struct Quaternion {
  T w, x, y, z;
};
using Quaterniond = Quaternion<double>;

TRI_ISA_BEGIN

template <class T>
TRI_INLINE Quaternion<T> identity_quaternion() {
  return {T(1), T(0), T(0), T(0)};
}
template <class T>
TRI_INLINE Vec3<T> vector_part(const Quaternion<T>& q) {
  return {q.x, q.y, q.z};
}
/// q_WA q_AB = q_WB (Hamilton's product).
template <class T>
TRI_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/// The inverse of a unit quaternion.
template <class T>
TRI_INLINE Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q.w, T(0) - q.x, T(0) - q.y, T(0) - q.z};
}
/// Scaled to length 1; the identity where all components are 0.
template <class T>
TRI_INLINE Quaternion<T> normalized(const Quaternion<T>& q) {
  const T length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const auto usable = length > T(0);
  const T safe = select(usable, length, T(1));
  return {select(usable, q.w / safe, T(1)), q.x / safe, q.y / safe, q.z / safe};
}
/// v in the outer frame from v in the inner one; q must have length 1. v + 2 w (u x v) + 2 u x (u x v), u the vector part.
template <class T>
TRI_INLINE Vec3<T> rotate(const Quaternion<T>& q, const Vec3<T>& v) {
  const Vec3<T> u = vector_part(q);
  const Vec3<T> t = T(2) * cross(u, v);
  return v + q.w * t + cross(u, t);
}
template <class T>
TRI_INLINE Mat3<T> to_matrix(const Quaternion<T>& q) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{T(1) - T(2) * (yy + zz), T(2) * (xy - wz), T(2) * (xz + wy),  //
           T(2) * (xy + wz), T(1) - T(2) * (xx + zz), T(2) * (yz - wx),  //
           T(2) * (xz - wy), T(2) * (yz + wx), T(1) - T(2) * (xx + yy)}};
}

/// The unit quaternion of a rotation matrix, w >= 0. Of the four forms that divide by one component the one with the largest divisor is
/// taken by selection (Shepperd 1978), so that every rotation is accurate.
template <class T>
TRI_INLINE Quaternion<T> from_matrix(const Mat3<T>& r) {
  const T* m = r.m;
  const T one(1);
  const Quaternion<T> form[4] = {{one + m[0] + m[4] + m[8], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
                                 {m[7] - m[5], one + m[0] - m[4] - m[8], m[3] + m[1], m[2] + m[6]},
                                 {m[2] - m[6], m[3] + m[1], one - m[0] + m[4] - m[8], m[7] + m[5]},
                                 {m[3] - m[1], m[2] + m[6], m[7] + m[5], one - m[0] - m[4] + m[8]}};
  const T size[4] = {form[0].w, form[1].x, form[2].y, form[3].z};
  Quaternion<T> q = form[0];
  T largest = size[0];
  for (int i = 1; i < 4; ++i) {
    const auto better = size[i] > largest;
    q = {select(better, form[i].w, q.w), select(better, form[i].x, q.x), select(better, form[i].y, q.y), select(better, form[i].z, q.z)};
    largest = select(better, size[i], largest);
  }
  const auto turn = q.w < T(0);
  return normalized(Quaternion<T>{select(turn, -q.w, q.w), select(turn, -q.x, q.x), select(turn, -q.y, q.y), select(turn, -q.z, q.z)});
}

/// The rotation by |r| radians about r (a rotation vector): (cos(|r| / 2), sin(|r| / 2) r / |r|). (MATH-10)
template <class T>
TRI_INLINE Quaternion<T> exp_rotation(const Vec3<T>& r) {
  using K = detail::MathConstants<typename ScalarOf<T>::type>;
  const T square = dot(r, r);
  const auto small = square < T(K::epsilon);
  const T angle = select(small, T(1), sqrt(square));
  const SinCos<T> half = sincos(T(0.5) * angle);
  // below, the series to second order is exact to rounding
  const T factor = select(small, T(0.5) - square / T(48), half.sin / angle);
  return {select(small, T(1) - square / T(8), half.cos), factor * r.x, factor * r.y, factor * r.z};
}

/// The rotation vector of q, of length at most pi: the inverse of `exp_rotation`. (MATH-11)
template <class T>
TRI_INLINE Vec3<T> log_rotation(const Quaternion<T>& q) {
  const Vec3<T> v = vector_part(q);
  const T length = norm(v);
  const auto turn = q.w < T(0);
  const T angle = T(2) * atan2(length, abs(q.w));
  const auto still = length <= T(0);
  // sin(x) / x is 1 to rounding where |v|^2 underflows
  const T factor = select(still, T(2), angle / select(still, T(1), length));
  return select(turn, -factor, factor) * v;
}

TRI_ISA_END
}  // namespace trilith
