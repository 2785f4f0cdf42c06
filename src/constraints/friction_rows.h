#pragma once
#include "constraints/soft_rows.h"
#include "constraints/touch_finder.h"

namespace trilith::constraints {

/// The friction of a step alone, under its other forces as they are: friction losses, and of every contact the axes along and about which
/// it resists, in discs and intervals that its normal force bounds. For the no-slip pass. (SOFT-16) Never allocates after construction.
class FrictionRows {
 public:
  /// `capacity`: that of the rows they are made from; `dofs`: entries of the longest row.
  FrictionRows(const RowCapacity& capacity, std::int32_t dofs);

  /// From the rows of a step, the touches that they stand for and their forces; R is `softness` times theirs. `rest`: J' f of all rows on
  /// entry, of all but the friction on return.
  void build(const SoftRows& rows, std::span<const Touch> touches, std::span<const double> force, double softness,
             std::span<double> rest) noexcept;

  const SoftRows& rows() const noexcept { return rows_; }
  /// Puts the forces of these rows into those of the step.
  void write_forces(std::span<const double> friction, std::span<double> force) const noexcept;

 private:
  /// Where a force of these rows goes: to row `row` of the step, or shared out to the edges `row` and `row` + 1 of a pyramid.
  struct Target {
    std::int32_t row = 0;
    double mu = 0;  ///< 0: a row; else the coefficient of the edges
  };
  void add_losses(const SoftRows& rows, const rows::RowGroup& group) noexcept;
  void add_elliptic(const SoftRows& rows, const Touch& touch) noexcept;
  void add_pyramid(const SoftRows& rows, const Touch& touch) noexcept;
  void add_axis(const SoftRows& rows, std::size_t row) noexcept;
  void take_off(double force) noexcept;

  // of the step in hand
  std::span<const double> force_;
  std::span<double> rest_;
  double softness_ = 1;
  SoftRows rows_;
  std::vector<Target> target_;
};

}  // namespace trilith::constraints
