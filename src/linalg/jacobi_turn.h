#pragma once
#include "base/lanes.h"

namespace trilith::linalg {

/// Jacobi's rotation (INE-4) in a plane (p, q) of a symmetric matrix: the smaller angle that makes a_pq zero.
struct JacobiTurn {
  double t, c, s;  ///< tangent, cosine, sine
};
inline JacobiTurn jacobi_turn(double a_pp, double a_qq, double a_pq) noexcept {
  const double ratio = (a_qq - a_pp) / (2 * a_pq);
  // t = tan of the smaller angle; for huge ratios 1 / (2 ratio), which may underflow to no rotation
  const double size = ratio < 0 ? -ratio : ratio;
  double t = size > 1e150 ? 0.5 / size : 1 / (size + sqrt(size * size + 1));
  if (ratio < 0) t = -t;
  const double c = 1 / sqrt(t * t + 1);
  return {t, c, t * c};
}

/// True where an entry beside the diagonal is too small to move its diagonal entries: below one hundredth of their rounding.
inline bool is_dust(double a_pp, double a_qq, double a_pq) noexcept {
  const double off = abs(a_pq), p = abs(a_pp), q = abs(a_qq);
  return p + 0.01 * off == p && q + 0.01 * off == q;
}

}  // namespace trilith::linalg
