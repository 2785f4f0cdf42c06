// Implements (CHOL-6) to (CHOL-8): numerical factorization front by front. Every entry of the factor is reduced in one fixed order.
#include "linalg/block_cholesky_kernel.h"

#include <cstring>

#include "linalg/block_tiles.h"

namespace trilith::linalg::TRILITH_ISA_NAMESPACE {
namespace {

constexpr double largest = 1.7976931348623157e308;

/// The panel of one front, and what its pivots are measured with.
struct Panel {
  double* entry;
  long stride;
  int width, rows;        ///< columns; padded rows
  double* inverse_pivot;  ///< holds the diagonal entries of A until the pivots are known
};

/// to += from, `length` numbers.
TRI_INLINE void add(double* to, const double* from, int length) {
  using Eight = Lanes<double, 8>;
  using Four = Lanes<double, 4>;
  using Two = Lanes<double, 2>;
  int i = 0;
  for (; i + 8 <= length; i += 8) (Eight::load(to + i) + Eight::load(from + i)).store(to + i);
  if (i + 4 <= length) (Four::load(to + i) + Four::load(from + i)).store(to + i), i += 4;
  if (i + 2 <= length) (Two::load(to + i) + Two::load(from + i)).store(to + i), i += 2;
  if (i < length) to[i] += from[i];
}

/// Adds the rows from the diagonal on of column `t` of `run` and all later runs to a column of the parent. `to` is that column.
TRI_INLINE void add_column(const double* from, const Run* run, const Run* end, int t, double* to) {
  // whole quads from the one with the diagonal on: what lies above the diagonal is never read
  const int diagonal = (run->from + t) & ~3;
  const int skip = diagonal > run->from ? diagonal - run->from : 0;
  add(to + run->to + skip, from + run->from + skip, run->length - skip);
  for (++run; run < end; ++run) add(to + run->to, from + run->from, run->length);
}

const double* update_of(const FactorView& view, const Front& front) { return view.updates + front.update; }

/// Adds the update matrix of `child` to the columns that its parent eliminates. (CHOL-6)
void add_to_panel(const FactorView& view, const Front& child, const Panel& panel) {
  const Run* end = view.run + child.run_end;
  for (const Run* run = view.run + child.run_begin; run < end && run->to < panel.width; ++run) {
    const double* from = update_of(view, child) + long(run->from) * child.update_stride;
    double* to = panel.entry + run->to * panel.stride;
    for (int t = 0; t < run->length; ++t, from += child.update_stride, to += panel.stride) add_column(from, run, end, t, to);
  }
}

/// Adds the rest of the update matrix of `child` to some columns of that of its parent. (CHOL-6)
void add_to_update(const FactorView& view, const Front& child, const Front& parent, Part columns) {
  const Run* end = view.run + child.run_end;
  const Run* run = view.run + child.run_begin;
  while (run < end && run->to < parent.width) ++run;
  for (; run < end && run->to - parent.top < columns.end; ++run) {
    const int first = run->to - parent.top;
    const int skip = columns.begin > first ? columns.begin - first : 0, rest = columns.end - first;
    const double* from = update_of(view, child) + long(run->from + skip) * child.update_stride;
    double* to = view.updates + parent.update + long(first + skip) * parent.update_stride - parent.top;
    for (int t = skip; t < run->length && t < rest; ++t, from += child.update_stride, to += parent.update_stride)
      add_column(from, run, end, t, to);
  }
}

TRI_INLINE void copy_block(const double* from, int rows, int columns, double* to, long stride) {
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) to[c * stride + r] = from[c * rows + r];
}

/// Puts the blocks of A into the panel; the rest of it becomes zero.
void gather_blocks(const FactorView& view, const Front& front, const Panel& panel) {
  std::memset(panel.entry, 0, sizeof(double) * static_cast<std::size_t>(panel.stride) * static_cast<std::size_t>(panel.width));
  double* pivot = panel.inverse_pivot;
  for (int p = front.block_begin; p < front.block_end; ++p) {
    const BlockCopy& copy = view.diagonal_copy[p];
    const double* block = view.diagonal + copy.from;
    if (copy.rows == 6)
      copy_block(block, 6, 6, panel.entry + copy.to, panel.stride);
    else
      copy_block(block, copy.rows, copy.columns, panel.entry + copy.to, panel.stride);
    for (int c = 0; c < copy.columns; ++c) *pivot++ = block[c * (copy.rows + 1)];
  }
  for (int k = front.pair_begin; k < front.pair_end; ++k) {
    const BlockCopy& copy = view.off_diagonal_copy[k];
    if (copy.rows == 6 && copy.columns == 6)
      copy_block(view.off_diagonal + copy.from, 6, 6, panel.entry + copy.to, panel.stride);
    else
      copy_block(view.off_diagonal + copy.from, copy.rows, copy.columns, panel.entry + copy.to, panel.stride);
  }
}

/// Judges the pivot `d` of a column whose entry of A is `diagonal`, and returns 1 / sqrt(d), or 0 where it is dropped. (CHOL-8)
TRI_INLINE double judge_pivot(double d, double diagonal, double tolerance, FactorReport& report) {
  if (!(abs(d) <= largest)) report.finite = false;
  if (!(d > tolerance * diagonal && d > 0)) {
    ++report.dropped_pivots;
    return 0;
  }
  report.smallest_pivot_ratio = min(d / diagonal, report.smallest_pivot_ratio);
  return 1 / sqrt(d);
}

/// Cholesky factor of a small triangle whose earlier columns are subtracted already.
template <int Width>
TRI_INLINE void factor_triangle(double (&l)[tile_columns][tile_columns], double* inverse_pivot, double tolerance, FactorReport& report) {
  for (int c = 0; c < Width; ++c) {
    const double inverse = judge_pivot(l[c][c], inverse_pivot[c], tolerance, report);
    inverse_pivot[c] = inverse;
    l[c][c] *= inverse;
    for (int r = c + 1; r < Width; ++r) l[r][c] *= inverse;
    for (int q = c + 1; q < Width; ++q)
      for (int r = q; r < Width; ++r) l[r][q] -= l[r][c] * l[q][c];
  }
}

/// `Height` vectors of rows from row `i` on: final values of the `Width` columns from `j` on.
template <int Width, int Height>
TRI_INLINE void finish_rows(const Panel& panel, int i, int j, const double (&triangle)[tile_columns][tile_columns]) {
  Tile<Width, Height> tile;
  double* corner = panel.entry + j * panel.stride + i;
  load_tile<Width, Height>(corner, panel.stride, tile);
  subtract_products<Width, Height>(panel.entry + i, panel.entry + j, panel.stride, j, tile);
  solve_tile<Width, Height>(triangle, panel.inverse_pivot + j, tile);
  store_tile<Width, Height>(tile, corner, panel.stride);
}

/// Rows [begin, end) of the `Width` columns from `j` on. (begin, end multiples of `lanes`)
template <int Width>
TRI_INLINE void finish_part(const Panel& panel, int begin, int end, int j, const double (&triangle)[tile_columns][tile_columns]) {
  int i = begin;
  for (; i + tall_tile * lanes <= end; i += tall_tile * lanes) finish_rows<Width, tall_tile>(panel, i, j, triangle);
  if (tall_tile > 2 && i + 2 * lanes <= end) finish_rows<Width, 2>(panel, i, j, triangle), i += 2 * lanes;
  if (i + lanes <= end) finish_rows<Width, 1>(panel, i, j, triangle);
}

/// Eliminates the `Width` columns from `j` on in the rows of the panel; all earlier ones are final.
template <int Width>
void eliminate(const Panel& panel, int j, double tolerance, FactorReport& report) noexcept {
  constexpr int square = tile_columns / lanes;
  double* corner = panel.entry + j * panel.stride + j;
  Tile<Width, square> tile;
  load_tile<Width, square>(corner, panel.stride, tile);
  subtract_products<Width, square>(panel.entry + j, panel.entry + j, panel.stride, j, tile);
  store_tile<Width, square>(tile, corner, panel.stride);

  double triangle[tile_columns][tile_columns];
  for (int c = 0; c < Width; ++c)
    for (int r = c; r < Width; ++r) triangle[r][c] = corner[c * panel.stride + r];
  factor_triangle<Width>(triangle, panel.inverse_pivot + j, tolerance, report);
  for (int c = 0; c < Width; ++c)
    for (int r = c; r < Width; ++r) corner[c * panel.stride + r] = triangle[r][c];
  finish_part<Width>(panel, j + tile_columns, panel.rows, j, triangle);
}

/// The same columns in other rows [begin, end), once the triangle is final.
template <int Width>
void follow(const Panel& panel, int j, int begin, int end) noexcept {
  const double* corner = panel.entry + j * panel.stride + j;
  double triangle[tile_columns][tile_columns];
  for (int c = 0; c < Width; ++c)
    for (int r = c; r < Width; ++r) triangle[r][c] = corner[c * panel.stride + r];
  finish_part<Width>(panel, begin, end, j, triangle);
}

using Eliminate = void (*)(const Panel&, int, double, FactorReport&) noexcept;
using Follow = void (*)(const Panel&, int, int, int) noexcept;
#if defined(__AVX512F__)
constexpr Eliminate eliminate_columns[] = {eliminate<1>, eliminate<2>, eliminate<3>, eliminate<4>,
                                           eliminate<5>, eliminate<6>, eliminate<7>, eliminate<8>};
constexpr Follow follow_columns[] = {follow<1>, follow<2>, follow<3>, follow<4>, follow<5>, follow<6>, follow<7>, follow<8>};
#else
constexpr Eliminate eliminate_columns[] = {eliminate<1>, eliminate<2>, eliminate<3>, eliminate<4>};
constexpr Follow follow_columns[] = {follow<1>, follow<2>, follow<3>, follow<4>};
#endif

/// `Height` vectors of rows by one tile of columns of the update matrix: minus the products of the finished panel.
template <int Height>
TRI_INLINE void update_tile(const double* rows, const double* columns, const Panel& panel, double* to, long to_stride) {
  Tile<tile_columns, Height> tile;
  for (auto& column : tile)
    for (Vector& v : column) v = Vector(0.0);
  subtract_products<tile_columns, Height>(rows, columns, panel.stride, panel.width, tile);
  store_tile<tile_columns, Height>(tile, to, to_stride);
}

/// Lower triangle of some columns of the update matrix, overwritten. (CHOL-6)
void form_update(const Front& front, const Panel& panel, Part columns, double* update) {
  const double* tail = panel.entry + front.top;
  for (int j = columns.begin; j < columns.end; j += tile_columns) {
    double* to = update + long(j) * front.update_stride;
    int i = j;
    for (; i + tall_tile * lanes <= front.tail; i += tall_tile * lanes)
      update_tile<tall_tile>(tail + i, tail + j, panel, to + i, front.update_stride);
    if (tall_tile > 2 && i + 2 * lanes <= front.tail)
      update_tile<2>(tail + i, tail + j, panel, to + i, front.update_stride), i += 2 * lanes;
    if (i + lanes <= front.tail) update_tile<1>(tail + i, tail + j, panel, to + i, front.update_stride);
  }
}

/// The panel of a front; `rows`: those that eliminations go through.
Panel panel_of(const FactorView& view, const Front& front, int rows) {
  return {view.panels + front.panel, front.stride, front.width, rows, view.inverse_pivot + front.first_row};
}

void eliminate_all(const Panel& panel, const FactorSettings& settings, FactorReport& report) {
  for (int j = 0; j < panel.width; j += tile_columns) {
    const int columns = panel.width - j < tile_columns ? panel.width - j : tile_columns;
    eliminate_columns[columns - 1](panel, j, settings.pivot_tolerance, report);
  }
}

void assemble(const FactorView& view, int f) noexcept {
  const Front& front = view.front[f];
  const Panel panel = panel_of(view, front, front.top + front.tail);
  gather_blocks(view, front, panel);
  for (int c = front.child_begin; c < front.child_end; ++c) add_to_panel(view, view.front[view.child[c]], panel);
}

void triangle(const FactorView& view, int f, const FactorSettings& settings, FactorReport& report) noexcept {
  const Front& front = view.front[f];
  eliminate_all(panel_of(view, front, front.top), settings, report);
}

void tail(const FactorView& view, int f, Part rows) noexcept {
  const Front& front = view.front[f];
  const Panel panel = panel_of(view, front, front.top + front.tail);
  for (int j = 0; j < front.width; j += tile_columns) {
    const int columns = front.width - j < tile_columns ? front.width - j : tile_columns;
    follow_columns[columns - 1](panel, j, front.top + rows.begin, front.top + rows.end);
  }
}

void update(const FactorView& view, int f, Part columns) noexcept {
  const Front& front = view.front[f];
  form_update(front, panel_of(view, front, front.top), columns, view.updates + front.update);
  for (int c = front.child_begin; c < front.child_end; ++c) add_to_update(view, view.front[view.child[c]], front, columns);
}

void whole(const FactorView& view, Part fronts, const FactorSettings& settings, FactorReport& report) noexcept {
  for (int f = fronts.begin; f < fronts.end; ++f) {
    // assemble the columns, eliminate them, and leave what that does to later rows to the parent
    const Front& front = view.front[f];
    assemble(view, f);
    eliminate_all(panel_of(view, front, front.top + front.tail), settings, report);
    update(view, f, {0, front.below});
  }
}

}  // namespace

const FactorKernel factor_kernel = {whole, assemble, triangle, tail, update};

}  // namespace trilith::linalg::TRILITH_ISA_NAMESPACE
