#pragma once
#include "multibody/tree_view.h"
#include "spatial/wrench.h"

/// Reading and writing of small vectors in interleaved storage, and the inertia of a body about the reference point of its tree. For the
/// inline files of this module only.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// The numbers that `T` (double, float or Lanes) lies in.
template <class T>
using Scalar = typename ScalarOf<T>::type;

/// How many states lie side by side in memory: 1, or a whole group (8 of double, 16 of float) whatever part of it `T` holds.
template <class T>
struct GroupOf {
  static constexpr std::int64_t lanes = 1, size = 1;
};
template <class S, int N>
struct GroupOf<Lanes<S, N>> {
  static constexpr std::int64_t lanes = N, size = 64 / sizeof(S);
};
/// The lanes of a group that fill one register: kernels work through a group part by part, so that a number never takes two registers.
using DoublePart = Lanes<double, detail::register_bytes / 8>;
using FloatPart = Lanes<float, detail::register_bytes / 4>;

template <class T>
TRI_INLINE T get(const Scalar<T>* p, std::int64_t i) {
  if constexpr (GroupOf<T>::size == 1)
    return p[i];
  else
    return T::load(p + i * GroupOf<T>::size);
}
template <class T>
TRI_INLINE void put(Scalar<T>* p, std::int64_t i, const T& value) {
  if constexpr (GroupOf<T>::size == 1)
    p[i] = value;
  else
    value.store(p + i * GroupOf<T>::size);
}
/// How many lanes are true.
TRI_INLINE int count_lanes(bool a) { return a ? 1 : 0; }
template <class S, int N>
TRI_INLINE int count_lanes(LaneMask<S, N> a) {
  int sum = 0;
  if (any(a)) [[unlikely]]
    for (int i = 0; i < N; ++i) sum += a[i] ? 1 : 0;
  return sum;
}

/// The pointer of a part of a group: `lane` is its first lane. Null stays null.
template <class S>
TRI_INLINE S* from_lane(S* p, std::int64_t lane) {
  return p == nullptr ? p : p + lane;
}
template <class S>
TRI_INLINE WorkspaceView<S> from_lane(const WorkspaceView<S>& w, std::int64_t lane) {
  return {w.origin + lane, w.link + lane, w.dof + lane, w.mass_matrix + lane, w.factor + lane, w.inverse_pivot + lane, w.scratch + lane};
}
/// The first number of a slot of a link or a degree of freedom.
template <class T>
TRI_INLINE Scalar<T>* at(const WorkspaceView<Scalar<T>>& w, LinkSlot slot, std::int64_t link) {
  return w.link + (link * link_numbers + static_cast<std::int64_t>(slot)) * GroupOf<T>::size;
}
template <class T>
TRI_INLINE Scalar<T>* at(const WorkspaceView<Scalar<T>>& w, DofSlot slot, std::int64_t dof) {
  return w.dof + (dof * dof_numbers + static_cast<std::int64_t>(slot)) * GroupOf<T>::size;
}

template <class T>
TRI_INLINE Vec3<T> get3(const Scalar<T>* p, std::int64_t i) {
  return {get<T>(p, i), get<T>(p, i + 1), get<T>(p, i + 2)};
}
template <class T>
TRI_INLINE void put3(Scalar<T>* p, std::int64_t i, const Vec3<T>& a) {
  put<T>(p, i, a.x), put<T>(p, i + 1, a.y), put<T>(p, i + 2, a.z);
}
template <class T>
TRI_INLINE Mat3<T> get9(const Scalar<T>* p, std::int64_t i) {
  Mat3<T> a;
  for (int e = 0; e < 9; ++e) a.m[e] = get<T>(p, i + e);
  return a;
}
template <class T>
TRI_INLINE void put9(Scalar<T>* p, std::int64_t i, const Mat3<T>& a) {
  for (int e = 0; e < 9; ++e) put<T>(p, i + e, a.m[e]);
}
template <class T>
TRI_INLINE Twist<T> get_twist(const Scalar<T>* p) {
  return {get3<T>(p, 0), get3<T>(p, 3)};
}
template <class T>
TRI_INLINE void put_twist(Scalar<T>* p, const Twist<T>& a) {
  put3<T>(p, 0, a.linear), put3<T>(p, 3, a.angular);
}
template <class T>
TRI_INLINE Wrench<T> get_wrench(const Scalar<T>* p) {
  return {get3<T>(p, 0), get3<T>(p, 3)};
}
template <class T>
TRI_INLINE void put_wrench(Scalar<T>* p, const Wrench<T>& a) {
  put3<T>(p, 0, a.force), put3<T>(p, 3, a.moment);
}

