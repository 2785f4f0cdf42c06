// Dense Cholesky factors of many small matrices, one per lane. Compiled once per instruction set; src/base/README.md says how.
#include "linalg/dense_cholesky_kernel.h"

#include "linalg/dense_cholesky_inline.h"

namespace trilith::linalg {
namespace {

template <class L, class S = typename L::Scalar>
TRI_INLINE void factor_batch(const DenseBatch& batch, S tolerance, S* a, S* pivots) {
  const LaneArray<L> matrices{a}, reports{pivots};
  const std::int64_t entries = std::int64_t{batch.n} * batch.n;
  for (std::int64_t g = 0; g < batch.groups; ++g) {
    const LanePivots<L> report = factor_lanes<L>(matrices.from(g * entries), batch.n, tolerance);
    reports[3 * g] = report.dropped;
    reports[3 * g + 1] = report.smallest_ratio;
    reports[3 * g + 2] = report.finite;
  }
}

template <class L, class S = typename L::Scalar>
TRI_INLINE void solve_batch(const DenseBatch& batch, const S* l, S* x) {
  const LaneArray<const L> factors{l};
  const LaneArray<L> sides{x};
  const std::int64_t entries = std::int64_t{batch.n} * batch.n;
  for (std::int64_t g = 0; g < batch.groups; ++g) solve_lanes<L>(factors.from(g * entries), batch.n, sides.from(g * batch.n));
}

void factor_double(const DenseBatch& batch, double tolerance, double* a, double* pivots) noexcept {
  factor_batch<Double8>(batch, tolerance, a, pivots);
}
void factor_float(const DenseBatch& batch, float tolerance, float* a, float* pivots) noexcept {
  factor_batch<Float16>(batch, tolerance, a, pivots);
}
void solve_double(const DenseBatch& batch, const double* l, double* x) noexcept { solve_batch<Double8>(batch, l, x); }
void solve_float(const DenseBatch& batch, const float* l, float* x) noexcept { solve_batch<Float16>(batch, l, x); }

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const DenseCholeskyKernel dense_cholesky_kernel = {factor_double, factor_float, solve_double, solve_float};
}
}  // namespace trilith::linalg
