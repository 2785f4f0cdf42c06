#pragma once
#include <cstdint>

#include "base/isa.h"
#include "rows/patch_rows.h"

/// Entries of body_graph_kernel.cpp, one set per instruction set. Plain pointers; sizes are the caller's business.
namespace trilith::solve {

/// Where the blocks of eight patches go in the block matrix; -1: nowhere.
struct GroupAddress {
  std::int32_t diagonal_a[rows::patch_lanes], diagonal_b[rows::patch_lanes];  ///< positions in elimination order
  std::int32_t pair[rows::patch_lanes];
  std::int32_t a_is_later[rows::patch_lanes];  ///< 1: the rows of the pair's block belong to body a
};

struct PatchView {
  const rows::PatchGroup* groups;
  const rows::PatchSlot* slots;
  int group_count;
};

/// Block matrix of linalg::BlockCholesky: 36 numbers per position and per pair, column-major.
struct BlockView {
  const GroupAddress* address;
  double* diagonal;
  double* off_diagonal;
};

struct BodyGraphKernel {
  /// Adds A C A'. `weights`: nullptr for C = 1; `per_point` numbers per slot and lane: 3 (diagonal) or 6 (00 01 02 11 12 22).
  void (*form)(const PatchView&, const double* weights, int per_point, const BlockView&) noexcept;
  /// row = A' y.
  void (*apply)(const PatchView&, const double* y, double* row) noexcept;
  /// x += A row.
  void (*apply_transposed)(const PatchView&, const double* row, double* x) noexcept;
  /// row = C row.
  void (*weigh)(const PatchView&, const double* weights, int per_point, double* row) noexcept;
  /// Projects every contact force onto |t| <= mu n, `mu` per group and lane; norms below `dust` become zero. Returns the largest move.
  double (*project)(const PatchView&, const double* mu, double dust, double* force) noexcept;
};

namespace entry {
namespace baseline {
extern const BodyGraphKernel body_graph_kernel;
}
namespace v3 {
extern const BodyGraphKernel body_graph_kernel;
}
namespace v4 {
extern const BodyGraphKernel body_graph_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const BodyGraphKernel& body_graph_kernel_of(Isa isa) {
  return isa == Isa::v4 ? entry::v4::body_graph_kernel : isa == Isa::v3 ? entry::v3::body_graph_kernel : entry::baseline::body_graph_kernel;
}

}  // namespace trilith::solve
