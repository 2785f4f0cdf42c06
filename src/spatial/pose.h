#pragma once
#include "spatial/quaternion.h"

namespace trilith {

/// Position and orientation of a frame B in a frame W. Named by its frames: X_WB holds R = R_WB, whose columns are the axes of B in W, and
/// p = p_WB, the origin of B from that of W [m], in W's axes. R must be a rotation.
template <class T>
struct Pose {
  Mat3<T> R;
  Vec3<T> p;
};
using Posed = Pose<double>;

TRI_ISA_BEGIN

template <class T>
TRI_INLINE Pose<T> identity_pose() {
  return {identity3<T>(), {T(0), T(0), T(0)}};
}
template <class T>
TRI_INLINE Pose<T> make_pose(const Quaternion<T>& q_WB, const Vec3<T>& p_WB) {
  return {to_matrix(q_WB), p_WB};
}
/// X_WA X_AB = X_WB.
template <class T>
TRI_INLINE Pose<T> operator*(const Pose<T>& X_WA, const Pose<T>& X_AB) {
  return {X_WA.R * X_AB.R, X_WA.R * X_AB.p + X_WA.p};
}
/// X_BW from X_WB.
template <class T>
TRI_INLINE Pose<T> inverse(const Pose<T>& X_WB) {
  return {transpose(X_WB.R), -transpose_times(X_WB.R, X_WB.p)};
}
/// p_WC from p_BC: a point.
template <class T>
TRI_INLINE Vec3<T> transform_point(const Pose<T>& X_WB, const Vec3<T>& p_BC) {
  return X_WB.R * p_BC + X_WB.p;
}
/// p_BC from p_WC, without forming the inverse.
template <class T>
TRI_INLINE Vec3<T> inverse_transform_point(const Pose<T>& X_WB, const Vec3<T>& p_WC) {
  return transpose_times(X_WB.R, p_WC - X_WB.p);
}

TRI_ISA_END
}  // namespace trilith
