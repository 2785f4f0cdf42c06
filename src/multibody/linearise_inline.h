#pragma once
#include "multibody/derivatives_inline.h"
#include "multibody/jacobian_inline.h"

/// Forward dynamics and its derivatives in as few passes as possible: the arithmetic of the other inline files, fused. For use inside
/// kernels.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// F of one link by its centre of mass (the same as (TREE-8), with fewer operations where the inertia about that centre is at hand), and
/// its linear momentum.
template <class T>
struct ForceAndMomentum {
  Wrench<T> force;
  Vec3<T> momentum;
};
template <class T>
TRI_INLINE ForceAndMomentum<T> force_of(const PlacedMass<T>& body, const Twist<T>& A, const Twist<T>& V) {
  const Vec3<T> v_C = V.linear + cross(V.angular, body.com);
  const Vec3<T> a_C = A.linear + cross(A.angular, body.com) + cross(V.angular, v_C);
  const Vec3<T> f = body.mass * a_C;
  const Vec3<T> moment = body.about_com * A.angular + cross(V.angular, body.about_com * V.angular);
  return {{f, moment + cross(body.com, f)}, body.mass * v_C};
}

/// The inertia of link i as start of its composite, and its force at the accelerations that w holds for it; with `maps` also for later
/// passes.
template <class T>
TRI_INLINE void place_body(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, std::int64_t i, const Pose<T>& X,
                           bool maps) {
  PointInertia<T> I = zero_inertia<T>();
  Wrench<T> F = zero_wrench<T>();
  AngularMap<T> B;
  if (tree.link[i].massive != 0) {
    const Twist<T> V = get_twist<T>(at<T>(w, LinkSlot::velocity, i));
    const PlacedMass<T> body = place_mass(tree.number[i], X);
    const ForceAndMomentum<T> motion = force_of(body, get_twist<T>(at<T>(w, LinkSlot::acceleration, i)), V);
    I = about_reference(body);
    F = motion.force;
    if (maps) B = coriolis_map(I, V, motion.momentum);
  } else if (maps) {
    B = zero_map<T>();
  }
  put_inertia<T>(at<T>(w, LinkSlot::composite, i), I);
  put_wrench<T>(at<T>(w, LinkSlot::force, i), F);
  if (maps) put_inertia<T>(at<T>(w, LinkSlot::inertia, i), I), put_map<T>(at<T>(w, LinkSlot::coriolis, i), B);
}

/// Root to leaf: poses, columns, velocities, accelerations and forces for a = 0, inertias as start of the composites; with `maps` what the
/// derivatives need, too.
template <class T>
TRI_INLINE void place_links(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                            bool maps) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    const Pose<T> X = place_link<T>(tree, w, in.q, i);
    Twist<T> u = zero_twist<T>();
    for (int k = 0; k < link.nv; ++k) {
      const Twist<T> S = motion_column(link.kind, k, X);
      put_twist<T>(at<T>(w, DofSlot::column, link.v + k), S);
      u = k == 0 ? get<T>(in.v, link.v) * S : u + get<T>(in.v, link.v + k) * S;
    }
    const Twist<T> V_parent = above<T>(w, LinkSlot::velocity, link.parent), V = V_parent + u;
    const Twist<T> A = acceleration_above<T>(w, link.parent, in.gravity) + cross(V_parent, u);
    put_twist<T>(at<T>(w, LinkSlot::velocity, i), V), put_twist<T>(at<T>(w, LinkSlot::acceleration, i), A);
    place_body<T>(tree, w, i, X, maps);
  }
  if (in.applied != nullptr) subtract_applied<T>(tree, w, in.applied);
}

/// Leaf to root: composites, rows of M, and x = tau - bias.
template <class T>
TRI_INLINE void gather_links(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* tau, bool maps,
                             Scalar<T>* x) {
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const LinkIndex& link = tree.link[i];
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::composite, i));
    const Wrench<T> F = get_wrench<T>(at<T>(w, LinkSlot::force, i));
    for (std::int64_t k = link.v; k < link.v + link.nv; ++k) {
      const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
      const Wrench<T> G = I * S;
      if (maps) put_wrench<T>(at<T>(w, DofSlot::product, k), G);
      write_mass_row<T>(tree, w, k, G);
      put<T>(x, k, get<T>(tau, k) - power(F, S));
    }
    if (link.parent < 0) continue;
    put_inertia<T>(at<T>(w, LinkSlot::composite, link.parent), get_inertia<T>(at<T>(w, LinkSlot::composite, link.parent)) + I);
    put_wrench<T>(at<T>(w, LinkSlot::force, link.parent), get_wrench<T>(at<T>(w, LinkSlot::force, link.parent)) + F);
  }
}

