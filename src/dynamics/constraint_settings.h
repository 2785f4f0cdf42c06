#pragma once
#include "dynamics/run_options.h"
#include "solve/latched_descent.h"

namespace trilith::dynamics {

/// How constraints are made and the accelerations under them solved for. (docs/defaults.md)
struct ConstraintSettings {
  solve::DescentSettings descent;
  ContactResolution contact = ContactResolution::convex;
  solve::LatchSettings latch;      ///< of exact friction; its descent is the one above
  int no_slip_iterations = 0;      ///< of the no-slip pass; 0: none
  double no_slip_softness = 1e-6;  ///< of friction in that pass, of what it is else (SOFT-16)
  double impratio = 1;
  double time_constant = 0;              ///< s, of every constraint that is a spring; 0: each one's own
  int most_touches = 0;                  ///< contacts of one step; 0: chosen from the shapes
  int least_condim = 3;                  ///< of contacts with friction: 4 adds torsional, 6 rolling friction
  double pivot_tolerance = 1e-15;        ///< of the factor of M + J'CJ, relative
  double most_factor_entries = 1 << 26;  ///< of that factor: 512 MiB of doubles; a larger one is refused
};

/// What the options of a run ask for.
ConstraintSettings constraint_settings(const RunOptions& options);
/// With a file's own options and MuJoCo's defaults.
ConstraintSettings constraint_settings(const model::SimulationOptions& options);

}  // namespace trilith::dynamics
