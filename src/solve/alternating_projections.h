#pragma once
#include <span>
#include <vector>

#include "base/clock.h"
#include "solve/force_state.h"

namespace trilith::solve {

struct AlternatingProjectionsSettings {
  ConeMargin margin{};
  /// Proposed where the worst imbalance of forces inside the cones is at most this, mean block weights (moments: times mean block size).
  double balance_tolerance = 1e-9;
  /// How far the step onto the equilibria is carried on before the projection onto the cones, and given back after it, in units of that
  /// step, 0 to 1. 0: plain alternating projections. 1: averaged reflections (Douglas-Rachford).
  double reflection = 1;
  int iteration_limit = 20000;
  /// Stagnation (RBE-12): stop where the residual has not shrunk to (1 - stagnation_gain) of its value within stagnation_window iterations.
  int stagnation_window = 250;
  double stagnation_gain = 0.05;
  /// Iterations between two looks at the clock.
  int clock_interval = 8;
};

/// Rung 3 (RBE-11): projections in turn onto the equilibria E = {A f = b} and onto the friction cones K. Finds states that the closed form
/// misses (arches, vaults); never says that a structure falls. With s = P_E(z) - z and reflection r one iteration is
///   z <- P_K(z + (1 + r) s) - r s,
/// whose fixed points give P_E(z) in both sets. P_E(z) is an exact equilibrium; where the sets meet in more than a point it enters the
/// cones after finitely many iterations, and nothing is left to converge. Work space is sized at construction; `propose` never allocates.
class AlternatingProjections {
 public:
  explicit AlternatingProjections(const rows::PatchRows& rows, const AlternatingProjectionsSettings& settings = {});

  /// `system` must have unit weights and be factored. `force`: lane layout; the start z on entry (zero: from the least-norm point), on
  /// return the most balanced forces met, always inside the cones. Status solved: balanced within the tolerance; stalled,
  /// iteration_limit, time_limit: not; numerical_failure: no forces.
  [[nodiscard]] ForceReport propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline,
                                    std::span<double> force) noexcept;

 private:
  void step_to_equilibrium(const ForceProblem& problem, WeightedSystem& system) noexcept;
  void step_to_cones(const ForceProblem& problem) noexcept;
  double try_equilibrium(const ForceProblem& problem, const WeightedSystem& system, double& violation) noexcept;

  AlternatingProjectionsSettings settings_;
  std::vector<double> mu_;                // reduced by the margin, per group and lane
  std::vector<double> unknown_;           // 6 per body
  std::vector<double> z_, step_, trial_;  // row vectors
};

}  // namespace trilith::solve
