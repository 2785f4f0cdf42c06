#pragma once
#include "dynamics/constraint_stage.h"
#include "dynamics/workspace.h"

/// Measurements. Theory: docs/theory/dynamics.md (DYN-25) to (DYN-27).
namespace trilith::dynamics {

/// Writes `w.sensors` from the stages up to the acceleration `w.a`; `stage` holds the constraints that gave it. Overwrites link
/// accelerations and forces in `w.tree`.
void measure_sensors(const System& system, const State& state, const ConstraintStage& stage, Workspace& w) noexcept;

/// Distance from p_W along the unit vector d_W to the first shape that `body` does not carry, m; -1 where there is none. Shapes that are
/// wholly transparent are not seen.
double cast_ray(const System& system, const Workspace& w, const Vec3d& p_W, const Vec3d& d_W, std::int32_t body) noexcept;

}  // namespace trilith::dynamics
