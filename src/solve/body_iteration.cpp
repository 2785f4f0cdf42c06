// Preconditioned conjugate gradients on the bodies (ADM-9).
#include "solve/body_iteration.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/isa.h"
#include "linalg/dense_cholesky.h"
#include "solve/body_graph_kernel.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

PatchView view_of(const rows::PatchRows& rows) {
  return {rows.groups().data(), rows.slots().data(), static_cast<int>(rows.groups().size())};
}

int numbers_per_point(RowWeights::Shape shape) { return shape == RowWeights::Shape::triple ? 6 : 3; }

}  // namespace

BodyIteration::BodyIteration(const rows::PatchRows& rows, const ConjugateGradientSettings& settings)
    : rows_(&rows),
      kernel_(&body_graph_kernel_of(active_isa())),
      settings_(settings),
      row_(rows.size()),
      blocks_(36 * static_cast<std::size_t>(rows.blocks())),
      address_(std::make_unique<GroupAddress[]>(rows.groups().size())) {
  weights_.reserve(2 * rows.size());
  for (auto* v : {&solution_, &residual_, &direction_, &image_, &eased_}) v->assign(static_cast<std::size_t>(unknowns()), 0.0);
  for (std::size_t g = 0; g < rows.groups().size(); ++g)
    for (int lane = 0; lane < rows::patch_lanes; ++lane) {
      address_[g].diagonal_a[lane] = rows.groups()[g].block_a[lane];
      address_[g].diagonal_b[lane] = rows.groups()[g].block_b[lane];
      address_[g].pair[lane] = -1;  // the blocks between bodies are never formed
      address_[g].a_is_later[lane] = 0;
    }
}

BodyIteration::~BodyIteration() = default;

void BodyIteration::set_weights(const RowWeights& weights) noexcept {
  shape_ = weights.shape;
  const bool unit = shape_ == RowWeights::Shape::identity;
  const int per_point = numbers_per_point(shape_);
  TRI_CHECK(unit || weights.value.size() == rows() / 3 * static_cast<std::size_t>(per_point));
  if (!unit) weights_.assign(weights.value.begin(), weights.value.end());
  std::fill(blocks_.begin(), blocks_.end(), 0.0);
  kernel_->form(view_of(*rows_), unit ? nullptr : weights_.data(), per_point, {address_.get(), blocks_.data(), nullptr});
  for (std::size_t k = 0; k < blocks_.size(); k += 36)
    for (std::size_t i = 0; i < 36; i += 7) blocks_[k + i] += proximal_;
}

linalg::FactorReport BodyIteration::factor() noexcept {
  linalg::FactorReport all;
  for (std::size_t k = 0; k < blocks_.size(); k += 36) {
    const linalg::FactorReport one = linalg::factor_dense(std::span(blocks_).subspan(k, 36), 6, {});
    all.dropped_pivots += one.dropped_pivots;
    all.smallest_pivot_ratio = std::min(all.smallest_pivot_ratio, one.smallest_pivot_ratio);
    all.finite = all.finite && one.finite;
  }
  return all;
}

void BodyIteration::multiply(std::span<const double> x, std::span<double> out) noexcept {
  apply(x, row_);
  apply_weights(row_);
  apply_transposed(row_, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += proximal_ * x[i];
}

void BodyIteration::precondition(std::span<const double> x, std::span<double> out) const noexcept {
  std::copy(x.begin(), x.end(), out.begin());
  for (std::size_t body = 0; 6 * body < out.size(); ++body)
    linalg::solve_dense(std::span(blocks_).subspan(36 * body, 36), 6, out.subspan(6 * body, 6));
}

void BodyIteration::solve(std::span<double> x, int right_hand_sides) noexcept {
  TRI_CHECK(right_hand_sides == 1 && x.size() == solution_.size());
  const double goal = settings_.tolerance * length_of(x);
  multiply(solution_, image_);
  for (std::size_t i = 0; i < x.size(); ++i) residual_[i] = x[i] - image_[i];
  double before = 0;
  converged_ = false;
  for (int k = 0; k <= settings_.iteration_limit; ++k) {
    converged_ = length_of(residual_) <= goal;
    if (converged_ || k == settings_.iteration_limit) break;
    precondition(residual_, eased_);
    const double now = dot_of(residual_, eased_), beta = k > 0 && before > 0 ? now / before : 0;
    for (std::size_t i = 0; i < x.size(); ++i) direction_[i] = eased_[i] + (k > 0 ? beta * direction_[i] : 0.0);
    multiply(direction_, image_);
    const double curvature = dot_of(direction_, image_);
    if (!(curvature > 0) || !(now > 0)) break;
    const double length = now / curvature;
    for (std::size_t i = 0; i < x.size(); ++i) {
      solution_[i] += length * direction_[i];
      residual_[i] -= length * image_[i];
    }
    before = now;
    ++iterations_;
  }
  // a start that is no number must not stay
  if (!(length_of(solution_) <= std::numeric_limits<double>::max())) std::fill(solution_.begin(), solution_.end(), 0.0);
  std::copy(solution_.begin(), solution_.end(), x.begin());
}

void BodyIteration::apply(std::span<const double> x, std::span<double> row) const noexcept {
  kernel_->apply(view_of(*rows_), x.data(), row.data());
}

void BodyIteration::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  std::fill(x.begin(), x.end(), 0.0);
  kernel_->apply_transposed(view_of(*rows_), row.data(), x.data());
}

void BodyIteration::apply_quadratic(std::span<const double>, std::span<double> out) const noexcept {
  std::fill(out.begin(), out.end(), 0.0);
}

void BodyIteration::apply_weights(std::span<double> row) const noexcept {
  if (shape_ == RowWeights::Shape::identity) return;
  kernel_->weigh(view_of(*rows_), weights_.data(), numbers_per_point(shape_), row.data());
}

}  // namespace trilith::solve
