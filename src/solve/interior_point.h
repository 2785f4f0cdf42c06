#pragma once
#include <span>
#include <vector>

#include "base/clock.h"
#include "solve/force_state.h"
#include "solve/self_dual.h"

namespace trilith::solve {

struct InteriorPointSettings {
  ConeMargin margin{};
  /// Proposed where the worst imbalance of forces inside the cones is at most this, mean block weights (moments: times mean block size).
  double balance_tolerance = 1e-9;
  /// A motion is proposed where no equilibrium exists with a total contact force below this many total weights (RBE-9).
  double least_force_factor = 2e6;
  ConicLimits limits{};
  SelfDualSettings steps{};
  /// A load on free motions above this, mean block weights, is looked at as a collapse.
  double free_load = 1e-9;
  /// Corrections of a proposed state's imbalance in force space, while it is above balance_enough, mean block weights.
  int corrections = 3;
  double balance_enough = 1e-13;
  /// Share of the interval of (IPM-7) that the scale of the load keeps to both its ends.
  double interval_room = 0.1;
};

/// Outcome of the conic interior point. solved: `force` is balanced inside the cones; primal_infeasible: `velocity` is a collapse.
struct ConicReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  int factorizations = 0;
  double residual = 0;      ///< solved: worst imbalance; else of the best state tried, normalised units
  double force_factor = 0;  ///< best X of (RBE-9) met on the way
};

/// Rung 4: interior point on the self-dual embedding with zero objective (IPM-1), stopped at the first certificate of either kind. Exact
/// second-order cones, three unknowns per contact point, one factorization of A H A' per iteration. Work space is sized at construction;
/// `propose` never allocates.
class InteriorPoint {
 public:
  explicit InteriorPoint(const rows::PatchRows& rows, const InteriorPointSettings& settings = {});

  /// `force`: lane layout, the proposal where solved (zero otherwise). `velocity`: 6 per body, the collapse where primal_infeasible.
  /// On entry `force` is the start: forces near a solution, or all zero for a cold start.
  [[nodiscard]] ConicReport propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline, std::span<double> force,
                                    std::span<double> velocity) noexcept;

 private:
  using Step = SelfDual::Step;
  using Vector = std::vector<double>;
  class Watcher;
  bool try_motion(const ForceProblem& problem, std::span<const double> y, std::span<const double> row, ConicReport& report,
                  std::span<double> velocity) noexcept;
  bool try_forces(const ForceProblem& problem, WeightedSystem& system, const Step& step, ConicReport& report,
                  std::span<double> force) noexcept;
  double balance(const ForceProblem& problem, const WeightedSystem& system, std::span<const double> force) noexcept;
  ConicView view() const noexcept;

  const rows::PatchRows* rows_;
  const InteriorPointKernel* kernel_;
  InteriorPointSettings settings_;
  SelfDual iteration_;
  Vector mu_;                  // reduced mu
  Vector row_, kept_row_;      // contact coordinates
  Vector motion_, direction_;  // 6 per body
};

}  // namespace trilith::solve
