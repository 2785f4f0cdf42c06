#pragma once
#include <cstdint>

#include "base/isa.h"

/// Entries of dense_cholesky_kernel.cpp, one table per instruction set. Plain pointers; sizes are the caller's business.
namespace trilith::linalg {

/// `groups` matrices per lane in interleaved storage: entry (row, column) of lane k in group g lies at
/// [(g n n + column n + row) lanes + k].
struct DenseBatch {
  int n;
  std::int64_t groups;
};

struct DenseCholeskyKernel {
  /// Factors in place. `pivots`: per group dropped[lanes], smallest_ratio[lanes], finite[lanes].
  void (*factor_double)(const DenseBatch& batch, double tolerance, double* a, double* pivots) noexcept;
  void (*factor_float)(const DenseBatch& batch, float tolerance, float* a, float* pivots) noexcept;
  /// Solves in place: x[(g n + row) lanes + k].
  void (*solve_double)(const DenseBatch& batch, const double* l, double* x) noexcept;
  void (*solve_float)(const DenseBatch& batch, const float* l, float* x) noexcept;
};

namespace entry {
namespace baseline {
extern const DenseCholeskyKernel dense_cholesky_kernel;
}
namespace v3 {
extern const DenseCholeskyKernel dense_cholesky_kernel;
}
namespace v4 {
extern const DenseCholeskyKernel dense_cholesky_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const DenseCholeskyKernel& dense_cholesky_kernel_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::dense_cholesky_kernel;
  return isa == Isa::v3 ? entry::v3::dense_cholesky_kernel : entry::baseline::dense_cholesky_kernel;
}

}  // namespace trilith::linalg
