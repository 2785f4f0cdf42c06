#include "cli/run_options.h"

#include <array>
#include <limits>

namespace trilith::cli {
namespace {

constexpr Option solver_list[] = {
    {"--integrator", "NAME", "euler, implicit, implicitfast or rk4 (the file's, else euler)"},
    {"--timestep", "S", "time step in seconds (the file's, else 0.002)"},
    {"--solver", "NAME", "newton or cg, for constraints (the file's, else newton)"},
    {"--cone", "KIND", "friction cone: pyramidal or elliptic (the file's, else pyramidal)"},
    {"--contact", "LAW", "convex or signorini; signorini needs --cone elliptic and --solver newton, and is their default"},
    {"--noslip", "", "a last pass that lets no contact creep"},
    {"--iterations", "N", "most iterations of the constraint solver"},
    {"--tolerance", "T", "its relative tolerance"},
    {"--ls-iterations", "N", "most steps of its line search"},
    {"--ls-tolerance", "T", "relative tolerance of its line search"},
    {"--impratio", "R", "stiffness of friction against that of contact (100 with the elliptic cone, else 1)"},
    {"--torsional", "", "contacts resist spinning"},
    {"--rolling", "", "contacts resist rolling (needs --torsional)"},
    {"--timeconst", "S", "one time constant for all constraints"},
    {"--max-contacts", "N", "room for so many contacts"},
    {"--stop", "RULE", "end the constraint solver by both or either of its tests"},
    {"--sparse", "HOW", "sparse matrices of the constraint solver: auto, on or off"},
    {"--no-limits", "", "joints and tendons have no limits"},
    {"--no-constraints", "", "no contacts, limits, friction losses and equalities"},
    {"--mujoco", "", "MuJoCo's defaults: convex contacts, impratio 1"},
};

constexpr Option model_list[] = {
    {"--gravity", "X,Y,Z", "gravity in m/s^2 (the file's)"},
    {"--floating-base", "", "a free joint for every root that has none"},
    {"--bare", "", "without joint damping, friction loss and armature"},
    {"--balance-inertia", "", "mend inertias that break the triangle rule"},
    {"--clamp-initial", "", "move a default pose into its limits"},
};

constexpr int most = std::numeric_limits<int>::max();

/// One of `values` by the name that `dynamics` gives it.
template <class Enum, std::size_t N>
std::optional<Enum> read_choice(Arguments& arguments, std::string_view option, const Enum (&values)[N]) {
  using dynamics::name;
  std::array<std::string_view, N> words;
  for (std::size_t i = 0; i < N; ++i) words[i] = name(values[i]);
  const auto word = arguments.choice(option, words);
  for (std::size_t i = 0; word && i < N; ++i)
    if (words[i] == *word) return values[i];
  return std::nullopt;
}

void read_enums(Arguments& arguments, dynamics::RunOverrides& o) {
  using dynamics::ContactResolution, dynamics::SparseChoice, dynamics::StopRule;
  using model::ContactSolver, model::FrictionCone, model::Integrator;
  constexpr Integrator integrators[] = {Integrator::euler, Integrator::implicit, Integrator::implicit_fast, Integrator::rk4};
  o.integrator = read_choice(arguments, "--integrator", integrators);
  constexpr ContactSolver solvers[] = {ContactSolver::newton, ContactSolver::cg};
  o.solver = read_choice(arguments, "--solver", solvers);
  constexpr FrictionCone cones[] = {FrictionCone::pyramidal, FrictionCone::elliptic};
  o.cone = read_choice(arguments, "--cone", cones);
  constexpr ContactResolution laws[] = {ContactResolution::convex, ContactResolution::signorini};
  o.contact = read_choice(arguments, "--contact", laws);
  constexpr StopRule rules[] = {StopRule::both, StopRule::either};
  o.stop = read_choice(arguments, "--stop", rules);
  constexpr SparseChoice choices[] = {SparseChoice::automatic, SparseChoice::on, SparseChoice::off};
  o.sparse = read_choice(arguments, "--sparse", choices);
}

}  // namespace

std::span<const Option> run_options() { return solver_list; }
std::span<const Option> model_options() { return model_list; }

dynamics::RunOverrides read_run_overrides(Arguments& arguments) {
  dynamics::RunOverrides o;
  read_enums(arguments, o);
  o.timestep = arguments.number("--timestep");
  o.tolerance = arguments.number("--tolerance");
  o.ls_tolerance = arguments.number("--ls-tolerance");
  o.impratio = arguments.number("--impratio");
  o.time_constant = arguments.number("--timeconst");
  o.iterations = arguments.integer("--iterations", 1, most);
  o.ls_iterations = arguments.integer("--ls-iterations", 1, most);
  o.max_contacts = arguments.integer("--max-contacts", 1, most);
  o.mujoco = arguments.has("--mujoco"), o.noslip = arguments.has("--noslip");
  o.torsional = arguments.has("--torsional"), o.rolling = arguments.has("--rolling");
  o.no_limits = arguments.has("--no-limits"), o.no_constraints = arguments.has("--no-constraints");
  if (arguments.has("--gravity")) o.gravity = arguments.vector("--gravity");
  return o;
}

model::ModelOptions read_model_options(Arguments& arguments) {
  model::ModelOptions options;
  if (arguments.has("--gravity")) options.gravity = arguments.vector("--gravity");
  options.floating_base = arguments.has("--floating-base");
  options.bare = arguments.has("--bare");
  options.balance_inertia = arguments.has("--balance-inertia");
  options.clamp_initial = arguments.has("--clamp-initial");
  return options;
}

io::LoadOptions load_options(const std::vector<std::string>& packages) {
  io::LoadOptions load;
  load.urdf.package_folders = load.allowed_folders = packages;
  return load;
}

std::vector<Option> with_run_options(std::span<const Option> own) {
  std::vector<Option> all(own.begin(), own.end());
  all.insert(all.end(), std::begin(model_list), std::end(model_list));
  all.insert(all.end(), std::begin(solver_list), std::end(solver_list));
  return all;
}

}  // namespace trilith::cli
