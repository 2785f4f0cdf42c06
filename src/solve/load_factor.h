#pragma once
#include <span>

#include "base/clock.h"
#include "solve/force_state.h"
#include "solve/self_dual.h"

namespace trilith::solve {

struct LoadFactorSettings {
  ConeMargin margin{};
  /// Ends where the bracket is at most this wide, relative to the factor (or to least_factor where that is larger).
  double width = 5e-7;
  /// A wider bracket, up to this, counts where the iteration comes to a standstill.
  double enough = 1e-6;
  double least_factor = 0.1;
  /// A state is worth building once primal and dual factor are this near, relative; then each time that the gap has shrunk to `less_gap`
  /// of that at the last try, and always where it is below `small_gap` times the width.
  double near = 1e-3, less_gap = 0.1, small_gap = 2;
  /// The state is balanced to this, mean block weights (moments: times mean block size).
  double balance_tolerance = 5e-9;
  /// Push at every contact point of a cold start, mean block weights.
  double start_force = 1e4;
  /// Of the largest weight: added to the diagonal of what is factored, not of what is solved.
  double guard = 1e-14;
  /// Corrections of its imbalance in force space, while it is above balance_enough.
  int corrections = 3;
  double balance_enough = 1e-12;
  /// X of (RBE-9) that the motion must reach.
  double least_force_factor = 2e6;
  /// Power that a motion must have beyond rounding, relative to the sum of the sizes of its terms.
  double work_room = 1e-11;
  /// A balanced state beyond this factor: there is no upper end.
  double unbounded = 1e5;
  /// The program's own factor this many times beyond it ends the iteration: there is none.
  double past_unbounded = 1e4;
  /// Misfit of a ray of contradiction, relative, that also says so.
  double ray_tolerance = 1e-9;
  /// A load on free motions above this, mean block weights, is looked at as such (LIM-4).
  double free_load = 1e-9;
  ConicLimits limits{.iteration_limit = 120};
  SelfDualSettings steps{.refinements = 15, .refine_above = 1e-12, .refine_share = 0.1, .correctors = 2, .line_test = false};
};

/// Which end of the factors lambda >= 0 with an equilibrium under load + lambda live is looked for.
enum class LoadEnd : std::uint8_t { most, least };

struct LoadFactorProblem {
  ForceProblem base;             ///< load at lambda = 0
  std::span<const double> live;  ///< 6 per body, of the size of base.load
  LoadEnd end = LoadEnd::most;
};

/// solved: a state at `state` and a motion that shows that beyond `ray` there is none, close together.
/// solved_inaccurate: likewise, but only `near`: the ray is the sharper one as a rule.
/// primal_infeasible: no lambda >= 0 at all, the motion shows it for all of them. dual_infeasible: no upper end.
struct LoadFactorReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0, factorizations = 0;
  double state = 0, ray = 0;
  double residual = 0;  ///< worst imbalance of the state
  bool fixed =
      false;  ///< solved: free motions allow no other factor than `state`; whether that one has a state was not asked, `force` is 0
};

/// The largest (or least) lambda >= 0 for which A f = load + lambda live has a solution in the cones, bracketed by a state and a motion
/// from one conic program with lambda as one more column (LIM-3). `system` is the plain one of the contacts; its proximal term is 0 again
/// afterwards. `force`: lane layout, on entry a start whose scale does not count (zero: cold), then the state; `velocity`: 6 per body, the
/// motion. Allocates its work space first.
LoadFactorReport find_load_factor(const LoadFactorProblem& problem, WeightedSystem& system, const LoadFactorSettings& settings,
                                  const Deadline& deadline, std::span<double> force, std::span<double> velocity);

}  // namespace trilith::solve
