#pragma once
#include "constraints/soft_rows.h"

namespace trilith::constraints {

/// The rows of a step with every elliptic contact taken apart: its normal row pushes or does not, and its friction lies in discs (sliding,
/// spin, rolling) whose radius is a coefficient times a latch, a given normal force. J, R and the reference are those of the rows.
/// (SOFT-15) Views of these rows and of own storage, which is taken once.
class LatchedRows {
 public:
  explicit LatchedRows(std::size_t most_rows);

  void build(const SoftRows& rows) noexcept;

  std::span<const rows::RowGroup> groups() const noexcept { return std::span(group_).first(groups_); }
  std::span<const rows::MechanismParameters> parameters() const noexcept { return std::span(parameter_).first(groups_); }

  /// Per latch: its normal row, and that row's R.
  std::span<const std::int32_t> normal() const noexcept { return std::span(normal_).first(latches_); }
  std::span<const double> normal_R() const noexcept { return std::span(normal_R_).first(latches_); }
  /// Per disc: the latch it hangs on, its coefficient, and its radius, which the caller writes.
  std::span<const std::int32_t> owner() const noexcept { return std::span(owner_).first(discs_); }
  std::span<const double> coefficient() const noexcept { return std::span(coefficient_).first(discs_); }
  std::span<double> radius() noexcept { return std::span(radius_).first(discs_); }

 private:
  void take_apart(const rows::RowGroup& contact, const SoftRows& rows) noexcept;
  rows::RowGroup& add_group(rows::SetKind set, std::int32_t first, std::int32_t count, std::span<const double> R) noexcept;
  void add_disc(std::int32_t first, std::span<const double> mu, std::span<const double> R) noexcept;

  std::vector<rows::RowGroup> group_;
  std::vector<rows::MechanismParameters> parameter_;
  std::vector<std::int32_t> normal_, owner_;
  std::vector<double> normal_R_, coefficient_, radius_;
  std::size_t groups_ = 0, latches_ = 0, discs_ = 0;
};

}  // namespace trilith::constraints
