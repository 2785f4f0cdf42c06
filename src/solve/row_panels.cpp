// Sparse rows as dense panels (NEWTON-5).
#include "solve/row_panels.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace trilith::solve {
namespace {

constexpr std::int32_t padded(std::int32_t count) { return (count + panel_padding - 1) / panel_padding * panel_padding; }

bool same(std::span<const std::int32_t> a, std::span<const std::int32_t> b) noexcept {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

RowPanels::RowPanels(const PanelRoom& room) : room_(room), value_(static_cast<std::int64_t>(room.entries + room.rows * panel_padding)) {
  room_.widest = std::max(room.widest, 1);
  const auto widest = static_cast<std::size_t>(padded(room_.widest));
  local_.resize(widest);
  panels_.reserve(room.rows);
  runs_.reserve(std::min(room.entries, room.rows * widest));
  columns_.reserve(widest);
  for (auto* list : {&together_, &merged_}) list->reserve(rows::most_block_rows * widest);
}

bool RowPanels::update(const SparseRows& rows, std::span<const rows::RowGroup> groups, const UnknownBlocks& blocks) noexcept {
  if (rows.rows() > room_.rows) return false;
  panels_.clear(), runs_.clear(), columns_.clear();
  used_ = 0, longest_stride_ = panel_padding;
  if (groups.empty()) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(rows.rows()); ++i)
      if (!add_set(rows, i, 1, blocks)) return false;
    return true;
  }
  for (const rows::RowGroup& group : groups)
    for (std::int32_t i = group.first; i < group.end(); i += group.block)
      if (!add_set(rows, i, group.block, blocks)) return false;
  return true;
}

/// All columns that rows [first, first + count) have.
std::span<const std::int32_t> RowPanels::columns_of_set(const SparseRows& rows, std::int32_t first, std::int32_t count) noexcept {
  const std::span<const std::int32_t> one = rows.columns_of(static_cast<std::size_t>(first));
  bool alike = true;
  for (std::int32_t i = 1; i < count; ++i) alike = alike && same(one, rows.columns_of(static_cast<std::size_t>(first + i)));
  if (alike) return one;
  together_.assign(one.begin(), one.end());
  for (std::int32_t i = 1; i < count; ++i) {
    const std::span<const std::int32_t> other = rows.columns_of(static_cast<std::size_t>(first + i));
    merged_.clear();
    std::set_union(together_.begin(), together_.end(), other.begin(), other.end(), std::back_inserter(merged_));
    std::swap(together_, merged_);
  }
  return together_;
}

bool RowPanels::add_set(const SparseRows& rows, std::int32_t first, std::int32_t count, const UnknownBlocks& blocks) noexcept {
  for (std::int32_t i = first; i < first + count; ++i)
    if (rows.columns_of(static_cast<std::size_t>(i)).size() > static_cast<std::size_t>(room_.widest)) return false;
  const std::span<const std::int32_t> columns = columns_of_set(rows, first, count);
  const bool joins =
      !panels_.empty() && panels_.back().set_rows == count && panels_.back().rows + count <= most_panel_rows && same(columns_, columns);
  if (!joins && !open_panel(first, count, columns, blocks)) return false;
  RowPanel& panel = panels_.back();
  const std::int64_t size = std::int64_t{count} * panel.stride;
  if (used_ + size > value_.size()) return false;
  std::memset(value_.data() + used_, 0, sizeof(double) * static_cast<std::size_t>(size));
  for (std::int32_t i = 0; i < count; ++i, used_ += panel.stride)
    copy_row(rows, static_cast<std::size_t>(first + i), value_.data() + used_);
  panel.rows += count;
  return true;
}

bool RowPanels::open_panel(std::int32_t first, std::int32_t count, std::span<const std::int32_t> columns,
                           const UnknownBlocks& blocks) noexcept {
  const auto size = static_cast<std::int32_t>(columns.size());
  if (size > room_.widest || runs_.size() + columns.size() > runs_.capacity()) return false;
  columns_.assign(columns.begin(), columns.end());
  RowPanel panel{.first = first, .set_rows = count, .columns = size, .stride = std::max(padded(size), panel_padding), .value = used_};
  panel.run_begin = static_cast<std::int32_t>(runs_.size());
  for (std::int32_t c = 0; c < size; ++c) {
    const std::int32_t unknown = columns[static_cast<std::size_t>(c)], block = blocks.of_unknown[static_cast<std::size_t>(unknown)];
    const bool goes_on = c > 0 && runs_.back().block == block && runs_.back().unknown + runs_.back().length == unknown;
    if (goes_on)
      ++runs_.back().length;
    else
      runs_.push_back({block, unknown, c, 1});
  }
  panel.run_end = static_cast<std::int32_t>(runs_.size());
  longest_stride_ = std::max(longest_stride_, panel.stride);
  panels_.push_back(panel);
  return true;
}

/// The entries of a row at their columns among those of the open panel.
void RowPanels::copy_row(const SparseRows& rows, std::size_t row, double* to) const noexcept {
  const std::span<const std::int32_t> columns = rows.columns_of(row);
  const double* from = rows.value.data() + rows.start[row];
  if (columns.size() == columns_.size()) {
    std::copy_n(from, columns.size(), to);
    return;
  }
  std::size_t at = 0;
  for (std::size_t e = 0; e < columns.size(); ++e, ++at) {
    while (columns_[at] != columns[e]) ++at;
    to[at] = from[e];
  }
}

void RowPanels::apply(std::span<const double> x, std::span<double> row) const noexcept {
  const RowPanelKernel& kernel = row_panel_kernel_of(active_isa());
  for (const RowPanel& panel : panels_) {
    double* local = local_.data();
    for (const PanelRun& run : runs_of(panel)) std::copy_n(x.data() + run.unknown, run.length, local + run.at);
    std::fill(local + panel.columns, local + panel.stride, 0.0);
    kernel.apply(view(panel), local, row.data() + panel.first);
  }
}

void RowPanels::apply_transposed(std::span<const double> row, std::span<double> x) const noexcept {
  const RowPanelKernel& kernel = row_panel_kernel_of(active_isa());
  std::fill(x.begin(), x.end(), 0.0);
  for (const RowPanel& panel : panels_) {
    kernel.apply_transposed(view(panel), row.data() + panel.first, local_.data());
    for (const PanelRun& run : runs_of(panel))
      for (std::int32_t i = 0; i < run.length; ++i)
        x[static_cast<std::size_t>(run.unknown + i)] += local_[static_cast<std::size_t>(run.at + i)];
  }
}

}  // namespace trilith::solve
