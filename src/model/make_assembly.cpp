#include "model/make_assembly.h"

#include <algorithm>

#include "base/text.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"
#include "model/find_interfaces.h"

namespace trilith::model {

bool is_finite(double x) { return x - x == 0; }
bool is_finite(const Vec3d& p) { return is_finite(p.x) && is_finite(p.y) && is_finite(p.z); }

std::string density_rule(const AssemblyLimits& limits) {
  return "density must be a number > 0, from " + format_double(limits.least_magnitude) + " to " + format_double(limits.largest_magnitude) +
         " kg/m^3";
}

double largest_component(const Vec3d& p) { return max(max(abs(p.x), abs(p.y)), abs(p.z)); }

std::string quoted_block(std::string_view id) { return "block \"" + escape(id) + "\""; }

std::optional<UnitScale> unit_scale(std::string_view unit) {
  if (unit == "m") return UnitScale{1, 1};
  if (unit == "cm") return UnitScale{1, 100};
  if (unit == "mm") return UnitScale{1, 1000};
  if (unit == "in") return UnitScale{254, 10000};
  if (unit == "ft") return UnitScale{3048, 10000};
  return std::nullopt;
}

std::optional<double> metres_per_unit(std::string_view unit) {
  const auto scale = unit_scale(unit);
  return scale ? std::optional(scale->to_metres(1)) : std::nullopt;
}

namespace {

/// A value with the place it comes from.
template <class T>
struct Sourced {
  T value;
  std::string where;
  bool given;
};

/// Flag over file over default.
template <class T>
Sourced<T> choose(const std::optional<T>& flag, const std::optional<T>& file, const T& standard, const std::string& flag_name,
                  const std::string& file_place) {
  if (flag) return {*flag, flag_name, true};
  if (file) return {*file, file_place, true};
  return {standard, file_place, false};
}

UnitScale settle_unit(const AssemblyInput& input, const AssemblyOptions& options, Assembly& assembly, Findings& findings) {
  const auto unit = choose<std::string>(options.unit, input.unit, "m", "--unit", input.source + ":/units");
  assembly.unit = unit.value;
  if (options.unit && input.unit && *options.unit != *input.unit)
    findings.warn("the file says \"" + escape(*input.unit) + "\", --unit " + escape(*options.unit) + " is used", input.source + ":/units");
  const auto scale = unit_scale(unit.value);
  if (!scale) findings.refuse("unit \"" + escape(unit.value) + "\" is not one of m, cm, mm, in, ft", unit.where);
  return scale.value_or(UnitScale{});
}

void settle_gravity(const AssemblyInput& input, const AssemblyOptions& options, const AssemblyLimits& limits, Assembly& assembly,
                    Findings& findings) {
  const auto gravity = choose(options.gravity, input.gravity, limits.gravity, "--gravity", input.source + ":/gravity");
  assembly.gravity = gravity.value;
  const double largest = largest_component(gravity.value);
  if (!is_finite(gravity.value) || largest > limits.largest_magnitude || (largest > 0 && largest < limits.least_magnitude)) {
    findings.refuse("gravity must be three finite numbers, all zero or the largest between " + format_double(limits.least_magnitude) +
                        " and " + format_double(limits.largest_magnitude) + " m/s^2",
                    gravity.where);
  } else if (largest == 0) {
    const std::string_view loads = input.loads.empty() ? "" : "; balance is judged against the loads";
    findings.warn("gravity is zero: nothing has weight" + std::string(loads), gravity.where);
  }
}

void settle_contacts(const AssemblyInput& input, const Setup& setup, Assembly& assembly, Findings& findings) {
  const ContactSettings standard;
  const auto settle = [&](const std::optional<double>& flag, const std::optional<double>& file, double usual, double largest,
                          const std::string& name) {
    const std::string dashed = name == "contact_gap" ? "--contact-gap" : "--contact-area";
    const auto chosen = choose(flag, file, usual, dashed, input.source + ":/" + name);
    if (!(chosen.value > 0 && chosen.value <= largest))
      findings.refuse(name + " must be above 0 and at most " + format_double(largest) + ", got " + format_double(chosen.value),
                      chosen.where);
    return chosen.value;
  };
  assembly.contact_gap =
      settle(setup.options.contact_gap, input.contact_gap, standard.gap_tolerance, setup.limits.largest_contact_gap, "contact_gap");
  assembly.contact_area =
      settle(setup.options.contact_area, input.contact_area, standard.least_area, setup.limits.largest_contact_area, "contact_area");
  const bool told = setup.options.contact_gap || setup.options.contact_area || input.contact_gap || input.contact_area;
  if (told && input.interfaces) findings.warn("the file lists its interfaces: contact_gap and contact_area change nothing", input.source);
}

bool needs_friction(const AssemblyInput& input) {
  return !input.interfaces || std::ranges::any_of(*input.interfaces, [](const InterfaceInput& face) { return !face.friction; });
}

bool needs_density(const AssemblyInput& input) {
  return std::ranges::any_of(input.blocks, [](const BlockInput& block) { return !block.density; });
}

}  // namespace

void settle_defaults(const AssemblyInput& input, Setup& setup, Assembly& assembly, Findings& findings) {
  const AssemblyOptions& options = setup.options;
  const AssemblyLimits& limits = setup.limits;
  setup.scale = settle_unit(input, options, assembly, findings);
  settle_gravity(input, options, limits, assembly, findings);
  settle_contacts(input, setup, assembly, findings);

  const auto friction = choose(options.friction, input.friction, limits.friction, "--friction", input.source + ":/friction");
  assembly.friction = friction.value;
  if (!friction.given && needs_friction(input))
    findings.warn("no friction given: " + format_double(limits.friction) + " is used", input.source);
  if (!(friction.value >= 0 && friction.value <= limits.largest_magnitude)) {
    findings.refuse(
        "friction must be a number >= 0, at most " + format_double(limits.largest_magnitude) + ", got " + format_double(friction.value),
        friction.where);
  } else if (friction.value == 0) {
    findings.warn("friction is 0: the joints are frictionless", friction.where);
  } else if (friction.value > limits.high_friction) {
    findings.warn("friction " + format_double(friction.value) + " is above " + format_double(limits.high_friction), friction.where);
  }

  const auto density = choose(options.density, input.density, limits.density, "--density", input.source + ":/density");
  assembly.density = density.value;
  if (!density.given && needs_density(input))
    findings.warn("no density given: " + format_quantity(limits.density, "kg/m^3") + " is used", input.source);
  if (!(density.value >= limits.least_magnitude && density.value <= limits.largest_magnitude))
    findings.refuse(density_rule(limits) + ", got " + format_double(density.value), density.where);

  assembly.tension_Pa = input.tension_Pa.value_or(0);
  if (!(assembly.tension_Pa >= 0 && assembly.tension_Pa <= limits.largest_magnitude))
    findings.refuse("tension_Pa must be a number >= 0, at most " + format_double(limits.largest_magnitude) + ", got " +
                        format_double(assembly.tension_Pa),
                    input.source + ":/tension_Pa");
}

Result<Assembly> make_assembly(AssemblyInput input, const AssemblyOptions& options, const AssemblyLimits& limits) {
  Assembly assembly;
  Findings findings;
  findings.warnings() = std::move(input.warnings);
  assembly.source = input.source;
  assembly.sha256 = input.sha256;
  if (input.blocks.empty()) findings.refuse("there are no blocks", input.source);

  std::vector<bool> flat;
  Setup setup{options, limits};
  settle_defaults(input, setup, assembly, findings);
  make_blocks(input, setup, assembly, flat, findings);
  choose_supports(setup, assembly, findings);
  weigh_blocks(input, setup, flat, assembly, findings);
  check_interfaces(input, setup, assembly, findings);
  check_loads(input, setup, assembly, findings);

  if (!findings.ok()) return std::move(findings.errors());
  assembly.warnings = std::move(findings.warnings());
  return assembly;
}

Result<Assembly> make_assembly(AssemblyInput input, const AssemblyOptions& options) {
  return make_assembly(std::move(input), options, AssemblyLimits{});
}

}  // namespace trilith::model
