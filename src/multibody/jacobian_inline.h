#pragma once
#include "multibody/kinematics_inline.h"

/// Frame poses and Jacobians, centre of mass and energy, for use inside kernels.

namespace trilith::multibody {

TRI_ISA_BEGIN

/// p_OF.
template <class T>
TRI_INLINE Vec3<T> frame_arm(const WorkspaceView<Scalar<T>>& w, const FrameView<Scalar<T>>& frame) {
  const std::int64_t i = frame.link;
  return get3<T>(at<T>(w, LinkSlot::position, i), 0) + get9<T>(at<T>(w, LinkSlot::rotation, i), 0) * spread3<T>(frame.position);
}
/// p_WF.
template <class T>
TRI_INLINE Vec3<T> frame_position(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const FrameView<Scalar<T>>& frame) {
  if (frame.link < 0) return spread3<T>(frame.position);
  return get3<T>(w.origin, 3 * std::int64_t{tree.link[frame.link].tree}) + frame_arm<T>(w, frame);
}
/// R_WF.
template <class T>
TRI_INLINE Mat3<T> frame_rotation(const WorkspaceView<Scalar<T>>& w, const FrameView<Scalar<T>>& frame) {
  const Mat3<T> R_LF = spread9<T>(frame.rotation);
  return frame.link < 0 ? R_LF : get9<T>(at<T>(w, LinkSlot::rotation, frame.link), 0) * R_LF;
}

/// How a Jacobian is laid out: entry (row, e-th degree of freedom of the chain) lies at row * stride + place.
struct JacobianLayout {
  std::int64_t begin, count, stride;  ///< first entry of the chain in TreeView::column, how many
  JacobianShape shape;
  int rows;  ///< 6, or 3 for the linear rows alone
};
template <class S>
TRI_INLINE JacobianLayout layout_of(const TreeView<S>& tree, std::int32_t link, JacobianShape shape, int rows) {
  if (link < 0) return {0, 0, shape == JacobianShape::dense ? tree.dofs : 0, shape, rows};
  const LinkIndex& l = tree.link[link];
  const std::int64_t row = l.v + l.nv - 1, begin = tree.row[row], count = tree.row[row + 1] - begin;
  return {begin, count, shape == JacobianShape::dense ? tree.dofs : count, shape, rows};
}
/// Zeros where columns may be missing.
template <class T>
TRI_INLINE void clear_jacobian(const JacobianLayout& layout, Scalar<T>* out) {
  if (layout.shape != JacobianShape::dense || layout.count == layout.stride) return;
  for (std::int64_t e = 0; e < layout.rows * layout.stride; ++e) put<T>(out, e, T(0));
}
/// Column of degree of freedom `k`, the e-th of the chain.
template <class T>
TRI_INLINE void put_column(Scalar<T>* out, const JacobianLayout& layout, std::int64_t k, std::int64_t e, const Twist<T>& a) {
  const std::int64_t place = layout.shape == JacobianShape::dense ? k : e;
  put<T>(out, place, a.linear.x), put<T>(out, layout.stride + place, a.linear.y), put<T>(out, 2 * layout.stride + place, a.linear.z);
  if (layout.rows < 6) return;
  put<T>(out, 3 * layout.stride + place, a.angular.x), put<T>(out, 4 * layout.stride + place, a.angular.y);
  put<T>(out, 5 * layout.stride + place, a.angular.z);
}

/// Jacobian of the motion at the point O + arm of a body on the layout's link. (TREE-14)
template <class T>
TRI_INLINE void write_jacobian(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const JacobianLayout& layout,
                               const Vec3<T>& arm, Scalar<T>* out) {
  clear_jacobian<T>(layout, out);
  for (std::int64_t e = 0; e < layout.count; ++e) {
    const std::int64_t k = tree.column[layout.begin + e];
    put_column(out, layout, k, e, shift(get_twist<T>(at<T>(w, DofSlot::column, k)), arm));
  }
}

/// Its rate while the point moves with velocity `rate`: (TREE-15).
template <class T>
TRI_INLINE void write_jacobian_rate(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const JacobianLayout& layout,
                                    const Vec3<T>& arm, const Vec3<T>& rate, Scalar<T>* out) {
  clear_jacobian<T>(layout, out);
  for (std::int64_t e = 0; e < layout.count; ++e) {
    const std::int64_t k = tree.column[layout.begin + e];
    const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
    Twist<T> change = shift(cross(get_twist<T>(at<T>(w, LinkSlot::velocity, tree.dof_link[k])), S), arm);
    change.linear = change.linear + cross(S.angular, rate);
    put_column(out, layout, k, e, change);
  }
}

/// Velocity of the point O + arm on `link`, and the link's angular velocity.
template <class T>
TRI_INLINE Twist<T> velocity_at(const WorkspaceView<Scalar<T>>& w, std::int32_t link, const Vec3<T>& arm) {
  return link < 0 ? zero_twist<T>() : shift(get_twist<T>(at<T>(w, LinkSlot::velocity, link)), arm);
}

/// Sum over links of mass times p_WC of the com, over the total mass; zero where nothing has mass.
template <class T>
TRI_INLINE Vec3<T> center_of_mass(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w) {
  Vec3<T> sum = zero3<T>();
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::inertia, i));
    sum = sum + (I.moment + I.mass * get3<T>(w.origin, 3 * std::int64_t{tree.link[i].tree}));
  }
  const Scalar<T> share = tree.total_mass > 0 ? Scalar<T>(1) / tree.total_mass : Scalar<T>(0);
  return T(share) * sum;
}
/// 3 x nv: the linear momentum of the subtree that a degree of freedom moves, over the total mass. Needs composites. (TREE-16)
template <class T>
TRI_INLINE void write_com_jacobian(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, Scalar<T>* out) {
  const Scalar<T> share = tree.total_mass > 0 ? Scalar<T>(1) / tree.total_mass : Scalar<T>(0);
  for (std::int64_t k = 0; k < tree.dofs; ++k) {
    const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::composite, tree.dof_link[k]));
    const Vec3<T> p = T(share) * (I.mass * S.linear + cross(S.angular, I.moment));
    put<T>(out, k, p.x), put<T>(out, tree.dofs + k, p.y), put<T>(out, 2 * std::int64_t{tree.dofs} + k, p.z);
  }
}
/// out[0]: kinetic energy, that of armatures too; out[1]: potential energy, zero at the world's origin. J.
template <class T>
TRI_INLINE void write_energy(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* v,
                             const Scalar<T>* gravity, Scalar<T>* out) {
  const Vec3<T> g = spread3<T>(gravity);
  T kinetic = T(0), potential = T(0);
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::inertia, i));
    const Twist<T> V = get_twist<T>(at<T>(w, LinkSlot::velocity, i));
    kinetic = kinetic + T(0.5) * power(I * V, V);
    potential = potential - dot(g, I.moment + I.mass * get3<T>(w.origin, 3 * std::int64_t{tree.link[i].tree}));
  }
  T rotors = T(0);
  for (std::int64_t k = 0; k < tree.dofs; ++k) rotors = rotors + T(Scalar<T>(0.5) * tree.armature[k]) * (get<T>(v, k) * get<T>(v, k));
  put<T>(out, 0, kinetic + rotors);
  put<T>(out, 1, potential);
}

TRI_ISA_END
}  // namespace trilith::multibody
