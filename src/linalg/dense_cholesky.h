#pragma once
#include <span>

#include "linalg/block_cholesky.h"

/// Cholesky factors of small dense symmetric positive definite matrices (n up to about 64), with the rank detection of BlockCholesky.
/// Same bits for every instruction set, and for a matrix alone or in a batch. No function allocates.
namespace trilith::linalg {

/// Problems side by side in one group of a batch.
inline constexpr int double_group = 8, float_group = 16;

/// Factors `a` (n x n, column-major; only the lower triangle is read and written) in place: A = L L', the diagonal holds 1 / L_jj.
/// Dropped directions: zero column and zero diagonal. smallest_pivot_ratio counts kept pivots only.
FactorReport factor_dense(std::span<double> a, int n, const FactorSettings& settings) noexcept;

/// Solves A x = b in place. `l` from `factor_dense`. Dropped directions get x = 0.
void solve_dense(std::span<const double> l, int n, std::span<double> x) noexcept;

/// Many matrices of one size, interleaved in groups of `double_group` or `float_group`: entry (row, column) of problem k of group g lies at
/// a[(g n n + column n + row) group + k]. `report`: one per problem, in order. Fill the places of a last group that is not full with
/// identity matrices. In float the pivot tolerance must be one for float (1e-15 drops nothing there).
void factor_dense_batch(std::span<double> a, int n, const FactorSettings& settings, std::span<FactorReport> report) noexcept;
void factor_dense_batch(std::span<float> a, int n, const FactorSettings& settings, std::span<FactorReport> report) noexcept;

/// Solves in place: row i of problem k of group g lies at x[(g n + i) group + k].
void solve_dense_batch(std::span<const double> l, int n, std::span<double> x) noexcept;
void solve_dense_batch(std::span<const float> l, int n, std::span<float> x) noexcept;

}  // namespace trilith::linalg
