#pragma once
#include "cones/convex_set.h"

/// Projection onto a second-order cone or a ball when the weights of the tangents differ: one scalar equation, solved by a Newton iteration
/// that is monotone from its start, so it needs no bracket and no tolerance. (CONE-10)
namespace trilith::cones {
TRI_ISA_BEGIN

/// Newton steps before the iteration ends whatever happens. It ends by itself where a step no longer moves; see docs/theory/cones.md.
inline constexpr int secular_step_limit = 100;

/// Foot on the boundary of |g| <= n, for M scaled tangents.
template <class T, int M>
struct ConeFoot {
  T n;
  Block<T, M> g;
  T slope_nn;
  Block<T, M> slope_n;  ///< column between n and g
  SymmetricBlock<T, M> slope_g;
};

/// The point of |g| = n nearest to (a, b) in the metric w0, w[j], for (a, b) neither in the cone nor in its polar. `pull` = w[j] b[j].
/// With u = s / (w0 + s) of the multiplier s: g_j = (1 - u) pull_j / l_j, l_j = (1 - u) w_j + u w0, and (1 - 2u) |pull / l| = a.
template <class T, int M>
TRI_INLINE ConeFoot<T, M> foot_on_cone(T a, const Block<T, M>& pull, T w0, const Block<T, M>& w) {
  const auto from_axis = a < T(0);  // start at the polar end, where the function is concave
  T x = T(0), u, rest, length, kappa, spread;
  Block<T, M> l, direction;
  for (int step = 0; step < secular_step_limit; ++step) {
    u = select(from_axis, T(1) - x, x);
    rest = select(from_axis, x, T(1) - x);
    for (int j = 0; j < M; ++j) {
      l[j] = rest * w[j] + u * w0;
      direction[j] = pull[j] / l[j];
    }
    length = norm(direction);
    direction = (T(1) / select(length > T(0), length, T(1))) * direction;
    T bend = T(0);
    for (int j = 0; j < M; ++j) bend += direction[j] * direction[j] * ((w0 - w[j]) / l[j]);

    // newton step on (1 - 2u) - a / |pull / l|, counted from the start; rounding beyond the root ends it
    const T excess = (rest - u) * length - a;
    const T next = x + select(from_axis, T(0) - excess, excess) / (T(2) * length + a * bend);
    const auto moves = both(next > x, next <= T(1));
    if (!any(moves)) break;
    x = select(moves, next, x);
  }

  ConeFoot<T, M> foot;
  foot.n = rest * length + zero_unless_nan(a);
  foot.g = foot.n * direction;
  kappa = spread = T(0);
  Block<T, M> eased;
  for (int j = 0; j < M; ++j) {
    eased[j] = direction[j] / l[j];
    kappa += direction[j] * eased[j] * (w[j] + w0);
    spread += direction[j] * eased[j];
  }
  const T inverse = T(1) / kappa;
  foot.slope_nn = spread * inverse;
  foot.slope_n = inverse * eased;
  foot.slope_g = outer(T(0) - w0 * (rest - u) * inverse, eased);
  for (int j = 0; j < M; ++j) foot.slope_g.m[j][j] += rest / l[j];
  return foot;
}

TRI_ISA_END
}  // namespace trilith::cones
