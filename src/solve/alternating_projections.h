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
  int iteration_limit = 20000;
  /// Stagnation (RBE-12): stop where the residual has not shrunk to (1 - stagnation_gain) of its value within stagnation_window iterations.
  int stagnation_window = 250;
  double stagnation_gain = 0.05;
  /// Iterations between two looks at the clock.
  int clock_interval = 8;
};

/// Rung 3 (RBE-11): projections in turn onto the equilibria {A f = b} and onto the friction cones. Finds states that the closed form
/// misses (arches, vaults); never says that a structure falls. Work space is sized at construction; `propose` never allocates.
class AlternatingProjections {
 public:
  explicit AlternatingProjections(const rows::PatchRows& rows, const AlternatingProjectionsSettings& settings = {});

  /// `system` must have unit weights and be factored. `force`: lane layout; the start on entry (zero: from the least-norm point), the
  /// proposal on return, always inside the cones. Status solved: balanced within the tolerance; stalled, iteration_limit, time_limit,
  /// numerical_failure: the best iterate.
  [[nodiscard]] ForceReport propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline,
                                    std::span<double> force) noexcept;

 private:
  AlternatingProjectionsSettings settings_;
  std::vector<double> mu_, unknown_, step_, best_;
};

}  // namespace trilith::solve
