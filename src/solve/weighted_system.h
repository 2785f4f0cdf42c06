#pragma once
#include <cstdint>
#include <span>

#include "linalg/block_cholesky.h"
#include "rows/row_group.h"

namespace trilith::solve {

/// The weight matrix C of the rows. Symmetric positive (semi)definite; the values are read by `set_weights` and may be reused after it.
struct RowWeights {
  enum class Shape : std::uint8_t {
    identity,  ///< C = 1: alternating projections, closed form with H = 1
    diagonal,  ///< one scalar per row, size rows(): H^-1, rho
    triple,    ///< a symmetric 3 x 3 block per contact point, upper triangle 00 01 02 11 12 22, size 2 rows(): Nesterov-Todd, respond
    groups,    ///< a full block per set of `groups`, row-major, one after the other, group after group: `respond` of any set
  };
  Shape shape = Shape::identity;
  std::span<const double> value = {};
  std::span<const rows::RowGroup> groups = {};  ///< Shape::groups only; all rows, in order
};

/// The one quadratic that algorithms see: M = P + G' C G under the system's own equalities. An algorithm chooses C (rho in ADMM, the
/// Nesterov-Todd block in the interior point, the `respond` Hessian in Newton, H^-1 in the closed form), the backend knows P, G and how to
/// factor. Backends: BodyGraph (statics: P = 0, G = A'). Work space is sized at construction; nothing below allocates or throws.
/// Order of calls: set_weights, factor, solve any number of times. Products with G need neither.
class WeightedSystem {
 public:
  virtual ~WeightedSystem() = default;

  virtual int unknowns() const noexcept = 0;      ///< length of x
  virtual std::size_t rows() const noexcept = 0;  ///< length of a row vector, padding included; padding is zero and stays zero

  /// Adds sigma 1 to M from the next set_weights on: ADMM's proximal term, or the weight of rows that were eliminated. It is no part of P:
  /// `apply_quadratic` leaves it out.
  virtual void set_proximal(double sigma) noexcept = 0;
  /// Takes C and forms M.
  virtual void set_weights(const RowWeights& weights) noexcept = 0;
  /// Factors M as last formed. Rank deficiency is reported, not an error: the solve then gives one solution of a consistent system.
  virtual linalg::FactorReport factor() noexcept = 0;
  /// Solves M x = b in place. 1 to 4 right-hand sides, interleaved: x[unknown * right_hand_sides + k].
  virtual void solve(std::span<double> x, int right_hand_sides) noexcept = 0;

  /// Whether the last solve met its tolerance: false where an iterative backend ran into its cap.
  virtual bool converged() const noexcept { return true; }

  /// row = G x.
  virtual void apply(std::span<const double> x, std::span<double> row) const noexcept = 0;
  /// x = G' row.
  virtual void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept = 0;
  /// x = P^-1 x in place; false where the backend has no factor of P alone (then x is untouched).
  virtual bool solve_quadratic(std::span<double> x) const noexcept {
    (void)x;
    return false;
  }
  /// out = P x; zero where the system has no P.
  virtual void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept = 0;
  /// row = C row, with the weights last set.
  virtual void apply_weights(std::span<double> row) const noexcept = 0;
};

}  // namespace trilith::solve
