#include <algorithm>

#include "io/mjcf_reader.h"

// contact pairs and exclusions, equalities

namespace trilith::io {
namespace {

using model::ElementKind;
using model::EqualityKind;

void read_exclude(MjcfReader& reader, const XmlElement& e) {
  if (!reader.fields.require(e, "body1") || !reader.fields.require(e, "body2")) return;
  model::ContactExclude exclude{refer(e, "body1"), refer(e, "body2"), place_of(e)};
  reader.append(reader.out.excludes, std::move(exclude), [](auto& x, const auto& see) {
    see(ElementKind::body, x.a);
    see(ElementKind::body, x.b);
  });
}

void read_one_pair(MjcfReader& reader, const XmlElement& e) {
  model::ContactPair pair = reader.class_of(e, reader.main_class()).pair;
  read_pair(reader, e, pair);
  if (!reader.fields.require(e, "geom1") || !reader.fields.require(e, "geom2")) return;
  pair.a = refer(e, "geom1");
  pair.b = refer(e, "geom2");
  pair.where = place_of(e);
  reader.fields.read_name(e, "name", pair.name);
  reader.append(reader.out.pairs, std::move(pair), [](auto& p, const auto& see) {
    see(ElementKind::geom, p.a);
    see(ElementKind::geom, p.b);
  });
}

/// What connects and welds have in common: two bodies with a point, or two sites.
bool read_ends(MjcfReader& reader, const XmlElement& e, model::Equality& equality) {
  const bool sites = e.find("site1") != nullptr || e.find("site2") != nullptr;
  const bool bodies = e.find("body1") != nullptr || e.find("body2") != nullptr;
  if (sites && bodies) {
    reader.fields.fail("names sites and bodies: it takes two of one kind", e);
    return false;
  }
  equality.on_sites = sites;
  if (sites && (e.find("anchor") != nullptr || e.find("relpose") != nullptr)) {
    reader.fields.fail("has an anchor or a pose beside sites, which give them", e);
    return false;
  }
  const std::string_view first = sites ? "site1" : "body1", second = sites ? "site2" : "body2";
  if (!reader.fields.require(e, first) || (sites && !reader.fields.require(e, second))) return false;
  equality.a = refer(e, first);
  equality.b = refer(e, second);
  return true;
}

bool read_connect(MjcfReader& reader, const XmlElement& e, model::Equality& equality) {
  equality.kind = EqualityKind::connect;
  if (!read_ends(reader, e, equality)) return false;
  if (!equality.on_sites && !reader.fields.require(e, "anchor")) return false;
  reader.fields.read(e, "anchor", equality.anchor);
  return true;
}

// a pose whose quaternion is all 0 stands for the pose of the file
bool read_weld(MjcfReader& reader, const XmlElement& e, model::Equality& equality) {
  equality.kind = EqualityKind::weld;
  if (!read_ends(reader, e, equality)) return false;
  reader.fields.read(e, "anchor", equality.anchor);
  reader.fields.read(e, "torquescale", equality.torque_scale);
  std::array<double, 7> pose{};
  if (!reader.fields.read(e, "relpose", pose)) return true;
  if (pose[3] == 0 && pose[4] == 0 && pose[5] == 0 && pose[6] == 0) return true;
  Placement placement;
  placement.position = {pose[0], pose[1], pose[2]};
  for (std::size_t i = 0; i < 4; ++i) placement.orientation.values[i] = pose[3 + i];
  equality.relative_pose = make_placement(reader, e, placement);
  return equality.relative_pose.has_value();
}

bool read_coupling(MjcfReader& reader, const XmlElement& e, model::Equality& equality) {
  const bool joints = e.name == "joint";
  equality.kind = joints ? EqualityKind::joint : EqualityKind::tendon;
  if (!reader.fields.require(e, joints ? "joint1" : "tendon1")) return false;
  equality.a = refer(e, joints ? "joint1" : "tendon1");
  equality.b = refer(e, joints ? "joint2" : "tendon2");
  reader.fields.read_up_to(e, "polycoef", equality.polynomial);
  return true;
}

ElementKind kind_of_ends(const model::Equality& equality) {
  if (equality.kind == EqualityKind::joint) return ElementKind::joint;
  if (equality.kind == EqualityKind::tendon) return ElementKind::tendon;
  return equality.on_sites ? ElementKind::site : ElementKind::body;
}

}  // namespace

void read_pair(MjcfReader& reader, const XmlElement& e, model::ContactPair& draft) {
  XmlFields& fields = reader.fields;
  std::int32_t condim = 0;
  if (fields.read(e, "condim", condim)) {
    draft.condim = condim;
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
      fields.fail("is " + std::to_string(condim) + "; allowed are 1, 3, 4 and 6", e, "condim");
  }
  if (fields.read_up_to(e, "friction", *draft.friction) > 0 &&
      std::any_of(draft.friction->begin(), draft.friction->end(), [](double mu) { return mu < 0; }))
    fields.fail("must not be negative", e, "friction");
  fields.read_up_to(e, "solref", *draft.solref);
  fields.read_up_to(e, "solimp", *draft.solimp);
  auto friction_solref = draft.friction_solref.value_or(std::array<double, 2>{0, 0});
  if (fields.read_up_to(e, "solreffriction", friction_solref) > 0) draft.friction_solref = friction_solref;
  fields.read(e, "margin", *draft.margin);
  fields.read(e, "gap", *draft.gap);
}

void read_contact(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    if (e->name == "pair") read_one_pair(reader, *e);
    if (e->name == "exclude") read_exclude(reader, *e);
  }
}

void read_equality_base(MjcfReader& reader, const XmlElement& e, model::Equality& draft) {
  reader.fields.read(e, "active", draft.active);
  read_softness(reader, e, "solref", "solimp", draft.law);
}

void read_equality(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    model::Equality equality = reader.class_of(*e, reader.main_class()).equality;
    read_equality_base(reader, *e, equality);
    reader.fields.read_name(*e, "name", equality.name);
    equality.where = place_of(*e);
    const bool good = e->name == "connect" ? read_connect(reader, *e, equality)
                      : e->name == "weld"  ? read_weld(reader, *e, equality)
                                           : read_coupling(reader, *e, equality);
    if (!good) continue;
    const ElementKind kind = kind_of_ends(equality);
    reader.append(reader.out.equalities, std::move(equality), [kind](auto& q, const auto& see) {
      see(kind, q.a);
      see(kind, q.b);
    });
  }
}

}  // namespace trilith::io
