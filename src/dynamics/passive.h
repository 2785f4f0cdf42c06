#pragma once
#include "dynamics/workspace.h"

/// Forces that need no control: springs and dampers of joints and tendons, gravity compensation, drag of a medium. Theory:
/// docs/theory/dynamics.md (DYN-11) to (DYN-14).
namespace trilith::dynamics {

/// Writes `passive` and `gravity_compensation` from the position and velocity stages.
void update_passive(const System& system, const State& state, Workspace& w) noexcept;

/// Potential energy of the springs of joints and tendons [J].
double spring_energy(const System& system, const State& state, const Workspace& w) noexcept;

/// Velocity of the centre of mass of a dragged body against the medium, in its principal axes: linear, then angular.
Twistd drag_velocity(const System& system, const Workspace& w, const DraggedBody& dragged) noexcept;
/// Derivative of the drag by `drag_velocity`, a diagonal: linear, then angular; never positive. (DYN-14)
Twistd drag_slope(const System& system, const DraggedBody& dragged, const Twistd& velocity) noexcept;

/// Adds the generalised forces of a wrench that acts on `body` at p_W, in world axes.
void add_body_wrench(const System& system, const Workspace& w, std::int32_t body, const Vec3d& p_W, const Wrenchd& wrench,
                     std::span<double> tau) noexcept;

}  // namespace trilith::dynamics
