// Jacobi's method (INE-4) for any size.
#include "linalg/project_semidefinite.h"

#include <cstddef>

#include "base/check.h"
#include "linalg/jacobi_turn.h"

namespace trilith::linalg {
namespace {

constexpr int most_sweeps = 60;

/// Upper triangle `a` is diagonalised, the lower one keeps the input; columns of `v` become eigenvectors.
struct Rotations {
  double* a;
  double* v;
  int n;
  double& at(int i, int j) const { return i < j ? a[i * n + j] : a[j * n + i]; }

  /// False where the entry is zero already.
  bool rotate(int p, int q, double* diagonal) const {
    double& off = at(p, q);
    if (off == 0) return false;
    if (is_dust(diagonal[p], diagonal[q], off)) return off = 0, false;
    const JacobiTurn turn = jacobi_turn(diagonal[p], diagonal[q], off);
    diagonal[p] -= turn.t * off, diagonal[q] += turn.t * off;
    off = 0;
    for (int r = 0; r < n; ++r) {
      if (r != p && r != q) {
        const double rp = at(r, p), rq = at(r, q);
        at(r, p) = turn.c * rp - turn.s * rq, at(r, q) = turn.s * rp + turn.c * rq;
      }
      const double vp = v[r * n + p], vq = v[r * n + q];
      v[r * n + p] = turn.c * vp - turn.s * vq, v[r * n + q] = turn.s * vp + turn.c * vq;
    }
    return true;
  }
};

}  // namespace

int project_semidefinite(std::span<double> a, int n, std::span<double> vectors) noexcept {
  constexpr int most = 128;
  TRI_CHECK(n >= 1 && n <= most && a.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n) && vectors.size() == a.size());
  double diagonal[most] = {};
  for (int i = 0; i < n; ++i) {
    diagonal[i] = a[static_cast<std::size_t>(i * n + i)];
    for (int j = 0; j < n; ++j) {
      if (const double entry = a[static_cast<std::size_t>(i * n + j)]; !(entry - entry == 0)) return -1;
      vectors[static_cast<std::size_t>(i * n + j)] = i == j ? 1 : 0;
    }
  }
  const Rotations turn{a.data(), vectors.data(), n};
  bool moved = true;
  for (int sweep = 0; sweep < most_sweeps && moved; ++sweep) {
    moved = false;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) moved = turn.rotate(p, q, diagonal) || moved;
  }
  int negative = 0;
  // the lower triangle and the diagonal still hold the input: a - sum of negative eigenvalues times v v'
  for (int k = 0; k < n; ++k) {
    if (!(diagonal[k] < 0)) continue;
    ++negative;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        a[static_cast<std::size_t>(i * n + j)] -=
            diagonal[k] * vectors[static_cast<std::size_t>(i * n + k)] * vectors[static_cast<std::size_t>(j * n + k)];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) a[static_cast<std::size_t>(j * n + i)] = a[static_cast<std::size_t>(i * n + j)];
  return negative;
}

}  // namespace trilith::linalg
