// Energies of row groups along a line, for exact line searches (NEWTON-3).
#include "rows/line.h"

#include "base/check.h"
#include "rows/response.h"

namespace trilith::rows {

LinePoint measure_along(const RowGroup& group, const MechanismParameters& parameters, const GroupDuals& duals,
                        std::span<const double> value, std::span<const double> direction, double step) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size() && value.size() == direction.size());
  LinePoint sum;
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
  double sum = 0;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    sum += response(set, group, parameters, duals, to, row).value - response(set, group, parameters, duals, from, row).value;
  });
  return sum;
}

}  // namespace trilith::rows
