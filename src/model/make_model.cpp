#include "model/make_model.h"

#include <utility>

#include "base/text.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"

namespace trilith::model {

bool check_finite(const Vec3d& p, const std::string& what, const std::string& where, Making& making) {
  if (is_finite(p) && largest_component(p) <= making.limits.largest_number) return true;
  making.findings.refuse(what + " must be finite and at most " + format_double(making.limits.largest_number) + " in size", where);
  return false;
}

void check_range(const Range& range, const std::string& owner, const std::string& where, Making& making) {
  const std::string shown = "[" + format_double(range.lower) + ", " + format_double(range.upper) + "]";
  if (!(range.lower <= range.upper))
    making.findings.refuse(owner + " " + shown + ": the lower end must not be above the upper one", where);
  else if (range.lower == range.upper)
    making.findings.warn(owner + " " + shown + " has no width", where);
}

void check_softness(const Softness& law, const std::string& owner, const std::string& where, Making& making) {
  const auto& [solref, solimp] = law;
  for (const double x : solref)
    if (!is_finite(x)) return making.findings.refuse("solref of " + owner + " must be finite", where);
  for (const double x : solimp)
    if (!is_finite(x)) return making.findings.refuse("solimp of " + owner + " must be finite", where);
  if ((solref[0] > 0) != (solref[1] > 0))
    making.findings.warn("solref of " + owner + " must be both positive or both not: the default 0.02 1 is used", where);
  const auto impedance = [](double d) { return d >= least_impedance && d <= largest_impedance; };
  const auto wanted = [&](double d) { return d == 0 || impedance(d); };  // 0 is the usual way to ask for the least
  const auto clamped = [&](std::string_view what) {
    making.laws.add("solimp of " + owner + ": " + std::string(what) + ", and is taken at the nearest value that is", where);
  };
  if (!wanted(solimp[0]) || !wanted(solimp[1]))
    clamped("an impedance is not within " + format_double(least_impedance) + " and " + format_double(largest_impedance));
  if (!impedance(solimp[3]))
    clamped("the midpoint is not within " + format_double(least_impedance) + " and " + format_double(largest_impedance));
  if (solimp[2] < 0) clamped("the width is not 0 or more");
  if (solimp[4] < 1) clamped("the power is not 1 or more");
}

namespace {

/// One free joint for every top body that has no joint, grouped in the order of bodies.
void float_bases(Making& making) {
  Model& model = making.model;
  std::vector<std::int32_t> count(model.bodies.size(), 0);
  for (const Joint& joint : model.joints)
    if (joint.body >= 0 && joint.body < static_cast<std::int32_t>(count.size())) ++count[joint.body];
  std::vector<Joint> joints;
  std::size_t next = 0, floating = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    if (i > 0 && body.parent == 0 && count[i] == 0 && !body.mocap) {
      Joint joint;
      joint.name = ++floating == 1 ? "floating_base" : "floating_base_" + std::to_string(floating);
      joint.body = static_cast<std::int32_t>(i);
      joint.kind = JointKind::free;
      joint.where = body.where;
      joints.push_back(std::move(joint));
    }
    for (; next < model.joints.size() && model.joints[next].body == static_cast<std::int32_t>(i); ++next)
      joints.push_back(std::move(model.joints[next]));
  }
  for (; next < model.joints.size(); ++next) joints.push_back(std::move(model.joints[next]));  // not grouped: refused later
  model.joints = std::move(joints);
  if (floating == 0)
    making.findings.warn("a floating base was asked for, but every top " + std::string(making.body_kind()) + " has a joint", model.source);
}

Model take_elements(ModelInput& input) {
  Model model;
  model.source = std::move(input.source);
  model.name = std::move(input.name);
  model.format = std::move(input.format);
  model.sha256 = std::move(input.sha256);
  static_cast<ModelElements&>(model) = std::move(static_cast<ModelElements&>(input));
  model.options = input.options;
  return model;
}

}  // namespace

