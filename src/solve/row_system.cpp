// Sparse rows over small islands of unknowns (NEWTON-5).
#include "solve/row_system.h"

#include <algorithm>

#include "base/check.h"
#include "linalg/dense_cholesky.h"

namespace trilith::solve {

RowSystem::RowSystem(int most_unknowns, std::size_t most_rows, std::size_t most_entries, double pivot_tolerance) {
  const auto n = static_cast<std::size_t>(most_unknowns);
  matrix_.resize(most_entries);
  weights_.reserve(most_rows * rows::most_block_rows);
  column_.resize(n);
  for (auto* vector : {&parent_, &island_, &place_, &member_, &size_, &first_}) vector->resize(n);
  offset_.resize(n);
  settings_.pivot_tolerance = pivot_tolerance;
}

bool RowSystem::update(const QuadraticTerm& quadratic, const SparseRows& rows) noexcept {
  const std::size_t n = quadratic.lower.rows();
  if (n > parent_.size() || rows.rows() * rows::most_block_rows > weights_.capacity()) return false;
  P_ = quadratic;
  G_ = rows;
  n_ = n;
  for (std::size_t i = 0; i < n; ++i) parent_[i] = static_cast<std::int32_t>(i);
  for (const SparseRows* matrix : {&P_.lower, &G_})
    for (std::size_t i = 0; i < matrix->rows(); ++i)
      for (auto e = matrix->start[i] + 1; e < matrix->start[i + 1]; ++e)
        join(matrix->column[static_cast<std::size_t>(e)], matrix->column[static_cast<std::size_t>(matrix->start[i])]);
  return number_islands();
}

std::int32_t RowSystem::find(std::int32_t i) noexcept {
  while (parent_[static_cast<std::size_t>(i)] != i) {
    auto& above = parent_[static_cast<std::size_t>(i)];
    above = parent_[static_cast<std::size_t>(above)];
    i = above;
  }
  return i;
}
void RowSystem::join(std::int32_t a, std::int32_t b) noexcept {
  const std::int32_t one = find(a), two = find(b);
  parent_[static_cast<std::size_t>(std::max(one, two))] = std::min(one, two);
}

/// Islands in the order of their first unknowns; unknowns keep their order within. False where their matrices do not fit.
bool RowSystem::number_islands() noexcept {
  islands_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const auto root = static_cast<std::size_t>(find(static_cast<std::int32_t>(i)));
    if (root == i) island_[i] = islands_++, size_[static_cast<std::size_t>(island_[i])] = 0;
    island_[i] = island_[root];
    place_[i] = size_[static_cast<std::size_t>(island_[i])]++;
  }
  std::size_t entries = 0;
  std::int32_t first = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(islands_); ++k) {
    offset_[k] = entries, first_[k] = first;
    entries += static_cast<std::size_t>(size_[k]) * static_cast<std::size_t>(size_[k]);
    first += size_[k];
  }
  for (std::size_t i = 0; i < n_; ++i)
    member_[static_cast<std::size_t>(first_[static_cast<std::size_t>(island_[i])] + place_[i])] = static_cast<std::int32_t>(i);
  return entries <= matrix_.size();
}

/// Entry (i, j) of one island, i >= j: column-major.
void RowSystem::add(std::int32_t i, std::int32_t j, double value) noexcept {
  const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j), island = static_cast<std::size_t>(island_[row]);
  const auto size = static_cast<std::size_t>(size_[island]);
  matrix_[offset_[island] + static_cast<std::size_t>(place_[column]) * size + static_cast<std::size_t>(place_[row])] += value;
}

/// The lower triangle of weight * g_i g_j', and of its transpose where i and j differ.
void RowSystem::add_rows(std::size_t i, std::size_t j, double weight) noexcept {
  for (auto a = G_.start[i]; a < G_.start[i + 1]; ++a) {
    const std::int32_t row = G_.column[static_cast<std::size_t>(a)];
    const double scaled = weight * G_.value[static_cast<std::size_t>(a)];
    for (auto b = G_.start[j]; b < G_.start[j + 1]; ++b) {
      const std::int32_t column = G_.column[static_cast<std::size_t>(b)];
      const double product = scaled * G_.value[static_cast<std::size_t>(b)];
      if (row >= column) add(row, column, product);
      if (i != j && column >= row) add(column, row, product);
    }
  }
}

/// visit(i, j, weight) for every entry of C with i >= j that is not zero.
template <class Visit>
void RowSystem::for_each_weight(const Visit& visit) const noexcept {
  if (shape_ != RowWeights::Shape::groups) {
    for (std::size_t i = 0; i < G_.rows(); ++i) visit(i, i, shape_ == RowWeights::Shape::identity ? 1.0 : weights_[i]);
    return;
  }
  std::size_t at = 0;
  for (const rows::RowGroup& group : groups_) {
    const auto block = static_cast<std::size_t>(group.block);
    for (std::size_t first = static_cast<std::size_t>(group.first); first < static_cast<std::size_t>(group.end()); first += block)
      for (std::size_t i = 0; i < block; ++i, at += block)
        for (std::size_t j = 0; j <= i; ++j)
          if (weights_[at + j] != 0) visit(first + i, first + j, weights_[at + j]);
  }
}

