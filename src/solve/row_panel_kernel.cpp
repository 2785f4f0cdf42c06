// Products with panels of rows (NEWTON-5). Compiled once per instruction set; every sum has one order.
#include "solve/row_panel_kernel.h"

#include "base/lanes.h"

namespace trilith::solve {
namespace {

static_assert(Double8::size == panel_padding);

void apply(const PanelView& panel, const double* x, double* row) noexcept {
  for (std::int32_t r = 0; r < panel.rows; ++r) {
    const double* J = panel.value + std::int64_t{r} * panel.stride;
    Double8 sum = Double8::load(J) * Double8::load(x);
    for (std::int32_t i = panel_padding; i < panel.stride; i += panel_padding) sum += Double8::load(J + i) * Double8::load(x + i);
    row[r] = sum_lanes(sum);
  }
}

void apply_transposed(const PanelView& panel, const double* row, double* x) noexcept {
  for (std::int32_t i = 0; i < panel.stride; i += panel_padding) {
    Double8 sum(0.0);
    const double* J = panel.value + i;
    for (std::int32_t r = 0; r < panel.rows; ++r, J += panel.stride) sum += Double8::load(J) * Double8(row[r]);
    sum.store(x + i);
  }
}

/// One set: its rows to `a`, C times them to `b`.
TRI_INLINE void weigh_set(const double* J, std::int32_t stride, std::int32_t block, const double* weight, double* a, double* b) {
  for (std::int32_t i = 0; i < stride; i += panel_padding)
    for (std::int32_t p = 0; p < block; ++p) {
      Double8::load(J + p * stride + i).store(a + p * stride + i);
      Double8 sum = Double8(weight[p * block]) * Double8::load(J + i);
      for (std::int32_t q = 1; q < block; ++q) sum += Double8(weight[p * block + q]) * Double8::load(J + q * stride + i);
      sum.store(b + p * stride + i);
    }
}

TRI_INLINE bool all_zero(const double* weight, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i)
    if (weight[i] != 0) return false;
  return true;
}

std::int32_t weigh(const PanelView& panel, std::int32_t block, const double* weight, double* a, double* b) noexcept {
  std::int32_t active = 0;
  const double* J = panel.value;
  for (std::int32_t r = 0; r < panel.rows; r += block, J += block * panel.stride, weight += block * block) {
    if (all_zero(weight, block * block)) continue;
    weigh_set(J, panel.stride, block, weight, a + active * panel.stride, b + active * panel.stride);
    active += block;
  }
  return active;
}

/// `Columns` columns from `j` on, rows [i, i + panel_padding).
template <int Columns>
TRI_INLINE void multiply(const double* a, const double* b, const PanelView& shape, std::int32_t i, std::int32_t j, double* out) {
  Double8 sum[Columns];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) sum[c] = Double8(0.0);
  a += i, b += j;
  for (std::int32_t r = 0; r < shape.rows; ++r, a += shape.stride, b += shape.stride) {
    const Double8 rows = Double8::load(a);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) sum[c] += rows * Double8(b[c]);
  }
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) sum[c].store(out + c * shape.stride + i);
}

#if defined(__AVX512F__)
constexpr int together = 8;
#else
constexpr int together = 4;
#endif

void products(const double* a, const double* b, const PanelView& shape, std::int32_t begin, double* out) noexcept {
  const std::int32_t end = begin + panel_padding < shape.columns ? begin + panel_padding : shape.columns;
  for (std::int32_t i = begin; i < shape.stride; i += panel_padding) {
    std::int32_t j = begin;
    for (; j + together <= end; j += together) multiply<together>(a, b, shape, i, j, out + (j - begin) * shape.stride);
    if (together > 4 && j + 4 <= end) multiply<4>(a, b, shape, i, j, out + (j - begin) * shape.stride), j += 4;
    for (; j < end; ++j) multiply<1>(a, b, shape, i, j, out + (j - begin) * shape.stride);
  }
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const RowPanelKernel row_panel_kernel = {apply, apply_transposed, weigh, products};
}
}  // namespace trilith::solve