void apply_model_options(Making& making) {
  Model& model = making.model;
  if (making.options.gravity) {
    model.options.gravity = *making.options.gravity;
    model.options.gravity_on = true;
  }
  if (making.options.floating_base) float_bases(making);
  if (!making.options.bare) return;
  for (Joint& joint : model.joints) joint.damping = joint.friction_loss = joint.armature = 0;
}

void check_simulation_options(Making& making) {
  const SimulationOptions& o = making.model.options;
  const ModelLimits& limits = making.limits;
  const std::string& step_place = making.place_of_option("timestep");
  if (!(o.timestep > 0 && o.timestep <= limits.largest_timestep))
    making.findings.refuse(
        "timestep must be above 0 and at most " + format_double(limits.largest_timestep) + " s, got " + format_double(o.timestep),
        step_place);
  else if (o.timestep > limits.long_timestep)
    making.findings.warn("timestep " + format_double(o.timestep) + " s is long: above " + format_double(limits.long_timestep) +
                             " s most models are unstable",
                         step_place);
  for (const auto& [value, name] : {std::pair{o.gravity, "gravity"}, {o.wind, "wind"}, {o.magnetic, "magnetic"}})
    check_finite(value, name, making.place_of_option(name), making);
  for (const auto& [value, name] : {std::pair{o.medium_density, "density"},
                                    {o.medium_viscosity, "viscosity"},
                                    {o.tolerance, "tolerance"},
                                    {o.ls_tolerance, "ls_tolerance"},
                                    {o.noslip_tolerance, "noslip_tolerance"}})
    if (!(value >= 0 && is_finite(value)))
      making.findings.refuse("option " + std::string(name) + " must be a number >= 0, got " + format_double(value),
                             making.place_of_option(name));
  if (o.iterations < 0 || o.ls_iterations < 0 || o.noslip_iterations < 0)
    making.findings.refuse("options iterations, ls_iterations and noslip_iterations must be >= 0", making.model.source);
  if (o.impratio && !(*o.impratio > 0 && is_finite(*o.impratio)))
    making.findings.refuse("option impratio must be above 0, got " + format_double(*o.impratio), making.place_of_option("impratio"));
}

void index_names(Making& making) {
  const Model& model = making.model;
  Findings& findings = making.findings;
  making.bodies = {making.body_kind(), model.bodies, findings};
  making.joints = {"joint", model.joints, findings};
  making.geoms = {"geom", model.geoms, findings};
  making.sites = {"site", model.sites, findings};
  making.tendons = {"tendon", model.tendons, findings};
  making.actuators = {"actuator", model.actuators, findings};
  making.meshes = {"mesh", model.meshes, findings};
  making.height_fields = {"hfield", model.height_fields, findings};
  (void)NameIndex("sensor", model.sensors, findings);
  (void)NameIndex("equality", model.equalities, findings);
  (void)NameIndex("pair", model.pairs, findings);
  (void)NameIndex("key", model.keyframes, findings);
}

Result<Model> make_model(ModelInput input, const ModelOptions& options, const ModelLimits& limits) {
  Model model = take_elements(input);
  Findings findings;
  findings.warnings() = std::move(input.warnings);
  Making making{model, options, limits, input.inertia_rules, findings, input.option_places};
  apply_model_options(making);
  check_simulation_options(making);
  if (!check_bodies(making)) return std::move(findings.errors());
  check_joints(making);
  index_names(making);
  if (check_shapes(making)) weigh_bodies(making);
  check_constraints(making);
  check_actuators(making);
  check_sensors(making);
  settle_default_pose(making);
  check_keyframes(making);
  making.laws.finish(model.source);
  if (!findings.ok()) return std::move(findings.errors());
  model.warnings = std::move(findings.warnings());
  return model;
}

Result<Model> make_model(ModelInput input, const ModelOptions& options) { return make_model(std::move(input), options, ModelLimits{}); }

}  // namespace trilith::model