void RowSystem::set_weights(const RowWeights& weights) noexcept {
  TRI_CHECK(weights.shape != RowWeights::Shape::triple && weights.value.size() <= weights_.capacity());
  shape_ = weights.shape;
  groups_ = weights.groups;
  weights_.assign(weights.value.begin(), weights.value.end());
  std::size_t entries = 0;
  for (int k = 0; k < islands_; ++k)
    entries += static_cast<std::size_t>(size_[static_cast<std::size_t>(k)]) * static_cast<std::size_t>(size_[static_cast<std::size_t>(k)]);
  std::fill(matrix_.begin(), matrix_.begin() + static_cast<std::ptrdiff_t>(entries), 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    for (auto e = P_.lower.start[i]; e < P_.lower.start[i + 1]; ++e)
      add(static_cast<std::int32_t>(i), P_.lower.column[static_cast<std::size_t>(e)], P_.lower.value[static_cast<std::size_t>(e)]);
    if (proximal_ != 0) add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), proximal_);
  }
  for_each_weight([this](std::size_t i, std::size_t j, double weight) { add_rows(i, j, weight); });
}

linalg::FactorReport RowSystem::factor() noexcept {
  linalg::FactorReport whole{.dropped_pivots = 0, .smallest_pivot_ratio = 1, .finite = true};
  for (std::size_t k = 0; k < static_cast<std::size_t>(islands_); ++k) {
    const auto size = static_cast<std::size_t>(size_[k]);
    const linalg::FactorReport part = linalg::factor_dense(std::span(matrix_).subspan(offset_[k], size * size), size_[k], settings_);
    whole.dropped_pivots += part.dropped_pivots;
    whole.smallest_pivot_ratio = std::min(whole.smallest_pivot_ratio, part.smallest_pivot_ratio);
    whole.finite = whole.finite && part.finite;
  }
  return whole;
}

void RowSystem::solve(std::span<double> x, int right_hand_sides) noexcept {
  const auto sides = static_cast<std::size_t>(right_hand_sides);
  TRI_CHECK(x.size() == n_ * sides);
  for (std::size_t side = 0; side < sides; ++side)
    for (std::size_t k = 0; k < static_cast<std::size_t>(islands_); ++k) {
      const auto size = static_cast<std::size_t>(size_[k]), first = static_cast<std::size_t>(first_[k]);
      const std::span<double> part = std::span(column_).first(size);
      for (std::size_t i = 0; i < size; ++i) part[i] = x[static_cast<std::size_t>(member_[first + i]) * sides + side];
      linalg::solve_dense(std::span(matrix_).subspan(offset_[k], size * size), size_[k], part);
      for (std::size_t i = 0; i < size; ++i) x[static_cast<std::size_t>(member_[first + i]) * sides + side] = part[i];
    }
}

void RowSystem::apply(std::span<const double> x, std::span<double> row) const noexcept {
  for (std::size_t i = 0; i < G_.rows(); ++i) {
    double sum = 0;
    for (auto e = static_cast<std::size_t>(G_.start[i]); e < static_cast<std::size_t>(G_.start[i + 1]); ++e)
      sum += G_.value[e] * x[static_cast<std::size_t>(G_.column[e])];
    row[i] = sum;
  }
}
void RowSystem::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < G_.rows(); ++i)
    for (auto e = static_cast<std::size_t>(G_.start[i]); e < static_cast<std::size_t>(G_.start[i + 1]); ++e)
      x[static_cast<std::size_t>(G_.column[e])] += G_.value[e] * row[i];
}

void RowSystem::apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < n_; ++i)
    for (auto e = static_cast<std::size_t>(P_.lower.start[i]); e < static_cast<std::size_t>(P_.lower.start[i + 1]); ++e) {
      const auto j = static_cast<std::size_t>(P_.lower.column[e]);
      out[i] += P_.lower.value[e] * x[j];
      if (j != i) out[j] += P_.lower.value[e] * x[i];
    }
}

/// L'D L x = b: rows from the last to the first, the diagonal, rows from the first to the last.
bool RowSystem::solve_quadratic(std::span<double> x) const noexcept {
  const SparseRows& L = P_.factor;
  if (L.rows() != n_) return false;
  for (std::size_t i = n_; i-- > 0;)
    for (auto e = static_cast<std::size_t>(L.start[i]); e + 1 < static_cast<std::size_t>(L.start[i + 1]); ++e)
      x[static_cast<std::size_t>(L.column[e])] -= L.value[e] * x[i];
  for (std::size_t i = 0; i < n_; ++i) {
    const auto diagonal = static_cast<std::size_t>(L.start[i + 1]) - 1;
    x[i] /= L.value[diagonal];
    for (auto e = static_cast<std::size_t>(L.start[i]); e < diagonal; ++e) x[i] -= L.value[e] * x[static_cast<std::size_t>(L.column[e])];
  }
  return true;
}

void RowSystem::apply_weights(std::span<double> row) const noexcept {
  if (shape_ == RowWeights::Shape::identity) return;
  if (shape_ == RowWeights::Shape::diagonal) {
    for (std::size_t i = 0; i < G_.rows(); ++i) row[i] *= weights_[i];
    return;
  }
  std::size_t at = 0;
  for (const rows::RowGroup& group : groups_) {
    const auto block = static_cast<std::size_t>(group.block);
    for (std::size_t first = static_cast<std::size_t>(group.first); first < static_cast<std::size_t>(group.end()); first += block) {
      double part[rows::most_block_rows] = {};
      for (std::size_t i = 0; i < block; ++i, at += block)
        for (std::size_t j = 0; j < block; ++j) part[i] += weights_[at + j] * row[first + j];
      std::copy_n(part, block, row.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
}

}  // namespace trilith::solve
