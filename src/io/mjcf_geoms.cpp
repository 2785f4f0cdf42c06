#include <algorithm>

#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::GeomKind;

constexpr std::string_view kind_words[] = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};

void read_kind(MjcfReader& reader, const XmlElement& e, GeomKind& kind) {
  const auto word = reader.fields.read_word(e, "type", kind_words);
  if (!word) return;
  if (*word > static_cast<std::size_t>(GeomKind::mesh)) return reader.fields.fail("is \"sdf\", which is not supported", e, "type");
  kind = static_cast<GeomKind>(*word);
}

void read_contact_numbers(MjcfReader& reader, const XmlElement& e, model::Geom& geom) {
  XmlFields& fields = reader.fields;
  fields.read(e, "contype", geom.contype);
  fields.read(e, "conaffinity", geom.conaffinity);
  fields.read(e, "condim", geom.condim);
  fields.read(e, "group", geom.group);
  fields.read(e, "priority", geom.priority);
  fields.read_up_to(e, "friction", geom.friction);
  fields.read(e, "solmix", geom.solmix);
  fields.read(e, "margin", geom.margin);
  fields.read(e, "gap", geom.gap);
  read_softness(reader, e, "solref", "solimp", geom.law);
}

// numbers that have no meaning whatever the model is
bool check_numbers(MjcfReader& reader, const XmlElement& e, const model::Geom& geom) {
  XmlFields& fields = reader.fields;
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    fields.fail("is " + std::to_string(geom.condim) + "; allowed are 1, 3, 4 and 6", e, "condim");
    return false;
  }
  if (std::any_of(geom.friction.begin(), geom.friction.end(), [](double mu) { return mu < 0; })) {
    fields.fail("must not be negative", e, "friction");
    return false;
  }
  const std::pair<std::string_view, double> values[] = {
      {"mass", geom.mass.value_or(0)}, {"density", geom.density}, {"solmix", geom.solmix}};
  for (const auto& [attribute, value] : values)
    if (value < 0) {
      fields.fail("must not be negative", e, attribute);
      return false;
    }
  return true;
}

bool check_asset(MjcfReader& reader, const XmlElement& e, GeomDraft& draft) {
  model::Geom& geom = draft.geom;
  const bool wants_mesh = geom.kind == GeomKind::mesh, wants_field = geom.kind == GeomKind::hfield;
  if (wants_mesh && draft.mesh.empty()) {
    reader.fields.fail("is of type mesh and names no mesh", e);
    return false;
  }
  if (wants_field && draft.height_field.empty()) {
    reader.fields.fail("is of type hfield and names no hfield", e);
    return false;
  }
  if (wants_mesh) geom.asset.name = draft.mesh;
  if (wants_field) geom.asset.name = draft.height_field;
  return true;
}

void settle_colour(MjcfReader& reader, const XmlElement& e, GeomDraft& draft) {
  if (draft.material.empty()) return;
  const auto found = reader.material_rgba.find(draft.material);
  if (found == reader.material_rgba.end()) return reader.fields.count("a material that is not there was left out", e);
  if (!draft.has_rgba) draft.geom.rgba = found->second;
}

/// X_FG of a placement, and the sizes that it gives.
std::optional<Posed> pose_of(MjcfReader& reader, const XmlElement& e, GeomKind kind, const Placement& placement,
                             std::array<double, 3>& size) {
  if (placement.from_to) {
    if (norm(placement.position) > 0) reader.fields.fail("and a position of its class stand beside each other", e, "fromto");
    return settle_from_to(reader, e, kind, placement, size);
  }
  return make_placement(reader, e, placement);
}

}  // namespace

void read_geom(MjcfReader& reader, const XmlElement& e, GeomDraft& draft) {
  XmlFields& fields = reader.fields;
  model::Geom& geom = draft.geom;
  read_kind(reader, e, geom.kind);
  read_contact_numbers(reader, e, geom);
  fields.read_up_to(e, "size", draft.size);
  fields.read_text(e, "material", draft.material);
  fields.read_text(e, "mesh", draft.mesh);
  fields.read_text(e, "hfield", draft.height_field);
  double mass = 0;
  if (fields.read(e, "mass", mass)) geom.mass = mass;
  fields.read(e, "density", geom.density);
  fields.read(e, "shellinertia", geom.shell);
  if (fields.read(e, "fitscale", draft.fit_scale) && !(draft.fit_scale > 0)) fields.fail("must be positive", e, "fitscale");
  read_placement(reader, e, draft.placement);
  if (e.find("rgba") != nullptr) draft.has_rgba = true;
  read_rgba(reader, e, geom.rgba);
}

std::optional<model::Geom> finish_geom(MjcfReader& reader, const XmlElement& e, GeomDraft draft, const Posed& X_BF) {
  model::Geom& geom = draft.geom;
  geom.where = place_of(e);
  reader.fields.read_name(e, "name", geom.name);
  if (!check_numbers(reader, e, geom) || !check_asset(reader, e, draft)) return std::nullopt;
  std::optional<Posed> X_FG = pose_of(reader, e, geom.kind, draft.placement, draft.size);
  if (X_FG && geom.kind != GeomKind::mesh && !draft.mesh.empty()) {
    const std::optional<Posed> X_MG = fit_to_mesh(reader, e, draft, draft.size);
    X_FG = X_MG ? std::optional(*X_FG * *X_MG) : std::nullopt;
  }
  if (!X_FG || !settle_size(reader, e, geom.kind, draft.size, geom.size)) return std::nullopt;
  geom.pose = X_BF * *X_FG;
  settle_colour(reader, e, draft);
  return geom;
}

void read_site(MjcfReader& reader, const XmlElement& e, SiteDraft& draft) {
  XmlFields& fields = reader.fields;
  read_kind(reader, e, draft.site.kind);
  fields.read(e, "group", draft.site.group);
  fields.read_up_to(e, "size", draft.size);
  read_placement(reader, e, draft.placement);
}

std::optional<model::Site> finish_site(MjcfReader& reader, const XmlElement& e, SiteDraft draft, const Posed& X_BF) {
  model::Site& site = draft.site;
  site.where = place_of(e);
  reader.fields.read_name(e, "name", site.name);
  if (site.kind == GeomKind::plane || site.kind == GeomKind::hfield || site.kind == GeomKind::mesh) {
    reader.fields.fail("is " + std::string(kind_words[static_cast<std::size_t>(site.kind)]) +
                           "; sites are spheres, capsules, ellipsoids, cylinders or boxes",
                       e, "type");
    return std::nullopt;
  }
  const std::optional<Posed> X_FS = pose_of(reader, e, site.kind, draft.placement, draft.size);
  if (!X_FS || !settle_size(reader, e, site.kind, draft.size, site.size)) return std::nullopt;
  site.pose = X_BF * *X_FS;
  return site;
}

}  // namespace trilith::io
