#include "geom/ray.h"

#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr double tiny = 1e-15;  // of a unit direction: below it the ray runs along the surface

/// Both roots of a x^2 + 2 b x + c = 0, ascending; false where there are none.
bool solve_quadratic(double a, double b, double c, double& first, double& second) {
  const double square = b * b - a * c;
  if (square < 0 || a < tiny) return false;
  const double root = trilith::sqrt(square);
  first = (-b - root) / a, second = (-b + root) / a;
  return true;
}

/// Keeps the smaller distance that is ahead.
void keep_nearest(double x, double& nearest) {
  if (x >= 0 && (nearest < 0 || x < nearest)) nearest = x;
}

double nearest_root(double a, double b, double c) {
  double first = 0, second = 0;
  if (!solve_quadratic(a, b, c, first, second)) return -1;
  return first >= 0 ? first : second >= 0 ? second : -1;
}

/// The round side of a cylinder along z, between -half and half.
void meet_side(double radius, double half, const Vec3d& p, const Vec3d& d, double& nearest) {
  double first = 0, second = 0;
  if (!solve_quadratic(d.x * d.x + d.y * d.y, d.x * p.x + d.y * p.y, p.x * p.x + p.y * p.y - radius * radius, first, second)) return;
  for (const double x : {first, second})
    if (abs(p.z + x * d.z) <= half) keep_nearest(x, nearest);
}

}  // namespace

double ray_plane(double half_x, double half_y, const Vec3d& p, const Vec3d& d) noexcept {
  if (d.z > -tiny) return -1;
  const double x = -p.z / d.z;
  if (x < 0) return -1;
  const bool inside = (half_x <= 0 || abs(p.x + x * d.x) <= half_x) && (half_y <= 0 || abs(p.y + x * d.y) <= half_y);
  return inside ? x : -1;
}

double ray_sphere(double radius, const Vec3d& p, const Vec3d& d) noexcept {
  return nearest_root(dot(d, d), dot(d, p), dot(p, p) - radius * radius);
}

double ray_capsule(double radius, double half, const Vec3d& p, const Vec3d& d) noexcept {
  double nearest = -1;
  meet_side(radius, half, p, d, nearest);
  for (const double end : {half, -half}) {
    const Vec3d from_end = p - Vec3d{0, 0, end};
    double first = 0, second = 0;
    if (!solve_quadratic(dot(d, d), dot(d, from_end), dot(from_end, from_end) - radius * radius, first, second)) continue;
    for (const double x : {first, second})
      if ((from_end.z + x * d.z) * end >= 0) keep_nearest(x, nearest);
  }
  return nearest;
}

double ray_cylinder(double radius, double half, const Vec3d& p, const Vec3d& d) noexcept {
  double nearest = -1;
  meet_side(radius, half, p, d, nearest);
  if (abs(d.z) < tiny) return nearest;
  for (const double end : {half, -half}) {
    const double x = (end - p.z) / d.z, at_x = p.x + x * d.x, at_y = p.y + x * d.y;
    if (at_x * at_x + at_y * at_y <= radius * radius) keep_nearest(x, nearest);
  }
  return nearest;
}

double ray_ellipsoid(const Vec3d& s, const Vec3d& p, const Vec3d& d) noexcept {
  const Vec3d scaled_p{p.x / s.x, p.y / s.y, p.z / s.z}, scaled_d{d.x / s.x, d.y / s.y, d.z / s.z};
  return nearest_root(dot(scaled_d, scaled_d), dot(scaled_d, scaled_p), dot(scaled_p, scaled_p) - 1);
}

double ray_box(const Vec3d& half_sizes, const Vec3d& p, const Vec3d& d) noexcept {
  const double size[3] = {half_sizes.x, half_sizes.y, half_sizes.z}, at[3] = {p.x, p.y, p.z}, along[3] = {d.x, d.y, d.z};
  double nearest = -1;
  for (int i = 0; i < 3; ++i) {
    if (abs(along[i]) < tiny) continue;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (const double face : {size[i], -size[i]}) {
      const double x = (face - at[i]) / along[i];
      if (abs(at[j] + x * along[j]) <= size[j] && abs(at[k] + x * along[k]) <= size[k]) keep_nearest(x, nearest);
    }
  }
  return nearest;
}

double ray_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p, const Vec3d& d) noexcept {
  // barycentric coordinates from the volumes that the ray spans with the edges (Moeller and Trumbore 1997)
  const Vec3d ab = b - a, ac = c - a, normal = cross(ab, ac);
  const double facing = dot(d, normal);
  if (abs(facing) <= tiny * norm(normal)) return -1;
  const Vec3d ap = p - a, turned = cross(d, ap);
  const double beta = dot(ac, turned) / facing, gamma = -dot(ab, turned) / facing;
  if (beta < 0 || gamma < 0 || beta + gamma > 1) return -1;
  const double x = -dot(ap, normal) / facing;
  return x >= 0 ? x : -1;
}

double ray_mesh(const Mesh& mesh, const Vec3d& p, const Vec3d& d) noexcept {
  double nearest = -1;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::span<const std::uint32_t> face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i)
      keep_nearest(ray_triangle(mesh.vertices[face[0]], mesh.vertices[face[i - 1]], mesh.vertices[face[i]], p, d), nearest);
  }
  return nearest;
}

double ray_height_field(int rows, int columns, const std::array<double, 4>& size, std::span<const float> heights, const Vec3d& p,
                        const Vec3d& d) noexcept {
  const auto corner = [&](int r, int c) {
    const double x = size[0] * (2.0 * c / (columns - 1) - 1), y = size[1] * (2.0 * r / (rows - 1) - 1);
    return Vec3d{x, y,
                 size[2] * static_cast<double>(
                               heights[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)])};
  };
  double nearest = -1;
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      const Vec3d a = corner(r, c), b = corner(r, c + 1), e = corner(r + 1, c), f = corner(r + 1, c + 1);
      keep_nearest(ray_triangle(a, f, e, p, d), nearest);
      keep_nearest(ray_triangle(a, b, f, p, d), nearest);
    }
  }
  return nearest;
}

}  // namespace trilith::geom
