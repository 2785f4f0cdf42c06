#pragma once
#include <span>

#include "multibody/tree.h"

/// Unsymmetric matrices over degrees of freedom whose entry (i, j) is zero unless i and j lie on one way to the root: factored and solved
/// without fill-in. Theory: docs/theory/dynamics.md (DYN-21).
namespace trilith::dynamics {

/// `lower` holds row k at the places of `tree.row(k)`, the diagonal last; `upper` holds at the same places the entries of column k (its
/// last place is not used).
struct TreeMatrix {
  std::span<double> lower, upper;
};

/// A += scale J'J, where J is a row with entries `values` at `columns`, ascending. Entries between degrees of freedom of different
/// branches have no place and are left out.
void add_outer_product(const multibody::Tree& tree, std::span<const std::int32_t> columns, std::span<const double> values, double scale,
                       const TreeMatrix& a) noexcept;

/// A = U L in place, from the last row up, without exchange of rows. False where a pivot is not finite or its size is below
/// `smallest_pivot` times that of the diagonal: then the factor must not be used.
bool factor_tree_matrix(const multibody::Tree& tree, double smallest_pivot, const TreeMatrix& a) noexcept;

/// x := A^-1 x with the factor.
void solve_tree_matrix(const multibody::Tree& tree, const TreeMatrix& factor, std::span<double> x) noexcept;

}  // namespace trilith::dynamics
