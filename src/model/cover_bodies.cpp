#include "model/cover_bodies.h"

#include <algorithm>
#include <numbers>
#include <optional>

#include "base/math.h"
#include "geom/shape_meshes.h"

namespace trilith::model {
namespace {

constexpr int cylinder_sides = 24;   // its mesh is .9 % wider than the cylinder
constexpr int ellipsoid_levels = 2;  // 320 faces, 1.8 % larger

/// The cover of a mesh that is up to `slack` [m] larger than the shape.
geom::SphereCover cover_around(const geom::Mesh& mesh, double slack, geom::CoverSettings settings) {
  const double asked = settings.excess;
  settings.excess = std::max(asked - slack, asked / 2);
  geom::SphereCover cover = cover_mesh(mesh, settings);
  cover.excess += slack;
  cover.reached = cover.excess <= asked;
  return cover;
}

/// In the frame of the shape; nothing where it has no cover.
std::optional<geom::SphereCover> cover_geom(const Model& model, const Geom& geom, const geom::CoverSettings& settings) {
  switch (geom.kind) {
    case GeomKind::sphere:
      return geom::SphereCover{{{{0, 0, 0}, geom.size.x}}, 0, true};
    case GeomKind::capsule:
      return geom::cover_capsule(geom.size.x, geom.size.y, settings);
    case GeomKind::box:
      return cover_around(geom::make_box_mesh(geom.size), 0, settings);
    case GeomKind::cylinder: {
      const double slack = geom.size.x * (1 / sincos(std::numbers::pi / cylinder_sides).cos - 1);
      return cover_around(geom::make_cylinder_mesh(geom.size.x, geom.size.y, cylinder_sides), slack, settings);
    }
    case GeomKind::ellipsoid: {
      double growth = 1;
      const geom::Mesh mesh = geom::make_ellipsoid_mesh(geom.size, ellipsoid_levels, growth);
      return cover_around(mesh, (growth - 1) * std::max({geom.size.x, geom.size.y, geom.size.z}), settings);
    }
    case GeomKind::mesh:
      return cover_around(model.meshes[static_cast<std::size_t>(geom.asset.index)].mesh, 0, settings);
    case GeomKind::plane:
    case GeomKind::hfield:
      return std::nullopt;
  }
  return std::nullopt;
}

void append(const geom::SphereCover& cover, const Posed& X_BG, BodyCover& body) {
  for (const geom::Sphere& s : cover.spheres) body.spheres.push_back({transform_point(X_BG, s.center), s.radius});
  body.excess = std::max(body.excess, cover.excess);
  body.reached = body.reached && cover.reached;
}

}  // namespace

std::vector<BodyCover> cover_bodies(const Model& model, const geom::CoverSettings& settings, std::vector<Warning>& warnings) {
  std::vector<BodyCover> covers;
  for (const Geom& geom : model.geoms) {
    if (geom.visual_only || (geom.contype == 0 && geom.conaffinity == 0)) continue;
    const std::optional<geom::SphereCover> cover = cover_geom(model, geom, settings);
    if (!cover || cover->spheres.empty()) {
      warnings.push_back({"a plane, a height field or a mesh without faces has no covering spheres: left out", geom.where});
      continue;
    }
    if (covers.empty() || covers.back().body != geom.body) covers.push_back({geom.body, {}, 0, true});
    append(*cover, geom.pose, covers.back());
  }
  return covers;
}

}  // namespace trilith::model
