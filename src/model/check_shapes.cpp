#include "base/text.h"
#include "geom/mass_properties.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"

namespace trilith::model {
namespace {

struct KindInfo {
  std::string_view name;
  int sizes;  ///< how many must be above 0
};
KindInfo info_of(GeomKind kind) {
  switch (kind) {
    case GeomKind::plane:
      return {"plane", 0};
    case GeomKind::hfield:
      return {"hfield", 0};
    case GeomKind::sphere:
      return {"sphere", 1};
    case GeomKind::capsule:
      return {"capsule", 2};
    case GeomKind::ellipsoid:
      return {"ellipsoid", 3};
    case GeomKind::cylinder:
      return {"cylinder", 2};
    case GeomKind::box:
      return {"box", 3};
    case GeomKind::mesh:
      return {"mesh", 0};
  }
  return {"", 0};
}

void check_size(const Vec3d& size, GeomKind kind, const std::string& name, const std::string& where, Making& making) {
  const KindInfo info = info_of(kind);
  if (!check_finite(size, "size of " + name, where, making)) return;
  const double values[3] = {size.x, size.y, size.z};
  for (int i = 0; i < info.sizes; ++i)
    if (!(values[i] > 0)) {
      making.findings.refuse(name + " (" + std::string(info.name) + "): size " + std::to_string(i + 1) + " of " +
                                 std::to_string(info.sizes) + " must be above 0, got " + format_double(values[i]),
                             where);
      return;
    }
  if (kind == GeomKind::plane && (size.x < 0 || size.y < 0)) making.findings.refuse(name + " (plane): sizes must not be negative", where);
}

void check_pose(const Posed& pose, const std::string& name, const std::string& where, Making& making) {
  check_finite(pose.p, "position of " + name, where, making);
  for (const double x : pose.R.m)
    if (!is_finite(x)) return making.findings.refuse("orientation of " + name + " must be finite", where);
}

double longest_side(const Geom& geom, const Model& model) {
  const Vec3d& s = geom.size;
  switch (geom.kind) {
    case GeomKind::sphere:
      return 2 * s.x;
    case GeomKind::capsule:
      return 2 * (s.x + s.y);
    case GeomKind::cylinder:
      return 2 * max(s.x, s.y);
    case GeomKind::box:
    case GeomKind::ellipsoid:
      return 2 * largest_component(s);
    case GeomKind::mesh:
      return geom.asset.index < 0 ? 0 : geom::longest_side(geom::bounding_box(model.meshes[geom.asset.index].mesh));
    default:
      return 0;
  }
}

struct ShapeTallies {
  Tally friction, size;
};

void check_contact_numbers(const Geom& geom, const std::string& name, ShapeTallies& tallies, Making& making) {
  Findings& findings = making.findings;
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6)
    findings.refuse("condim of " + name + " must be 1, 3, 4 or 6, got " + std::to_string(geom.condim), geom.where);
  for (const double mu : geom.friction)
    if (!(mu >= 0 && is_finite(mu))) {
      findings.refuse("friction of " + name + " must be >= 0, got " + format_double(mu), geom.where);
      break;
    }
  if (geom.friction[0] > making.limits.largest_friction)
    tallies.friction.add(
        "friction " + format_double(geom.friction[0]) + " of " + name + " is above " + format_double(making.limits.largest_friction),
        geom.where);
  for (const auto& [value, what] : {std::pair{geom.margin, "margin"}, {geom.gap, "gap"}})
    if (!is_finite(value)) findings.refuse(std::string(what) + " of " + name + " must be finite", geom.where);
  if (!(geom.solmix >= 0 && is_finite(geom.solmix))) findings.refuse("solmix of " + name + " must be >= 0", geom.where);
  check_softness(geom.law, name, geom.where, making);
}

void check_geom(Geom& geom, ShapeTallies& tallies, Making& making) {
  Model& model = making.model;
  Findings& findings = making.findings;
  const std::string name = label("geom", geom.name);
  check_size(geom.size, geom.kind, name, geom.where, making);
  check_pose(geom.pose, name, geom.where, making);
  if (geom.kind == GeomKind::mesh || geom.kind == GeomKind::hfield) {
    const bool mesh = geom.kind == GeomKind::mesh;
    const bool found = (mesh ? making.meshes : making.height_fields).resolve(geom.asset, name, geom.where, findings);
    if (!found && geom.asset.name.empty()) findings.refuse(name + " names no " + (mesh ? "mesh" : "hfield"), geom.where);
  }
  const Body& weld = model.bodies[model.bodies[geom.body].weld];
  if (geom.kind == GeomKind::plane && weld.joint_count > 0 && !geom.visual_only)
    findings.refuse(name + " is a plane: its body must not move", geom.where);
  if (const double side = longest_side(geom, model); weld.joint_count > 0 && side > making.limits.largest_size)
    tallies.size.add(name + " is " + format_quantity(side, "m") + " long: are its lengths in metres?", geom.where);
  if (geom.visual_only) return;
  if (geom.mass && !(*geom.mass >= 0 && is_finite(*geom.mass)))
    findings.refuse("mass of " + name + " must be a number >= 0, got " + format_double(*geom.mass), geom.where);
  if (!(geom.density >= 0 && is_finite(geom.density)))
    findings.refuse("density of " + name + " must be a number >= 0, got " + format_double(geom.density), geom.where);
  check_contact_numbers(geom, name, tallies, making);
}

void check_height_field(const HeightFieldAsset& field, Making& making) {
  const std::string name = label("hfield", field.name);
  if (field.rows < 2 || field.columns < 2) return making.findings.refuse(name + " needs at least 2 rows and 2 columns", field.where);
  if (field.heights.size() != static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns))
    making.findings.refuse(name + " has " + std::to_string(field.heights.size()) + " heights, needs rows times columns", field.where);
  for (int i = 0; i < 4; ++i)
    if (!(field.size[i] > 0 && field.size[i] <= making.limits.largest_number))
      return making.findings.refuse(name + ": size " + std::to_string(i + 1) + " must be above 0, got " + format_double(field.size[i]),
                                    field.where);
  for (const float h : field.heights)
    if (!is_finite(h)) return making.findings.refuse("heights of " + name + " must be finite", field.where);
}

void check_mesh(const MeshAsset& asset, Making& making) {
  const std::string name = label("mesh", asset.name);
  if (asset.mesh.face_count() == 0 || asset.mesh.vertices.empty()) return making.findings.refuse(name + " has no faces", asset.where);
  for (const Vec3d& p : asset.mesh.vertices)
    if (!check_finite(p, "vertices of " + name, asset.where, making)) return;
}

}  // namespace

bool check_shapes(Making& making) {
  const std::size_t errors = making.findings.errors().size();
  const std::size_t most = making.limits.most_alike;
  ShapeTallies tallies{Tally(making.findings, most, "geoms with so much friction"), Tally(making.findings, most, "geoms as large")};
  for (const MeshAsset& asset : making.model.meshes) check_mesh(asset, making);
  for (const HeightFieldAsset& field : making.model.height_fields) check_height_field(field, making);
  for (Geom& geom : making.model.geoms) check_geom(geom, tallies, making);
  tallies.friction.finish(making.model.source);
  tallies.size.finish(making.model.source);
  for (const Site& site : making.model.sites) {
    const std::string name = label("site", site.name);
    check_size(site.size, site.kind, name, site.where, making);
    check_pose(site.pose, name, site.where, making);
  }
  return making.findings.errors().size() == errors && errors < max_errors;
}

}  // namespace trilith::model
