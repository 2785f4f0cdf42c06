#include "base/text.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"

namespace trilith::model {
namespace {

bool is_scalar(const Joint& joint) { return joint.kind == JointKind::hinge || joint.kind == JointKind::slide; }

/// A reference that must be there.
bool require(const NameIndex& names, Reference& reference, std::string_view what, const std::string& user, const std::string& where,
             Making& making) {
  if (names.resolve(reference, user, where, making.findings)) return true;
  if (reference.name.empty()) making.findings.refuse(user + " names no " + std::string(what), where);
  return false;
}

void check_ends(Equality& equality, const NameIndex& names, std::string_view kind, const std::string& name, Making& making) {
  const bool has_a = require(names, equality.a, kind, name, equality.where, making);
  const bool has_b = names.resolve(equality.b, name, equality.where, making.findings);
  if (has_a && has_b && equality.a.index == equality.b.index)
    making.findings.refuse(name + " holds " + label(kind, equality.a.name) + " to itself", equality.where);
}

void check_joint_coupling(const Equality& equality, const std::string& name, Making& making) {
  for (const Reference* end : {&equality.a, &equality.b})
    if (end->index >= 0 && !is_scalar(making.model.joints[end->index]))
      making.findings.refuse(name + ": " + label("joint", end->name) + " must be a hinge or a slide", equality.where);
}

void check_equality(Equality& equality, Making& making) {
  const std::string name = label("equality", equality.name);
  switch (equality.kind) {
    case EqualityKind::connect:
    case EqualityKind::weld:
      check_ends(equality, equality.on_sites ? making.sites : making.bodies, equality.on_sites ? "site" : making.body_kind(), name, making);
      if (equality.on_sites && equality.b.index < 0 && equality.b.name.empty())
        making.findings.refuse(name + " needs two sites", equality.where);
      check_finite(equality.anchor, "anchor of " + name, equality.where, making);
      break;
    case EqualityKind::joint:
      check_ends(equality, making.joints, "joint", name, making);
      check_joint_coupling(equality, name, making);
      break;
    case EqualityKind::tendon:
      check_ends(equality, making.tendons, "tendon", name, making);
      break;
  }
  for (const double x : equality.polynomial)
    if (!is_finite(x)) return making.findings.refuse("polycoef of " + name + " must be finite", equality.where);
  if (!(equality.torque_scale >= 0 && is_finite(equality.torque_scale)))
    making.findings.refuse("torquescale of " + name + " must be a number >= 0", equality.where);
  check_softness(equality.law, name, equality.where, making);
}

void check_path_point(std::size_t i, Tendon& tendon, const std::string& name, Making& making) {
  using Kind = PathPoint::Kind;
  auto& path = tendon.path;
  PathPoint& point = path[i];
  Findings& findings = making.findings;
  const bool first = i == 0, last = i + 1 == path.size();
  const std::string here = name + ", point " + std::to_string(i + 1);
  const auto is = [&](std::size_t j, Kind kind) { return path[j].kind == kind; };
  switch (point.kind) {
    case Kind::pulley:
      if (!(point.divisor > 0 && is_finite(point.divisor)))
        findings.refuse(here + ": the divisor of a pulley must be above 0", tendon.where);
      if (last || (!first && is(i - 1, Kind::pulley))) findings.refuse(here + ": a pulley must be followed by a site", tendon.where);
      break;
    case Kind::site:
      if (!require(making.sites, point.element, "site", here, tendon.where, making)) break;
      if ((first || is(i - 1, Kind::pulley)) && (last || is(i + 1, Kind::pulley)))
        findings.refuse(here + ": the site stands alone", tendon.where);
      if (!first && is(i - 1, Kind::site) && path[i - 1].element.index == point.element.index)
        findings.refuse(here + ": " + label("site", point.element.name) + " follows itself", tendon.where);
      break;
    case Kind::wrap:
      if (first || last || !is(i - 1, Kind::site) || !is(i + 1, Kind::site))
        findings.refuse(here + ": a geom to wrap around must stand between two sites", tendon.where);
      making.sites.resolve(point.side_site, here, tendon.where, findings);
      if (!require(making.geoms, point.element, "geom", here, tendon.where, making)) break;
      const GeomKind kind = making.model.geoms[point.element.index].kind;
      if (kind != GeomKind::sphere && kind != GeomKind::cylinder)
        findings.refuse(here + ": a tendon wraps around spheres and cylinders only", tendon.where);
      if (tendon.armature > 0) findings.refuse(name + ": armature does not go with wrapping", tendon.where);
      break;
  }
}

void check_tendon_numbers(const Tendon& tendon, const std::string& name, Making& making) {
  Findings& findings = making.findings;
  if (tendon.range) check_range(*tendon.range, "the range of " + name, tendon.where, making);
  if (tendon.force_range) check_range(*tendon.force_range, "the force range of " + name, tendon.where, making);
  if (tendon.spring_length && !(tendon.spring_length->lower <= tendon.spring_length->upper))
    findings.refuse("springlength of " + name + ": the first must not be above the second", tendon.where);
  for (const auto& [value, what] : {std::pair{tendon.friction_loss, "friction loss"},
                                    {tendon.stiffness, "stiffness"},
                                    {tendon.damping, "damping"},
                                    {tendon.armature, "armature"}})
    if (!(value >= 0 && is_finite(value)))
      findings.refuse(std::string(what) + " of " + name + " must be a number >= 0, got " + format_double(value), tendon.where);
  check_softness(tendon.limit_law, "limits of " + name, tendon.where, making);
  check_softness(tendon.friction_law, "friction of " + name, tendon.where, making);
}

void check_tendon(Tendon& tendon, Making& making) {
  const std::string name = label("tendon", tendon.name);
  Findings& findings = making.findings;
  if (tendon.terms.empty() && tendon.path.empty()) findings.refuse(name + " has no path", tendon.where);
  if (!tendon.terms.empty() && !tendon.path.empty()) findings.refuse(name + " mixes joints with sites", tendon.where);
  if (tendon.path.size() == 1) findings.refuse(name + " needs at least two points", tendon.where);
  for (TendonTerm& term : tendon.terms) {
    if (!is_finite(term.coefficient)) findings.refuse("coef of " + name + " must be finite", tendon.where);
    if (require(making.joints, term.joint, "joint", name, tendon.where, making) && !is_scalar(making.model.joints[term.joint.index]))
      findings.refuse(name + ": " + label("joint", term.joint.name) + " must be a hinge or a slide", tendon.where);
  }
  for (std::size_t i = 0; i < tendon.path.size(); ++i) check_path_point(i, tendon, name, making);
  check_tendon_numbers(tendon, name, making);
}

void check_pair(ContactPair& pair, Making& making) {
  Findings& findings = making.findings;
  const std::string name = label("pair", pair.name);
  const bool a = require(making.geoms, pair.a, "geom", name, pair.where, making),
             b = require(making.geoms, pair.b, "geom", name, pair.where, making);
  if (a && b && pair.a.index == pair.b.index) findings.refuse(name + " pairs a geom with itself", pair.where);
  if (pair.condim && *pair.condim != 1 && *pair.condim != 3 && *pair.condim != 4 && *pair.condim != 6)
    findings.refuse("condim of " + name + " must be 1, 3, 4 or 6, got " + std::to_string(*pair.condim), pair.where);
  for (const double mu : pair.friction.value_or(std::array<double, 5>{}))
    if (!(mu >= 0 && is_finite(mu))) return findings.refuse("friction of " + name + " must be >= 0, got " + format_double(mu), pair.where);
}

}  // namespace

void check_constraints(Making& making) {
  Model& model = making.model;
  for (Tendon& tendon : model.tendons) check_tendon(tendon, making);
  for (Equality& equality : model.equalities) check_equality(equality, making);
  for (ContactPair& pair : model.pairs) check_pair(pair, making);
  for (ContactExclude& exclude : model.excludes) {
    const bool a = require(making.bodies, exclude.a, making.body_kind(), "exclude", exclude.where, making),
               b = require(making.bodies, exclude.b, making.body_kind(), "exclude", exclude.where, making);
    if (a && b && exclude.a.index == exclude.b.index)
      making.findings.warn("exclude names " + label(making.body_kind(), exclude.a.name) + " twice: it changes nothing", exclude.where);
  }
}

}  // namespace trilith::model
