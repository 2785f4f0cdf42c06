#pragma once
#include <cstdint>

#include "linalg/block_cholesky.h"

/// Plain structs between the planner (block_symbolic), the numbers (block_cholesky) and the kernels, which see only pointers.
namespace trilith::linalg {

/// Fronts, their columns and their buffers are padded to this many doubles (64 bytes).
inline constexpr int front_padding = 8;

/// One dense front (CHOL-4). Its *panel* holds the eliminated columns: column-major, `stride` doubles per column, rows
/// [0, width) the triangle, zeros up to `top`, then `below` rows of later positions, zeros up to `top + tail`.
/// Its *update matrix* (lower triangle) is what its elimination subtracts from those later rows: `update_stride` doubles per column.
struct Front {
  int first_row = 0;                       ///< scalar row of the matrix of the first column
  int width = 0;                           ///< scalar columns
  int top = 0;                             ///< `width` padded
  int below = 0;                           ///< scalar rows under the triangle
  int tail = 0;                            ///< `below` padded
  int stride = 0;                          ///< at least top + tail
  int update_stride = 0;                   ///< at least tail
  int block_begin = 0, block_end = 0;      ///< positions
  int pair_begin = 0, pair_end = 0;        ///< off-diagonal blocks of A in its columns
  int child_begin = 0, child_end = 0;      ///< in `child`
  int run_begin = 0, run_end = 0;          ///< its rows inside its parent's front
  int segment_begin = 0, segment_end = 0;  ///< its rows inside the right-hand side
  std::int64_t panel = 0;                  ///< offset in the panels [doubles]
  std::int64_t update = 0;                 ///< offset in the update matrices [doubles]
};

/// `length` consecutive rows of a front below its triangle, numbered from 0 there: row `from` is row `to` of the parent's front.
struct Run {
  int from, to, length;
};

/// `length` consecutive rows of a front below its triangle: row `from` there is scalar row `row` of the matrix.
struct Segment {
  int from, row, length;
};

/// Where a block of A is added: `from` doubles into its array, `to` doubles into the front's panel.
struct BlockCopy {
  std::int64_t from, to;
  int rows, columns;
};

/// A planned factorization and its memory.
struct FactorView {
  const Front* front;
  int fronts;
  const int* child;
  const Run* run;
  const Segment* segment;
  const BlockCopy* diagonal_copy;      ///< by position
  const BlockCopy* off_diagonal_copy;  ///< by pair
  const double* diagonal;
  const double* off_diagonal;
  double* panels;
  double* updates;
  double* inverse_pivot;  ///< by scalar row; 0 where the pivot was dropped
  double* scratch;        ///< 4 x the longest front
};

/// Rows or columns [begin, end) of something, multiples of `front_padding` or its end.
struct Part {
  int begin, end;
};

/// The stages of the numerical factorization. `whole` runs fronts one after the other; the rest are its stages for one front, of which the
/// parts of `tail` and `update` may run at the same time. Same bits either way. (CHOL-6)
struct FactorKernel {
  void (*whole)(const FactorView& view, Part fronts, const FactorSettings& settings, FactorReport& report) noexcept;
  void (*assemble)(const FactorView& view, int front) noexcept;  ///< blocks of A and update matrices of the children into the panel
  void (*triangle)(const FactorView& view, int front, const FactorSettings& settings, FactorReport& report) noexcept;
  void (*tail)(const FactorView& view, int front, Part rows) noexcept;       ///< rows under the triangle, numbered from 0 there
  void (*update)(const FactorView& view, int front, Part columns) noexcept;  ///< its update matrix, with what its children leave
};

#define TRI_DECLARE_BLOCK_KERNELS(isa)                                                 \
  namespace isa {                                                                      \
  extern const FactorKernel factor_kernel;                                             \
  void solve_fronts(const FactorView& view, double* x, int right_hand_sides) noexcept; \
  }
TRI_DECLARE_BLOCK_KERNELS(baseline)
TRI_DECLARE_BLOCK_KERNELS(v3)
TRI_DECLARE_BLOCK_KERNELS(v4)
#undef TRI_DECLARE_BLOCK_KERNELS

}  // namespace trilith::linalg
