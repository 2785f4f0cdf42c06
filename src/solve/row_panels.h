#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/block_storage.h"
#include "rows/row_group.h"
#include "solve/row_panel_kernel.h"

namespace trilith::solve {

/// A matrix by rows: entries of row i are [start[i], start[i + 1]), columns strictly ascending. A view.
struct SparseRows {
  std::span<const std::int64_t> start{};
  std::span<const std::int32_t> column{};
  std::span<const double> value{};
  std::size_t rows() const noexcept { return start.empty() ? 0 : start.size() - 1; }
  std::span<const std::int32_t> columns_of(std::size_t row) const noexcept {
    return column.subspan(static_cast<std::size_t>(start[row]), static_cast<std::size_t>(start[row + 1] - start[row]));
  }
};

/// Unknowns grouped into blocks of neighbours: block b holds [first[b], first[b + 1]).
struct UnknownBlocks {
  std::span<const std::int32_t> first, of_unknown;
};

/// Consecutive columns of a panel that are consecutive unknowns of one block.
struct PanelRun {
  std::int32_t block, unknown;  ///< the first unknown
  std::int32_t at, length;      ///< columns [at, at + length) of the panel
};

/// Consecutive rows with one list of columns.
struct RowPanel {
  std::int32_t first = 0, rows = 0;      ///< of the problem
  std::int32_t set_rows = 1;             ///< rows per set
  std::int32_t columns = 0, stride = 0;  ///< as in PanelView
  std::int32_t run_begin = 0, run_end = 0;
  std::int64_t value = 0;  ///< offset
};

/// Rows of one panel at most: what the products of a panel need of a cache.
inline constexpr std::int32_t most_panel_rows = 64;

/// Room for panels; `widest`: columns of one panel.
struct PanelRoom {
  std::int32_t unknowns = 0, widest = 0;
  std::size_t rows = 0, entries = 0;  ///< entries of the rows
};

/// A sparse matrix as dense panels: rows that follow each other and share their columns, as the rows of all contacts of two bodies do.
/// Storage is taken at construction. (NEWTON-5)
class RowPanels {
 public:
  explicit RowPanels(const PanelRoom& room);

  /// Copies `rows`; the rows of one set of `groups` share a panel, over all their columns. Without groups every row is a set. False where
  /// there is no room.
  [[nodiscard]] bool update(const SparseRows& rows, std::span<const rows::RowGroup> groups, const UnknownBlocks& blocks) noexcept;

  std::span<const RowPanel> panels() const noexcept { return panels_; }
  std::span<const PanelRun> runs_of(const RowPanel& panel) const noexcept {
    return std::span(runs_).subspan(static_cast<std::size_t>(panel.run_begin), static_cast<std::size_t>(panel.run_end - panel.run_begin));
  }
  PanelView view(const RowPanel& panel) const noexcept { return {value_.data() + panel.value, panel.rows, panel.columns, panel.stride}; }
  std::int32_t longest_stride() const noexcept { return longest_stride_; }

  /// row = G x and x = G' row.
  void apply(std::span<const double> x, std::span<double> row) const noexcept;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept;

 private:
  bool add_set(const SparseRows& rows, std::int32_t first, std::int32_t count, const UnknownBlocks& blocks) noexcept;
  bool open_panel(std::int32_t first, std::int32_t count, std::span<const std::int32_t> columns, const UnknownBlocks& blocks) noexcept;
  std::span<const std::int32_t> columns_of_set(const SparseRows& rows, std::int32_t first, std::int32_t count) noexcept;
  void copy_row(const SparseRows& rows, std::size_t row, double* to) const noexcept;

  PanelRoom room_;
  std::int32_t longest_stride_ = 0;
  linalg::AlignedArray value_;
  mutable std::vector<double> local_;  // a panel's part of x
  std::vector<RowPanel> panels_;
  std::vector<PanelRun> runs_;
  std::vector<std::int32_t> columns_, together_, merged_;  // of the open panel; of a set, and scratch for it
  std::int64_t used_ = 0;
};

}  // namespace trilith::solve
