// Derivatives of row groups, and their energies along a line, for exact line searches (NEWTON-3).
#include "rows/line.h"

#include <optional>

#include "base/check.h"
#include "rows/response.h"
#include "rows/scalar_rows_kernel.h"

namespace trilith::rows {
namespace {

/// A group that the kernels of scalar rows take.
std::optional<ScalarRows> scalar_rows(const RowGroup& group, const MechanismParameters& parameters) {
  if (group.mechanism != Mechanism::respond) return std::nullopt;
  if (group.set == SetKind::nonnegative) return ScalarRows{parameters.R.data(), nullptr, nullptr, group.count};
  if (group.set == SetKind::box) return ScalarRows{parameters.R.data(), group.lower.data(), group.upper.data(), group.count};
  return std::nullopt;
}

const ScalarRowsKernel& kernel() { return scalar_rows_kernel_of(active_isa()); }

}  // namespace

void write_gradient(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                    std::span<double> gradient) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size() && gradient.size() == static_cast<std::size_t>(group.count));
  if (const auto rows = scalar_rows(group, parameters)) {
    (void)kernel().gradient(*rows, value.data() + group.first, gradient.data());
    return;
  }
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    store_block<dim_of<decltype(set)>>(-1.0 * response(set, group, parameters, duals, value, row).force, gradient, row - group.first);
  });
}

void write_hessian(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> value,
                   std::span<double> hessian) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size() && hessian.size() == static_cast<std::size_t>(group.count * group.block));
  if (const auto rows = scalar_rows(group, parameters)) {
    kernel().hessian(*rows, value.data() + group.first, hessian.data());
    return;
  }
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = dim_of<decltype(set)>;
    const auto h = response(set, group, parameters, duals, value, row).hessian;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) hessian[static_cast<std::size_t>((row - group.first + i) * D + j)] = h.m[i][j];
  });
}

LinePoint measure_along(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals,
                        std::span<const double> value, std::span<const double> direction, double step) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size() && value.size() == direction.size());
  LinePoint sum;
  if (const auto rows = scalar_rows(group, parameters)) {
    double out[2];
    kernel().along(*rows, value.data() + group.first, direction.data() + group.first, step, out);
    return {out[0], out[1]};
  }
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = dim_of<decltype(set)>;
    const auto d = load_block<D>(direction, row);
    const auto r = response_at(set, group, parameters, duals, load_block<D>(value, row) + step * d, row);
    sum.slope -= dot(r.force, d);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) sum.curvature += d[i] * r.hessian.m[i][j] * d[j];
  });
  return sum;
}

double measure_change(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals, std::span<const double> from,
                      std::span<const double> to) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= from.size() && from.size() == to.size());
  if (const auto rows = scalar_rows(group, parameters)) return kernel().change(*rows, from.data() + group.first, to.data() + group.first);
  double sum = 0;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    sum += response(set, group, parameters, duals, to, row).value - response(set, group, parameters, duals, from, row).value;
  });
  return sum;
}

}  // namespace trilith::rows
