#include "dynamics/constraint_settings.h"

namespace trilith::dynamics {

ConstraintSettings constraint_settings(const model::SimulationOptions& options) {
  ConstraintSettings settings;
  const bool cg = options.solver == model::ContactSolver::cg;
  settings.descent.method = cg ? solve::DescentMethod::polak_ribiere : solve::DescentMethod::newton;
  settings.descent.tolerance = options.tolerance;
  settings.descent.iteration_limit = options.iterations;
  settings.descent.search_tolerance = options.ls_tolerance;
  settings.descent.search_limit = options.ls_iterations;
  settings.impratio = options.impratio.value_or(1);
  settings.no_slip_iterations = options.noslip_iterations;
  return settings;
}

ConstraintSettings constraint_settings(const RunOptions& options) {
  ConstraintSettings settings = constraint_settings(options.simulation);
  settings.descent.stop = options.stop;
  settings.contact = options.contact;
  settings.impratio = options.impratio;
  settings.time_constant = options.time_constant.value_or(0);
  settings.most_touches = options.max_contacts.value_or(0);
  settings.least_condim = options.rolling ? 6 : options.torsional ? 4 : 3;
  return settings;
}

}  // namespace trilith::dynamics
