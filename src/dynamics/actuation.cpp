// Implements (DYN-15) to (DYN-18).
#include "dynamics/actuation.h"

namespace trilith::dynamics {
namespace {

using model::Activation;
using model::Actuator;

constexpr double least_time_constant = 1e-15;  // s; a filter without one follows at once

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
double clamp_to(const std::optional<model::Range>& range, double x) { return range ? min(max(x, range->lower), range->upper) : x; }

/// What the gain multiplies: the control, or the activation of now or of the next step.
double input_of(const System& system, const State& state, const Workspace& w, std::int32_t i) {
  const Actuator& a = system.model->actuators[at(i)];
  if (a.act < 0) return w.control[at(i)];
  const double act = state.act[at(a.act)];
  return a.early ? next_activation(a, act, w.act_rate[at(a.act)], system.options.timestep) : act;
}

double gain_of(const Actuator& a, double length, double velocity) {
  const std::array<double, 3>& p = a.gain_parameters;
  return a.gain == model::GainKind::affine ? p[0] + p[1] * length + p[2] * velocity : p[0];
}

/// gain input + bias. (DYN-17)
double raw_force(const System& system, const State& state, const Workspace& w, std::int32_t i) {
  const Actuator& a = system.model->actuators[at(i)];
  const double length = w.actuator_length[at(i)], velocity = w.actuator_velocity[at(i)];
  const double input = nearest_setpoint(input_of(system, state, w, i), length, system.transmissions.setpoint_period(i));
  const double force = gain_of(a, length, velocity) * input;
  if (a.bias == model::BiasKind::none) return force;
  const std::array<double, 3>& b = system.actuator_bias[at(i)];
  return force + (b[0] + b[1] * length + b[2] * velocity);
}

/// Where the actuators of one tendon pull more than its bound together, each is scaled alike.
void bound_tendon_forces(const System& system, Workspace& w) {
  const model::Model& model = *system.model;
  for (std::size_t t = 0; t < model.tendons.size(); ++t) {
    const std::optional<model::Range>& range = model.tendons[t].force_range;
    if (!range) continue;
    const auto pulls_here = [&](const Actuator& a) { return a.transmission == model::Transmission::tendon && at(a.target.index) == t; };
    double sum = 0;
    for (std::size_t i = 0; i < model.actuators.size(); ++i)
      if (pulls_here(model.actuators[i])) sum += w.actuator_force[i];
    const double bounded = clamp_to(range, sum);
    if (sum == 0 || bounded == sum) continue;
    for (std::size_t i = 0; i < model.actuators.size(); ++i)
      if (pulls_here(model.actuators[i])) w.actuator_force[i] *= bounded / sum;
  }
}

}  // namespace

double effective_control(const Actuator& actuator, double control, bool clamp) noexcept {
  return clamp ? clamp_to(actuator.control_range, control) : control;
}

double activation_rate(const Actuator& actuator, double act, double control) noexcept {
  switch (actuator.activation) {
    case Activation::none:
      return 0;
    case Activation::integrator:
      return control;
    case Activation::filter:
    case Activation::filter_exact:
      return (control - act) / max(actuator.activation_parameters[0], least_time_constant);
  }
  return 0;
}

double next_activation(const Actuator& actuator, double act, double rate, double h) noexcept {
  double next = act + h * rate;
  if (actuator.activation == Activation::filter_exact) {
    const double tau = max(actuator.activation_parameters[0], least_time_constant);
    next = act + rate * tau * (1 - trilith::exp(-h / tau));
  }
  return clamp_to(actuator.activation_range, next);
}

double nearest_setpoint(double setpoint, double length, double period) noexcept {
  if (!(period > 0)) return setpoint;
  const double turns = (setpoint - length) / period;
  constexpr double whole = 4503599627370496;  // 2^52: every larger double is an integer
  if (abs(turns) > whole) return setpoint;
  return setpoint - period * ((turns + copysign(whole, turns)) - copysign(whole, turns));
}

void update_actuation(const System& system, const State& state, Workspace& w) noexcept {
  const model::Model& model = *system.model;
  for (double& f : w.actuator_torque) f = 0;
  for (double& f : w.actuator_force) f = 0;
  for (double& rate : w.act_rate) rate = 0;
  if (!system.options.actuation || model.actuators.empty()) return;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& a = model.actuators[i];
    w.control[i] = effective_control(a, state.ctrl[i], system.options.clamp_controls);
    if (a.act >= 0) w.act_rate[at(a.act)] = activation_rate(a, state.act[at(a.act)], w.control[i]);
  }
  for (std::size_t i = 0; i < model.actuators.size(); ++i) w.actuator_force[i] = raw_force(system, state, w, static_cast<std::int32_t>(i));
  bound_tendon_forces(system, w);
  const multibody::SparseRows& pattern = system.transmissions.pattern();
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    w.actuator_force[i] = clamp_to(model.actuators[i].force_range, w.actuator_force[i]);
    multibody::add_row_to(pattern, w.moment, static_cast<std::int32_t>(i), w.actuator_force[i], w.actuator_torque);
  }
  for (const std::int32_t k : system.compensating_dofs) w.actuator_torque[at(k)] += w.gravity_compensation[at(k)];
  for (const model::Joint& joint : model.joints)
    if (joint.force_range) w.actuator_torque[at(joint.v)] = clamp_to(joint.force_range, w.actuator_torque[at(joint.v)]);
}

double actuator_slope(const System& system, const State& state, const Workspace& w, std::int32_t i) noexcept {
  const Actuator& a = system.model->actuators[at(i)];
  const double force = w.actuator_force[at(i)];
  if (a.force_range && (force <= a.force_range->lower || force >= a.force_range->upper)) return 0;
  double slope = a.bias == model::BiasKind::affine ? system.actuator_bias[at(i)][2] : 0;
  if (a.gain == model::GainKind::affine) slope += a.gain_parameters[2] * input_of(system, state, w, i);
  return slope;
}

}  // namespace trilith::dynamics
