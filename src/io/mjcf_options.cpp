#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::SimulationOptions;

void read_words(MjcfReader& reader, const XmlElement& e) {
  SimulationOptions& o = reader.out.options;
  constexpr std::string_view integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
  if (const auto word = reader.fields.read_word(e, "integrator", integrators)) o.integrator = static_cast<model::Integrator>(*word);
  constexpr std::string_view cones[] = {"pyramidal", "elliptic"};
  if (const auto word = reader.fields.read_word(e, "cone", cones)) o.cone = static_cast<model::FrictionCone>(*word);
  constexpr std::string_view solvers[] = {"Newton", "CG", "PGS"};
  if (const auto word = reader.fields.read_word(e, "solver", solvers)) o.solver = static_cast<model::ContactSolver>(*word);
  if (o.solver == model::ContactSolver::pgs && e.find("solver") != nullptr)
    reader.fields.warn("solver PGS is not there: the same problem is solved by Newton's method", e);
}

void read_counts(MjcfReader& reader, const XmlElement& e) {
  SimulationOptions& o = reader.out.options;
  const auto count = [&](std::string_view attribute, std::int32_t& out) {
    std::int32_t value = 0;
    if (!reader.fields.read(e, attribute, value)) return;
    if (value < 0) return reader.fields.fail("must not be negative", e, attribute);
    out = value;
  };
  count("iterations", o.iterations);
  count("ls_iterations", o.ls_iterations);
  count("noslip_iterations", o.noslip_iterations);
}

void read_numbers(MjcfReader& reader, const XmlElement& e) {
  SimulationOptions& o = reader.out.options;
  XmlFields& fields = reader.fields;
  const auto not_negative = [&](std::string_view attribute, double& out) {
    double value = 0;
    if (!fields.read(e, attribute, value)) return;
    if (value < 0) return fields.fail("must not be negative", e, attribute);
    out = value;
  };
  fields.read(e, "timestep", o.timestep);
  double impratio = 1;
  if (fields.read(e, "impratio", impratio)) {
    o.impratio = impratio;
    if (!(impratio > 0)) fields.fail("must be positive", e, "impratio");
  }
  not_negative("tolerance", o.tolerance);
  not_negative("ls_tolerance", o.ls_tolerance);
  not_negative("noslip_tolerance", o.noslip_tolerance);
  fields.read(e, "gravity", o.gravity);
  fields.read(e, "wind", o.wind);
  fields.read(e, "magnetic", o.magnetic);
  not_negative("density", o.medium_density);
  not_negative("viscosity", o.medium_viscosity);
  fields.read(e, "o_margin", o.override_margin);
  read_softness(reader, e, "o_solref", "o_solimp", o.override_law);
  fields.read_up_to(e, "o_friction", o.override_friction);
}

/// An entry of <flag> and the option that it switches.
struct Flag {
  std::string_view name;
  bool SimulationOptions::* option;
};
constexpr Flag flags[] = {{"constraint", &SimulationOptions::constraints},
                          {"equality", &SimulationOptions::equalities},
                          {"frictionloss", &SimulationOptions::friction_losses},
                          {"limit", &SimulationOptions::limits},
                          {"contact", &SimulationOptions::contacts},
                          {"passive", &SimulationOptions::passive_forces},
                          {"gravity", &SimulationOptions::gravity_on},
                          {"clampctrl", &SimulationOptions::clamp_controls},
                          {"warmstart", &SimulationOptions::warm_start},
                          {"filterparent", &SimulationOptions::filter_parent},
                          {"actuation", &SimulationOptions::actuation},
                          {"refsafe", &SimulationOptions::reference_safety},
                          {"sensor", &SimulationOptions::sensors},
                          {"eulerdamp", &SimulationOptions::damp_in_euler},
                          {"override", &SimulationOptions::override_contact}};

constexpr std::string_view switch_words[] = {"disable", "enable"};

// one of the two alone has no switch here
void read_passive(MjcfReader& reader, const XmlElement& e) {
  const auto spring = reader.fields.read_word(e, "spring", switch_words), damper = reader.fields.read_word(e, "damper", switch_words);
  const bool springs = !spring || *spring == 1, dampers = !damper || *damper == 1;
  if (springs == dampers) {
    if (!springs) reader.out.options.passive_forces = false;
    return;
  }
  reader.fields.fail(
      "switches off only one of springs and dampers, which is not supported: switch off both, or set stiffness or damping to 0", e,
      springs ? "damper" : "spring");
}

void read_flags(MjcfReader& reader, const XmlElement& e) {
  for (const Flag& flag : flags)
    if (const auto word = reader.fields.read_word(e, flag.name, switch_words)) reader.out.options.*flag.option = *word == 1;
  read_passive(reader, e);
}

}  // namespace

void read_option(MjcfReader& reader, const XmlElement& section) {
  // the last one counts
  for (const XmlAttribute& a : section.attributes)
    reader.out.option_places.insert(reader.out.option_places.begin(), {std::string(a.name), place_of(section, a)});
  read_words(reader, section);
  read_counts(reader, section);
  read_numbers(reader, section);
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next)
    if (e->name == "flag") read_flags(reader, *e);
}

}  // namespace trilith::io
