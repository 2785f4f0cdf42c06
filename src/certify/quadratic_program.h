#pragma once
#include <span>
#include <string>
#include <vector>

#include "certify/verify.h"

/// Quadratic and conic programs as the judge sees them, and what it takes to prove an answer. Shares no code with the solvers.
namespace trilith::certify {

/// The 2-norm of the entries `entries` of x is at most `radius` >= 0.
struct NormBound {
  double radius = 0;
  std::span<const int> entries;
};

/// minimise 1/2 x'P x + q'x  subject to  lower <= A x <= upper  and norm bounds. Dense, row-major, views. Infinite bounds are absent ones.
struct QuadraticProgram {
  int variables = 0, rows = 0;
  std::span<const double> P;             ///< variables x variables, symmetric; empty: zero
  std::span<const double> q;             ///< variables
  std::span<const double> A;             ///< rows x variables
  std::span<const double> lower, upper;  ///< rows
  std::span<const NormBound> norms;
};

/// Multipliers of a QuadraticProgram: y > 0 pushes against an upper bound, y < 0 against a lower one; one number per entry of every norm
/// bound, in their order. Stationarity: P x + q + A'y + (norm, scattered to its entries) = 0. (QP-1)
struct Multipliers {
  std::span<const double> y;
  std::span<const double> norm;
};

struct ProgramSettings {
  double tolerance = 1e-7;             ///< of rows and gap, relative to their terms; of stationarity,
                                       ///< relative to the largest terms of all variables; never less than the
                                       ///< nearest bound and the costs it stands for say
  double least_size = 1e6;             ///< a ray proves that no x smaller than this times the largest finite bound satisfies the rows
  double convexity_tolerance = 1e-10;  ///< P scaled to a unit diagonal may have eigenvalues down to minus this
  int most_broken = 10;
};

/// What a proof came to. `residual`: the worst relative misfit of a KKT point; of a ray |A'y + ...| over its power.
struct ProgramVerification {
  bool accepted = false;
  double residual = 0;
  std::string statement;
  std::vector<Broken> broken;
};

/// P, scaled to a unit diagonal, is positive semidefinite but for `convexity_tolerance`: what makes a KKT point a minimiser.
bool is_convex(const QuadraticProgram& program, const ProgramSettings& settings);

/// x is feasible, stationary with the multipliers, whose signs fit, and the duality gap closes, and P is convex: a minimiser. (QP-1)
ProgramVerification verify_kkt_point(const QuadraticProgram& program, std::span<const double> x, const Multipliers& multipliers,
                                     const ProgramSettings& settings);
/// The rows contradict each other: with r = A'y + (norm), power = -(sum of bounds times y) - sum radius |norm| > 0, every feasible x has
/// r'x <= -power, so one of its entries is at least X = power / |r|_1. (QP-2)
ProgramVerification verify_infeasibility_ray(const QuadraticProgram& program, const Multipliers& multipliers,
                                             const ProgramSettings& settings);
/// Along d the cost falls for ever: P d = 0, q'd < 0, A d and the norm bounds allow every multiple. (QP-3)
ProgramVerification verify_unbounded_ray(const QuadraticProgram& program, std::span<const double> d, const ProgramSettings& settings);

}  // namespace trilith::certify
