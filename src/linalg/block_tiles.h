#pragma once
#include "base/lanes.h"

/// Register tiles of the dense fronts, for kernel sources only: everything here has internal linkage.
namespace trilith::linalg::TRILITH_ISA_NAMESPACE {
namespace {

// Tiles are `tile_columns` wide and up to `tall_tile` vectors high, so that all sums stay in registers: 24 + 4 of 32 (AVX-512),
// 12 + 4 of 16 (AVX2), 8 + 3 of 16 (SSE2). The order of the subtractions of an entry does not depend on the shape. (CHOL-6)
#if defined(__AVX512F__)
constexpr int lanes = 8, tile_columns = 8, tall_tile = 3;
#elif defined(__AVX__)
constexpr int lanes = 4, tile_columns = 4, tall_tile = 3;
#else
constexpr int lanes = 2, tile_columns = 4, tall_tile = 2;
#endif
using Vector = Lanes<double, lanes>;

/// Sums of a tile: `Width` columns of `Height` vectors.
template <int Width, int Height>
using Tile = Vector[Width][Height];

template <int Width, int Height>
TRI_INLINE void load_tile(const double* from, long stride, Tile<Width, Height>& tile) {
#pragma GCC unroll 8
  for (int c = 0; c < Width; ++c)
#pragma GCC unroll 4
    for (int v = 0; v < Height; ++v) tile[c][v] = Vector::load(from + c * stride + v * lanes);
}

template <int Width, int Height>
TRI_INLINE void store_tile(const Tile<Width, Height>& tile, double* to, long stride) {
#pragma GCC unroll 8
  for (int c = 0; c < Width; ++c)
#pragma GCC unroll 4
    for (int v = 0; v < Height; ++v) tile[c][v].store(to + c * stride + v * lanes);
}

/// tile(i, j) -= sum over k < count of rows(i, k) columns(j, k), k ascending. Both operands are rows of one column-major panel.
template <int Width, int Height>
TRI_INLINE void subtract_products(const double* rows, const double* columns, long stride, int count, Tile<Width, Height>& tile) {
  for (int k = 0; k < count; ++k, rows += stride, columns += stride) {
    Vector a[Height];
#pragma GCC unroll 4
    for (int v = 0; v < Height; ++v) a[v] = Vector::load(rows + v * lanes);
#pragma GCC unroll 8
    for (int c = 0; c < Width; ++c) {
      const Vector b(columns[c]);
#pragma GCC unroll 4
      for (int v = 0; v < Height; ++v) tile[c][v] -= a[v] * b;
    }
  }
}

/// tile := tile L^-T for the lower triangle L of `Width` columns, given the reciprocals of its diagonal.
template <int Width, int Height>
TRI_INLINE void solve_tile(const double (&triangle)[tile_columns][tile_columns], const double* inverse_pivot, Tile<Width, Height>& tile) {
#pragma GCC unroll 8
  for (int c = 0; c < Width; ++c) {
    const Vector scale(inverse_pivot[c]);
#pragma GCC unroll 4
    for (int v = 0; v < Height; ++v) tile[c][v] *= scale;
#pragma GCC unroll 8
    for (int d = c + 1; d < Width; ++d) {
      const Vector l(triangle[d][c]);
#pragma GCC unroll 4
      for (int v = 0; v < Height; ++v) tile[d][v] -= tile[c][v] * l;
    }
  }
}

}  // namespace
}  // namespace trilith::linalg::TRILITH_ISA_NAMESPACE
