#include "dynamics/run_options.h"

#include "base/text.h"

namespace trilith::dynamics {
namespace {

using model::ContactSolver;
using model::FrictionCone;

void refuse(std::string what, std::string_view option, std::vector<Error>& errors) {
  errors.push_back({std::move(what), std::string(option), Error::Kind::usage});
}

void check_positive(const std::optional<double>& value, std::string_view option, std::vector<Error>& errors) {
  if (value && !(*value > 0 && *value < 1e300)) refuse("must be positive, got " + format_double(*value), option, errors);
}

void apply(const RunOverrides& o, const RunLimits& limits, RunOptions& run, std::vector<Error>& errors) {
  model::SimulationOptions& s = run.simulation;
  check_positive(o.impratio, "--impratio", errors);
  check_positive(o.time_constant, "--timeconst", errors);
  for (const auto& [value, option] : {std::pair(o.tolerance, "--tolerance"), std::pair(o.ls_tolerance, "--ls-tolerance")})
    if (value && !(*value >= 0 && *value <= 1)) refuse("must be between 0 and 1, got " + format_double(*value), option, errors);
  for (const auto& [value, option] : {std::pair(o.iterations, "--iterations"), std::pair(o.ls_iterations, "--ls-iterations")})
    if (value && *value < 0) refuse("must be 0 or more, got " + std::to_string(*value), option, errors);
  if (o.max_contacts && *o.max_contacts < 1) refuse("must be 1 or more, got " + std::to_string(*o.max_contacts), "--max-contacts", errors);
  if (o.timestep && !(*o.timestep >= limits.least_timestep && *o.timestep <= limits.largest_timestep))
    refuse("must be between " + format_double(limits.least_timestep) + " and " + format_double(limits.largest_timestep) + " s, got " +
               format_double(*o.timestep),
           "--timestep", errors);
  s.timestep = o.timestep.value_or(s.timestep);
  s.tolerance = o.tolerance.value_or(s.tolerance);
  s.ls_tolerance = o.ls_tolerance.value_or(s.ls_tolerance);
  s.iterations = o.iterations.value_or(s.iterations);
  s.ls_iterations = o.ls_iterations.value_or(s.ls_iterations);
  s.integrator = o.integrator.value_or(s.integrator);
  s.solver = o.solver.value_or(s.solver);
  if (s.solver == ContactSolver::pgs) s.solver = ContactSolver::newton;  // the reader has told that there is no PGS
  s.cone = o.cone.value_or(s.cone);
  s.gravity = o.gravity.value_or(s.gravity);
  if (o.noslip && s.noslip_iterations == 0) s.noslip_iterations = limits.noslip_iterations;
  if (o.no_limits) s.limits = false;
  if (o.no_constraints) s.constraints = false;
}

void choose_contact(const model::SimulationOptions& file, const RunOverrides& o, const RunLimits& limits, RunOptions& run,
                    std::vector<Error>& errors) {
  const model::SimulationOptions& s = run.simulation;
  const bool elliptic = s.cone == FrictionCone::elliptic, newton = s.solver == ContactSolver::newton;
  const ContactResolution usual = elliptic && newton && !o.mujoco ? ContactResolution::signorini : ContactResolution::convex;
  run.contact = o.contact.value_or(usual);
  if (run.contact == ContactResolution::signorini && !elliptic)
    refuse("signorini needs the elliptic cone: add --cone elliptic, or choose --contact convex", "--contact", errors);
  else if (run.contact == ContactResolution::signorini && !newton)
    refuse("signorini needs Newton's method: add --solver newton, or choose --contact convex", "--contact", errors);
  if (o.rolling && !o.torsional) refuse("needs torsional friction: add --torsional", "--rolling", errors);
  const double usual_impratio = elliptic && !o.mujoco ? limits.default_impratio_elliptic : 1;
  run.impratio = o.impratio ? *o.impratio : file.impratio ? *file.impratio : usual_impratio;
}

}  // namespace

std::string_view name(ContactResolution resolution) noexcept { return resolution == ContactResolution::convex ? "convex" : "signorini"; }
std::string_view name(model::Integrator integrator) noexcept {
  switch (integrator) {
    case model::Integrator::euler:
      return "euler";
    case model::Integrator::rk4:
      return "rk4";
    case model::Integrator::implicit:
      return "implicit";
    case model::Integrator::implicit_fast:
      return "implicitfast";
  }
  return "unknown";
}
std::string_view name(ContactSolver solver) noexcept {
  return solver == ContactSolver::newton ? "newton" : solver == ContactSolver::cg ? "cg" : "pgs";
}
std::string_view name(FrictionCone cone) noexcept { return cone == FrictionCone::pyramidal ? "pyramidal" : "elliptic"; }
std::string_view name(StopRule rule) noexcept { return rule == StopRule::both ? "both" : "either"; }
std::string_view name(SparseChoice choice) noexcept {
  return choice == SparseChoice::automatic ? "auto" : choice == SparseChoice::on ? "on" : "off";
}

Result<RunOptions> resolve_run_options(const model::SimulationOptions& file, const RunOverrides& overrides, const RunLimits& limits) {
  RunOptions run;
  std::vector<Error> errors;
  run.simulation = file;
  apply(overrides, limits, run, errors);
  choose_contact(file, overrides, limits, run, errors);
  run.torsional = overrides.torsional, run.rolling = overrides.rolling, run.mujoco = overrides.mujoco;
  run.time_constant = overrides.time_constant;
  run.max_contacts = overrides.max_contacts;
  run.stop = overrides.stop.value_or(StopRule::either);
  run.sparse = overrides.sparse.value_or(SparseChoice::automatic);
  if (!errors.empty()) return errors;
  if (run.sparse != SparseChoice::automatic)
    run.warnings.push_back(
        {"has no effect yet: the factor is always sparse, by blocks of the bodies that constraints tie together", "--sparse"});
  return run;
}

}  // namespace trilith::dynamics
