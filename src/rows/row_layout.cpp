#include "rows/row_layout.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace trilith::rows {
namespace {

void collect(const std::vector<RowGroup>& groups, std::vector<Error>& errors) {
  for (const RowGroup& group : groups)
    for (Error& error : find_faults(group))
      if (errors.size() < max_errors) errors.push_back(std::move(error));
}

}  // namespace

Result<RowLayout> make_row_layout(std::span<const RowGroup> groups) {
  std::vector<std::int32_t> group_of_row;
  for (std::size_t g = 0; g < groups.size(); ++g)
    group_of_row.insert(group_of_row.end(), static_cast<std::size_t>(std::max(groups[g].count, 0)), static_cast<std::int32_t>(g));
  return make_row_layout(groups, group_of_row);
}

Result<RowLayout> make_row_layout(std::span<const RowGroup> groups, std::span<const std::int32_t> group_of_row) {
  // counting sort by group
  RowLayout layout;
  layout.groups_.assign(groups.begin(), groups.end());
  for (RowGroup& group : layout.groups_) group.first = group.count = 0;
  for (std::size_t i = 0; i < group_of_row.size(); ++i) {
    const std::int32_t g = group_of_row[i];
    if (g < 0 || static_cast<std::size_t>(g) >= groups.size())
      return Error{"there is no group " + std::to_string(g), "group_of_row[" + std::to_string(i) + "]"};
    ++layout.groups_[static_cast<std::size_t>(g)].count;
  }
  std::int32_t next = 0;
  for (RowGroup& group : layout.groups_) {
    group.first = next;
    next += group.count;
  }
  std::vector<Error> errors;
  collect(layout.groups_, errors);
  if (!errors.empty()) return errors;

  std::vector<std::int32_t> cursor;
  for (const RowGroup& group : layout.groups_) cursor.push_back(group.first);
  layout.place_.resize(group_of_row.size());
  layout.source_.resize(group_of_row.size());
  for (std::size_t i = 0; i < group_of_row.size(); ++i) {
    const std::int32_t place = cursor[static_cast<std::size_t>(group_of_row[i])]++;
    layout.place_[i] = place;
    layout.source_[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(i);
  }
  return layout;
}

std::int32_t RowLayout::group_of(std::int32_t place) const noexcept {
  TRI_CHECK(place >= 0 && place < rows());
  const auto after =
      std::upper_bound(groups_.begin(), groups_.end(), place, [](std::int32_t row, const RowGroup& g) { return row < g.first; });
  // groups without rows share their first row with the next one
  auto at = after;
  do --at;
  while (at->count == 0);
  return static_cast<std::int32_t>(at - groups_.begin());
}

void RowLayout::gather(std::span<const double> in_source_order, std::span<double> in_layout_order) const noexcept {
  TRI_CHECK(in_source_order.size() == place_.size() && in_layout_order.size() == place_.size());
  for (std::size_t i = 0; i < source_.size(); ++i) in_layout_order[i] = in_source_order[static_cast<std::size_t>(source_[i])];
}

void RowLayout::scatter(std::span<const double> in_layout_order, std::span<double> in_source_order) const noexcept {
  TRI_CHECK(in_source_order.size() == place_.size() && in_layout_order.size() == place_.size());
  for (std::size_t i = 0; i < source_.size(); ++i) in_source_order[static_cast<std::size_t>(source_[i])] = in_layout_order[i];
}

}  // namespace trilith::rows
