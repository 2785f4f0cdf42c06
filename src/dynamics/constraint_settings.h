#pragma once
#include "dynamics/run_options.h"
#include "solve/soft_descent.h"

namespace trilith::dynamics {

/// How constraints are made and the accelerations under them solved for. (docs/defaults.md)
struct ConstraintSettings {
  solve::DescentSettings descent;
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
