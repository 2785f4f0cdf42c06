#pragma once
#include "multibody/lane_memory.h"
#include "spatial/pose.h"

/// Poses, motion columns and velocities of all links, for use inside kernels. docs/theory/multibody.md.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// R of the joint frame of a link in the world, and the offset of its origin from the parent's, in world axes.
template <class T>
TRI_INLINE Pose<T> joint_frame(const LinkConstants<Scalar<T>>& c, bool on_world, const Mat3<T>& R_WP) {
  const Vec3<T> p_PJ = spread3<T>(c.position);
  if (on_world) return {spread9<T>(c.rotation), p_PJ};
  Mat3<T> R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      R.m[3 * i + j] =
          R_WP.m[3 * i] * T(c.rotation[j]) + R_WP.m[3 * i + 1] * T(c.rotation[3 + j]) + R_WP.m[3 * i + 2] * T(c.rotation[6 + j]);
  }
  return {R, R_WP * p_PJ};
}

/// R Rz(angle).
template <class T>
TRI_INLINE void turn_about_z(const SinCos<T>& turn, Mat3<T>& R) {
  for (int i = 0; i < 3; ++i) {
    const T x = R.m[3 * i], y = R.m[3 * i + 1];
    R.m[3 * i] = x * turn.cos + y * turn.sin;
    R.m[3 * i + 1] = y * turn.cos - x * turn.sin;
  }
}

/// Moves the joint frame `X` by the joint: X becomes the link's frame. (TREE-1)
template <class T>
TRI_INLINE void apply_joint(const LinkIndex& link, const LinkConstants<Scalar<T>>& c, const Scalar<T>* q, Pose<T>& X) {
  switch (link.kind) {
    case LinkKind::hinge:
      turn_about_z(sincos(get<T>(q, link.q) - T(c.reference)), X.R);
      return;
    case LinkKind::slide:
      X.p = X.p + (get<T>(q, link.q) - T(c.reference)) * column(X.R, 2);
      return;
    case LinkKind::translation:
      X.p = X.p + X.R * get3<T>(q, link.q);
      return;
    case LinkKind::ball: {
      const Quaternion<T> turn{get<T>(q, link.q), get<T>(q, link.q + 1), get<T>(q, link.q + 2), get<T>(q, link.q + 3)};
      X.R = X.R * to_matrix(normalized(turn));
      return;
    }
  }
}

/// Motion column `k` of a link at `X` = (R_WL, p_OL). For a translation X.R is R_WJ, which is the same. (TREE-2)
template <class T>
TRI_INLINE Twist<T> motion_column(LinkKind kind, int k, const Pose<T>& X) {
  const Vec3<T> axis = column(X.R, kind == LinkKind::translation || kind == LinkKind::ball ? k : 2);
  if (kind == LinkKind::slide || kind == LinkKind::translation) return {axis, zero3<T>()};
  return {cross(X.p, axis), axis};
}

/// The link's frame (R_WL, p_OL); for the first link of a tree p_OL is zero and its place goes to the origin. (TREE-1)
template <class T>
TRI_INLINE Pose<T> place_link(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* q, std::int64_t i) {
  const LinkIndex& link = tree.link[i];
  const bool on_world = link.parent < 0;
  Mat3<T> R_WP;
  if (!on_world) R_WP = get9<T>(at<T>(w, LinkSlot::rotation, link.parent), 0);
  Pose<T> X = joint_frame<T>(tree.number[i], on_world, R_WP);
  apply_joint<T>(link, tree.number[i], q, X);
  if (on_world) {
    put3<T>(w.origin, 3 * std::int64_t{link.tree}, X.p);
    X.p = zero3<T>();
  } else {
    X.p = get3<T>(at<T>(w, LinkSlot::position, link.parent), 0) + X.p;
  }
  put9<T>(at<T>(w, LinkSlot::rotation, i), 0, X.R);
  put3<T>(at<T>(w, LinkSlot::position, i), 0, X.p);
  return X;
}

/// Mass, centre of mass p_OC and rotational inertia about it in world axes.
template <class T>
struct PlacedMass {
  T mass;
  Vec3<T> com;
  Sym3<T> about_com;
};
template <class T>
TRI_INLINE PlacedMass<T> place_mass(const LinkConstants<Scalar<T>>& c, const Pose<T>& X) {
  const Sym3<T> I{T(c.inertia[0]), T(c.inertia[1]), T(c.inertia[2]), T(c.inertia[3]), T(c.inertia[4]), T(c.inertia[5])};
  const Vec3<T> r0 = row(X.R, 0), r1 = row(X.R, 1), r2 = row(X.R, 2);
  const Vec3<T> a0 = I * r0, a1 = I * r1, a2 = I * r2;
  return {T(c.mass), transform_point(X, spread3<T>(c.com)), {dot(r0, a0), dot(r0, a1), dot(r0, a2), dot(r1, a1), dot(r1, a2), dot(r2, a2)}};
}
/// The same about O. (TREE-3)
template <class T>
TRI_INLINE PointInertia<T> about_reference(const PlacedMass<T>& a) {
  const Vec3<T> p = a.com, h = a.mass * p;
  const T xx = h.x * p.x, yy = h.y * p.y, zz = h.z * p.z;
  return {a.mass,
          h,
          {a.about_com.xx + (yy + zz), a.about_com.xy - h.x * p.y, a.about_com.xz - h.x * p.z, a.about_com.yy + (xx + zz),
           a.about_com.yz - h.y * p.z, a.about_com.zz + (xx + yy)}};
}
template <class T>
TRI_INLINE PointInertia<T> place_inertia(const LinkConstants<Scalar<T>>& c, const Pose<T>& X) {
  return about_reference(place_mass(c, X));
}

/// Poses, motion columns and inertias of all links.
template <class T>
TRI_INLINE void update_kinematics(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* q) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    const Pose<T> X = place_link<T>(tree, w, q, i);
    for (int k = 0; k < link.nv; ++k) put_twist<T>(at<T>(w, DofSlot::column, link.v + k), motion_column(link.kind, k, X));
    put_inertia<T>(at<T>(w, LinkSlot::inertia, i), link.massive != 0 ? place_inertia<T>(tree.number[i], X) : zero_inertia<T>());
  }
}

/// Sum of the link's motion columns times numbers of `x` at its degrees of freedom.
template <class T>
TRI_INLINE Twist<T> joint_motion(const LinkIndex& link, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* x) {
  Twist<T> sum = get<T>(x, link.v) * get_twist<T>(at<T>(w, DofSlot::column, link.v));
  for (int k = 1; k < link.nv; ++k) sum = sum + get<T>(x, link.v + k) * get_twist<T>(at<T>(w, DofSlot::column, link.v + k));
  return sum;
}

/// A twist of the parent; that of the world is zero.
template <class T>
TRI_INLINE Twist<T> above(const WorkspaceView<Scalar<T>>& w, LinkSlot slot, std::int32_t parent) {
  return parent < 0 ? zero_twist<T>() : get_twist<T>(at<T>(w, slot, parent));
}

/// V_i = V_parent + S_i v_i (TREE-4).
template <class T>
TRI_INLINE void update_velocities(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* v) {
  for (std::int64_t i = 0; i < tree.links; ++i)
    put_twist<T>(at<T>(w, LinkSlot::velocity, i),
                 above<T>(w, LinkSlot::velocity, tree.link[i].parent) + joint_motion<T>(tree.link[i], w, v));
}

TRI_ISA_END
}  // namespace trilith::multibody
