#pragma once
#include "multibody/kinematics_inline.h"

/// The mass matrix in tree-sparse form, its factor L' D L without fill-in, and solving with it. For use inside kernels.

namespace trilith::multibody {
TRI_ISA_BEGIN

/// Inertias of whole subtrees. (TREE-5)
template <class T>
TRI_INLINE void update_composites(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w) {
  for (std::int64_t i = 0; i < tree.links; ++i)
    put_inertia<T>(at<T>(w, LinkSlot::composite, i), get_inertia<T>(at<T>(w, LinkSlot::inertia, i)));
  for (std::int64_t i = tree.links - 1; i >= 0; --i) {
    const std::int32_t parent = tree.link[i].parent;
    if (parent >= 0)
      put_inertia<T>(at<T>(w, LinkSlot::composite, parent),
                     get_inertia<T>(at<T>(w, LinkSlot::composite, parent)) + get_inertia<T>(at<T>(w, LinkSlot::composite, i)));
  }
}

/// I S of the subtree that each degree of freedom moves. Needs composites.
template <class T>
TRI_INLINE void update_products(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w) {
  for (std::int64_t k = 0; k < tree.dofs; ++k) {
    const PointInertia<T> I = get_inertia<T>(at<T>(w, LinkSlot::composite, tree.dof_link[k]));
    put_wrench<T>(at<T>(w, DofSlot::product, k), I * get_twist<T>(at<T>(w, DofSlot::column, k)));
  }
}

/// Row `k` of M: S_j . F for k and its ancestors j, F the force that moves the subtree by S_k; the armature on the diagonal. (TREE-6)
template <class T>
TRI_INLINE void write_mass_row(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, std::int64_t k, const Wrench<T>& F) {
  const std::int64_t begin = tree.row[k], last = tree.row[k + 1] - 1;
  for (std::int64_t e = begin; e < last; ++e) put<T>(w.mass_matrix, e, power(F, get_twist<T>(at<T>(w, DofSlot::column, tree.column[e]))));
  put<T>(w.mass_matrix, last, power(F, get_twist<T>(at<T>(w, DofSlot::column, k))) + T(tree.armature[k]));
}

/// Composite inertias and M from poses, columns and inertias. (TREE-5), (TREE-6)
template <class T>
TRI_INLINE void update_mass_matrix(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w) {
  update_composites<T>(tree, w);
  for (std::int64_t k = 0; k < tree.dofs; ++k)
    write_mass_row<T>(tree, w, k,
                      get_inertia<T>(at<T>(w, LinkSlot::composite, tree.dof_link[k])) * get_twist<T>(at<T>(w, DofSlot::column, k)));
}

/// M + diag(shift) = L' D L from the last row up; `shift` may be null. Returns how many pivots (of all lanes) are not positive: then the
/// factor must not be used. (TREE-7)
template <class T>
TRI_INLINE int factor_mass_matrix(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* shift) {
  Scalar<T>* const L = w.factor;
  for (std::int64_t e = 0; e < tree.entries; ++e) put<T>(L, e, get<T>(w.mass_matrix, e));
  if (shift != nullptr)
    for (std::int64_t k = 0; k < tree.dofs; ++k) put<T>(L, tree.row[k + 1] - 1, get<T>(L, tree.row[k + 1] - 1) + get<T>(shift, k));
  int bad = 0;
  for (std::int64_t k = tree.dofs - 1; k >= 0; --k) {
    const std::int64_t row = tree.row[k], count = tree.row[k + 1] - row - 1;
    const T pivot = get<T>(L, row + count);
    bad += count_lanes(!(pivot > T(0)));
    const T inverse = T(1) / pivot;
    put<T>(w.inverse_pivot, k, inverse);
    // the ancestors of ancestor c are the first entries of this row, too
    for (std::int64_t c = count - 1; c >= 0; --c) {
      const T ratio = get<T>(L, row + c) * inverse;
      const std::int64_t target = tree.row[tree.column[row + c]];
      for (std::int64_t e = 0; e <= c; ++e) put<T>(L, target + e, get<T>(L, target + e) - ratio * get<T>(L, row + e));
      put<T>(L, row + c, ratio);
    }
  }
  return bad;
}

/// x := M^-1 x with the factor: L' first, from the last row up, then D, then L from the first row down. (TREE-7)
template <class T>
TRI_INLINE void solve_mass_matrix(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, Scalar<T>* x) {
  for (std::int64_t k = tree.dofs - 1; k >= 0; --k) {
    const std::int64_t row = tree.row[k], last = tree.row[k + 1] - 1;
    const T value = get<T>(x, k);
    for (std::int64_t e = row; e < last; ++e) {
      const std::int64_t j = tree.column[e];
      put<T>(x, j, get<T>(x, j) - get<T>(w.factor, e) * value);
    }
  }
  for (std::int64_t k = 0; k < tree.dofs; ++k) {
    const std::int64_t row = tree.row[k], last = tree.row[k + 1] - 1;
    T value = get<T>(x, k) * get<T>(w.inverse_pivot, k);
    for (std::int64_t e = row; e < last; ++e) value = value - get<T>(w.factor, e) * get<T>(x, tree.column[e]);
    put<T>(x, k, value);
  }
}

/// y := M x, y apart from x.
template <class T>
TRI_INLINE void multiply_mass_matrix(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, const Scalar<T>* x, Scalar<T>* y) {
  for (std::int64_t k = 0; k < tree.dofs; ++k) {
    const std::int64_t row = tree.row[k], last = tree.row[k + 1] - 1;
    const T value = get<T>(x, k);
    T sum = get<T>(w.mass_matrix, last) * value;
    for (std::int64_t e = row; e < last; ++e) {
      const std::int64_t j = tree.column[e];
      const T m = get<T>(w.mass_matrix, e);
      sum = sum + m * get<T>(x, j);
      put<T>(y, j, get<T>(y, j) + m * value);
    }
    put<T>(y, k, sum);
  }
}

template <class T>
TRI_INLINE void clear_dense(Scalar<T>* out, std::int64_t entries) {
  for (std::int64_t e = 0; e < entries; ++e) put<T>(out, e, T(0));
}

/// Dense M from the tree-sparse rows.
template <class T>
TRI_INLINE void write_dense_mass(const TreeView<Scalar<T>>& tree, const WorkspaceView<Scalar<T>>& w, Scalar<T>* out) {
  const std::int64_t n = tree.dofs;
  if (tree.entries != n * (n + 1) / 2) clear_dense<T>(out, n * n);
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t e = tree.row[k]; e < tree.row[k + 1]; ++e) {
      const T m = get<T>(w.mass_matrix, e);
      put<T>(out, k * n + tree.column[e], m), put<T>(out, tree.column[e] * n + k, m);
    }
  }
}

TRI_ISA_END
}  // namespace trilith::multibody