template <class T>
TRI_INLINE Vec3<T> zero3() {
  return {T(0), T(0), T(0)};
}
template <class T>
TRI_INLINE Twist<T> zero_twist() {
  return {zero3<T>(), zero3<T>()};
}
template <class T>
TRI_INLINE Wrench<T> zero_wrench() {
  return {zero3<T>(), zero3<T>()};
}
/// The same number in every lane.
template <class T>
TRI_INLINE Vec3<T> spread3(const Scalar<T>* p) {
  return {T(p[0]), T(p[1]), T(p[2])};
}
template <class T>
TRI_INLINE Mat3<T> spread9(const Scalar<T>* p) {
  Mat3<T> a;
  for (int e = 0; e < 9; ++e) a.m[e] = T(p[e]);
  return a;
}

/// Symmetric 3 x 3.
template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;
};
template <class T>
TRI_INLINE Vec3<T> operator*(const Sym3<T>& a, const Vec3<T>& x) {
  return {a.xx * x.x + a.xy * x.y + a.xz * x.z, a.xy * x.x + a.yy * x.y + a.yz * x.z, a.xz * x.x + a.yz * x.y + a.zz * x.z};
}

/// Inertia of a body about the reference point O of its tree, world axes: mass, first moment mass p_OC, rotational inertia about O.
template <class T>
struct PointInertia {
  T mass;
  Vec3<T> moment;
  Sym3<T> about;
};
template <class T>
TRI_INLINE PointInertia<T> get_inertia(const Scalar<T>* p) {
  return {get<T>(p, 0), get3<T>(p, 1), {get<T>(p, 4), get<T>(p, 5), get<T>(p, 6), get<T>(p, 7), get<T>(p, 8), get<T>(p, 9)}};
}
template <class T>
TRI_INLINE void put_inertia(Scalar<T>* p, const PointInertia<T>& a) {
  put<T>(p, 0, a.mass), put3<T>(p, 1, a.moment);
  put<T>(p, 4, a.about.xx), put<T>(p, 5, a.about.xy), put<T>(p, 6, a.about.xz);
  put<T>(p, 7, a.about.yy), put<T>(p, 8, a.about.yz), put<T>(p, 9, a.about.zz);
}
template <class T>
TRI_INLINE PointInertia<T> operator+(const PointInertia<T>& a, const PointInertia<T>& b) {
  return {a.mass + b.mass,
          a.moment + b.moment,
          {a.about.xx + b.about.xx, a.about.xy + b.about.xy, a.about.xz + b.about.xz, a.about.yy + b.about.yy, a.about.yz + b.about.yz,
           a.about.zz + b.about.zz}};
}
template <class T>
TRI_INLINE PointInertia<T> zero_inertia() {
  return {T(0), zero3<T>(), {T(0), T(0), T(0), T(0), T(0), T(0)}};
}
/// Momentum about O of the motion `v` at O (or, of an acceleration, its force).
template <class T>
TRI_INLINE Wrench<T> operator*(const PointInertia<T>& a, const Twist<T>& v) {
  return {a.mass * v.linear + cross(v.angular, a.moment), a.about * v.angular + cross(a.moment, v.linear)};
}

TRI_ISA_END
}  // namespace trilith::multibody
