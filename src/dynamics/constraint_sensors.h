#pragma once
#include <span>

#include "dynamics/constraint_stage.h"

/// What the constraints of a step do to bodies, as sensors read it. Theory: docs/theory/dynamics.md (DYN-27), (DYN-28).
namespace trilith::dynamics {

/// Adds the wrenches of contacts and of connect and weld equalities on every body, about the body's origin in world axes. Like MuJoCo,
/// limits, friction losses and equalities of joints and tendons count as internal forces.
void add_constraint_wrenches(const System& system, const Workspace& w, const ConstraintStage& stage, std::span<Wrenchd> wrenches) noexcept;

/// Distance beyond the margin, speed or force of a joint's or tendon's active limit; 0 where none is active. Of two, the lower one's.
double measure_limit(const model::Sensor& sensor, const ConstraintStage& stage) noexcept;

/// Sum of the normal forces of the contacts of a site's body that lie in the site's shape, or before it along the normal out of the body,
/// N.
double measure_touch(const System& system, const Workspace& w, const ConstraintStage& stage, std::int32_t site) noexcept;

}  // namespace trilith::dynamics
