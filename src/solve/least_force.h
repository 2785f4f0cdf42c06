#pragma once
#include <span>
#include <vector>

#include "base/clock.h"
#include "rows/row_group.h"
#include "solve/force_system.h"
#include "trilith/status.h"

namespace trilith::solve {

/// min 1/2 (h+ f+^2 + h- f-^2 + h_t |t|^2) over all contact points subject to A f = load and (f+, t) in a cone per point, f- >= 0 (none
/// where `pulling` is off: the net form, whose f- is zero at its minimum). Views. (PEN-2)
struct LeastForceProblem {
  const rows::PatchRows& rows;
  std::span<const double> load;        ///< 6 per body
  std::span<const std::size_t> place;  ///< ForceSystem::place
  const rows::RowGroup& cone;          ///< pyramid or friction_cone, three rows per point in that order, first row 0
  ForceCost cost{};
  bool pulling = false;
};

struct LeastForceSettings {
  double tolerance = 1e-10;                                ///< of the imbalance, largest entry, mean block weights
  int iteration_limit = 30;                                ///< of one descent
  double proximal_share = 1e-5;                            ///< the Newton matrix gets this times the imbalance on its diagonal ...
  double least_proximal = 1e-12, largest_proximal = 1e-4;  ///< ... within these
  double decrease = 1e-4;                                  ///< share of the predicted fall of the dual that a full step must bring
  double slope_left = 0.3;                                 ///< share of the slope along a direction that a line search may leave
  double slope_kept = 0.5;                                 ///< a step that keeps more than this of the slope is followed further
  int search_limit = 60;                                   ///< values tried by one line search
  /// Where a descent ends without an answer, rays are sought with this times |y|^2 / 2 added to the dual, falling by `ridge_step` (PEN-3).
  double first_ridge = 1e-2, last_ridge = 1e-12, ridge_step = 0.1;
  double ridge_tolerance = 1e-3;    ///< of the imbalance that the ridge leaves, relative to it
  double least_force_factor = 2e6;  ///< X of (RBE-9) at which a direction is proposed as a ray
};

struct LeastForceReport {
  SolveStatus status =
      SolveStatus::not_run;  ///< solved, primal_infeasible (y is a ray), iteration_limit, time_limit, stalled, numerical_failure
  int iterations = 0, factorizations = 0;
  double residual = 0;      ///< largest imbalance, mean block weights
  double value = 0;         ///< cost of the forces, squared mean block weights
  double force_factor = 0;  ///< of the best ray met
};

/// Newton's method on the dual: f(y) is the projection of H^-1 A'y onto the cones in the metric of H, and A f(y) = load is solved for y, 6
/// per body, with the projections' slopes as weights of the body graph. Finds the minimum to rounding, or a ray that shows that there is no
/// force state in these cones. Work space is sized at construction; `solve` never allocates. (PEN-2, PEN-3)
class LeastForce {
 public:
  explicit LeastForce(const LeastForceProblem& problem, const LeastForceSettings& settings = {});

  /// `bodies`: BodyGraph on the same rows. `y`: start on entry (zero: none), multipliers or ray on return. The forces are read below.
  [[nodiscard]] LeastForceReport solve(WeightedSystem& bodies, const Deadline& deadline, std::span<double> y) noexcept;

  std::span<const double> force() const noexcept { return force_; }      ///< lane layout, net, of the last y
  std::span<const double> pulling() const noexcept { return pulling_; }  ///< f- per point, of the last y

 private:
  void descend(WeightedSystem& bodies, const Deadline& deadline, std::span<double> y, LeastForceReport& report) noexcept;
  bool step(WeightedSystem& bodies, std::span<double> y, LeastForceReport& report) noexcept;
  double evaluate(double length, bool with_slopes) noexcept;
  double search(std::span<const double> y, double slope) noexcept;
  bool try_ray(std::span<const double> y, std::span<const double> velocity, LeastForceReport& report) noexcept;
  double imbalance(WeightedSystem& bodies, std::span<const double> y) noexcept;

  LeastForceProblem problem_;
  LeastForceSettings settings_;
  double ridge_ = 0, value_ = 0;
  std::vector<double> velocity_, change_, force_, weights_, pulling_;  // lanes: A'y, A'd, f; slopes; f-
  std::vector<double> direction_, gradient_;                           // 6 per body
};

}  // namespace trilith::solve
