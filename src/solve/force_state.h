#pragma once
#include <span>

#include "rows/patch_rows.h"
#include "solve/weighted_system.h"
#include "trilith/status.h"

/// What the proposers of force states share: the problem, the measure of imbalance, the projection of all contact forces.
namespace trilith::solve {

/// Find f with A f = load and every contact force in its friction cone. Views; normalised units (RBE-5): forces in mean block weights,
/// lengths in mean block sizes.
struct ForceProblem {
  const rows::PatchRows& rows;
  std::span<const double> load;  ///< 6 per body: force, moment
  /// Forces are told as g = f + shift, n components of joints that can pull (LIM-1); empty: none. The least-norm state is that of f.
  std::span<const double> shift = {};
  double total = 0;     ///< weight and loads, mean block weights; 0: one for each body
  double capacity = 0;  ///< sum of the shift
};

/// How far inside the true cone a proposal must lie so that rounding (axes to the world, the verifier's own error bounds) cannot push it
/// out.
struct ConeMargin {
  /// Relative reduction of mu.
  double relative = 1e-12;
  /// Reduction of mu by this over mu: the verifier compares squares, whose rounding weighs more the smaller mu is. Where mu is smaller than
  /// its own reduction the cone is the normal ray.
  double rounding = 1e-14;
  /// Contact forces with a smaller norm are set to zero, mean block weights.
  double dust = 1e-12;
};

/// Outcome of a proposer of force states.
struct ForceReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;    ///< projections made
  double residual = 0;   ///< worst imbalance of the proposed forces: largest over bodies of |force| and |moment|, normalised units
  double violation = 0;  ///< largest distance from the cone of a contact force before its last projection, normalised units
  linalg::FactorReport factor{};
};

/// mu of every patch reduced by the margin, lane layout of groups (patch_lanes per group). `reduced` has patch_lanes * groups entries.
void write_reduced_mu(const rows::PatchRows& rows, const ConeMargin& margin, std::span<double> reduced) noexcept;

/// Projects every contact force onto its cone |t| <= mu n (CONE-4), in place. `mu`: patch_lanes per group. Forces below `dust` become zero.
/// Returns the largest distance moved. Same bits for every instruction set.
double project_forces(const rows::PatchRows& rows, std::span<const double> mu, double dust, std::span<double> force) noexcept;

/// Largest over bodies of |force| and |moment| in `imbalance` (6 per body). Not a number where an entry is not.
double worst_imbalance(std::span<const double> imbalance) noexcept;

/// X of (RBE-9) of the motion -y: power of the load over the largest entry into a joint and the total load, less what the joints can pull
/// (LIM-2); 0 where the load does no work.
double force_factor_of(const ForceProblem& problem, std::span<const double> y, double violation) noexcept;
/// velocity = -y, its largest entry 1.
void write_motion(std::span<const double> y, std::span<double> velocity) noexcept;

}  // namespace trilith::solve
