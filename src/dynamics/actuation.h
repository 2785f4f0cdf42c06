#pragma once
#include "dynamics/workspace.h"

/// From controls to forces: activations, gain and bias laws, bounds. Theory: docs/theory/dynamics.md (DYN-15) to (DYN-18).
namespace trilith::dynamics {

/// The control that acts: inside its range unless clamping is off.
double effective_control(const model::Actuator& actuator, double control, bool clamp) noexcept;
/// d act / dt for the control that acts; 0 for an actuator without activation. (DYN-15)
double activation_rate(const model::Actuator& actuator, double act, double control) noexcept;
/// The activation after `h` seconds at `rate`, inside its range: exactly for `filter_exact`, else one Euler step. (DYN-16)
double next_activation(const model::Actuator& actuator, double act, double rate, double h) noexcept;
/// The setpoint that means the same as `setpoint` on a circle of `period` and lies nearest to `length`; as it is where the period is 0.
double nearest_setpoint(double setpoint, double length, double period) noexcept;

/// Writes `act_rate`, `actuator_force` and `actuator_torque` (generalised) from the position and velocity stages.
void update_actuation(const System& system, const State& state, Workspace& w) noexcept;

/// Slope of an actuator's force by its length's rate [N s/m or N m s/rad]; 0 where the force is at its bound. (DYN-18)
double actuator_slope(const System& system, const State& state, const Workspace& w, std::int32_t actuator) noexcept;

}  // namespace trilith::dynamics
