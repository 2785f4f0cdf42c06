#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::ElementKind;
using model::PathPoint;

void read_path(MjcfReader& reader, const XmlElement& e, model::Tendon& tendon) {
  XmlFields& fields = reader.fields;
  for (const XmlElement* c = e.first_child; c != nullptr; c = c->next) {
    PathPoint point;
    if (c->name == "pulley") {
      point.kind = PathPoint::Kind::pulley;
      if (fields.require(*c, "divisor") && fields.read(*c, "divisor", point.divisor) && !(point.divisor > 0))
        fields.fail("must be positive", *c, "divisor");
    } else {
      const bool wrap = c->name == "geom";
      point.kind = wrap ? PathPoint::Kind::wrap : PathPoint::Kind::site;
      fields.require(*c, wrap ? "geom" : "site");
      point.element = refer(*c, wrap ? "geom" : "site");
      if (wrap) point.side_site = refer(*c, "sidesite");
    }
    tendon.path.push_back(std::move(point));
  }
}

// a path has two points at least, no pulley beside another or at the end, a site beside every site, and sites on both sides of a wrap
void check_path(MjcfReader& reader, const XmlElement& e, const std::vector<PathPoint>& path) {
  using Kind = PathPoint::Kind;
  const std::size_t n = path.size();
  const auto kind = [&](std::size_t i) { return path[i].kind; };
  if (n < 2) return reader.fields.fail("needs at least two points in its path, got " + std::to_string(n), e);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string point = "point " + std::to_string(i + 1) + " of its path ";
    const bool first = i == 0 || kind(i - 1) == Kind::pulley, last = i + 1 == n || kind(i + 1) == Kind::pulley;
    if (kind(i) == Kind::pulley && (i + 1 == n || (i > 0 && kind(i - 1) == Kind::pulley)))
      return reader.fields.fail(point + "is a pulley behind a pulley or at the end", e);
    if (kind(i) == Kind::site && first && last) return reader.fields.fail(point + "is a site without a neighbour that is no pulley", e);
    if (kind(i) == Kind::wrap && (first || last || kind(i - 1) != Kind::site || kind(i + 1) != Kind::site))
      return reader.fields.fail(point + "is a geom that does not stand between two sites", e);
    if (kind(i) == Kind::site && !last && kind(i + 1) == Kind::site && path[i].element.name == path[i + 1].element.name)
      return reader.fields.fail(point + "is the site " + in_quotes(path[i].element.name) + " that follows again", e);
  }
}

void read_terms(MjcfReader& reader, const XmlElement& e, model::Tendon& tendon) {
  for (const XmlElement* c = e.first_child; c != nullptr; c = c->next) {
    model::TendonTerm term;
    if (reader.fields.require(*c, "joint")) term.joint = refer(*c, "joint");
    if (reader.fields.require(*c, "coef")) reader.fields.read(*c, "coef", term.coefficient);
    tendon.terms.push_back(std::move(term));
  }
  if (tendon.terms.empty()) reader.fields.fail("needs at least one joint", e);
}

// -1 -1 stands for the length in the pose of the file
void settle_spring(MjcfReader& reader, const XmlElement& e, TendonDraft& draft) {
  const auto& [lower, upper] = draft.spring_length;
  if (lower == -1 && upper == -1) return;
  if (lower > upper) return reader.fields.fail("has its bounds in the wrong order", e, "springlength");
  draft.tendon.spring_length = model::Range{lower, upper};
}

void check_numbers(MjcfReader& reader, const XmlElement& e, const model::Tendon& tendon) {
  const std::pair<std::string_view, double> values[] = {
      {"stiffness", tendon.stiffness}, {"damping", tendon.damping}, {"armature", tendon.armature}, {"frictionloss", tendon.friction_loss}};
  for (const auto& [attribute, value] : values)
    if (value < 0) reader.fields.fail("must not be negative", e, attribute);
}

}  // namespace

void read_tendon(MjcfReader& reader, const XmlElement& e, TendonDraft& draft) {
  XmlFields& fields = reader.fields;
  model::Tendon& tendon = draft.tendon;
  fields.read(e, "group", tendon.group);
  read_limits(reader, e, "range", "limited", draft.range);
  read_limits(reader, e, "actuatorfrcrange", "actuatorfrclimited", draft.force_range);
  read_softness(reader, e, "solreflimit", "solimplimit", tendon.limit_law);
  read_softness(reader, e, "solreffriction", "solimpfriction", tendon.friction_law);
  fields.read(e, "frictionloss", tendon.friction_loss);
  fields.read(e, "margin", tendon.margin);
  fields.read(e, "armature", tendon.armature);
  read_coefficient(reader, e, "stiffness", tendon.stiffness);
  read_coefficient(reader, e, "damping", tendon.damping);
  // one number stands for both
  if (fields.read_up_to(e, "springlength", draft.spring_length) == 1) draft.spring_length[1] = draft.spring_length[0];
}

void read_tendons(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    TendonDraft draft = reader.class_of(*e, reader.main_class()).tendon;
    read_tendon(reader, *e, draft);
    model::Tendon& tendon = draft.tendon;
    reader.fields.read_name(*e, "name", tendon.name);
    tendon.where = place_of(*e);
    check_numbers(reader, *e, tendon);
    tendon.range = make_range(reader, *e, "range", draft.range);
    tendon.force_range = make_range(reader, *e, "actuatorfrcrange", draft.force_range);
    settle_spring(reader, *e, draft);
    if (e->name == "spatial") {
      read_path(reader, *e, tendon);
      check_path(reader, *e, tendon.path);
    } else {
      read_terms(reader, *e, tendon);
    }
    const std::size_t before = reader.out.tendons.size();
    const std::string name = tendon.name;
    reader.append(reader.out.tendons, std::move(tendon), [](auto& t, const auto& see) {
      for (auto& term : t.terms) see(ElementKind::joint, term.joint);
      for (auto& point : t.path) {
        see(point.kind == PathPoint::Kind::wrap ? ElementKind::geom : ElementKind::site, point.element);
        see(ElementKind::site, point.side_site);
      }
    });
    // what refers to a copied tendon is copied too
    for (std::size_t i = before; i < reader.out.tendons.size(); ++i)
      reader.note_replica(ElementKind::tendon, name, reader.out.tendons[i].name.substr(name.size()));
  }
}

}  // namespace trilith::io
