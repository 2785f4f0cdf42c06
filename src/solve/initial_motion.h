#pragma once
#include "base/clock.h"
#include "solve/force_state.h"
#include "solve/self_dual.h"

namespace trilith::solve {

struct InitialMotionSettings {
  ConeMargin margin{};
  ConicLimits limits{.iteration_limit = 25};
  double gap = 1e-4;                ///< of the energy: where the motion counts as found
  double least_force_factor = 2e6;  ///< as InteriorPointSettings
  double rough_gap = 1e-2;          ///< with these it is good enough for words where the limits come first
  double rough_force_factor = 1e3;
  SelfDualSettings steps{};
};

struct InitialMotionReport {
  SolveStatus status = SolveStatus::not_run;
  int factorizations = 0;
  double gap = 0;           ///< of the energy, relative
  double force_factor = 0;  ///< X of (RBE-9)
};

/// How a falling assembly starts to move: the acceleration that is nearest to free fall, in the metric of the masses, among the motions
/// that no joint resists (Gauss' principle with associated friction). Joints that stay closed are closed exactly, up to the tolerance,
/// while a collapse that merely proves the fall opens them all. (RBE-15) `system`: G = A', P the mass matrix (BodyGraph::set_quadratic).
/// `velocity`: 6 per body, largest entry 1; zero unless solved or
/// solved_inaccurate (rough: for words, not for a proof).
InitialMotionReport find_initial_motion(const ForceProblem& problem, WeightedSystem& system, const InitialMotionSettings& settings,
                                        const Deadline& deadline, std::span<double> velocity);

}  // namespace trilith::solve
