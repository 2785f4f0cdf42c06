#pragma once
#include "dynamics/workspace.h"

/// The stages of a step up to the acceleration without constraints, in the order of their calls:
///   update_position, update_velocity, update_actuation (actuation.h), update_smooth_acceleration. (DYN-3)
/// Theory: docs/theory/dynamics.md (DYN-1) to (DYN-5). No stage allocates.
namespace trilith::dynamics {

/// From q and the mocap poses: poses of all bodies, mass matrix and its factor, tendon lengths, actuator lengths and moments. False where
/// the mass matrix is not positive definite.
bool update_position(const System& system, const State& state, Workspace& w) noexcept;

/// From v: velocities of bodies, tendons and actuators, passive forces and bias.
void update_velocity(const System& system, const State& state, Workspace& w) noexcept;

/// Sum of all forces but those of constraints, and the acceleration that they give. (DYN-2)
void update_smooth_acceleration(const System& system, const State& state, Workspace& w) noexcept;

/// All four stages; false as `update_position`.
bool update_smooth(const System& system, const State& state, Workspace& w) noexcept;

/// Kinetic energy 1/2 v'M v, armature included [J].
double kinetic_energy(const System& system, const State& state, const Workspace& w) noexcept;
/// Energy in the field of gravity, from the world's origin, and in springs [J].
double potential_energy(const System& system, const State& state, const Workspace& w) noexcept;

}  // namespace trilith::dynamics
