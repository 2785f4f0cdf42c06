// Furthest points of convex shapes. Equations: (COL-13)
#include "base/math.h"
#include "geom/convex_mesh.h"
#include "geom/convex_pair.h"

namespace trilith::geom {
namespace {

Vec3d furthest_of_cylinder(const Vec3d& size, const Vec3d& d) {
  const double aside = sqrt(d.x * d.x + d.y * d.y), z = d.z >= 0 ? size.y : -size.y;
  if (!(aside > 0)) return {0, 0, z};
  return {size.x * (d.x / aside), size.x * (d.y / aside), z};
}

Vec3d furthest_of_ellipsoid(const Vec3d& size, const Vec3d& d) {
  const Vec3d scaled{size.x * d.x, size.y * d.y, size.z * d.z};
  const double length = norm(scaled);
  if (!(length > 0)) return {size.x, 0, 0};
  return {size.x * (scaled.x / length), size.y * (scaled.y / length), size.z * (scaled.z / length)};
}

Vec3d furthest_point(std::span<const Vec3d> points, const Vec3d& d) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (dot(points[i], d) > dot(points[best], d)) best = i;
  return points[best];
}

}  // namespace

Vec3d Core::support(const Vec3d& d) noexcept {
  switch (kind) {
    case Kind::point:
      return {0, 0, 0};
    case Kind::segment:
      return {0, 0, d.z >= 0 ? size.y : -size.y};
    case Kind::ellipsoid:
      return furthest_of_ellipsoid(size, d);
    case Kind::cylinder:
      return furthest_of_cylinder(size, d);
    case Kind::box:
      return {d.x >= 0 ? size.x : -size.x, d.y >= 0 ? size.y : -size.y, d.z >= 0 ? size.z : -size.z};
    case Kind::mesh:
      last = mesh->support(d, last);
      return mesh->vertices()[last];
    default:
      return furthest_point(points, d);
  }
}

Core make_core(const Shape& shape) noexcept {
  Core core;
  core.size = shape.size;
  const Vec3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere:
      core.kind = Core::Kind::point, core.radius = s.x, core.extent = s.x;
      break;
    case ShapeKind::capsule:
      core.kind = Core::Kind::segment, core.radius = s.x, core.extent = s.x + s.y;
      break;
    case ShapeKind::ellipsoid:
      core.kind = Core::Kind::ellipsoid, core.extent = max(s.x, max(s.y, s.z));
      break;
    case ShapeKind::cylinder:
      core.kind = Core::Kind::cylinder, core.extent = s.x + s.y;
      break;
    case ShapeKind::box:
      core.kind = Core::Kind::box, core.extent = s.x + s.y + s.z;
      break;
    default:
      core.kind = Core::Kind::mesh;
      core.mesh = shape.mesh;
      core.extent = shape.mesh->radius();
      core.center = shape.mesh->center();
  }
  return core;
}

Core make_prism(std::span<const Vec3d, 6> points) noexcept {
  Core core;
  core.kind = Core::Kind::prism;
  core.points = points;
  for (const Vec3d& p : points) {
    core.extent = max(core.extent, norm(p));
    core.center = core.center + (1.0 / static_cast<double>(points.size())) * p;
  }
  return core;
}

}  // namespace trilith::geom
