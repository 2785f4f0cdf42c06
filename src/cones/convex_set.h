#pragma once
#include <concepts>

#include "cones/block.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// Point of the set nearest to a given one in the metric x'R x, and what it does when that one moves.
template <class T, int D>
struct Projection {
  Block<T, D> point;
  /// (derivative of `point` by the projected point) R^-1: symmetric, between 0 and R^-1. On a kink, that of one of the zones that meet.
  /// (CONE-5)
  SymmetricBlock<T, D> slope;
};

/// A convex function at one point.
template <class T, int D>
struct Energy {
  T value;
  Block<T, D> gradient;
  SymmetricBlock<T, D> hessian;  ///< generalised: symmetric, positive semidefinite
};

/// Answer of rows whose *force* lies in the set. `force` is minus the gradient of `value`.
template <class T, int D>
struct Response {
  T value;
  Block<T, D> force;
  SymmetricBlock<T, D> hessian;  ///< of `value`, generalised: symmetric, positive semidefinite
};

/// Relaxed logarithmic barrier: -weight log d for d > delta, its C2 quadratic extension below. (CONE-14)
template <class T>
struct BarrierShape {
  T weight;  ///< > 0, in the unit of the energy
  T delta;   ///< > 0, in the unit of the row
};

/// A closed convex set K for `dim` rows. All members are branch-free in T and do not allocate; a NaN in gives a NaN out. Weights R are > 0,
/// one per row. Everything else (violation, enforce, respond) follows from `projection` below, once for all sets.
template <class S>
concept ConvexSet = requires(const S set, const Block<typename S::Scalar, S::dim> v, const BarrierShape<typename S::Scalar> shape) {
  { S::dim } -> std::convertible_to<int>;
  /// nearest point, Euclidean (CONE-1)
  { set.project(v) } -> std::same_as<Block<typename S::Scalar, S::dim>>;
  /// nearest point in the metric of the weights v[i] > 0, and its slope (CONE-3)
  { set.projection(v, v) } -> std::same_as<Projection<typename S::Scalar, S::dim>>;
  /// distance of v to the polar of the recession cone: 0 where `support` is finite (CONE-2)
  { set.polar_violation(v) } -> std::same_as<typename S::Scalar>;
  /// sup of v'k over k in K, for v without polar violation (0 for every cone); infinite bounds count as absent (CONE-2)
  { set.support(v) } -> std::same_as<typename S::Scalar>;
  /// relaxed barrier of the value v (CONE-14)
  { set.barrier(v, shape) } -> std::same_as<Energy<typename S::Scalar, S::dim>>;
};

/// Nearest point of the set in the metric of the weights R > 0.
template <ConvexSet S, class T = typename S::Scalar>
TRI_INLINE Block<T, S::dim> project_weighted(const S& set, const Block<T, S::dim>& v, const Block<T, S::dim>& R) {
  return set.projection(v, R).point;
}

/// Euclidean distance of v to the set, >= 0, in the row's unit.
template <ConvexSet S, class T = typename S::Scalar>
TRI_INLINE T violation(const S& set, const Block<T, S::dim>& v) {
  return norm(v - set.project(v));
}

/// argmin over z of rho/2 |z - v|^2 + softness/2 dist(z, K)^2: the soft set of ADMM. Softness 0 keeps v, infinity is `project`. (CONE-7)
template <ConvexSet S, class T = typename S::Scalar>
TRI_INLINE Block<T, S::dim> project_soft(const S& set, const Block<T, S::dim>& v, T rho, T softness) {
  return (T(1) / (rho + softness)) * (rho * v + softness * set.project(v));
}

/// The *value* lies in K: 1/2 rho dist(v, K)^2, rho > 0. (CONE-6)
template <ConvexSet S, class T = typename S::Scalar>
TRI_INLINE Energy<T, S::dim> enforce(const S& set, const Block<T, S::dim>& v, T rho) {
  constexpr int D = S::dim;
  const Projection<T, D> p = set.projection(v, filled<T, D>(T(1)));
  const Block<T, D> gap = v - p.point;
  Energy<T, D> e;
  e.value = (T(0.5) * rho) * dot(gap, gap);
  e.gradient = rho * gap;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) e.hessian.m[i][j] = rho * (T(i == j ? 1 : 0) - p.slope.m[i][j]);
  return e;
}

/// lambda - x/R: the force that rows without a set would give.
template <class T, int D>
TRI_INLINE Block<T, D> shifted_force(const Block<T, D>& x, const Block<T, D>& R, const Block<T, D>& lambda) {
  Block<T, D> a;
  for (int i = 0; i < D; ++i) a[i] = lambda[i] - x[i] / R[i];
  return a;
}

/// Value, force and Hessian out of the projection of `shifted_force` in the metric of R. (CONE-8)
template <class T, int D>
TRI_INLINE Response<T, D> response_of(const Projection<T, D>& p, const Block<T, D>& x, const Block<T, D>& R, const Block<T, D>& lambda) {
  const Block<T, D> change = p.point - lambda;
  T stored = R[0] * (change[0] * change[0]);
  for (int i = 1; i < D; ++i) stored += R[i] * (change[i] * change[i]);
  return {T(0) - dot(p.point, x) - T(0.5) * stored, p.point, p.slope};
}

/// The *force* lies in K. With a = lambda - x/R: force = projection of a in the metric of R, value = force'R a - 1/2 force'R force
/// - 1/2 lambda'R lambda, written without the difference of large numbers. R > 0 per row in (unit of x) / (unit of force). (CONE-8)
template <ConvexSet S, class T = typename S::Scalar>
TRI_INLINE Response<T, S::dim> respond(const S& set, const Block<T, S::dim>& x, const Block<T, S::dim>& R, const Block<T, S::dim>& lambda) {
  return response_of(set.projection(shifted_force(x, R, lambda), R), x, R, lambda);
}

TRI_ISA_END
}  // namespace trilith::cones
