#pragma once
#include "linalg/fixed.h"

namespace trilith::linalg {

/// A = V diag(values) V' with the columns of V orthonormal (a rotation).
struct SymmetricEigen {
  Vec3d values;  ///< ascending
  Mat3d vectors;
};

/// Eigenvalues and eigenvectors of a symmetric 3x3 matrix (only the upper triangle is read) by cyclic Jacobi rotations: small eigenvalues
/// of graded matrices come out accurate, and equal ones keep the axes of the input. Entries must be finite. (INE-4)
SymmetricEigen symmetric_eigen(const Mat3d& a) noexcept;

}  // namespace trilith::linalg
