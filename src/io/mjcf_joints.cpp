#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::JointKind;

void read_kind(MjcfReader& reader, const XmlElement& e, JointKind& kind) {
  constexpr std::string_view words[] = {"free", "ball", "hinge", "slide"};
  if (const auto word = reader.fields.read_word(e, "type", words)) kind = static_cast<JointKind>(*word);
}

model::Range scaled(const model::Range& range, double factor) { return {factor * range.lower, factor * range.upper}; }

// limits, reference and spring are angles for a hinge; only the limit is one for a ball
void to_radians(JointDraft& draft) {
  model::Joint& joint = draft.joint;
  const bool angle = joint.kind == JointKind::hinge || joint.kind == JointKind::ball;
  if (angle && joint.range) joint.range = scaled(*joint.range, io::to_radians(1));
  if (joint.kind != JointKind::hinge) return;
  joint.reference = io::to_radians(joint.reference);
  joint.spring_reference = io::to_radians(joint.spring_reference);
}

bool check_numbers(MjcfReader& reader, const XmlElement& e, const model::Joint& joint) {
  const std::pair<std::string_view, double> values[] = {
      {"stiffness", joint.stiffness}, {"damping", joint.damping}, {"armature", joint.armature}, {"frictionloss", joint.friction_loss}};
  for (const auto& [attribute, value] : values)
    if (value < 0) {
      reader.fields.fail("must not be negative", e, attribute);
      return false;
    }
  if (!joint.spring_damper || ((*joint.spring_damper)[0] > 0 && (*joint.spring_damper)[1] > 0)) return true;
  reader.fields.fail("takes a positive time constant and a positive damping ratio", e, "springdamper");
  return false;
}

bool settle_axis(MjcfReader& reader, const XmlElement& e, model::Joint& joint, const Posed& X_BF) {
  if (joint.kind == JointKind::ball || joint.kind == JointKind::free) {
    joint.axis = {0, 0, 1};
    return true;
  }
  const double length = norm(joint.axis);
  if (length < least_direction) {
    reader.fields.fail("has no direction", e, "axis");
    return false;
  }
  joint.axis = X_BF.R * ((1 / length) * joint.axis);
  return true;
}

}  // namespace

void read_joint(MjcfReader& reader, const XmlElement& e, JointDraft& draft) {
  XmlFields& fields = reader.fields;
  model::Joint& joint = draft.joint;
  read_kind(reader, e, joint.kind);
  fields.read(e, "pos", joint.anchor);
  fields.read(e, "axis", joint.axis);
  std::array<double, 2> spring_damper{};
  if (fields.read(e, "springdamper", spring_damper)) {
    joint.spring_damper.reset();
    if (spring_damper[0] != 0 || spring_damper[1] != 0) joint.spring_damper = spring_damper;
  }
  read_limits(reader, e, "range", "limited", draft.range);
  read_limits(reader, e, "actuatorfrcrange", "actuatorfrclimited", draft.force_range);
  read_softness(reader, e, "solreflimit", "solimplimit", joint.limit_law);
  read_softness(reader, e, "solreffriction", "solimpfriction", joint.friction_law);
  read_coefficient(reader, e, "stiffness", joint.stiffness);
  read_coefficient(reader, e, "damping", joint.damping);
  fields.read(e, "actuatorgravcomp", joint.actuator_gravity_compensation);
  fields.read(e, "margin", joint.margin);
  fields.read(e, "ref", joint.reference);
  fields.read(e, "springref", joint.spring_reference);
  fields.read(e, "armature", joint.armature);
  fields.read(e, "frictionloss", joint.friction_loss);
}

std::optional<model::Joint> finish_joint(MjcfReader& reader, const XmlElement& e, JointDraft draft, const Posed& X_BF) {
  model::Joint& joint = draft.joint;
  joint.where = place_of(e);
  reader.fields.read_name(e, "name", joint.name);
  if (!check_numbers(reader, e, joint) || !settle_axis(reader, e, joint, X_BF)) return std::nullopt;
  if (joint.kind == JointKind::free && e.find("range") != nullptr)
    reader.fields.fail("stands at a free joint, which has no limits", e, "range");
  const bool single = joint.kind == JointKind::hinge || joint.kind == JointKind::slide;
  if (joint.kind != JointKind::free) joint.range = make_range(reader, e, "range", draft.range);
  if (single) joint.force_range = make_range(reader, e, "actuatorfrcrange", draft.force_range);
  if (!single) joint.reference = joint.spring_reference = 0;  // a class may hold them
  if (reader.compiler.degrees) to_radians(draft);
  joint.anchor = joint.kind == JointKind::free ? Vec3d{0, 0, 0} : transform_point(X_BF, joint.anchor);
  return joint;
}

}  // namespace trilith::io
