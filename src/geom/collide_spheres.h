#pragma once
#include "geom/collide_settings.h"
#include "geom/contact_writer.h"
#include "spatial/pose.h"

/// Contacts of spheres with spheres, capsules and cylinders, and of two capsules. Equations: (COL-2) (COL-3) (COL-4)
namespace trilith::geom {

inline Vec3d z_axis(const Posed& X) { return column(X.R, 2); }

/// A unit vector at right angles to the unit vector `a`: from the first axis that is not along it.
inline Vec3d perpendicular(const Vec3d& a) {
  const Vec3d e = abs(a.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  return unit(e - dot(e, a) * a);
}

/// Where two centres coincide: at right angles to both axes.
inline Vec3d normal_without_centres(const Vec3d& axis_a, const Vec3d& axis_b) {
  const Vec3d n = cross(axis_a, axis_b);
  return norm(n) > collide_settings::concentric ? unit(n) : perpendicular(axis_b);
}

struct Ball {
  Vec3d p;
  double radius;
  Vec3d axis;  ///< of the shape it belongs to: gives the normal where centres coincide
};

/// (COL-2)
inline void collide_balls(const Ball& a, const Ball& b, ContactWriter& out) {
  const Vec3d between = b.p - a.p;
  const double square = dot(between, between), least = out.reach() + a.radius + b.radius;
  if (!(square <= least * least) || least < 0) return;
  const double length = sqrt(square);
  const bool apart = length > collide_settings::concentric * (a.radius + b.radius);
  const Vec3d normal = apart ? (1 / length) * between : normal_without_centres(a.axis, b.axis);
  const double distance = length - a.radius - b.radius;
  out.add(a.p + (a.radius + 0.5 * distance) * normal, normal, distance);
}

/// Ball (A) and half space below the plane through `p_plane` (B).
inline void collide_ball_cap(const Vec3d& p_a, double r_a, const Vec3d& p_plane, const Vec3d& outward, ContactWriter& out) {
  const double distance = dot(p_a - p_plane, outward) - r_a;
  out.add(p_a - (r_a + 0.5 * distance) * outward, -outward, distance);
}

inline void collide_sphere_sphere(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  collide_balls({A.p, a.size.x, z_axis(A)}, {B.p, b.size.x, z_axis(B)}, out);
}

inline void collide_sphere_capsule(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d axis = z_axis(B);
  const double along = min(max(dot(axis, A.p - B.p), -b.size.y), b.size.y);
  collide_balls({A.p, a.size.x, z_axis(A)}, {B.p + along * axis, b.size.x, axis}, out);
}

/// (COL-4) The nearest feature of the cylinder: its side, a cap, or the rim between them.
inline void collide_sphere_cylinder(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d axis = z_axis(B), from = A.p - B.p;
  const double radius = b.size.x, half = b.size.y, along = dot(axis, from);
  const Vec3d aside = from - along * axis;
  const double off = norm(aside);
  bool side = abs(along) < half, cap = off < radius;
  if (side && cap) {  // the centre lies inside: leave by the shorter way
    side = !(half - abs(along) < radius - off);
    cap = !side;
  }
  const double end = along > 0 ? half : -half;
  if (side) {
    collide_balls({A.p, a.size.x, z_axis(A)}, {B.p + along * axis, radius, axis}, out);
  } else if (cap) {
    collide_ball_cap(A.p, a.size.x, B.p + end * axis, along > 0 ? axis : -axis, out);
  } else {
    collide_balls({A.p, a.size.x, z_axis(A)}, {B.p + end * axis + (radius / off) * aside, 0, axis}, out);
  }
}

/// Two segments c + x h, |x| <= 1, at distance `from` = c_a - c_b: coefficients of the squared distance.
struct SegmentPair {
  double aa, ab, bb, u, v;
  SegmentPair(const Vec3d& half_a, const Vec3d& half_b, const Vec3d& from)
      : aa(dot(half_a, half_a)), ab(-dot(half_a, half_b)), bb(dot(half_b, half_b)), u(-dot(half_a, from)), v(dot(half_b, from)) {}
  static double clip(double x) { return min(max(x, -1.0), 1.0); }
  double best_a(double x_b) const { return aa > 0 ? clip((u - ab * x_b) / aa) : 0; }
  double best_b(double x_a) const { return bb > 0 ? clip((v - ab * x_a) / bb) : 0; }
  double determinant() const { return aa * bb - ab * ab; }
};

/// (COL-3) One contact where the axes are nearest; parallel capsules: the first two of the ends +A, -A, +B, -B that are within reach.
inline void collide_capsule_capsule(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) {
  const Vec3d axis_a = z_axis(A), axis_b = z_axis(B);
  const Vec3d half_a = a.size.y * axis_a, half_b = b.size.y * axis_b;
  const SegmentPair pair(half_a, half_b, A.p - B.p);
  const auto touch = [&](double x_a, double x_b) {
    collide_balls({A.p + x_a * half_a, a.size.x, axis_a}, {B.p + x_b * half_b, b.size.x, axis_b}, out);
  };
  // |axis_a x axis_b|^2 without the cancellation of 1 - cos^2
  const Vec3d between = cross(axis_a, axis_b);
  if (dot(between, between) > collide_settings::parallel_square && pair.aa > 0 && pair.bb > 0) {
    const double determinant = a.size.y * a.size.y * b.size.y * b.size.y * dot(between, between);
    double x_a = (pair.bb * pair.u - pair.ab * pair.v) / determinant, x_b = (pair.aa * pair.v - pair.ab * pair.u) / determinant;
    if (abs(x_a) > 1) {
      x_a = pair.clip(x_a);
      x_b = (pair.v - pair.ab * x_a) / pair.bb;
    }
    if (abs(x_b) > 1) {
      x_b = pair.clip(x_b);
      x_a = pair.best_a(x_b);
    }
    touch(x_a, x_b);
    return;
  }
  touch(1, pair.best_b(1));
  touch(-1, pair.best_b(-1));
  if (out.count() < 2) touch(pair.best_a(1), 1);
  if (out.count() < 2) touch(pair.best_a(-1), -1);
}

}  // namespace trilith::geom
