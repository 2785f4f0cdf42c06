// Boxes about shapes for the search for pairs (COL-18).
#include "geom/collide_bounds.h"

#include <limits>

#include "base/math.h"
#include "geom/collide_settings.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

namespace set = collide_settings;

constexpr double infinite = std::numeric_limits<double>::infinity();

double sum_of(const Vec3d& p) { return abs(p.x) + abs(p.y) + abs(p.z); }

/// About p with the half sides h.
Aabb box_about(const Vec3d& p, const Vec3d& h) {
  const double slack = set::bound_slack * (sum_of(p) + sum_of(h));
  const Vec3d half{h.x + slack, h.y + slack, h.z + slack};
  return {p - half, p + half};
}

/// |R| h: half sides of the box about a box.
Vec3d turned(const Mat3d& R, const Vec3d& h) {
  return {abs(R.m[0]) * h.x + abs(R.m[1]) * h.y + abs(R.m[2]) * h.z, abs(R.m[3]) * h.x + abs(R.m[4]) * h.y + abs(R.m[5]) * h.z,
          abs(R.m[6]) * h.x + abs(R.m[7]) * h.y + abs(R.m[8]) * h.z};
}

/// About a box from `lower` to `upper` in the frame X.
Aabb about_box(const Vec3d& lower, const Vec3d& upper, const Posed& X) {
  return box_about(X.p + X.R * (0.5 * (lower + upper)), turned(X.R, 0.5 * (upper - lower)));
}

/// How far the disc of radius r across the z axis reaches along each axis.
Vec3d disc_reach(const Vec3d& z, double r) {
  return {r * sqrt(z.y * z.y + z.z * z.z), r * sqrt(z.z * z.z + z.x * z.x), r * sqrt(z.x * z.x + z.y * z.y)};
}

Vec3d ellipsoid_reach(const Mat3d& R, const Vec3d& s) {
  const auto along = [&](int i) {
    const double x = R.m[3 * i] * s.x, y = R.m[3 * i + 1] * s.y, z = R.m[3 * i + 2] * s.z;
    return sqrt(x * x + y * y + z * z);
  };
  return {along(0), along(1), along(2)};
}

/// What lies below z = 0 of the frame X.
Aabb half_space(const Posed& X) {
  const Vec3d n = column(X.R, 2);
  Aabb box{{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}};
  const double slack = set::bound_slack * sum_of(X.p);
  const auto bound = [&](double along, double p, double& lower, double& upper) {
    (along > 0 ? upper : lower) = along > 0 ? p + slack : p - slack;
  };
  if (n.y == 0 && n.z == 0) bound(n.x, X.p.x, box.lower.x, box.upper.x);
  if (n.x == 0 && n.z == 0) bound(n.y, X.p.y, box.lower.y, box.upper.y);
  if (n.x == 0 && n.y == 0) bound(n.z, X.p.z, box.lower.z, box.upper.z);
  return box;
}

Aabb about_terrain(const HeightGrid& grid, const Posed& X) {
  const double base = max(grid.base(), set::least_base * (grid.half_x() + grid.half_y()));
  return about_box({-grid.half_x(), -grid.half_y(), -base}, {grid.half_x(), grid.half_y(), grid.highest()}, X);
}

}  // namespace

Aabb bounding_box(const Shape& shape, const Posed& X) noexcept {
  const Vec3d &s = shape.size, z = column(X.R, 2);
  switch (shape.kind) {
    case ShapeKind::plane:
      return half_space(X);
    case ShapeKind::hfield:
      return about_terrain(*shape.grid, X);
    case ShapeKind::sphere:
      return box_about(X.p, {s.x, s.x, s.x});
    case ShapeKind::capsule:
      return box_about(X.p, {s.x + s.y * abs(z.x), s.x + s.y * abs(z.y), s.x + s.y * abs(z.z)});
    case ShapeKind::ellipsoid:
      return box_about(X.p, ellipsoid_reach(X.R, s));
    case ShapeKind::cylinder:
      return box_about(X.p, disc_reach(z, s.x) + s.y * Vec3d{abs(z.x), abs(z.y), abs(z.z)});
    case ShapeKind::box:
      return box_about(X.p, turned(X.R, s));
    case ShapeKind::mesh:
      return about_box(shape.mesh->box().lower, shape.mesh->box().upper, X);
  }
  return {{-infinite, -infinite, -infinite}, {infinite, infinite, infinite}};
}

}  // namespace trilith::geom
