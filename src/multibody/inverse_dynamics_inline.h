#pragma once
#include "multibody/kinematics_inline.h"

/// Recursive Newton-Euler in world axes about the reference point of each tree, for use inside kernels.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// A of the parent; the world accelerates against gravity.
template <class T>
TRI_INLINE Twist<T> acceleration_above(const WorkspaceView<Scalar<T>>& w, std::int32_t parent, const Scalar<T>* gravity) {
  if (parent >= 0) return get_twist<T>(at<T>(w, LinkSlot::acceleration, parent));
  return {-spread3<T>(gravity), zero3<T>()};
}

/// F = I A + V x* (I V). (TREE-8)
template <class T>
TRI_INLINE Wrench<T> inertial_force(const PointInertia<T>& I, const Twist<T>& A, const Twist<T>& V) {
  return I * A + cross(V, I * V);
}

/// Subtracts the wrenches on bodies (`applied`: force, moment about the body's origin, world axes; 6 per body) from the forces of links.
template <class T>
TRI_INLINE void subtract_applied(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* applied) {
  for (std::int64_t b = 0; b < tree.bodies; ++b) {
    const std::int64_t link = tree.body[b].link;
    if (link < 0) continue;
    const Vec3<T> p =
        get3<T>(at<T>(w, LinkSlot::position, link), 0) + get9<T>(at<T>(w, LinkSlot::rotation, link), 0) * spread3<T>(tree.body[b].position);
    const Wrench<T> at_origin = get_wrench<T>(applied + 6 * b * GroupOf<T>::size);
    put_wrench<T>(at<T>(w, LinkSlot::force, link), get_wrench<T>(at<T>(w, LinkSlot::force, link)) -
                                                       Wrench<T>{at_origin.force, at_origin.moment + cross(p, at_origin.force)});
  }
}

/// A and F of every link. (TREE-4), (TREE-8)
template <class T>
TRI_INLINE void update_forces(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const MotionView<Scalar<T>>& motion) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    Twist<T> A = acceleration_above<T>(w, link.parent, motion.gravity) +
                 cross(above<T>(w, LinkSlot::velocity, link.parent), joint_motion<T>(link, w, motion.v));
    if (motion.a != nullptr) A = A + joint_motion<T>(link, w, motion.a);
    put_twist<T>(at<T>(w, LinkSlot::acceleration, i), A);
    Wrench<T> F = zero_wrench<T>();
    if (link.massive != 0)
      F = inertial_force(get_inertia<T>(at<T>(w, LinkSlot::inertia, i)), A, get_twist<T>(at<T>(w, LinkSlot::velocity, i)));
    put_wrench<T>(at<T>(w, LinkSlot::force, i), F);
  }
  if (motion.applied != nullptr) subtract_applied<T>(tree, w, motion.applied);
}

/// Adds the forces of children to their parents and projects: tau_k = S_k . F (TREE-8), plus armature times acceleration.
template <class T>
TRI_INLINE void gather_forces(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* a, Scalar<T>* tau) {
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const LinkIndex& link = tree.link[i];
    const Wrench<T> F = get_wrench<T>(at<T>(w, LinkSlot::force, i));
    for (std::int64_t k = link.v; k < link.v + link.nv; ++k) {
      T sum = power(F, get_twist<T>(at<T>(w, DofSlot::column, k)));
      if (a != nullptr) sum = sum + T(tree.armature[k]) * get<T>(a, k);
      put<T>(tau, k, sum);
    }
    if (link.parent >= 0) put_wrench<T>(at<T>(w, LinkSlot::force, link.parent), get_wrench<T>(at<T>(w, LinkSlot::force, link.parent)) + F);
  }
}

TRI_ISA_END
}  // namespace trilith::multibody
