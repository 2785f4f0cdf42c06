#pragma once
#include <cstdint>

#include "base/isa.h"

/// Entries of row_panel_kernel.cpp, one table per instruction set. Plain pointers; sizes are the caller's business.
namespace trilith::solve {

/// Panels and the columns of their products are padded to this many doubles, with zeros.
inline constexpr int panel_padding = 8;

/// Rows of one column list, row-major: entry (r, c) at value[r stride + c], zeros from `columns` up to `stride`.
struct PanelView {
  const double* value;
  std::int32_t rows, columns, stride;
};

struct RowPanelKernel {
  /// row = J x, x padded with zeros to the stride.
  void (*apply)(const PanelView& panel, const double* x, double* row) noexcept;
  /// x = J' row, `stride` numbers.
  void (*apply_transposed)(const PanelView& panel, const double* row, double* x) noexcept;
  /// Rows [first, first + rows) in sets of `block` rows with a weight block each (row-major, one after the other): copies the rows of sets
  /// whose block is not zero to `a` and their weighted rows, C J, to `b`. Returns how many.
  std::int32_t (*weigh)(const PanelView& panel, std::int32_t block, const double* weight, double* a, double* b) noexcept;
  /// Columns [begin, min(begin + panel_padding, columns)) of A'B, column-major with `stride`, rows from `begin` on; each entry is summed
  /// from the first row on. `begin` is a multiple of panel_padding.
  void (*products)(const double* a, const double* b, const PanelView& shape, std::int32_t begin, double* out) noexcept;
};

namespace entry {
namespace baseline {
extern const RowPanelKernel row_panel_kernel;
}
namespace v3 {
extern const RowPanelKernel row_panel_kernel;
}
namespace v4 {
extern const RowPanelKernel row_panel_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const RowPanelKernel& row_panel_kernel_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::row_panel_kernel;
  return isa == Isa::v3 ? entry::v3::row_panel_kernel : entry::baseline::row_panel_kernel;
}

}  // namespace trilith::solve
