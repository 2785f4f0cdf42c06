// Violation of row groups (CONE-1) and of their multipliers (CONE-2).
#include "rows/violation.h"

#include <limits>
#include <type_traits>

#include "base/check.h"
#include "rows/visit.h"

namespace trilith::rows {
namespace {

/// Takes one block into account; a NaN becomes infinity.
void add(double distance, std::int32_t row, Violation& total) noexcept {
  const double d = distance >= 0 ? distance : std::numeric_limits<double>::infinity();
  total.sum += d;
  if (d > total.max) total.max = d, total.worst_row = row;
}

}  // namespace

Violation measure(const RowGroup& group, std::span<const double> value) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= value.size());
  Violation total;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = std::remove_cvref_t<decltype(set)>::dim;
    add(cones::violation(set, load_block<D>(value, row)), row, total);
  });
  return total;
}

PolarMeasure measure_polar(const RowGroup& group, std::span<const double> y) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= y.size());
  PolarMeasure total;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    constexpr int D = std::remove_cvref_t<decltype(set)>::dim;
    const auto block = load_block<D>(y, row);
    add(set.polar_violation(block), row, total.violation);
    total.support += set.support(block);
  });
  return total;
}

Violation measure_recession(const RowGroup& group, std::span<const double> direction) noexcept {
  TRI_CHECK(static_cast<std::size_t>(group.end()) <= direction.size());
  const double largest = std::numeric_limits<double>::max();
  Violation total;
  for_each_block(group, [&](const auto& set, std::int32_t row) {
    using Set = std::remove_cvref_t<decltype(set)>;
    const auto block = load_block<Set::dim>(direction, row);
    if constexpr (std::is_same_v<Set, cones::Box<double>>) {
      const cones::Box<double> open = {set.lower < -largest ? set.lower : 0.0, set.upper > largest ? set.upper : 0.0};
      add(cones::violation(open, block), row, total);
    } else if constexpr (std::is_same_v<Set, cones::Disc<double, Set::dim>>) {
      add(cones::norm(block), row, total);
    } else {
      add(cones::violation(set, block), row, total);
    }
  });
  return total;
}

}  // namespace trilith::rows
