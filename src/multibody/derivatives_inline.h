#pragma once
#include "multibody/inverse_dynamics_inline.h"
#include "multibody/mass_matrix_inline.h"

/// Derivatives of inverse dynamics by q (in the tangent of the configuration) and v, for use inside kernels. docs/theory/multibody.md.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// A 6 x 6 whose columns for the linear part vanish: w -> (w x linear, map w). The Coriolis map (TREE-11) and the map of applied wrenches
/// (TREE-13) have this form.
template <class T>
struct AngularMap {
  Vec3<T> linear;
  Mat3<T> map;
};
template <class T>
TRI_INLINE AngularMap<T> get_map(const Scalar<T>* p) {
  return {get3<T>(p, 0), get9<T>(p, 3)};
}
template <class T>
TRI_INLINE void put_map(Scalar<T>* p, const AngularMap<T>& a) {
  put3<T>(p, 0, a.linear), put9<T>(p, 3, a.map);
}
template <class T>
TRI_INLINE AngularMap<T> operator+(const AngularMap<T>& a, const AngularMap<T>& b) {
  return {a.linear + b.linear, a.map + b.map};
}
template <class T>
TRI_INLINE AngularMap<T> zero_map() {
  return {zero3<T>(), diagonal3(zero3<T>())};
}
template <class T>
TRI_INLINE Wrench<T> operator*(const AngularMap<T>& a, const Vec3<T>& angular) {
  return {cross(angular, a.linear), a.map * angular};
}
/// The transposed map: a vector to be multiplied with the angular part.
template <class T>
TRI_INLINE Vec3<T> transpose_times(const AngularMap<T>& a, const Twist<T>& y) {
  return cross(a.linear, y.linear) + transpose_times(a.map, y.angular);
}

/// (TREE-11) 2 (w x p, -omega x (Sigma w) - h x (v x w)): p the linear momentum, h the first moment, Sigma = 1/2 tr(J) 1 - J.
template <class T>
TRI_INLINE AngularMap<T> coriolis_map(const PointInertia<T>& I, const Twist<T>& V, const Vec3<T>& momentum) {
  const Sym3<T>& J = I.about;
  const T half = T(0.5) * (J.xx + J.yy + J.zz);
  const Sym3<T> sigma{half - J.xx, -J.xy, -J.xz, half - J.yy, -J.yz, half - J.zz};
  const Vec3<T> w = V.angular, v = V.linear, h = I.moment;
  const Vec3<T> c0 = cross(w, Vec3<T>{sigma.xx, sigma.xy, sigma.xz}), c1 = cross(w, Vec3<T>{sigma.xy, sigma.yy, sigma.yz}),
                c2 = cross(w, Vec3<T>{sigma.xz, sigma.yz, sigma.zz});
  const T hv = dot(h, v);
  const Mat3<T> sum{{c0.x + (v.x * h.x - hv), c1.x + v.x * h.y, c2.x + v.x * h.z,  //
                     c0.y + v.y * h.x, c1.y + (v.y * h.y - hv), c2.y + v.y * h.z,  //
                     c0.z + v.z * h.x, c1.z + v.z * h.y, c2.z + (v.z * h.z - hv)}};
  return {T(2) * momentum, T(-2) * sum};
}

/// (TREE-13) what a wrench fixed in the world (force f, moment m at p) loses against one carried along: w -> (w x f, w x m + p x (w x f)).
template <class T>
TRI_INLINE AngularMap<T> applied_map(const Vec3<T>& p, const Wrench<T>& at_p) {
  const Vec3<T> f = at_p.force, m = at_p.moment;
  const T pf = dot(p, f);
  // p x (w x f) = w (p . f) - f (p . w)
  Mat3<T> map = skew(-m) - outer(f, p);
  map.m[0] = map.m[0] + pf, map.m[4] = map.m[4] + pf, map.m[8] = map.m[8] + pf;
  return {f, map};
}

/// What the columns of one degree of freedom need: (TREE-10).
template <class T>
struct ColumnRates {
  Twist<T> carried;  ///< V_parent x S
  Twist<T> driven;   ///< A_parent x S + V_parent x carried
  Twist<T> coupled;  ///< carried + V_link x S
};
template <class T>
TRI_INLINE ColumnRates<T> column_rates(LinkKind kind, const Twist<T>& S, const Twist<T>& V_parent, const Twist<T>& A_parent,
                                       const Twist<T>& V_link) {
  const Twist<T> carried = cross(V_parent, S);
  const Twist<T> driven = cross(A_parent, S) + cross(V_parent, carried);
  // only the columns of a ball turn with their own link
  const Twist<T> rate = kind == LinkKind::ball ? cross(V_link, S) : carried;
  return {carried, driven, carried + rate};
}

