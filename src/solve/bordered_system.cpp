#include "solve/bordered_system.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "rows/patch_rows.h"
#include "solve/vectors.h"

namespace trilith::solve {

BorderedSystem::BorderedSystem(WeightedSystem& base, std::vector<double> row) : base_(&base), row_(std::move(row)), image_(row_.size()) {
  TRI_CHECK(row_.size() == static_cast<std::size_t>(base.unknowns()));
}

std::size_t BorderedSystem::rows() const noexcept { return base_->rows() + rows::slot_rows; }

void BorderedSystem::set_weights(const RowWeights& weights) noexcept {
  weight_ = 1;
  if (weights.shape == RowWeights::Shape::identity) return base_->set_weights(weights);
  const std::size_t inner = weights.shape == RowWeights::Shape::triple ? 2 * border() : border();
  TRI_CHECK(weights.value.size() > inner);
  weight_ = weights.value[inner];
  if (guard_ > 0) base_->set_proximal(guard_ * largest_of(weights.value.first(inner)));
  base_->set_weights({weights.shape, weights.value.first(inner)});
}

linalg::FactorReport BorderedSystem::factor() noexcept {
  const linalg::FactorReport report = base_->factor();
  std::copy(row_.begin(), row_.end(), image_.begin());
  base_->solve(image_, 1);
  denominator_ = 1 / weight_ + dot_of(row_, image_);
  return report;
}

void BorderedSystem::solve(std::span<double> x, int right_hand_sides) noexcept {
  const auto width = static_cast<std::size_t>(right_hand_sides);
  base_->solve(x, right_hand_sides);
  for (std::size_t k = 0; k < width; ++k) {
    double sum = 0;
    if (width == 1)
      sum = dot_of(row_, x);
    else
      for (std::size_t i = 0; i < row_.size(); ++i) sum += row_[i] * x[i * width + k];
    const double share = sum / denominator_;
    for (std::size_t i = 0; i < row_.size(); ++i) x[i * width + k] -= share * image_[i];
  }
}

void BorderedSystem::apply(std::span<const double> x, std::span<double> row) const noexcept {
  base_->apply(x, row.first(border()));
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(border()), row.end(), 0.0);
  row[border()] = dot_of(row_, x);
}

void BorderedSystem::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  base_->apply_transposed(row.first(border()), x);
  const double factor = row[border()];
  for (std::size_t i = 0; i < row_.size(); ++i) x[i] += factor * row_[i];
}

void BorderedSystem::apply_weights(std::span<double> row) const noexcept {
  base_->apply_weights(row.first(border()));
  row[border()] *= weight_;
}

}  // namespace trilith::solve
