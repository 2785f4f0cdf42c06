// Which function finds the contacts of which pair. Equations: (COL-1)
#include "geom/collide.h"

#include <limits>

#include "base/check.h"
#include "geom/collide_boxes.h"
#include "geom/collide_convex.h"
#include "geom/collide_hfield.h"
#include "geom/collide_planes.h"
#include "geom/collide_spheres.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"

namespace trilith::geom {
namespace {

using Collide = void (*)(const Shape&, const Posed&, const Shape&, const Posed&, ContactWriter&);

constexpr int kinds = 8;
constexpr Collide none = nullptr;

/// Row: kind of the first shape, the smaller one; column: of the second.
constexpr Collide table[kinds][kinds] = {
    // plane hfield sphere capsule ellipsoid cylinder box mesh
    {none, none, collide_plane_sphere, collide_plane_capsule, collide_plane_ellipsoid, collide_plane_cylinder, collide_plane_box,
     collide_plane_mesh},
    {none, none, collide_hfield, collide_hfield, collide_hfield, collide_hfield, collide_hfield, collide_hfield},
    {none, none, collide_sphere_sphere, collide_sphere_capsule, collide_convex, collide_sphere_cylinder, collide_sphere_box,
     collide_convex},
    {none, none, none, collide_capsule_capsule, collide_convex, collide_convex, collide_capsule_box, collide_convex},
    {none, none, none, none, collide_convex, collide_convex, collide_convex, collide_convex},
    {none, none, none, none, none, collide_convex, collide_convex, collide_convex},
    {none, none, none, none, none, none, collide_box_box, collide_convex},
    {none, none, none, none, none, none, none, collide_convex},
};

double size_of(const Shape& shape) { return shape.kind == ShapeKind::plane ? 0 : bounding_radius(shape); }

double largest(const Vec3d& p) { return max(abs(p.x), max(abs(p.y), abs(p.z))); }

/// A body that has left the numbers touches nothing: comparisons with NaN would decide as they please.
bool is_finite(const Posed& X) {
  double sum = X.p.x + X.p.y + X.p.z;
  for (const double entry : X.R.m) sum += entry;
  return sum - sum == 0;
}

}  // namespace

double bounding_radius(const Shape& shape) noexcept {
  const Vec3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return s.x;
    case ShapeKind::capsule:
      return s.x + s.y;
    case ShapeKind::ellipsoid:
      return max(s.x, max(s.y, s.z));
    case ShapeKind::cylinder:
      return sqrt(s.x * s.x + s.y * s.y);
    case ShapeKind::box:
      return norm(s);
    case ShapeKind::hfield:
      return shape.grid->radius();
    case ShapeKind::mesh:
      return shape.mesh->radius();
    default:
      return std::numeric_limits<double>::infinity();
  }
}

ContactCount collide(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin,
                     std::span<ContactPoint> out) noexcept {
  for (const Shape* shape : {&a, &b}) {
    TRI_CHECK(shape->kind != ShapeKind::mesh || shape->mesh != nullptr);
    TRI_CHECK(shape->kind != ShapeKind::hfield || shape->grid != nullptr);
  }
  const bool swapped = a.kind > b.kind;
  const Shape &first = swapped ? b : a, &second = swapped ? a : b;
  const Posed &X_WF = swapped ? X_WB : X_WA, &X_WS = swapped ? X_WA : X_WB;
  const Collide pair = table[static_cast<int>(first.kind)][static_cast<int>(second.kind)];
  if (pair == nullptr || !is_finite(X_WA) || !is_finite(X_WB)) return {};
  // from the origin of the first shape: far from the origin of the world only the poses themselves are rounded
  const double scale = size_of(first) + size_of(second) + largest(X_WF.p) + largest(X_WS.p);
  ContactWriter writer(out, X_WF.p, margin, collide_settings::touch_slack * scale, swapped);
  pair(first, {X_WF.R, {0, 0, 0}}, second, {X_WS.R, X_WS.p - X_WF.p}, writer);
  return {writer.count(), writer.full()};
}

}  // namespace trilith::geom