/// Where the rows of a derivative go: a dense row-major matrix.
template <class T>
struct DenseSink {
  Scalar<T>* out;
  std::int64_t dofs;
  TRI_INLINE void lower(std::int64_t, std::int64_t row, std::int64_t column, const T& value) const {
    put<T>(out, row * dofs + column, value);
  }
  TRI_INLINE void upper(std::int64_t, std::int64_t row, std::int64_t column, const T& value) const {
    put<T>(out, row * dofs + column, value);
  }
};
/// Or the pattern of the mass matrix: entry e of `below` is (row, column), of `over` (column, row) of the triangle's row and column.
template <class T>
struct SparseSink {
  Scalar<T>*below, *over;
  TRI_INLINE void lower(std::int64_t e, std::int64_t, std::int64_t, const T& value) const { put<T>(below, e, value); }
  TRI_INLINE void upper(std::int64_t e, std::int64_t, std::int64_t, const T& value) const { put<T>(over, e, value); }
};

/// Fills carried, driven, coupled and the Coriolis maps. Needs velocities and accelerations; where `gravity` is null (derivatives by v
/// alone) no accelerations, and driven is zero.
template <class T>
TRI_INLINE void update_column_rates(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* gravity) {
  for (std::int64_t i = 0; i < tree.links; ++i) {
    const LinkIndex& link = tree.link[i];
    const Twist<T> V = get_twist<T>(at<T>(w, LinkSlot::velocity, i)), V_parent = above<T>(w, LinkSlot::velocity, link.parent);
    const Twist<T> A_parent = gravity != nullptr ? acceleration_above<T>(w, link.parent, gravity) : zero_twist<T>();
    for (std::int64_t k = link.v; k < link.v + link.nv; ++k) {
      const ColumnRates<T> rates = column_rates(link.kind, get_twist<T>(at<T>(w, DofSlot::column, k)), V_parent, A_parent, V);
      put_twist<T>(at<T>(w, DofSlot::carried, k), rates.carried), put_twist<T>(at<T>(w, DofSlot::driven, k), rates.driven),
          put_twist<T>(at<T>(w, DofSlot::coupled, k), rates.coupled);
    }
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::inertia, i));
    put_map<T>(at<T>(w, LinkSlot::coriolis, i), link.massive != 0 ? coriolis_map(I, V, (I * V).force) : zero_map<T>());
  }
}

/// Maps of the applied wrenches, summed per link.
template <class T>
TRI_INLINE void update_applied_maps(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* applied) {
  for (std::int64_t i = 0; i < tree.links; ++i) put_map<T>(at<T>(w, LinkSlot::applied, i), zero_map<T>());
  for (std::int64_t b = 0; b < tree.bodies; ++b) {
    const std::int64_t link = tree.body[b].link;
    if (link < 0) continue;
    const Vec3<T> p =
        get3<T>(at<T>(w, LinkSlot::position, link), 0) + get9<T>(at<T>(w, LinkSlot::rotation, link), 0) * spread3<T>(tree.body[b].position);
    put_map<T>(at<T>(w, LinkSlot::applied, link),
               get_map<T>(at<T>(w, LinkSlot::applied, link)) + applied_map(p, get_wrench<T>(applied + 6 * b * GroupOf<T>::size)));
  }
}

/// What the entries of one degree of freedom are made of: sums over the subtree of its link.
template <class T>
struct RowTerms {
  std::int64_t k;
  PointInertia<T> I;
  AngularMap<T> B;  ///< Coriolis map
  Wrench<T> F;      ///< force
  AngularMap<T> E;  ///< map of applied wrenches; unset where nothing is applied
  Wrench<T> G;      ///< I S_k
  Vec3<T> BS;       ///< B' S_k
};

