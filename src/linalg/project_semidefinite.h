#pragma once
#include <span>

namespace trilith::linalg {

/// Replaces a symmetric n x n matrix (row-major) by the nearest positive semidefinite one in the Frobenius norm: negative eigenvalues
/// become 0. By cyclic Jacobi rotations (INE-4); `vectors` are n x n numbers of scratch. Where no eigenvalue is negative the matrix keeps
/// its bits. Returns how many were; -1 where an entry is not finite (then `a` is ruined). Does not allocate.
int project_semidefinite(std::span<double> a, int n, std::span<double> vectors) noexcept;

}  // namespace trilith::linalg
