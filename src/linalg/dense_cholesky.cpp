#include "linalg/dense_cholesky.h"

#include "base/check.h"
#include "linalg/dense_cholesky_inline.h"
#include "linalg/dense_cholesky_kernel.h"

namespace trilith::linalg {
namespace {

template <class T>
FactorReport to_report(T dropped, T ratio, T finite) noexcept {
  return {.dropped_pivots = static_cast<int>(dropped), .smallest_pivot_ratio = ratio, .finite = finite != T(0)};
}

void run_factor(const DenseBatch& batch, double tolerance, double* a, double* pivots) noexcept {
  dense_cholesky_kernel_of(active_isa()).factor_double(batch, tolerance, a, pivots);
}
void run_factor(const DenseBatch& batch, double tolerance, float* a, float* pivots) noexcept {
  dense_cholesky_kernel_of(active_isa()).factor_float(batch, static_cast<float>(tolerance), a, pivots);
}

template <int Group, class S>
void factor_groups(std::span<S> a, int n, const FactorSettings& settings, std::span<FactorReport> report) noexcept {
  TRI_CHECK(n >= 1);
  const std::size_t entries = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::size_t groups = report.size() / Group;
  TRI_CHECK(report.size() == groups * Group);
  TRI_CHECK(a.size() == groups * Group * entries);
  for (std::size_t g = 0; g < groups; ++g) {
    S pivots[3 * Group];
    run_factor({n, 1}, settings.pivot_tolerance, a.data() + g * Group * entries, pivots);
    for (std::size_t k = 0; k < Group; ++k) report[g * Group + k] = to_report(pivots[k], pivots[Group + k], pivots[2 * Group + k]);
  }
}

template <int Group, class S>
DenseBatch batch_of(std::span<const S> l, int n, std::span<S> x) noexcept {
  TRI_CHECK(n >= 1);
  const std::size_t rows = static_cast<std::size_t>(n) * Group;
  TRI_CHECK(x.size() % rows == 0);
  TRI_CHECK(l.size() == x.size() * static_cast<std::size_t>(n));
  return {n, static_cast<std::int64_t>(x.size() / rows)};
}

}  // namespace

FactorReport factor_dense(std::span<double> a, int n, const FactorSettings& settings) noexcept {
  TRI_CHECK(n >= 0 && a.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const LanePivots<double> pivots = factor_lanes<double>(a.data(), n, settings.pivot_tolerance);
  return to_report(pivots.dropped, pivots.smallest_ratio, pivots.finite);
}

void solve_dense(std::span<const double> l, int n, std::span<double> x) noexcept {
  TRI_CHECK(n >= 0 && l.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n) && x.size() == static_cast<std::size_t>(n));
  solve_lanes<double>(l.data(), n, x.data());
}

void factor_dense_batch(std::span<double> a, int n, const FactorSettings& settings, std::span<FactorReport> report) noexcept {
  factor_groups<double_group>(a, n, settings, report);
}
void factor_dense_batch(std::span<float> a, int n, const FactorSettings& settings, std::span<FactorReport> report) noexcept {
  factor_groups<float_group>(a, n, settings, report);
}

void solve_dense_batch(std::span<const double> l, int n, std::span<double> x) noexcept {
  dense_cholesky_kernel_of(active_isa()).solve_double(batch_of<double_group>(l, n, x), l.data(), x.data());
}
void solve_dense_batch(std::span<const float> l, int n, std::span<float> x) noexcept {
  dense_cholesky_kernel_of(active_isa()).solve_float(batch_of<float_group>(l, n, x), l.data(), x.data());
}

}  // namespace trilith::linalg