/// Derivative by v in row k and column k. (TREE-12)
template <class T, class Sink>
TRI_INLINE void write_velocity_entries(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const RowTerms<T>& terms,
                                       const Sink& sink) {
  const std::int64_t k = terms.k;
  const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
  const Wrench<T> F = terms.I * get_twist<T>(at<T>(w, DofSlot::coupled, k)) + terms.B * S.angular;
  const std::int64_t begin = tree.row[k], last = tree.row[k + 1] - 1;
  for (std::int64_t e = begin; e < last; ++e) {
    const std::int64_t j = tree.column[e];
    const Twist<T> S_j = get_twist<T>(at<T>(w, DofSlot::column, j));
    sink.upper(e, j, k, power(F, S_j));
    sink.lower(e, k, j, power(terms.G, get_twist<T>(at<T>(w, DofSlot::coupled, j))) + dot(terms.BS, S_j.angular));
  }
  const T own = power(F, S);
  sink.upper(last, k, k, own), sink.lower(last, k, k, own);
}

/// Derivative by q in row k and column k. (TREE-12), (TREE-13)
template <class T, class Sink>
TRI_INLINE void write_position_entries(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const RowTerms<T>& terms,
                                       bool has_applied, const Sink& sink) {
  const std::int64_t k = terms.k;
  const Twist<T> S = get_twist<T>(at<T>(w, DofSlot::column, k));
  Wrench<T> F = terms.I * get_twist<T>(at<T>(w, DofSlot::driven, k)) + terms.B * get3<T>(at<T>(w, DofSlot::carried, k), 3);
  Vec3<T> ES{};
  if (has_applied) F = F + terms.E * S.angular, ES = transpose_times(terms.E, S);
  const std::int64_t begin = tree.row[k], last = tree.row[k + 1] - 1;
  const std::int64_t own_first = tree.link[tree.dof_link[k]].v;
  const Wrench<T> transported = F + cross(S, terms.F);
  for (std::int64_t e = begin; e < last; ++e) {
    const std::int64_t j = tree.column[e];
    const Twist<T> S_j = get_twist<T>(at<T>(w, DofSlot::column, j));
    sink.upper(e, j, k, power(j < own_first ? transported : F, S_j));
    T below = power(terms.G, get_twist<T>(at<T>(w, DofSlot::driven, j))) + dot(terms.BS, get3<T>(at<T>(w, DofSlot::carried, j), 3));
    if (has_applied) below = below + dot(ES, S_j.angular);
    sink.lower(e, k, j, below);
  }
  const T own = power(F, S);
  sink.upper(last, k, k, own), sink.lower(last, k, k, own);
}

/// Adds maps to those of a parent.
template <class T>
TRI_INLINE void add_maps(const WorkspaceView<Scalar<T>>& w, std::int64_t parent, const AngularMap<T>& B, const AngularMap<T>* E) {
  put_map<T>(at<T>(w, LinkSlot::coriolis, parent), get_map<T>(at<T>(w, LinkSlot::coriolis, parent)) + B);
  if (E != nullptr) put_map<T>(at<T>(w, LinkSlot::applied, parent), get_map<T>(at<T>(w, LinkSlot::applied, parent)) + *E);
}

/// d tau / dv (and, where `by_q` is not null, d tau / dq) of inverse dynamics. Needs composites and products, column rates, composite
/// forces (after `gather_forces`) and, where `has_applied`, applied maps. Ruins the maps.
template <class T, class Sink>
TRI_INLINE void write_derivatives(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, bool has_applied, const Sink* by_q,
                                  const Sink& by_v) {
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const LinkIndex& link = tree.link[i];
    RowTerms<T> terms;
    terms.I = get_inertia<T>(at<T>(w, LinkSlot::composite, i));
    terms.B = get_map<T>(at<T>(w, LinkSlot::coriolis, i));
    terms.F = get_wrench<T>(at<T>(w, LinkSlot::force, i));
    if (has_applied) terms.E = get_map<T>(at<T>(w, LinkSlot::applied, i));
    for (terms.k = link.v; terms.k < link.v + link.nv; ++terms.k) {
      terms.G = get_wrench<T>(at<T>(w, DofSlot::product, terms.k));
      terms.BS = transpose_times(terms.B, get_twist<T>(at<T>(w, DofSlot::column, terms.k)));
      write_velocity_entries<T>(tree, w, terms, by_v);
      if (by_q != nullptr) write_position_entries<T>(tree, w, terms, has_applied, *by_q);
    }
    if (link.parent >= 0) add_maps<T>(w, link.parent, terms.B, has_applied ? &terms.E : nullptr);
  }
}

TRI_ISA_END
}  // namespace trilith::multibody
