#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "linalg/symmetric_eigen.h"
#include "results/inspect_json.h"

namespace trilith::results {
namespace {

constexpr std::size_t most_rows = 60;  // of one table; the JSON has all of them

std::string cut(std::string_view name, std::size_t width) {
  const std::string shown = name.empty() ? "-" : escape(name);
  return shown.size() <= width ? shown : shown.substr(0, width - 2) + "..";
}

std::string more(std::size_t count) {
  return count > most_rows ? fmt::format("  ... and {} more (--json FILE has all)\n", count - most_rows) : "";
}

std::string range_text(const std::optional<model::Range>& range) {
  return range ? fmt::format("[{:.4g}, {:.4g}]", range->lower, range->upper) : "-";
}

std::string bodies_text(const model::Model& model, const InspectAnswer& answer) {
  std::string text =
      fmt::format("  {:<24} {:<20} {:>10} {:>36}  {}\n", "body", "parent", "mass kg", "principal moments kg m2", "position m");
  const std::size_t count = model.bodies.size() - 1;
  for (std::size_t i = 1; i <= std::min(count, most_rows); ++i) {
    const model::Body& body = model.bodies[i];
    const Vec3d m = linalg::symmetric_eigen(body.inertia.about_com).values;
    const Vec3d& p = answer.X_WB[i].p;
    text += fmt::format("  {:<24} {:<20} {:>10.5g} {:>12.4g}{:>12.4g}{:>12.4g}  ({:.4g}, {:.4g}, {:.4g})\n", cut(body.name, 24),
                        cut(model.bodies[static_cast<std::size_t>(body.parent)].name, 20), body.inertia.mass, m.z, m.y, m.x, p.x, p.y, p.z);
  }
  return text + more(count);
}

std::string joint_remark(const model::Joint& joint) {
  std::string text;
  if (joint.mimic)
    text += fmt::format(" follows {}: {:.4g} q {:+.4g}", escape(joint.mimic->joint.name), joint.mimic->multiplier, joint.mimic->offset);
  if (joint.damping != 0) text += fmt::format(" damping {:.4g}", joint.damping);
  if (joint.friction_loss != 0) text += fmt::format(" friction {:.4g}", joint.friction_loss);
  if (joint.armature != 0) text += fmt::format(" armature {:.4g}", joint.armature);
  if (joint.max_effort) text += fmt::format(" effort {:.4g}", *joint.max_effort);
  if (joint.max_velocity) text += fmt::format(" velocity {:.4g}", *joint.max_velocity);
  return text;
}

std::string joints_text(const model::Model& model) {
  static constexpr std::string_view kinds[] = {"free", "ball", "hinge", "slide"};
  if (model.joints.empty()) return "  no joints: nothing moves\n";
  std::string text = fmt::format("  {:<24} {:<6} {:<20} {:>5} {:>10}  {}\n", "joint", "type", "range rad or m", "qpos", "default", "");
  for (std::size_t i = 0; i < std::min(model.joints.size(), most_rows); ++i) {
    const model::Joint& joint = model.joints[i];
    const bool scalar = joint.kind == model::JointKind::hinge || joint.kind == model::JointKind::slide;
    const std::string start = scalar ? fmt::format("{:.4g}", model.default_qpos[static_cast<std::size_t>(joint.q)]) : "";
    text += fmt::format("  {:<24} {:<6} {:<20} {:>5} {:>10} {}\n", cut(joint.name, 24), kinds[static_cast<std::size_t>(joint.kind)],
                        range_text(joint.range), joint.q, start, joint_remark(joint));
  }
  return text + more(model.joints.size());
}

std::string actuators_text(const model::Model& model) {
  if (model.actuators.empty()) return "";
  std::string text = fmt::format("  {:<24} {:<22} {}\n", "actuator", "drives", "control range");
  for (std::size_t i = 0; i < std::min(model.actuators.size(), most_rows); ++i) {
    const model::Actuator& actuator = model.actuators[i];
    text += fmt::format("  {:<24} {:<22} {}\n", cut(actuator.name, 24), cut(actuator.target.name, 22), range_text(actuator.control_range));
  }
  return text + more(model.actuators.size());
}

std::string vector_text(std::string_view name, const std::vector<double>& x) {
  constexpr std::size_t most = 30;
  if (x.empty()) return "";
  std::string text = fmt::format("  {:<9}", name);
  for (std::size_t i = 0; i < std::min(x.size(), most); ++i) text += fmt::format(" {:.6g}", x[i]);
  return text + (x.size() > most ? " ...\n" : "\n");
}

std::string terms_text(const InspectAnswer& answer) {
  const dynamics::Terms& terms = *answer.terms;
  const dynamics::Workspace& w = answer.simulator->workspace();
  std::string text = "At the state given:\n" + vector_text("bias", terms.bias) + vector_text("passive", w.passive) +
                     vector_text("a_smooth", w.a_smooth) + vector_text("a", w.a) + vector_text("tau", terms.tau);
  text += fmt::format("  energy    kinetic {:.6g} J, potential {:.6g} J\n", terms.kinetic, terms.potential);
  const dynamics::ConstraintStage& stage = answer.simulator->constraints();
  text += fmt::format("  contacts  {}, constraint rows {}\n", stage.touches().size(), stage.rows().rows());
  for (const dynamics::FrameTerms& frame : terms.frames)
    text += fmt::format("  frame {}: position ({:.6g}, {:.6g}, {:.6g}) m\n", escape(frame.frame.name), frame.X_WF.p.x, frame.X_WF.p.y,
                        frame.X_WF.p.z);
  return text;
}

}  // namespace

std::string inspect_text(const model::Model& model, const InspectAnswer& answer) {
  std::string text = fmt::format("{}: {} \"{}\", {} bodies, {} joints, {} degrees of freedom, {} actuators, {}.\n", escape(answer.input),
                                 model.format == "urdf" ? "URDF" : "MJCF", escape(model.name), model.bodies.size() - 1, model.joints.size(),
                                 model.sizes.nv, model.sizes.nu, format_quantity(model.mass, "kg"));
  text += bodies_text(model, answer) + joints_text(model) + actuators_text(model);
  if (answer.terms) text += terms_text(answer);
  const std::size_t told = model.warnings.size() + answer.warnings.size();
  text += told == 0 ? "Nothing was altered or left out.\n" : fmt::format("{} warnings, above.\n", told);
  return text;
}

}  // namespace trilith::results
