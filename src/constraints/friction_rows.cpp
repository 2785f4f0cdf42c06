// Friction alone, for the no-slip pass (SOFT-16).
#include "constraints/friction_rows.h"

#include <algorithm>

#include "base/math.h"

namespace trilith::constraints {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

FrictionRows::FrictionRows(const RowCapacity& capacity, std::int32_t dofs) : rows_(capacity, dofs) { target_.resize(capacity.rows); }

void FrictionRows::build(const SoftRows& rows, std::span<const Touch> touches, std::span<const double> force, double softness,
                         std::span<double> rest) noexcept {
  force_ = force, rest_ = rest, softness_ = softness;
  rows_.clear();
  for (const rows::RowGroup& group : rows.groups())
    if (group.set == rows::SetKind::box) add_losses(rows, group);
  for (const Touch& touch : touches) {
    if (touch.first_row < 0 || touch.condim == 1) continue;
    if (rows.row(at(touch.first_row)).kind == SoftRowKind::pyramid)
      add_pyramid(rows, touch);
    else
      add_elliptic(rows, touch);
  }
}

void FrictionRows::add_losses(const SoftRows& rows, const rows::RowGroup& group) noexcept {
  for (std::int32_t row = group.first; row < group.end(); ++row) {
    const SoftRowKind kind = rows.row(at(row)).kind;
    if (kind != SoftRowKind::joint_friction && kind != SoftRowKind::tendon_friction) continue;
    add_axis(rows, at(row));
    rows_.close_box(group.lower[at(row - group.first)], group.upper[at(row - group.first)]);
  }
}

/// The row as it is, softer or harder.
void FrictionRows::add_axis(const SoftRows& rows, std::size_t row) noexcept {
  for (auto e = at(static_cast<std::int32_t>(rows.start()[row])); e < static_cast<std::size_t>(rows.start()[row + 1]); ++e)
    rows_.add(rows.column()[e], rows.value()[e]);
  target_[rows_.rows()] = {static_cast<std::int32_t>(row), 0};
  rows_.finish_row(rows.row(row), softness_ * rows.R()[row], rows.reference()[row]);
  take_off(force_[row]);
}

void FrictionRows::add_elliptic(const SoftRows& rows, const Touch& touch) noexcept {
  const auto first = at(touch.first_row);
  const double normal = max(0.0, force_[first]);
  const std::span<const double> mu = std::span(touch.friction).first(at(touch.condim) - 1);
  for_each_disc(mu.size(), [&](std::size_t k, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) add_axis(rows, first + 1 + k + i);
    rows_.close_disc(normal, mu.subspan(k, size));
  });
}

/// Edges J_n +- mu J_k push with a sum that stays; what they differ by is friction along axis k, in an interval.
void FrictionRows::add_pyramid(const SoftRows& rows, const Touch& touch) noexcept {
  for (std::size_t k = 0; k + 1 < at(touch.condim); ++k) {
    const auto plus = at(touch.first_row) + 2 * k, minus = plus + 1;
    const double mu = touch.friction[k], half = 0.5 / mu;
    const auto begin = static_cast<std::size_t>(rows.start()[plus]), other = static_cast<std::size_t>(rows.start()[minus]);
    for (std::size_t e = 0; e < static_cast<std::size_t>(rows.start()[minus]) - begin; ++e)
      rows_.add(rows.column()[begin + e], half * (rows.value()[begin + e] - rows.value()[other + e]));
    target_[rows_.rows()] = {static_cast<std::int32_t>(plus), mu};
    SoftRow row = rows.row(plus);
    row.velocity = half * (row.velocity - rows.row(minus).velocity);
    rows_.finish_row(row, softness_ * rows.R()[plus] * half * half, half * (rows.reference()[plus] - rows.reference()[minus]));
    take_off(mu * (force_[plus] - force_[minus]));
    const double bound = mu * (force_[plus] + force_[minus]);
    rows_.close_box(-bound, bound);
  }
}

/// rest -= force times the last row.
void FrictionRows::take_off(double force) noexcept {
  const std::size_t row = rows_.rows() - 1;
  for (auto e = static_cast<std::size_t>(rows_.start()[row]); e < static_cast<std::size_t>(rows_.start()[row + 1]); ++e)
    rest_[at(rows_.column()[e])] -= force * rows_.value()[e];
}

void FrictionRows::write_forces(std::span<const double> friction, std::span<double> force) const noexcept {
  for (std::size_t i = 0; i < rows_.rows(); ++i) {
    const auto row = at(target_[i].row);
    if (target_[i].mu == 0) {
      force[row] = friction[i];
      continue;
    }
    const double half_sum = 0.5 * (force[row] + force[row + 1]), part = 0.5 * friction[i] / target_[i].mu;
    force[row] = half_sum + part;
    force[row + 1] = half_sum - part;
  }
}

}  // namespace trilith::constraints
