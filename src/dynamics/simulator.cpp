// Implements (DYN-20) to (DYN-24).
#include "dynamics/simulator.h"

#include <algorithm>

#include "dynamics/actuation.h"
#include "dynamics/implicit.h"
#include "dynamics/sensors.h"
#include "dynamics/stages.h"
#include "dynamics/tree_lu.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"

namespace trilith::dynamics {
namespace {

/// First number that is not finite or beyond the bound; -1: none.
std::int32_t first_bad(std::span<const double> x, double bound) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(abs(x[i]) <= bound)) return static_cast<std::int32_t>(i);
  return -1;
}

std::int32_t dof_of_coordinate(const model::Model& model, std::int32_t q) {
  std::int32_t dof = 0;
  for (const model::Joint& joint : model.joints) {
    if (joint.q > q) break;
    dof = joint.v + std::min(q - joint.q, dofs_of(joint.kind) - 1);
  }
  return dof;
}

StepReport diverged(DivergedPart part, std::int32_t index) { return {StepStatus::diverged, part, index, {}}; }

}  // namespace

std::string_view name(StepStatus status) noexcept {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::diverged:
      return "diverged";
    case StepStatus::singular:
      return "singular";
    case StepStatus::unsolved:
      return "unsolved";
  }
  return "unknown";
}

std::int32_t body_of_dof(const model::Model& model, std::int32_t dof) noexcept {
  std::int32_t body = 0;
  for (const model::Joint& joint : model.joints)
    if (joint.v <= dof) body = joint.body;
  return body;
}

Simulator::Simulator(std::shared_ptr<const System> system)
    : system_(std::move(system)), state_(make_state(*system_->model)), workspace_(*system_), constraints_(*system_, system_->constraints) {}

StepReport Simulator::update_acceleration() noexcept {
  const bool usable = update_smooth(*system_, state_, workspace_);
  const double bound = system_->settings.divergence;
  if (const std::int32_t i = first_bad(workspace_.a_smooth, bound); i >= 0) return diverged(DivergedPart::acceleration, i);
  if (!usable) return {StepStatus::singular, DivergedPart::none, -1, {}};
  StepReport report;
  report.constraints = constraints_.update(*system_, state_, workspace_);
  if (report.constraints.has(SolveStatus::numerical_failure)) report.status = StepStatus::unsolved;
  const std::int32_t i = first_bad(workspace_.a, bound);
  if (i >= 0) report.status = StepStatus::diverged, report.part = DivergedPart::acceleration, report.index = i;
  return report;
}

StepReport Simulator::update() noexcept {
  const double bound = system_->settings.divergence;
  if (const std::int32_t i = first_bad(state_.q, bound); i >= 0)
    return diverged(DivergedPart::position, dof_of_coordinate(*system_->model, i));
  if (const std::int32_t i = first_bad(state_.v, bound); i >= 0) return diverged(DivergedPart::velocity, i);
  if (const std::int32_t i = first_bad(state_.ctrl, bound); i >= 0) return diverged(DivergedPart::control, i);
  const StepReport report = update_acceleration();
  if (report.status == StepStatus::done && system_->options.sensors && !workspace_.sensors.empty())
    measure_sensors(*system_, state_, constraints_, workspace_);
  return report;
}

StepReport Simulator::step() noexcept {
  StepReport report = update();
  if (report.status != StepStatus::done) return report;
  const ConstraintReport constraints = report.constraints;
  report = integrate();
  report.constraints = constraints;
  return report;
}

StepReport Simulator::integrate() noexcept {
  switch (system_->options.integrator) {
    case model::Integrator::euler:
      return integrate_euler();
    case model::Integrator::rk4:
      return integrate_runge_kutta();
    case model::Integrator::implicit:
    case model::Integrator::implicit_fast:
      return integrate_implicit();
  }
  return {};
}

