// Implements (CHOL-9): forward and backward substitution front by front, in one fixed order.
#include <cstring>

#include "base/lanes.h"
#include "linalg/block_cholesky_kernel.h"

namespace trilith::linalg::TRILITH_ISA_NAMESPACE {
namespace {

using Eight = Lanes<double, 8>;
constexpr int group = 8;  // columns that are substituted together: fixed, because it is part of the order of the sums

/// One front as the substitutions see it. `local` holds a vector of the length of the front per right-hand side.
struct View {
  const double* entry;
  long stride;
  int width, rows;
  const double* inverse_pivot;
  double* x;  ///< the right-hand sides at the first row of the front, interleaved
  double* local;
};

View view_front(const FactorView& view, const Front& front, int right_hand_sides, double* x) {
  return {view.panels + front.panel,
          front.stride,
          front.width,
          front.top + front.tail,
          view.inverse_pivot + front.first_row,
          x + long(front.first_row) * right_hand_sides,
          view.scratch};
}

/// x := L^-1 (x - local) for the columns [c, c + count); the result also goes to `solved`.
template <int Sides>
TRI_INLINE void solve_forward_triangle(const View& f, int c, int count, double (&solved)[group][Sides]) {
  const double* corner = f.entry + c * f.stride + c;
  for (int i = 0; i < count; ++i)
    for (int q = 0; q < Sides; ++q) {
      double sum = f.x[(c + i) * Sides + q] - f.local[long(q) * f.rows + c + i];
      for (int k = 0; k < i; ++k) sum -= corner[k * f.stride + i] * solved[k][q];
      solved[i][q] = f.x[(c + i) * Sides + q] = sum * f.inverse_pivot[c + i];
    }
}

/// local += L x below the columns [c, c + count), columns ascending.
template <int Sides>
TRI_INLINE void push_down(const View& f, int c, int count, const double (&solved)[group][Sides]) {
  const double* columns = f.entry + c * f.stride;
  for (int i = c + group; i < f.rows; i += Eight::size) {
    Eight sum[Sides];
    for (int q = 0; q < Sides; ++q) sum[q] = Eight::load(f.local + long(q) * f.rows + i);
    for (int k = 0; k < count; ++k) {
      const Eight l = Eight::load(columns + k * f.stride + i);
      for (int q = 0; q < Sides; ++q) sum[q] += l * Eight(solved[k][q]);
    }
    for (int q = 0; q < Sides; ++q) sum[q].store(f.local + long(q) * f.rows + i);
  }
}

template <int Sides>
void forward(const FactorView& view, const Front& front, double* x) {
  const View f = view_front(view, front, Sides, x);
  std::memset(f.local, 0, sizeof(double) * static_cast<std::size_t>(f.rows) * Sides);
  for (int c = 0; c < f.width; c += group) {
    const int count = f.width - c < group ? f.width - c : group;
    double solved[group][Sides];
    solve_forward_triangle<Sides>(f, c, count, solved);
    push_down<Sides>(f, c, count, solved);
  }
  for (int s = front.segment_begin; s < front.segment_end; ++s) {
    const Segment& segment = view.segment[s];
    double* to = x + long(segment.row) * Sides;
    for (int q = 0; q < Sides; ++q) {
      const double* from = f.local + long(q) * f.rows + front.top + segment.from;
      for (int i = 0; i < segment.length; ++i) to[i * Sides + q] -= from[i];
    }
  }
}

/// Inner products of `Columns` columns of L from column `c` on with `local`, rows from `first` on, eight partial sums each.
template <int Sides, int Columns>
TRI_INLINE void pull_up(const View& f, int c, int first, double (*sums)[Sides]) {
  Eight sum[Columns][Sides];
  for (int k = 0; k < Columns; ++k)
    for (int q = 0; q < Sides; ++q) sum[k][q] = Eight(0.0);
  const double* columns = f.entry + c * f.stride;
  for (int i = first; i < f.rows; i += Eight::size)
    for (int k = 0; k < Columns; ++k) {
      const Eight l = Eight::load(columns + k * f.stride + i);
      for (int q = 0; q < Sides; ++q) sum[k][q] += l * Eight::load(f.local + long(q) * f.rows + i);
    }
  for (int k = 0; k < Columns; ++k)
    for (int q = 0; q < Sides; ++q) sums[k][q] = sum_lanes(sum[k][q]);
}

/// x := L^-T (x - sums) for the columns [c, c + count); the result also goes to `local`.
template <int Sides>
TRI_INLINE void solve_backward_triangle(const View& f, int c, int count, const double (&sums)[group][Sides]) {
  const double* corner = f.entry + c * f.stride + c;
  for (int i = count - 1; i >= 0; --i)
    for (int q = 0; q < Sides; ++q) {
      double* local = f.local + long(q) * f.rows + c;
      double sum = f.x[(c + i) * Sides + q] - sums[i][q];
      for (int k = i + 1; k < count; ++k) sum -= corner[i * f.stride + k] * local[k];
      local[i] = f.x[(c + i) * Sides + q] = sum * f.inverse_pivot[c + i];
    }
}

template <int Sides>
void backward(const FactorView& view, const Front& front, double* x) {
  const View f = view_front(view, front, Sides, x);
  std::memset(f.local, 0, sizeof(double) * static_cast<std::size_t>(f.rows) * Sides);
  for (int s = front.segment_begin; s < front.segment_end; ++s) {
    const Segment& segment = view.segment[s];
    const double* from = x + long(segment.row) * Sides;
    for (int q = 0; q < Sides; ++q) {
      double* to = f.local + long(q) * f.rows + front.top + segment.from;
      for (int i = 0; i < segment.length; ++i) to[i] = from[i * Sides + q];
    }
  }
  for (int c = (f.width - 1) / group * group; c >= 0; c -= group) {
    const int count = f.width - c < group ? f.width - c : group;
    double sums[group][Sides];
    int k = 0;
    for (; k + 2 <= count; k += 2) pull_up<Sides, 2>(f, c + k, c + group, sums + k);
    if (k < count) pull_up<Sides, 1>(f, c + k, c + group, sums + k);
    solve_backward_triangle<Sides>(f, c, count, sums);
  }
}

template <int Sides>
void solve(const FactorView& view, double* x) {
  for (int f = 0; f < view.fronts; ++f) forward<Sides>(view, view.front[f], x);
  for (int f = view.fronts - 1; f >= 0; --f) backward<Sides>(view, view.front[f], x);
}

}  // namespace

void solve_fronts(const FactorView& view, double* x, int right_hand_sides) noexcept {
  switch (right_hand_sides) {
    case 1:
      return solve<1>(view, x);
    case 2:
      return solve<2>(view, x);
    case 3:
      return solve<3>(view, x);
    default:
      return solve<4>(view, x);
  }
}

}  // namespace trilith::linalg::TRILITH_ISA_NAMESPACE
