#pragma once
#include "base/lanes.h"

/// Products of small dense row-major matrices, sums in ascending order. Plain code for stages of any size.
namespace trilith::control {

/// out (r x c) += a (r x n) b (n x c)
inline void add_product(int r, int n, int c, const double* a, const double* b, double* out) noexcept {
  for (int i = 0; i < r; ++i)
    for (int k = 0; k < n; ++k) {
      const double f = a[i * n + k];
      for (int j = 0; j < c; ++j) out[i * c + j] += f * b[k * c + j];
    }
}
/// out (r x c) += a' b with a (n x r), b (n x c)
inline void add_transposed_product(int r, int n, int c, const double* a, const double* b, double* out) noexcept {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < r; ++i) {
      const double f = a[k * r + i];
      for (int j = 0; j < c; ++j) out[i * c + j] += f * b[k * c + j];
    }
}
/// out (r) += scale a (r x n) x
inline void add_times(int r, int n, double scale, const double* a, const double* x, double* out) noexcept {
  for (int i = 0; i < r; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    out[i] += scale * sum;
  }
}
/// out (r) += scale a' x with a (n x r)
inline void add_transposed_times(int r, int n, double scale, const double* a, const double* x, double* out) noexcept {
  for (int k = 0; k < n; ++k) {
    const double f = scale * x[k];
    for (int i = 0; i < r; ++i) out[i] += f * a[k * r + i];
  }
}
inline double inner(int n, const double* a, const double* b) noexcept {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
/// Largest magnitude; a NaN counts as infinite.
inline double largest(int n, const double* a) noexcept {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double size = abs(a[i]);
    if (!(size <= worst)) worst = size;
  }
  return worst == worst ? worst : __builtin_inf();
}

}  // namespace trilith::control
