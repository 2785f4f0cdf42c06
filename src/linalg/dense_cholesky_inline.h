#pragma once
#include "base/lanes.h"

/// Cholesky factorization of one small dense matrix per lane, for use inside other kernels. From plain code: linalg/dense_cholesky.h.
/// Both forms sum an entry's products in ascending order of the inner index, so that every width and instruction set has the same bits.

namespace trilith::linalg {
TRI_ISA_BEGIN

/// Outcome of a factorization, a number per lane.
template <class T>
struct LanePivots {
  T dropped;         ///< how many pivots counted as zero
  T smallest_ratio;  ///< smallest kept pivot over its diagonal entry before elimination; 1 where none was kept
  T finite;          ///< 1; 0 where a NaN or an infinity was met
};

/// Replaces the lower triangle of the symmetric matrix `a` (n x n, column-major) by its factor L, A = L L'; the diagonal then holds
/// 1 / L_jj. Entries above the diagonal are not read. A pivot of at most `tolerance` times its diagonal entry before elimination counts as
/// zero: its column and its diagonal become 0, so that `solve_lanes` gives x_j = 0 there. `Array` is T* or LaneArray<T>.
template <class T, class Array>
TRI_INLINE LanePivots<T> factor_lanes(Array a, int n, typename ScalarOf<T>::type tolerance) {
  T dropped = T(0), finite = T(1), worst = T(1);
  for (int j = 0; j < n; ++j) {
    const T before = a[j * n + j];
    T pivot = before;
    for (int k = 0; k < j; ++k) pivot = pivot - T(a[k * n + j]) * T(a[k * n + j]);
    const auto kept = pivot > T(tolerance) * before;
    const T inverse = select(kept, T(1) / sqrt(select(kept, pivot, T(1))), T(0));
    for (int i = j + 1; i < n; ++i) {
      T sum = a[j * n + i];
      for (int k = 0; k < j; ++k) sum = sum - T(a[k * n + i]) * T(a[k * n + j]);
      a[j * n + i] = sum * inverse;
    }
    a[j * n + j] = inverse;
    dropped = dropped + select(kept, T(0), T(1));
    finite = select(pivot - pivot == T(0), finite, T(0));
    worst = max(before * (inverse * inverse), worst);
  }
  return {dropped, T(1) / worst, finite};
}

/// Solves L L' x = b in place with a factor from `factor_lanes`.
template <class T, class Factor, class Array>
TRI_INLINE void solve_lanes(Factor l, int n, Array x) {
  for (int i = 0; i < n; ++i) {
    T sum = x[i];
    for (int k = 0; k < i; ++k) sum = sum - T(l[k * n + i]) * T(x[k]);
    x[i] = sum * T(l[i * n + i]);
  }
  for (int i = n - 1; i >= 0; --i) {
    T sum = x[i];
    for (int k = i + 1; k < n; ++k) sum = sum - T(l[i * n + k]) * T(x[k]);
    x[i] = sum * T(l[i * n + i]);
  }
}

TRI_ISA_END
}  // namespace trilith::linalg
