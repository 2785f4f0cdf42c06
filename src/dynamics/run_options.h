#pragma once
#include <string_view>

#include "model/model.h"
#include "solve/soft_descent.h"

/// What a run is asked for, and what of it may go together.
namespace trilith::dynamics {

enum class ContactResolution : std::uint8_t {
  convex,     ///< one convex cost: the friction bound may raise the normal force
  signorini,  ///< friction is bounded by the normal force that the contact has
};
using solve::StopRule;
enum class SparseChoice : std::uint8_t { automatic, on, off };

std::string_view name(ContactResolution resolution) noexcept;
std::string_view name(model::Integrator integrator) noexcept;
std::string_view name(model::ContactSolver solver) noexcept;
std::string_view name(model::FrictionCone cone) noexcept;
std::string_view name(StopRule rule) noexcept;
std::string_view name(SparseChoice choice) noexcept;

/// What the caller says; an absent value is the file's or the default.
struct RunOverrides {
  std::optional<model::Integrator> integrator;
  std::optional<model::ContactSolver> solver;
  std::optional<model::FrictionCone> cone;
  std::optional<ContactResolution> contact;
  std::optional<double> timestep, tolerance, ls_tolerance, impratio, time_constant;
  std::optional<Vec3d> gravity;
  std::optional<int> iterations, ls_iterations, max_contacts;
  std::optional<StopRule> stop;
  std::optional<SparseChoice> sparse;
  bool mujoco = false;  ///< MuJoCo's defaults: convex contacts, impratio 1
  bool noslip = false, torsional = false, rolling = false, no_limits = false, no_constraints = false;
};

/// Everything that decides a run, resolved.
struct RunOptions {
  model::SimulationOptions simulation;
  ContactResolution contact = ContactResolution::convex;
  double impratio = 1;
  bool torsional = false, rolling = false, mujoco = false;
  std::optional<double> time_constant;  ///< s, of all constraints; absent: each one's own
  std::optional<int> max_contacts;
  StopRule stop = StopRule::either;
  SparseChoice sparse = SparseChoice::automatic;
  std::vector<Warning> warnings;  ///< choices that have no effect
};

/// Bounds of `resolve_run_options`.
struct RunLimits {
  double least_timestep = 1e-9, largest_timestep = 1;  ///< s
  int noslip_iterations = 20;                          ///< where noslip is asked for and the file gives none
  double default_impratio_elliptic = 100;
};

/// The caller's choice above the file's. Refuses (as usage) what cannot go together and says which option to change: signorini without the
/// elliptic cone and Newton's method, rolling without torsional friction, numbers out of range.
Result<RunOptions> resolve_run_options(const model::SimulationOptions& file, const RunOverrides& overrides, const RunLimits& limits = {});

}  // namespace trilith::dynamics
