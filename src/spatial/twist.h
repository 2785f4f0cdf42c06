#pragma once
#include "spatial/pose.h"

namespace trilith {

/// Velocity of a rigid body at one of its points: `linear` of that point [m/s], then `angular` [rad/s], in one set of axes. A virtual
/// displacement (m, rad) has the same shape.
template <class T>
struct Twist {
  Vec3<T> linear, angular;
};
using Twistd = Twist<double>;

TRI_ISA_BEGIN

template <class T>
TRI_INLINE Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class T>
TRI_INLINE Twist<T> operator-(const Twist<T>& a, const Twist<T>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class T>
TRI_INLINE Twist<T> operator*(std::type_identity_t<T> s, const Twist<T>& a) {
  return {s * a.linear, s * a.angular};
}
/// The same motion at the point that lies at `p_PQ` from the present one: v_Q = v_P + w x p_PQ.
template <class T>
TRI_INLINE Twist<T> shift(const Twist<T>& at_P, const Vec3<T>& p_PQ) {
  return {at_P.linear + cross(at_P.angular, p_PQ), at_P.angular};
}
/// The same motion at the same point in the axes of W, from those of B.
template <class T>
TRI_INLINE Twist<T> rotate(const Mat3<T>& R_WB, const Twist<T>& a) {
  return {R_WB * a.linear, R_WB * a.angular};
}
/// The motion at W's origin in W's axes, from the motion at B's origin in B's axes.
template <class T>
TRI_INLINE Twist<T> transform(const Pose<T>& X_WB, const Twist<T>& at_B) {
  return shift(rotate(X_WB.R, at_B), -X_WB.p);
}
/// Motion cross product a x b: the rate of b carried along by a, both at one point and in one set of axes.
template <class T>
TRI_INLINE Twist<T> cross(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}
/// Linear part first.
template <class T>
TRI_INLINE Vec6<T> to_vec6(const Twist<T>& a) {
  return join(a.linear, a.angular);
}

TRI_ISA_END
}  // namespace trilith
