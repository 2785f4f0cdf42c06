#pragma once
#include <span>

#include "multibody/workspace.h"

/// The mass matrix of a tree in its sparse pattern (Tree::row: each degree of freedom and its ancestors), factors and solves without
/// fill-in. Armatures are on the diagonal. No function allocates. Spans of several lanes are interleaved (workspace.h).
namespace trilith::multibody {

/// M at the present configuration. Needs kinematics. (TREE-6)
template <class S>
void update_mass_matrix(const Tree& tree, Workspace<S>& w) noexcept;

/// Its entries: row k from `tree.row_start(k)` on, columns `tree.row(k)`, the diagonal last in each row.
template <class S>
std::span<const S> mass_matrix_entries(const Tree& tree, const Workspace<S>& w) noexcept;
/// nv x nv, row-major, both triangles.
template <class S>
void write_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept;
/// y = M x; y apart from x.
template <class S>
void multiply_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<const S> x, std::span<S> y) noexcept;

/// Factors M + diag(shift); an empty shift is zero. `shift` is h times the joint damping for an Euler step. Returns how many pivots are not
/// positive (of all lanes): not 0 where something without mass moves; then do not solve.
template <class S>
[[nodiscard]] int factor_mass_matrix(const Tree& tree, Workspace<S>& w, std::span<const S> shift = {}) noexcept;

/// x := M^-1 x (or of the shifted matrix), dofs. Needs a factor.
template <class S>
void solve_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> x) noexcept;
/// X := scale M^-1 X, X of nv rows, row-major, with as many columns as it holds.
template <class S>
void solve_mass_matrix_columns(const Tree& tree, const Workspace<S>& w, double scale, std::span<S> x) noexcept;
/// M^-1, nv x nv.
template <class S>
void write_inverse_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept;

}  // namespace trilith::multibody
