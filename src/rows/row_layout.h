#pragma once
#include "rows/row_group.h"

namespace trilith::rows {

/// Where the rows of a problem are. Rows may arrive in any order ("source order": contact after contact, say); the layout makes each group
/// contiguous ("layout order") and keeps the permutation. Immutable after make.
class RowLayout {
 public:
  std::int32_t rows() const noexcept { return static_cast<std::int32_t>(place_.size()); }
  /// With first and count filled in.
  std::span<const RowGroup> groups() const noexcept { return groups_; }
  /// Layout row of a source row, and back.
  std::int32_t place(std::int32_t source) const noexcept { return place_[static_cast<std::size_t>(source)]; }
  std::int32_t source(std::int32_t place) const noexcept { return source_[static_cast<std::size_t>(place)]; }
  /// Index into groups() of the group that holds a layout row.
  std::int32_t group_of(std::int32_t place) const noexcept;

  /// Source order to layout order and back; both spans have rows() entries and do not overlap.
  void gather(std::span<const double> in_source_order, std::span<double> in_layout_order) const noexcept;
  void scatter(std::span<const double> in_layout_order, std::span<double> in_source_order) const noexcept;

  /// Rows that are already grouped: group after group, `count` of each as given.
  friend Result<RowLayout> make_row_layout(std::span<const RowGroup> groups);
  /// Rows in mixed order: `group_of_row[i]` is the group of source row i. The rows of a group keep their order, so those of one block must
  /// come one after the other among the rows of their group. Counts are taken from here. Parameter spans of the groups are in layout order.
  friend Result<RowLayout> make_row_layout(std::span<const RowGroup> groups, std::span<const std::int32_t> group_of_row);

 private:
  std::vector<RowGroup> groups_;
  std::vector<std::int32_t> place_, source_;
};

Result<RowLayout> make_row_layout(std::span<const RowGroup> groups);
Result<RowLayout> make_row_layout(std::span<const RowGroup> groups, std::span<const std::int32_t> group_of_row);

}  // namespace trilith::rows
