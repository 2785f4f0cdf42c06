#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/robot.h"
#include "control/solver.h"

namespace trilith::control {

/// What became of a plan. `infeasible` needs a proof; none is looked for where limits are measured only.
enum class PlanStatus : std::uint8_t { solved, goal_not_reached, infeasible, iteration_limit, time_limit, numerical_failure };
std::string_view name(PlanStatus status) noexcept;

/// How far a plan is outside of the limits of one kind.
struct LimitViolation {
  std::string_view group, unit;  ///< "q", "rad or m"
  double max = 0, sum = 0;
  int knot = -1, row = -1;  ///< of the largest; -1: none
};
/// A limit that the first state, which is measured and no choice, does not keep.
struct StartViolation {
  std::string joint;
  std::string_view quantity;  ///< "q" or "qd"
  double value = 0;           ///< > 0: outside by so much
};

/// Positions and velocities of knots 1..N-1 and inputs against the robot's own limits, or a linear problem's bounds on states and inputs.
std::vector<LimitViolation> measure_limits(const Robot& robot, const KnotSizes& sizes, int knots, std::span<const double> xu);
std::vector<LimitViolation> measure_bounds(const Box& states, const Box& inputs, int knots, std::span<const double> xu);
std::vector<StartViolation> measure_start(const Robot& robot, std::span<const double> x);

/// Where a plan counts as what. SI units.
struct PlanTolerances {
  double defect = 1e-6;     ///< of every defect
  double violation = 1e-3;  ///< of every limit
  double goal = 0.02;       ///< rad or m
};

/// What is known of a plan.
struct PlanFacts {
  SolveStatus solver = SolveStatus::not_run;
  bool converged = false;  ///< this entry's last step was small enough
  double defect_max = 0;
  std::span<const LimitViolation> violations;  ///< of limits that are to hold
  std::optional<double> goal_residual;
};
/// Never better than the facts: what is outside a limit or not converged is not solved.
PlanStatus judge(const PlanFacts& facts, const PlanTolerances& tolerances) noexcept;

}  // namespace trilith::control
