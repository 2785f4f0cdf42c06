#pragma once
#include "spatial/twist.h"

namespace trilith {

/// A force [N] and its moment [N m] about one point, in one set of axes. An impulse (N s, N m s) or a momentum has the same shape.
template <class T>
struct Wrench {
  Vec3<T> force, moment;
};
using Wrenchd = Wrench<double>;

TRI_ISA_BEGIN

template <class T>
TRI_INLINE Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.force + b.force, a.moment + b.moment};
}
template <class T>
TRI_INLINE Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.force - b.force, a.moment - b.moment};
}
template <class T>
TRI_INLINE Wrench<T> operator*(std::type_identity_t<T> s, const Wrench<T>& a) {
  return {s * a.force, s * a.moment};
}
/// A force that acts at `p_PC` from the reference point P, as a wrench about P.
template <class T>
TRI_INLINE Wrench<T> force_at(const Vec3<T>& p_PC, const Vec3<T>& force) {
  return {force, cross(p_PC, force)};
}
/// The same wrench about the point that lies at `p_PQ` from the present one: m_Q = m_P - p_PQ x f.
template <class T>
TRI_INLINE Wrench<T> shift(const Wrench<T>& about_P, const Vec3<T>& p_PQ) {
  return {about_P.force, about_P.moment - cross(p_PQ, about_P.force)};
}
/// The same wrench about the same point in the axes of W, from those of B.
template <class T>
TRI_INLINE Wrench<T> rotate(const Mat3<T>& R_WB, const Wrench<T>& a) {
  return {R_WB * a.force, R_WB * a.moment};
}
/// The wrench about W's origin in W's axes, from the wrench about B's origin in B's axes.
template <class T>
TRI_INLINE Wrench<T> transform(const Pose<T>& X_WB, const Wrench<T>& about_B) {
  return shift(rotate(X_WB.R, about_B), -X_WB.p);
}
/// Power [W] of a wrench on a motion at the same point, in the same axes.
template <class T>
TRI_INLINE T power(const Wrench<T>& a, const Twist<T>& v) {
  return dot(a.force, v.linear) + dot(a.moment, v.angular);
}
/// Dual cross product: the rate of the momentum `a` carried along by the motion v; power(cross(v, a), u) = -power(a, cross(v, u)).
template <class T>
TRI_INLINE Wrench<T> cross(const Twist<T>& v, const Wrench<T>& a) {
  return {cross(v.angular, a.force), cross(v.angular, a.moment) + cross(v.linear, a.force)};
}
/// Force first: the order of the six equilibrium rows.
template <class T>
TRI_INLINE Vec6<T> to_vec6(const Wrench<T>& a) {
  return join(a.force, a.moment);
}

TRI_ISA_END
}  // namespace trilith
