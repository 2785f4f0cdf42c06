#pragma once
#include "geom/collide_settings.h"
#include "geom/contact_writer.h"
#include "spatial/pose.h"

/// Contacts of the half space below the plane z = 0 of A with round shapes and boxes. Equations: (COL-5) (COL-6) (COL-7)
namespace trilith::geom {

/// The point `p` of B above (or below) the plane of A.
inline bool touch_plane(const Vec3d& normal, const Vec3d& p, double distance, ContactWriter& out, const Vec3d& tangent = {}) {
  return out.add(p - 0.5 * distance * normal, normal, distance, tangent);
}

inline void collide_plane_ball(const Posed& A, const Vec3d& p, double radius, const Vec3d& tangent, ContactWriter& out) {
  const Vec3d normal = column(A.R, 2);
  touch_plane(normal, p - radius * normal, dot(p - A.p, normal) - radius, out, tangent);
}

inline void collide_plane_sphere(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  collide_plane_ball(A, B.p, b.size.x, {}, out);
}

/// The ball at the end along the axis, then the other.
inline void collide_plane_capsule(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d axis = column(B.R, 2);
  collide_plane_ball(A, B.p + b.size.y * axis, b.size.x, axis, out);
  collide_plane_ball(A, B.p - b.size.y * axis, b.size.x, axis, out);
}

/// (COL-7) The lowest point of the lower rim, the point above it on the upper rim, and two that make a triangle on the lower rim.
inline void collide_plane_cylinder(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d normal = column(A.R, 2), z = column(B.R, 2);
  const double radius = b.size.x, half = b.size.y;
  const Vec3d axis = dot(normal, z) > 0 ? -z : z;  // points down
  // sine of the tilt from a cross product: no cancellation; down to it rounding, which has no direction, decides nothing
  const Vec3d tilt = cross(normal, axis);
  const double sine = norm(tilt);
  const bool flat = !(sine > collide_settings::parallel);
  const Vec3d low = flat ? column(B.R, 0) : unit(cross(tilt, axis));  // unit, at right angles to the axis, steepest down
  const double sink = flat ? 0 : radius * sine;
  const double height = dot(B.p - A.p, normal), drop = half * dot(normal, axis);
  const Vec3d to_cap = half * axis;

  if (!touch_plane(normal, B.p + radius * low + to_cap, height + drop - sink, out)) return;
  touch_plane(normal, B.p + radius * low - to_cap, height - drop - sink, out);
  const double triangle = height + drop + 0.5 * sink;
  const Vec3d sideways = (radius * sqrt(3.0) / 2) * unit(cross(low, axis)), back = B.p + to_cap - 0.5 * radius * low;
  if (touch_plane(normal, back + sideways, triangle, out)) touch_plane(normal, back - sideways, triangle, out);
}

/// (COL-5) At most four corners below the centre: the first in the order of the bits x, y, z.
inline void collide_plane_box(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d normal = column(A.R, 2);
  const double height = dot(B.p - A.p, normal);
  for (int i = 0; i < 8 && out.count() < 4; ++i) {
    const Vec3d p_BC{(i & 1) != 0 ? b.size.x : -b.size.x, (i & 2) != 0 ? b.size.y : -b.size.y, (i & 4) != 0 ? b.size.z : -b.size.z};
    const Vec3d corner = B.R * p_BC;
    const double below = dot(normal, corner);
    if (below <= 0) touch_plane(normal, B.p + corner, height + below, out);
  }
}

/// (COL-6) The point of the ellipsoid furthest down.
inline void collide_plane_ellipsoid(const Shape&, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d normal = column(A.R, 2), n_B = transpose_times(B.R, normal);
  const Vec3d scaled{b.size.x * n_B.x, b.size.y * n_B.y, b.size.z * n_B.z};
  const double depth = norm(scaled);  // support of the ellipsoid
  const Vec3d p_BC{-b.size.x * scaled.x / depth, -b.size.y * scaled.y / depth, -b.size.z * scaled.z / depth};
  touch_plane(normal, B.p + B.R * p_BC, dot(B.p - A.p, normal) - depth, out);
}

}  // namespace trilith::geom
