#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "constraints/soft_law.h"
#include "rows/mechanism.h"

namespace trilith::constraints {

/// What a row is there for. Rows come in this order.
enum class SoftRowKind : std::uint8_t { equality, joint_friction, tendon_friction, joint_limit, tendon_limit, contact, pyramid, elliptic };

/// One row without its Jacobian.
struct SoftRow {
  SoftRowKind kind = SoftRowKind::equality;
  std::int32_t element = -1;  ///< equality, joint, tendon or contact
  double position = 0;        ///< residual or distance, m or rad; 0 of friction rows
  double margin = 0;          ///< distance at which the spring is slack
  double velocity = 0;        ///< J v
  double impedance = 0;       ///< d
};

/// Makes `group` a disc where its axes have one coefficient, else an ellipse with `mu` as its axes (a view that is kept). Returns its
/// radius under a normal force of 1. (SOFT-15)
double set_friction(rows::RowGroup& group, std::span<const double> mu) noexcept;

/// Calls visit(first axis, axes) for each disc of a contact with that many axes of friction: sliding, spin, rolling. (SOFT-15)
template <class Visitor>
void for_each_disc(std::size_t axes, Visitor&& visit) {
  for (std::size_t k = 0; k < axes;) {
    const std::size_t size = k == 2 ? 1 : 2;
    visit(k, size);
    k += size;
  }
}

/// Room for the rows of one model.
struct RowCapacity {
  std::size_t rows = 0, entries = 0;  ///< entries of the Jacobian
};

/// Soft constraint rows of one state: J by rows, R, the reference acceleration and the sets that the forces lie in, in one order. Storage
/// is taken once; `clear` and the builders never allocate. Rows that do not fit are left out and counted. (SOFT-5)
class SoftRows {
 public:
  SoftRows(const RowCapacity& capacity, std::int32_t dofs);

  void clear() noexcept;

  /// True where `count` more rows fit; else they count as left out. Ask before a row, or before all rows of a set.
  bool has_room(std::size_t count) noexcept;
  /// An entry of the row that `finish_row` closes.
  /// Columns ascending within a row.
  void add(std::int32_t dof, double value) noexcept;
  /// `row.velocity` is filled from `v`; aref = -B v - K d (position - margin) - bias, R as given.
  void finish_row(SoftRow row, const SoftLaw& law, double R, double bias, std::span<const double> v) noexcept;

  /// Opens `count` rows with the same columns, ascending. Returns their values, row by row, to be written; `finish_open_row` closes one
  /// after another.
  std::span<double> open_rows(std::size_t count, std::span<const std::int32_t> columns) noexcept;
  /// As `finish_row`, with `row.velocity` as given.
  void finish_open_row(const SoftRow& row, const SoftLaw& law, double R, std::size_t entries) noexcept;
  /// The same with R and the reference as given, of rows that others are made from.
  void finish_row(const SoftRow& row, double R, double reference) noexcept;

  /// Closes the rows since the last call as groups of `set` with `block` rows each, the same numbers for every row of a box.
  void close_box(double lower, double upper) noexcept;
  void close_nonnegative() noexcept;
  /// One elliptic block of all rows since the last call; `mu`: block - 1 coefficients.
  void close_elliptic(std::span<const double> mu) noexcept;
  /// One block of one or two rows: a disc where `mu` has one number or equal ones, else an ellipse; of radius `bound` times mu.
  void close_disc(double bound, std::span<const double> mu) noexcept;

  std::size_t rows() const noexcept { return rows_; }
  std::size_t rows_left_out() const noexcept { return left_out_; }
  const SoftRow& row(std::size_t i) const noexcept { return row_[i]; }
  std::span<const std::int64_t> start() const noexcept { return std::span(start_).first(rows_ + 1); }
  std::span<const std::int32_t> column() const noexcept { return std::span(column_).first(entries_); }
  std::span<const double> value() const noexcept { return std::span(value_).first(entries_); }
  std::span<const double> R() const noexcept { return std::span(R_).first(rows_); }
  std::span<const double> reference() const noexcept { return std::span(reference_).first(rows_); }
  std::span<const rows::RowGroup> groups() const noexcept { return std::span(group_).first(groups_); }
  std::span<const rows::MechanismParameters> parameters() const noexcept { return std::span(parameter_).first(groups_); }

 private:
  void close_row(const SoftRow& row, double R, double reference, std::size_t begin, std::size_t end) noexcept;
  rows::RowGroup* open_group(rows::SetKind set, std::size_t first, std::size_t block) noexcept;

  std::vector<SoftRow> row_;
  std::vector<std::int64_t> start_;
  std::vector<std::int32_t> column_;
  std::vector<double> value_, R_, reference_, lower_, upper_, mu_, radius_;
  std::vector<rows::RowGroup> group_;
  std::vector<rows::MechanismParameters> parameter_;
  std::size_t dofs_ = 0, rows_ = 0, entries_ = 0, groups_ = 0, closed_ = 0, left_out_ = 0;
};

}  // namespace trilith::constraints
