#pragma once
#include "dynamics/workspace.h"

namespace trilith::dynamics {

/// Writes M - h D into `w.lower` and `w.upper`, D = d(passive + actuator forces - bias)/dv at the present state. `bias_of_all`: with the
/// derivative of the Coriolis and centrifugal forces of all bodies (implicit), else only of free bodies that carry nothing (implicitfast).
/// Theory: docs/theory/dynamics.md (DYN-20).
void update_implicit_matrix(const System& system, const State& state, bool bias_of_all, Workspace& w) noexcept;

}  // namespace trilith::dynamics
