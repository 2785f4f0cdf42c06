#include <algorithm>

#include "base/text.h"
#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::ElementKind;

/// What surrounds an element of the tree: the frames between it and its body, the class, and what copies put behind its name.
struct Scope {
  std::int32_t body = 0;
  const MjcfClass* childclass = nullptr;
  Posed X_BF = identity_pose<double>();
  std::string suffix;
};

/// A body that is read once all of its parent is.
struct Pending {
  const XmlElement* element;
  Scope scope;
};

class TreeReader {
 public:
  explicit TreeReader(MjcfReader& reader) : reader_(reader) {}

  void body_content(const XmlElement& e, const Scope& scope);

 private:
  void own_elements(const XmlElement& e, const Scope& scope, std::vector<Pending>& children);
  void body(const XmlElement& e, const Scope& scope);
  void frame(const XmlElement& e, const Scope& scope, std::vector<Pending>& children);
  void replicate(const XmlElement& e, const Scope& scope, std::vector<Pending>& children);
  void joint(const XmlElement& e, const Scope& scope);
  void free_joint(const XmlElement& e, const Scope& scope);
  void inertial(const XmlElement& e, const Scope& scope);
  std::optional<Mat3d> inertia_about_com(const XmlElement& e);
  const MjcfClass& childclass_of(const XmlElement& e, const Scope& scope);

  template <class T>
  void keep(std::vector<T>& list, std::optional<T> element, ElementKind kind, const Scope& scope) {
    if (!element) return;
    element->body = scope.body;
    reader_.note_replica(kind, element->name, scope.suffix);
    if (!element->name.empty()) element->name += scope.suffix;
    list.push_back(std::move(*element));
  }

  MjcfReader& reader_;
};

/// Bodies, joints, shapes and sites that an element will make, copies included; counting stops behind the limit.
std::uint64_t count_elements(const XmlElement& e) {
  std::uint64_t count = 0;
  for (const XmlElement* c = e.first_child; c != nullptr && count <= mjcf_element_limit; c = c->next) {
    if (c->name == "replicate") {
      const std::int64_t copies = parse_int(c->value("count")).value_or(1);
      const std::uint64_t each = std::max<std::uint64_t>(count_elements(*c), 1);
      const auto factor = static_cast<std::uint64_t>(std::clamp<std::int64_t>(copies, 0, mjcf_element_limit + 1));
      count += each * factor;
    } else {
      count += (c->name == "frame" ? 0 : 1) + count_elements(*c);
    }
  }
  return std::min<std::uint64_t>(count, mjcf_element_limit + 1);
}

const MjcfClass& TreeReader::childclass_of(const XmlElement& e, const Scope& scope) {
  const MjcfClass* own = reader_.named_class(e, "childclass");
  return own == nullptr ? *scope.childclass : *own;
}

void TreeReader::body_content(const XmlElement& e, const Scope& scope) {
  std::vector<Pending> children;
  own_elements(e, scope, children);
  for (const Pending& child : children) body(*child.element, child.scope);
}

void TreeReader::own_elements(const XmlElement& e, const Scope& scope, std::vector<Pending>& children) {
  for (const XmlElement* c = e.first_child; c != nullptr; c = c->next) {
    if (c->name == "body") {
      children.push_back({c, scope});
    } else if (c->name == "frame") {
      frame(*c, scope, children);
    } else if (c->name == "replicate") {
      replicate(*c, scope, children);
    } else if (c->name == "inertial") {
      inertial(*c, scope);
    } else if (c->name == "joint") {
      joint(*c, scope);
    } else if (c->name == "freejoint") {
      free_joint(*c, scope);
    } else if (c->name == "geom") {
      GeomDraft draft = reader_.class_of(*c, *scope.childclass).geom;
      read_geom(reader_, *c, draft);
      keep(reader_.out.geoms, finish_geom(reader_, *c, std::move(draft), scope.X_BF), ElementKind::geom, scope);
    } else if (c->name == "site") {
      SiteDraft draft = reader_.class_of(*c, *scope.childclass).site;
      read_site(reader_, *c, draft);
      keep(reader_.out.sites, finish_site(reader_, *c, std::move(draft), scope.X_BF), ElementKind::site, scope);
    }
  }
}

void TreeReader::body(const XmlElement& e, const Scope& scope) {
  model::Body body;
  body.parent = scope.body;
  body.where = place_of(e);
  reader_.fields.read_name(e, "name", body.name);
  reader_.note_replica(ElementKind::body, body.name, scope.suffix);
  if (!body.name.empty()) body.name += scope.suffix;
  Placement placement;
  read_placement(reader_, e, placement);
  if (const std::optional<Posed> X_FB = make_placement(reader_, e, placement)) body.pose = scope.X_BF * *X_FB;
  reader_.fields.read(e, "mocap", body.mocap);
  reader_.fields.read(e, "gravcomp", body.gravity_compensation);
  Scope inner;
  inner.body = static_cast<std::int32_t>(reader_.out.bodies.size());
  inner.childclass = &childclass_of(e, scope);
  inner.suffix = scope.suffix;
  reader_.out.bodies.push_back(std::move(body));
  body_content(e, inner);
}

