#pragma once
#include "multibody/inverse_dynamics_inline.h"

/// The articulated-body algorithm in world axes, for use inside kernels. (TREE-9)

namespace trilith::multibody {
TRI_ISA_BEGIN

/// Symmetric 6 x 6 of an articulated body: force = linear l + coupling w, moment = coupling' l + angular w.
template <class T>
struct ArticulatedInertia {
  Sym3<T> linear;
  Mat3<T> coupling;
  Sym3<T> angular;
};
template <class T>
TRI_INLINE Sym3<T> get_sym3(const Scalar<T>* p, std::int64_t i) {
  return {get<T>(p, i), get<T>(p, i + 1), get<T>(p, i + 2), get<T>(p, i + 3), get<T>(p, i + 4), get<T>(p, i + 5)};
}
template <class T>
TRI_INLINE void put_sym3(Scalar<T>* p, std::int64_t i, const Sym3<T>& a) {
  put<T>(p, i, a.xx), put<T>(p, i + 1, a.xy), put<T>(p, i + 2, a.xz), put<T>(p, i + 3, a.yy), put<T>(p, i + 4, a.yz),
      put<T>(p, i + 5, a.zz);
}
template <class T>
TRI_INLINE ArticulatedInertia<T> get_articulated(const Scalar<T>* p) {
  return {get_sym3<T>(p, 0), get9<T>(p, 6), get_sym3<T>(p, 15)};
}
template <class T>
TRI_INLINE void put_articulated(Scalar<T>* p, const ArticulatedInertia<T>& a) {
  put_sym3<T>(p, 0, a.linear), put9<T>(p, 6, a.coupling), put_sym3<T>(p, 15, a.angular);
}
template <class T>
TRI_INLINE ArticulatedInertia<T> to_articulated(const PointInertia<T>& a) {
  return {{a.mass, T(0), T(0), a.mass, T(0), a.mass}, skew(-a.moment), a.about};
}
template <class T>
TRI_INLINE Wrench<T> operator*(const ArticulatedInertia<T>& a, const Twist<T>& v) {
  return {a.linear * v.linear + a.coupling * v.angular, transpose_times(a.coupling, v.linear) + a.angular * v.angular};
}
template <class T>
TRI_INLINE Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
/// a - s u u'
template <class T>
TRI_INLINE Sym3<T> without(const Sym3<T>& a, const Vec3<T>& su, const Vec3<T>& u) {
  return {a.xx - su.x * u.x, a.xy - su.x * u.y, a.xz - su.x * u.z, a.yy - su.y * u.y, a.yz - su.y * u.z, a.zz - su.z * u.z};
}

/// Takes one degree of freedom out of the articulated body: what is left is what its parent feels. The joint's own force goes into p.
template <class T>
TRI_INLINE void eliminate_dof(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* tau, std::int64_t k,
                              ArticulatedInertia<T>& I, Wrench<T>& p) {
  const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
  const Wrench<T> U = I * S;
  const T inverse = T(1) / (power(U, S) + T(tree.armature[k]));
  const T u = get<T>(tau, k) - power(p, S);
  const Wrench<T> scaled = inverse * U;
  I.linear = without(I.linear, scaled.force, U.force);
  I.angular = without(I.angular, scaled.moment, U.moment);
  I.coupling = I.coupling - outer(scaled.force, U.moment);
  p = p + u * scaled;
  put_wrench<T>(at<T>(w, DofSlot::product, k), U);
  put<T>(w.inverse_pivot, k, inverse);
  put<T>(w.scratch, k, u);
}

/// Articulated inertias and forces from the leaves to the roots. Needs velocities, and in w.force what update_forces leaves for a = 0.
template <class T>
TRI_INLINE void eliminate_links(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* tau) {
  for (std::int64_t i = 0; i < tree.links; ++i)
    put_articulated<T>(at<T>(w, LinkSlot::articulated, i), to_articulated(get_inertia<T>(at<T>(w, LinkSlot::inertia, i))));
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const LinkIndex& link = tree.link[i];
    ArticulatedInertia<T> I = get_articulated<T>(at<T>(w, LinkSlot::articulated, i));
    Wrench<T> p = get_wrench<T>(at<T>(w, LinkSlot::force, i));
    for (std::int64_t k = link.v + link.nv - 1; k >= link.v; --k) eliminate_dof<T>(tree, w, tau, k, I, p);
    if (link.parent < 0) continue;
    const ArticulatedInertia<T> parent = get_articulated<T>(at<T>(w, LinkSlot::articulated, link.parent));
    put_articulated<T>(at<T>(w, LinkSlot::articulated, link.parent),
                       {parent.linear + I.linear, parent.coupling + I.coupling, parent.angular + I.angular});
    put_wrench<T>(at<T>(w, LinkSlot::force, link.parent), get_wrench<T>(at<T>(w, LinkSlot::force, link.parent)) + p);
  }
}

/// Joint accelerations from `tau` by the articulated-body algorithm. Needs kinematics and velocities; overwrites forces, accelerations,
/// inverse pivots (a factor of the mass matrix is lost). w.acceleration keeps, during the call, what the links have beyond that of zero
/// joint acceleration. `motion.a` is not read.
template <class T>
TRI_INLINE void forward_dynamics(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const MotionView<Scalar<T>>& motion,
                                 const Scalar<T>* tau, Scalar<T>* a) {
  // with the forces of a = 0 as bias the velocity products need no extra term: A = A(a = 0) + what the joints add
  update_forces<T>(tree, w, {motion.v, nullptr, motion.applied, motion.gravity});
  eliminate_links<T>(tree, w, tau);
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    Twist<T> A = above<T>(w, LinkSlot::acceleration, link.parent);
    for (std::int64_t k = link.v; k < link.v + link.nv; ++k) {
      const T value = (get<T>(w.scratch, k) - power(get_wrench<T>(at<T>(w, DofSlot::product, k)), A)) * get<T>(w.inverse_pivot, k);
      put<T>(a, k, value);
      A = A + value * get_twist<T>(at<T>(w, DofSlot::column, k));
    }
    put_twist<T>(at<T>(w, LinkSlot::acceleration, i), A);
  }
}

TRI_ISA_END
}  // namespace trilith::multibody