/// Accelerations `a` = M^-1 (tau - bias). Returns how many pivots are not positive.
template <class T>
TRI_INLINE int solve_forward(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                             bool maps, Scalar<T>* a) {
  place_links<T>(tree, w, in, maps);
  gather_links<T>(tree, w, in.tau, maps, a);
  const int bad = factor_mass_matrix<T>(tree, w, nullptr);
  solve_mass_matrix<T>(tree, w, a);
  return bad;
}

/// Root to leaf: adds what `a` does to accelerations and forces, and fills the column rates. w.force holds the sums over subtrees for
/// a = 0; what a adds is summed over subtrees through the place of articulated inertias.
template <class T>
TRI_INLINE void add_accelerations(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const LineariseInput<Scalar<T>>& in,
                                  const Scalar<T>* a) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    const Twist<T> V = get_twist<T>(at<T>(w, LinkSlot::velocity, i)), V_parent = above<T>(w, LinkSlot::velocity, link.parent);
    const Twist<T> A_parent = acceleration_above<T>(w, link.parent, in.gravity);
    Twist<T> A = A_parent;
    Twist<T> u = zero_twist<T>();
    for (std::int64_t k = link.v; k < link.v + link.nv; ++k) {
      const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
      const ColumnRates<T> rates = column_rates(link.kind, S, V_parent, A_parent, V);
      put_twist<T>(at<T>(w, DofSlot::carried, k), rates.carried), put_twist<T>(at<T>(w, DofSlot::driven, k), rates.driven),
          put_twist<T>(at<T>(w, DofSlot::coupled, k), rates.coupled);
      A = A + get<T>(a, k) * S;
      u = u + get<T>(in.v, k) * rates.carried;
    }
    // V_parent x (S v) is the sum of the carried columns times v
    A = A + u;
    const Twist<T> beyond = A - get_twist<T>(at<T>(w, LinkSlot::acceleration, i));
    put_twist<T>(at<T>(w, LinkSlot::acceleration, i), A);
    put_wrench<T>(at<T>(w, LinkSlot::articulated, i), get_inertia<T>(at<T>(w, LinkSlot::inertia, i)) * beyond);
  }
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const std::int32_t parent = tree.link[i].parent;
    const Wrench<T> F = get_wrench<T>(at<T>(w, LinkSlot::articulated, i));
    put_wrench<T>(at<T>(w, LinkSlot::force, i), get_wrench<T>(at<T>(w, LinkSlot::force, i)) + F);
    if (parent >= 0) put_wrench<T>(at<T>(w, LinkSlot::articulated, parent), get_wrench<T>(at<T>(w, LinkSlot::articulated, parent)) + F);
  }
}

/// X := scale M^-1 X for a row-major nv x m matrix.
template <class T>
TRI_INLINE void solve_columns(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, std::int64_t m, Scalar<T> scale,
                              Scalar<T>* x) {
  for (std::int64_t k = tree.dofs - 1; k >= 0; --k) {
    for (std::int64_t e = tree.row[k]; e < tree.row[k + 1] - 1; ++e) {
      const std::int64_t j = tree.column[e];
      const T ratio = get<T>(w.factor, e);
      for (std::int64_t c = 0; c < m; ++c) put<T>(x, j * m + c, get<T>(x, j * m + c) - ratio * get<T>(x, k * m + c));
    }
  }
  for (std::int64_t k = 0; k < tree.dofs; ++k) {
    const T inverse = T(scale) * get<T>(w.inverse_pivot, k);
    for (std::int64_t c = 0; c < m; ++c) put<T>(x, k * m + c, inverse * get<T>(x, k * m + c));
    for (std::int64_t e = tree.row[k]; e < tree.row[k + 1] - 1; ++e) {
      const std::int64_t j = tree.column[e];
      const T ratio = get<T>(w.factor, e);
      for (std::int64_t c = 0; c < m; ++c) put<T>(x, k * m + c, get<T>(x, k * m + c) - ratio * get<T>(x, j * m + c));
    }
  }
}

template <class T>
TRI_INLINE void write_identity(const TreeView<Scalar<T>>& tree, Scalar<T>* out) {
  const std::int64_t n = tree.dofs;
  clear_dense<T>(out, n * n);
  for (std::int64_t k = 0; k < n; ++k) put<T>(out, k * n + k, T(1));
}

template <class T>
TRI_INLINE void write_end_effector(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const FrameView<Scalar<T>>& frame,
                                   const LineariseOutput<Scalar<T>>& out) {
  if (out.position != nullptr) put3<T>(out.position, 0, frame_position<T>(tree, w, frame));
  if (out.jacobian == nullptr) return;
  const Vec3<T> arm = frame.link < 0 ? zero3<T>() : frame_arm<T>(w, frame);
  write_jacobian<T>(tree, w, layout_of(tree, frame.link, JacobianShape::dense, 3), arm, out.jacobian);
}

TRI_ISA_END
}  // namespace trilith::multibody
