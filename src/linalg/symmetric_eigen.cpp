// Implements (INE-4): Jacobi's method.
#include "linalg/symmetric_eigen.h"

#include <utility>

#include "linalg/jacobi_turn.h"

namespace trilith::linalg {
namespace {

constexpr int most_sweeps = 40;

struct Jacobi {
  double a[3][3], v[3][3];

  /// One rotation in the plane (p, q) that makes a[p][q] zero.
  void rotate(int p, int q) {
    const double off = a[p][q];
    if (off == 0) return;
    const auto [t, c, s] = jacobi_turn(a[p][p], a[q][q], off);
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = a[q][p] = 0;
    const int r = 3 - p - q;
    const double rp = a[r][p], rq = a[r][q];
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
    for (auto& row : v) {
      const double vp = row[p], vq = row[q];
      row[p] = c * vp - s * vq;
      row[q] = s * vp + c * vq;
    }
  }
  bool diagonal() const { return a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0; }
  /// Off-diagonal entries too small to move their diagonal entries are dropped.
  void drop_dust() {
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 3; ++q)
        if (is_dust(a[p][p], a[q][q], a[p][q])) a[p][q] = a[q][p] = 0;
  }
  void swap_columns(int i, int j) {
    std::swap(a[i][i], a[j][j]);
    for (auto& row : v) {
      std::swap(row[i], row[j]);
      row[j] = -row[j];  // keeps the determinant
    }
  }
};

}  // namespace

SymmetricEigen symmetric_eigen(const Mat3d& m) noexcept {
  Jacobi w{{{m.m[0], m.m[1], m.m[2]}, {m.m[1], m.m[4], m.m[5]}, {m.m[2], m.m[5], m.m[8]}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < most_sweeps && !w.diagonal(); ++sweep) {
    w.rotate(0, 1);
    w.rotate(0, 2);
    w.rotate(1, 2);
    w.drop_dust();
  }
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i + 1 < 3; ++i)
      if (w.a[i][i] > w.a[i + 1][i + 1]) w.swap_columns(i, i + 1);
  return {{w.a[0][0], w.a[1][1], w.a[2][2]},
          {{w.v[0][0], w.v[0][1], w.v[0][2], w.v[1][0], w.v[1][1], w.v[1][2], w.v[2][0], w.v[2][1], w.v[2][2]}}};
}

}  // namespace trilith::linalg
