#pragma once
#include <span>
#include <vector>

#include "base/clock.h"
#include "solve/force_state.h"
#include "solve/interior_point_kernel.h"

namespace trilith::solve {

struct InteriorPointSettings {
  ConeMargin margin{};
  /// Proposed where the worst imbalance of forces inside the cones is at most this, mean block weights (moments: times mean block size).
  double balance_tolerance = 1e-9;
  /// A motion is proposed where no equilibrium exists with a total contact force below this many total weights (RBE-9).
  double least_force_factor = 2e6;
  int iteration_limit = 80;
  /// Share of the way to the boundary of the cones that a step takes.
  double step_fraction = 0.99;
  /// Most centring of a combined step (Mehrotra's rule asks for more where the affine step is short).
  double largest_centring = 0.2;
  /// A warm start lies inside its cones by this share of the mean contact force.
  double warm_share = 0.1;
  /// Conjugate gradient steps that refine a solve whose residual is above refine_above of its right-hand side.
  int refinements = 3;
  double refine_above = 1e-11;
  /// A load on free motions above this, mean block weights, is looked at as a collapse.
  double free_load = 1e-9;
  /// Corrections of a proposed state's imbalance in force space.
  int corrections = 3;
  /// A shorter step is a standstill.
  double smallest_step = 1e-7;
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
  struct Step;  // the scalars of one iteration

  using Vector = std::vector<double>;
  void evaluate(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept;
  bool try_motion(const ForceProblem& problem, ConicReport& report, std::span<double> velocity) noexcept;
  bool try_free_motion(const ForceProblem& problem, WeightedSystem& system, ConicReport& report, std::span<double> velocity) noexcept;
  void multiply(WeightedSystem& system, std::span<const double> x, std::span<double> out) noexcept;
  bool try_forces(const ForceProblem& problem, WeightedSystem& system, const Step& step, ConicReport& report,
                  std::span<double> force) noexcept;
  void start(int points, std::span<const double> force) noexcept;
  void solve_predictor(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void predict(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void combine(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void advance(const Step& step) noexcept;
  void refined_solve(WeightedSystem& system, int count) noexcept;
  double balance(const ForceProblem& problem, const WeightedSystem& system, std::span<const double> force) noexcept;
  ConicView view() const noexcept;
  ConicArrays arrays() noexcept;

  const rows::PatchRows* rows_;
  const InteriorPointKernel* kernel_;
  InteriorPointSettings settings_;
  double tau_ = 1, kappa_ = 1;
  Vector mu_, y_;                                                         // reduced mu; dual point
  Vector z_, s_, scaling_, dual_residual_, centring_, second_, dz_, ds_;  // cone coordinates
  Vector weights_, row_, base_row_, shift_row_, force_row_, other_row_;   // contact coordinates
  Vector az_, ahr_, direction_, load_solution_, state_solution_;          // 6 per body
  Vector right_[3], solution_[3], residual_[3], conjugate_[3], product_[3], packed_, preconditioned_;
};

}  // namespace trilith::solve
