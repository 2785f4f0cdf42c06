#include "control/plan.h"

#include <array>
#include <cmath>

#include "rows/violation.h"

namespace trilith::control {
namespace {

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Adds what the values of one knot are outside of the box.
void add_knot(const Box& box, std::span<const double> values, int knot, LimitViolation& sum) {
  rows::RowGroup group;
  group.name = sum.group, group.unit = sum.unit, group.set = rows::SetKind::box, group.lower = box.lower, group.upper = box.upper;
  group.count = static_cast<std::int32_t>(values.size());
  const rows::Violation v = rows::measure(group, values);
  sum.sum += v.sum;
  if (v.max > sum.max) sum.max = v.max, sum.knot = knot, sum.row = v.worst_row;
}

/// A number per degree of freedom: coordinates of hinges, slides and translations; 0 for balls, which have no limit.
std::vector<double> coordinates_of(const Robot& robot, std::span<const double> q) {
  std::vector<double> out(size_of(robot.dofs()), 0);
  for (int i = 0; i < robot.dofs(); ++i) {
    const multibody::LinkIndex& link = robot.tree.link(robot.tree.dof_link(i));
    if (link.kind != multibody::LinkKind::ball) out[size_of(i)] = q[size_of(link.q + i - link.v)];
  }
  return out;
}

void add_outside(const Box& box, std::span<const double> values, const Robot& robot, std::string_view quantity,
                 std::vector<StartViolation>& out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double outside = std::fmax(values[i] - box.upper[i], box.lower[i] - values[i]);
    if (outside > 0) out.push_back({robot.dof_names[i], quantity, outside});
  }
}

}  // namespace

std::string_view name(PlanStatus status) noexcept {
  constexpr std::array<std::string_view, 6> names = {"solved",          "goal_not_reached", "infeasible",
                                                     "iteration_limit", "time_limit",       "numerical_failure"};
  return names[size_of(static_cast<int>(status))];
}

std::vector<LimitViolation> measure_limits(const Robot& robot, const KnotSizes& sizes, int knots, std::span<const double> xu) {
  std::vector<LimitViolation> all = {{"q", "rad or m"}, {"qd", "rad/s or m/s"}, {"u", "N m or N"}};
  const std::size_t stage = size_of(sizes.state() + sizes.inputs), nq = size_of(sizes.coordinates), nv = size_of(sizes.speeds);
  for (int k = 0; k < knots; ++k) {
    const std::span<const double> knot = xu.subspan(size_of(k) * stage);
    if (k > 0)
      add_knot(robot.position, coordinates_of(robot, knot.first(nq)), k, all[0]), add_knot(robot.velocity, knot.subspan(nq, nv), k, all[1]);
    if (k + 1 < knots) add_knot(robot.effort, knot.subspan(nq + nv, size_of(sizes.inputs)), k, all[2]);
  }
  return all;
}

std::vector<LimitViolation> measure_bounds(const Box& states, const Box& inputs, int knots, std::span<const double> xu) {
  std::vector<LimitViolation> all = {{"x", "of the state"}, {"u", "of the input"}};
  const std::size_t nx = states.lower.size(), nu = inputs.lower.size();
  for (int k = 0; k < knots; ++k) {
    const std::span<const double> knot = xu.subspan(size_of(k) * (nx + nu));
    if (k > 0) add_knot(states, knot.first(nx), k, all[0]);
    if (k + 1 < knots) add_knot(inputs, knot.subspan(nx, nu), k, all[1]);
  }
  return all;
}

std::vector<StartViolation> measure_start(const Robot& robot, std::span<const double> x) {
  std::vector<StartViolation> out;
  const std::size_t nq = size_of(robot.coordinates());
  add_outside(robot.position, coordinates_of(robot, x.first(nq)), robot, "q", out);
  add_outside(robot.velocity, x.subspan(nq), robot, "qd", out);
  return out;
}

PlanStatus judge(const PlanFacts& facts, const PlanTolerances& tolerances) noexcept {
  if (facts.solver == SolveStatus::numerical_failure) return PlanStatus::numerical_failure;
  if (facts.solver == SolveStatus::time_limit) return PlanStatus::time_limit;
  if (!facts.converged || !(facts.defect_max <= tolerances.defect)) return PlanStatus::iteration_limit;
  for (const LimitViolation& v : facts.violations)
    if (!(v.max <= tolerances.violation)) return PlanStatus::iteration_limit;
  if (facts.goal_residual && !(*facts.goal_residual <= tolerances.goal)) return PlanStatus::goal_not_reached;
  return PlanStatus::solved;
}

}  // namespace trilith::control
