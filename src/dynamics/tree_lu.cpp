// Implements (DYN-21).
#include "dynamics/tree_lu.h"

namespace trilith::dynamics {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Place of the diagonal of row `k`.
std::size_t diagonal_of(const multibody::Tree& tree, std::int32_t k) { return at(tree.row_start(k)) + tree.row(k).size() - 1; }

}  // namespace

void add_outer_product(const multibody::Tree& tree, std::span<const std::int32_t> columns, std::span<const double> values, double scale,
                       const TreeMatrix& a) noexcept {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::span<const std::int32_t> row = tree.row(columns[i]);
    const std::size_t start = at(tree.row_start(columns[i]));
    std::size_t j = 0;
    for (std::size_t e = 0; e < row.size(); ++e) {
      while (j <= i && columns[j] < row[e]) ++j;
      if (j > i) break;
      if (columns[j] != row[e]) continue;
      const double entry = scale * values[i] * values[j];
      a.lower[start + e] += entry;
      if (e + 1 < row.size()) a.upper[start + e] += entry;
    }
  }
}

bool factor_tree_matrix(const multibody::Tree& tree, double smallest_pivot, const TreeMatrix& a) noexcept {
  bool usable = true;
  // the unused places keep the diagonal of A, to judge pivots by
  for (std::int32_t k = 0; k < tree.dofs(); ++k) a.upper[diagonal_of(tree, k)] = a.lower[diagonal_of(tree, k)];
  for (std::int32_t k = tree.dofs() - 1; k >= 0; --k) {
    const std::span<const std::int32_t> row = tree.row(k);
    const std::size_t start = at(tree.row_start(k)), above = row.size() - 1;
    const double pivot = a.lower[start + above], diagonal = a.upper[start + above];
    usable = usable && abs(pivot) > smallest_pivot * abs(diagonal) && pivot - pivot == 0;
    for (std::size_t c = 0; c < above; ++c) a.upper[start + c] /= pivot;
    // the ancestors of ancestor c are the first entries of this row, too
    for (std::size_t c = 0; c < above; ++c) {
      const std::size_t target = at(tree.row_start(row[c]));
      for (std::size_t e = 0; e <= c; ++e) a.lower[target + e] -= a.upper[start + c] * a.lower[start + e];
      for (std::size_t e = 0; e < c; ++e) a.upper[target + e] -= a.upper[start + e] * a.lower[start + c];
    }
  }
  return usable;
}

void solve_tree_matrix(const multibody::Tree& tree, const TreeMatrix& factor, std::span<double> x) noexcept {
  for (std::int32_t k = tree.dofs() - 1; k >= 0; --k) {
    const std::span<const std::int32_t> row = tree.row(k);
    const std::size_t start = at(tree.row_start(k));
    const double value = x[at(k)];
    for (std::size_t c = 0; c + 1 < row.size(); ++c) x[at(row[c])] -= factor.upper[start + c] * value;
  }
  for (std::int32_t k = 0; k < tree.dofs(); ++k) {
    const std::span<const std::int32_t> row = tree.row(k);
    const std::size_t start = at(tree.row_start(k)), above = row.size() - 1;
    double value = x[at(k)];
    for (std::size_t c = 0; c < above; ++c) value -= factor.lower[start + c] * x[at(row[c])];
    x[at(k)] = value / factor.lower[start + above];
  }
}

}  // namespace trilith::dynamics
