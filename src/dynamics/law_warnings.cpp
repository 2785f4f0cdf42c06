#include "dynamics/law_warnings.h"

#include <string>

#include "base/text.h"
#include "model/findings.h"
#include "model/make_model.h"

namespace trilith::dynamics {
namespace {

constexpr std::size_t most_named = model::ModelLimits{}.most_alike;

template <class Element>
std::string named(std::string_view kind, const Element& element) {
  return std::string(kind) + (element.name.empty() ? " without a name" : " \"" + escape(element.name) + "\"");
}

void warn_of_time_constants(const System& system, const constraints::TouchFinder& touches, std::vector<Warning>& warnings) {
  const model::Model& model = *system.model;
  const double least = 2 * system.options.timestep;
  const std::string what = system.options.reference_safety
                               ? ", below two time steps: it is raised to them (a smaller --timestep keeps it)"
                               : ", below two time steps, and reference safety is off: the constraint can gain energy";
  model::Tally short_ones(warnings, most_named, "time constants" + what);
  const auto look = [&](const model::Softness& law, const std::string& element, const std::string& where) {
    const double first = law.solref[0];
    if (first > 0 && law.solref[1] > 0 && first < least)
      short_ones.add(element + ": its time constant (solref) is " + format_quantity(first, "s") + what, where);
  };
  for (const model::Joint& joint : model.joints) {
    if (joint.range) look(joint.limit_law, named("limit of joint", joint), joint.where);
    if (joint.friction_loss > 0) look(joint.friction_law, named("friction loss of joint", joint), joint.where);
  }
  for (const model::Tendon& tendon : model.tendons)
    if (tendon.range) look(tendon.limit_law, named("limit of tendon", tendon), tendon.where);
  for (const model::Equality& equality : model.equalities) look(equality.law, named("equality", equality), equality.where);
  for (const constraints::TouchPair& pair : touches.pairs()) {
    const auto& a = model.geoms[static_cast<std::size_t>(pair.a)];
    const auto& b = model.geoms[static_cast<std::size_t>(pair.b)];
    look(pair.law, "contact of " + named("geom", a) + " and " + named("geom", b), b.where);
  }
  short_ones.finish(model.source);
}

void warn_of_pyramids(const System& system, const constraints::TouchFinder& touches, double impratio, std::vector<Warning>& warnings) {
  if (system.options.cone != model::FrictionCone::pyramidal) return;
  const model::Model& model = *system.model;
  const std::string what = " makes pyramidal contacts soft enough to sink in: use --cone elliptic";
  model::Tally soft_ones(warnings, most_named, "pairs of shapes whose friction" + what);
  for (const constraints::TouchPair& pair : touches.pairs()) {
    const double square = pair.friction[0] * pair.friction[0];
    if (pair.condim == 1 || 0.5 * square * (1 + square) / impratio <= soft_pyramid) continue;
    const auto& a = model.geoms[static_cast<std::size_t>(pair.a)];
    const auto& b = model.geoms[static_cast<std::size_t>(pair.b)];
    soft_ones.add("contact of " + named("geom", a) + " and " + named("geom", b) + ": friction " + format_double(pair.friction[0]) + what,
                  b.where);
  }
  soft_ones.finish(model.source);
}

}  // namespace

void warn_of_laws(const System& system, const constraints::TouchFinder& touches, double impratio, std::vector<Warning>& warnings) {
  if (!system.options.constraints) return;
  warn_of_time_constants(system, touches, warnings);
  warn_of_pyramids(system, touches, impratio, warnings);
}

}  // namespace trilith::dynamics
