#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace trilith::multibody {

/// Rows over degrees of freedom with a fixed pattern; their values live elsewhere, one after the other, in the same order. Immutable once
/// made.
class SparseRows {
 public:
  std::int32_t rows() const noexcept { return static_cast<std::int32_t>(start_.size()) - 1; }
  std::size_t entries() const noexcept { return column_.size(); }
  /// Place of the first value of `row`.
  std::size_t start(std::int32_t row) const noexcept { return start_[static_cast<std::size_t>(row)]; }
  /// Degrees of freedom of `row`, ascending.
  std::span<const std::int32_t> columns(std::int32_t row) const noexcept {
    return {column_.data() + start(row), start(row + 1) - start(row)};
  }
  std::span<double> of_row(std::span<double> values, std::int32_t row) const noexcept {
    return values.subspan(start(row), start(row + 1) - start(row));
  }
  std::span<const double> of_row(std::span<const double> values, std::int32_t row) const noexcept {
    return values.subspan(start(row), start(row + 1) - start(row));
  }
  /// One row more.
  void add_row(std::span<const std::int32_t> columns) {
    column_.insert(column_.end(), columns.begin(), columns.end());
    start_.push_back(column_.size());
  }

 private:
  std::vector<std::size_t> start_{0};
  std::vector<std::int32_t> column_;
};

/// Sum of values and x over the row.
inline double row_dot(const SparseRows& pattern, std::span<const double> values, std::int32_t row, std::span<const double> x) noexcept {
  const std::span<const std::int32_t> columns = pattern.columns(row);
  const std::span<const double> entries = pattern.of_row(values, row);
  double sum = 0;
  for (std::size_t e = 0; e < columns.size(); ++e) sum += entries[e] * x[static_cast<std::size_t>(columns[e])];
  return sum;
}

/// y += scale * row.
inline void add_row_to(const SparseRows& pattern, std::span<const double> values, std::int32_t row, double scale,
                       std::span<double> y) noexcept {
  const std::span<const std::int32_t> columns = pattern.columns(row);
  const std::span<const double> entries = pattern.of_row(values, row);
  for (std::size_t e = 0; e < columns.size(); ++e) y[static_cast<std::size_t>(columns[e])] += scale * entries[e];
}

}  // namespace trilith::multibody