void Simulator::advance(std::span<const double> act_rate, std::span<const double> a, std::span<const double> v_of_positions) noexcept {
  const double h = system_->options.timestep;
  const model::Model& model = *system_->model;
  for (std::size_t i = 0; system_->options.actuation && i < model.actuators.size(); ++i) {
    const model::Actuator& actuator = model.actuators[i];
    if (actuator.act < 0) continue;
    double& act = state_.act[static_cast<std::size_t>(actuator.act)];
    act = next_activation(actuator, act, act_rate[static_cast<std::size_t>(actuator.act)], h);
    if (actuator.activation == model::Activation::integrator)
      act = nearest_setpoint(act, workspace_.actuator_length[i], system_->transmissions.setpoint_period(static_cast<std::int32_t>(i)));
  }
  for (std::size_t k = 0; k < state_.v.size(); ++k) state_.v[k] += h * a[k];
  multibody::integrate<double>(system_->tree, state_.q, v_of_positions, h, 1, state_.q);
  state_.time += h;
  std::ranges::copy(workspace_.a, state_.warm_start.begin());
}

/// Velocity first, then position with the new velocity; joint damping at the new velocity. (DYN-22)
StepReport Simulator::integrate_euler() noexcept {
  Workspace& w = workspace_;
  if (!system_->any_damping || !system_->options.damp_in_euler || !system_->options.passive_forces) {
    advance(w.act_rate, w.a, state_.v);
    return {};
  }
  for (std::size_t k = 0; k < w.step_a.size(); ++k) w.step_a[k] = w.smooth[k] + w.constraint[k];
  for (std::size_t k = 0; k < w.scratch.size(); ++k) w.scratch[k] = system_->options.timestep * system_->damping[k];
  const bool usable = multibody::factor_mass_matrix<double>(system_->tree, w.tree, w.scratch) == 0;
  multibody::solve_mass_matrix<double>(system_->tree, w.tree, w.step_a);
  std::ranges::fill(w.scratch, 0.0);
  if (!usable) return {StepStatus::singular, DivergedPart::none, -1, {}};
  advance(w.act_rate, w.step_a, state_.v);
  return {};
}

/// The same with the velocity slopes of more forces. (DYN-20)
StepReport Simulator::integrate_implicit() noexcept {
  Workspace& w = workspace_;
  update_implicit_matrix(*system_, state_, system_->options.integrator == model::Integrator::implicit, w);
  const TreeMatrix matrix{w.lower, w.upper};
  if (!factor_tree_matrix(system_->tree, system_->settings.smallest_pivot, matrix))
    return {StepStatus::singular, DivergedPart::none, -1, {}};
  for (std::size_t k = 0; k < w.step_a.size(); ++k) w.step_a[k] = w.smooth[k] + w.constraint[k];
  solve_tree_matrix(system_->tree, matrix, w.step_a);
  advance(w.act_rate, w.step_a, state_.v);
  return {};
}

/// The classical method of fourth order. (DYN-23)
StepReport Simulator::integrate_runge_kutta() noexcept {
  constexpr double reach[] = {0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  Workspace& w = workspace_;
  const double h = system_->options.timestep, start = state_.time;
  const auto add = [](std::span<double> sum, double scale, std::span<const double> x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += scale * x[i];
  };
  w.stage_q = state_.q, w.stage_v = state_.v, w.stage_act = state_.act;
  for (auto* mean : {&w.mean_v, &w.mean_a, &w.mean_act}) std::ranges::fill(*mean, 0.0);
  StepReport report;
  for (int stage = 0; stage < 4; ++stage) {
    add(w.mean_v, weight[stage], state_.v), add(w.mean_a, weight[stage], w.a), add(w.mean_act, weight[stage], w.act_rate);
    if (stage == 3) break;
    // the next point: from the start with the slopes of this one
    multibody::integrate<double>(system_->tree, w.stage_q, state_.v, reach[stage] * h, 1, state_.q);
    for (std::size_t k = 0; k < state_.v.size(); ++k) state_.v[k] = w.stage_v[k] + reach[stage] * h * w.a[k];
    for (std::size_t k = 0; k < state_.act.size(); ++k) state_.act[k] = w.stage_act[k] + reach[stage] * h * w.act_rate[k];
    state_.time = start + reach[stage] * h;
    report = update_acceleration();
    if (report.status != StepStatus::done) break;
  }
  state_.q = w.stage_q, state_.v = w.stage_v, state_.act = w.stage_act, state_.time = start;
  if (report.status == StepStatus::done) advance(w.mean_act, w.mean_a, w.mean_v);
  return report;
}

}  // namespace trilith::dynamics
