#pragma once
#include "spatial/wrench.h"

namespace trilith {

/// Mass properties of a rigid body in a frame B: `mass` [kg], centre of mass `com` = p_BC [m], and the rotational inertia about the centre
/// of mass [kg m^2] in B's axes (symmetric; the off-diagonal entries are minus the products of inertia).
template <class T>
struct Inertia {
  T mass;
  Vec3<T> com;
  Mat3<T> about_com;
};
using Inertiad = Inertia<double>;

TRI_ISA_BEGIN

/// Rotational inertia of a point mass at `d` from the reference point: mass (|d|^2 1 - d d').
template <class T>
TRI_INLINE Mat3<T> point_inertia(T mass, const Vec3<T>& d) {
  const T square = dot(d, d);
  return mass * (diagonal3(Vec3<T>{square, square, square}) - outer(d, d));
}
/// Rotational inertia about the point at `p_BP` (parallel axes).
template <class T>
TRI_INLINE Mat3<T> inertia_about(const Inertia<T>& a, const Vec3<T>& p_BP) {
  return a.about_com + point_inertia(a.mass, a.com - p_BP);
}
/// The same body described in W, from its description in B.
template <class T>
TRI_INLINE Inertia<T> transform(const Pose<T>& X_WB, const Inertia<T>& a) {
  return {a.mass, transform_point(X_WB, a.com), X_WB.R * a.about_com * transpose(X_WB.R)};
}
/// Both bodies welded into one, in the same frame. Two bodies without mass keep the first centre.
template <class T>
TRI_INLINE Inertia<T> operator+(const Inertia<T>& a, const Inertia<T>& b) {
  const T mass = a.mass + b.mass;
  const T share = b.mass / select(mass > T(0), mass, T(1));
  const Vec3<T> com = a.com + share * (b.com - a.com);
  return {mass, com, inertia_about(a, com) + inertia_about(b, com)};
}
/// Momentum about B's origin of the body that moves with `v` at B's origin.
template <class T>
TRI_INLINE Wrench<T> momentum(const Inertia<T>& a, const Twist<T>& v) {
  const Twist<T> at_com = shift(v, a.com);
  const Wrench<T> about_com{a.mass * at_com.linear, a.about_com * at_com.angular};
  return shift(about_com, -a.com);
}
/// Kinetic energy [J] of the same motion.
template <class T>
TRI_INLINE T kinetic_energy(const Inertia<T>& a, const Twist<T>& v) {
  return T(0.5) * power(momentum(a, v), v);
}
/// The 6x6 matrix of `momentum`: rows force and moment, columns linear and angular.
template <class T>
TRI_INLINE Mat6<T> to_mat6(const Inertia<T>& a) {
  const Mat3<T> mass = diagonal3(Vec3<T>{a.mass, a.mass, a.mass});
  const Mat3<T> arm = a.mass * skew(a.com);
  return from_blocks(mass, transpose(arm), arm, inertia_about(a, Vec3<T>{T(0), T(0), T(0)}));
}
/// Inertia of a solid box of side lengths `size` [m] about its centre, at the origin of B.
template <class T>
TRI_INLINE Inertia<T> box_inertia(T mass, const Vec3<T>& size) {
  const T x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  return {mass, {T(0), T(0), T(0)}, (mass / T(12)) * diagonal3(Vec3<T>{y + z, x + z, x + y})};
}

TRI_ISA_END
}  // namespace trilith