void TreeReader::frame(const XmlElement& e, const Scope& scope, std::vector<Pending>& children) {
  Placement placement;
  read_placement(reader_, e, placement);
  Scope inner = scope;
  if (const std::optional<Posed> X_FG = make_placement(reader_, e, placement)) inner.X_BF = scope.X_BF * *X_FG;
  inner.childclass = &childclass_of(e, scope);
  own_elements(e, inner, children);
}

// copy i stands i steps further; its angles are i times those of one step, so that many steps lose nothing
void TreeReader::replicate(const XmlElement& e, const Scope& scope, std::vector<Pending>& children) {
  XmlFields& fields = reader_.fields;
  std::int32_t count = 0;
  if (!fields.require(e, "count") || !fields.read(e, "count", count)) return;
  if (count < 1) return fields.fail("must be at least 1", e, "count");
  Vec3d offset{}, angles{};
  fields.read(e, "offset", offset);
  fields.read(e, "euler", angles);
  std::string separator;
  fields.read_name(e, "sep", separator);
  const std::size_t digits = std::to_string(count).size();
  Scope inner = scope;
  inner.childclass = &childclass_of(e, scope);
  Vec3d position{};
  for (std::int32_t i = 0; i < count && fields.ok(); ++i) {
    Orientation turn;
    turn.form = Orientation::Form::euler;
    turn.values = {i * angles.x, i * angles.y, i * angles.z, 0, 0, 0};
    const Result<Quaterniond> q = make_rotation(turn, reader_.compiler.degrees, reader_.compiler.euler_sequence);
    inner.X_BF = scope.X_BF * make_pose(q.value(), position);
    std::string number = std::to_string(i);
    inner.suffix = separator;
    inner.suffix.append(digits - number.size(), '0').append(number).append(scope.suffix);
    own_elements(e, inner, children);
    position = position + rotate(q.value(), offset);
  }
}

void TreeReader::joint(const XmlElement& e, const Scope& scope) {
  if (scope.body == 0) return reader_.fields.fail("stands in the world, which does not move", e);
  JointDraft draft = reader_.class_of(e, *scope.childclass).joint;
  read_joint(reader_, e, draft);
  keep(reader_.out.joints, finish_joint(reader_, e, std::move(draft), scope.X_BF), ElementKind::joint, scope);
}

// classes do not apply to it
void TreeReader::free_joint(const XmlElement& e, const Scope& scope) {
  if (scope.body == 0) return reader_.fields.fail("stands in the world, which does not move", e);
  constexpr std::string_view words[] = {"false", "true", "auto"};
  if (const auto word = reader_.fields.read_word(e, "align", words); word && *word == 1)
    reader_.fields.count("align: free bodies keep the frames of the file, and coordinates of free joints are those of these frames", e);
  model::Joint joint;
  joint.kind = model::JointKind::free;
  joint.where = place_of(e);
  reader_.fields.read_name(e, "name", joint.name);
  keep(reader_.out.joints, std::optional(std::move(joint)), ElementKind::joint, scope);
}

// in the axes of the inertial frame
std::optional<Mat3d> TreeReader::inertia_about_com(const XmlElement& e) {
  XmlFields& fields = reader_.fields;
  std::array<double, 6> full{};
  Vec3d diagonal{};
  const bool has_full = fields.read(e, "fullinertia", full), has_diagonal = fields.read(e, "diaginertia", diagonal);
  if (has_full && has_diagonal) {
    fields.fail("stands beside diaginertia: one is enough", e, "fullinertia");
    return std::nullopt;
  }
  if (!has_full) return diagonal3(diagonal);
  return Mat3d{{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
}

void TreeReader::inertial(const XmlElement& e, const Scope& scope) {
  XmlFields& fields = reader_.fields;
  if (scope.body == 0) return fields.fail("stands in the world, which has no mass", e);
  if (e.parent->name == "replicate") return fields.warn("stands in a replicate, where it has no effect (as in MuJoCo)", e);
  model::Body& body = reader_.out.bodies[static_cast<std::size_t>(scope.body)];
  if (body.inertial) return fields.fail("is the second of its body", e);
  Placement placement;
  const bool has_position = fields.require(e, "pos"), has_mass = fields.require(e, "mass");
  read_placement(reader_, e, placement);
  Inertiad inertia{};
  fields.read(e, "mass", inertia.mass);
  const std::optional<Posed> X_BI = make_placement(reader_, e, placement);
  const std::optional<Mat3d> about_com = inertia_about_com(e);
  if (!has_position || !has_mass || !X_BI || !about_com) return;
  if (e.parent->name == "frame") fields.warn("stands in a frame, which does not move it (as in MuJoCo)", e);
  inertia.com = X_BI->p;
  inertia.about_com = X_BI->R * *about_com * transpose(X_BI->R);
  body.inertial = inertia;
  if (e.find("fullinertia") == nullptr) body.inertial_axes = X_BI->R;
}

}  // namespace

void read_worldbody(MjcfReader& reader, const XmlElement& section) {
  if (count_elements(section) > mjcf_element_limit)
    return reader.fields.fail("holds more than the limit of " + std::to_string(mjcf_element_limit) + " bodies, joints, shapes and sites",
                              section);
  Scope scope;
  scope.childclass = &reader.main_class();
  TreeReader(reader).body_content(section, scope);
}

}  // namespace trilith::io
