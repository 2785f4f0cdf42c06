#pragma once
#include <cstdint>

#include "base/isa.h"

/// Entries of scalar_rows_kernel.cpp, one table per instruction set: `respond` of many rows whose forces lie in intervals, without duals.
/// Plain pointers; sizes are the caller's business.
namespace trilith::rows {

/// `count` rows with weights R > 0. `lower` and `upper` bound the force; both null: it is >= 0.
struct ScalarRows {
  const double *R, *lower, *upper;
  std::int64_t count;
};

/// Sums over rows, in one order for every instruction set.
struct ScalarRowsKernel {
  /// gradient = -force; returns the energy. (CONE-8)
  double (*gradient)(const ScalarRows& rows, const double* value, double* gradient) noexcept;
  /// Slope of the force: 1/R inside the interval, 0 outside.
  void (*hessian)(const ScalarRows& rows, const double* value, double* hessian) noexcept;
  /// Slope and curvature of the energy at value + step direction, to out[0] and out[1].
  void (*along)(const ScalarRows& rows, const double* value, const double* direction, double step, double* out) noexcept;
  /// Energy at `to` minus that at `from`, row by row.
  double (*change)(const ScalarRows& rows, const double* from, const double* to) noexcept;
};

namespace entry {
namespace baseline {
extern const ScalarRowsKernel scalar_rows_kernel;
}
namespace v3 {
extern const ScalarRowsKernel scalar_rows_kernel;
}
namespace v4 {
extern const ScalarRowsKernel scalar_rows_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const ScalarRowsKernel& scalar_rows_kernel_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::scalar_rows_kernel;
  return isa == Isa::v3 ? entry::v3::scalar_rows_kernel : entry::baseline::scalar_rows_kernel;
}

}  // namespace trilith::rows
