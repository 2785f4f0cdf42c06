#include "io/compas_shapes.h"

#include <array>

#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::io {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A point of the outline that is turned about the z axis; radius 0 is a pole.
struct Profile {
  double radius, height;
};

/// Turns an outline, given from the lowest point up, about the z axis. `closed`: its last point is joined to its first (a ring).
geom::Mesh revolve(const std::vector<Profile>& outline, int sides, bool closed) {
  geom::Mesh mesh;
  std::vector<std::uint32_t> start;
  const auto n = static_cast<std::uint32_t>(sides);
  for (const Profile& p : outline) {
    start.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    if (p.radius == 0) mesh.vertices.push_back({0, 0, p.height});
    for (int k = 0; p.radius != 0 && k < sides; ++k) {
      const double angle = 2 * pi * k / sides;
      mesh.vertices.push_back({p.radius * cos(angle), p.radius * sin(angle), p.height});
    }
  }
  for (std::size_t i = 0; i + (closed ? 0 : 1) < outline.size(); ++i) {
    const std::size_t next = (i + 1) % outline.size();
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t l = (k + 1) % n, low = start[i], high = start[next];
      if (outline[i].radius == 0)
        mesh.add_face(std::array{low, high + l, high + k});
      else if (outline[next].radius == 0)
        mesh.add_face(std::array{low + k, low + l, high});
      else
        mesh.add_face(std::array{low + k, low + l, high + l, high + k});
    }
  }
  return mesh;
}

void add_cap(geom::Mesh& mesh, std::uint32_t first, int sides, bool upwards) {
  std::vector<std::uint32_t> corners;
  for (int k = 0; k < sides; ++k) corners.push_back(first + static_cast<std::uint32_t>(upwards ? k : sides - 1 - k));
  mesh.add_face(corners);
}

}  // namespace

geom::Mesh make_box(const Vec3d& sides) {
  geom::Mesh mesh;
  for (const double z : {-0.5, 0.5})
    for (const auto& [x, y] : {std::array{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      mesh.vertices.push_back({x * sides.x, y * sides.y, z * sides.z});
  using Face = std::array<std::uint32_t, 4>;
  for (const Face& face : {Face{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}) mesh.add_face(face);
  return mesh;
}

geom::Mesh make_cylinder(double radius, double height, int sides) {
  geom::Mesh mesh = revolve({{radius, -0.5 * height}, {radius, 0.5 * height}}, sides, false);
  add_cap(mesh, 0, sides, false);
  add_cap(mesh, static_cast<std::uint32_t>(sides), sides, true);
  return mesh;
}

geom::Mesh make_cone(double radius, double height, int sides) {
  geom::Mesh mesh = revolve({{radius, 0}, {0, height}}, sides, false);
  add_cap(mesh, 0, sides, false);
  return mesh;
}

geom::Mesh make_capsule(double radius, double height, int sides) {
  const int steps = sides / 4;
  std::vector<Profile> outline{{0, -0.5 * height - radius}};
  for (int i = 1; i < 2 * steps; ++i) {
    const double angle = pi * (static_cast<double>(i) / (2 * steps) - 0.5);
    const double across = i == steps ? radius : radius * cos(angle), along = i == steps ? 0 : radius * sin(angle);
    if (i <= steps) outline.push_back({across, along - 0.5 * height});
    if (i > steps || (i == steps && height > 0)) outline.push_back({across, along + 0.5 * height});
  }
  outline.push_back({0, 0.5 * height + radius});
  return revolve(outline, sides, false);
}

geom::Mesh make_torus(double axis, double pipe, int sides) {
  std::vector<Profile> outline;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * pi * i / sides;
    outline.push_back({axis + pipe * cos(angle), pipe * sin(angle)});
  }
  return revolve(outline, sides, true);
}

}  // namespace trilith::io
