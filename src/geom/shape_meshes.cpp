#include "geom/shape_meshes.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <utility>

#include "base/check.h"
#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

Mesh to_mesh(std::vector<Vec3d> vertices, const std::vector<Triangle>& triangles) {
  Mesh mesh;
  mesh.vertices = std::move(vertices);
  for (const Triangle& t : triangles) mesh.add_face(t);
  return mesh;
}

std::vector<Vec3d> icosahedron_corners() {
  const double g = (1 + sqrt(5.0)) / 2;
  std::vector<Vec3d> corners;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g}) corners.insert(corners.end(), {{0, a, b}, {a, b, 0}, {b, 0, a}});
  for (Vec3d& p : corners) p = unit(p);
  return corners;
}

/// The 20 triples of corners that are mutually nearest, outward.
std::vector<Triangle> icosahedron_faces(const std::vector<Vec3d>& p) {
  const double near = 1.2;  // an edge is 1.05 long, the next distance 1.7
  std::vector<Triangle> faces;
  const auto count = static_cast<std::uint32_t>(p.size());
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = i + 1; j < count; ++j)
      for (std::uint32_t k = j + 1; k < count; ++k) {
        if (norm(p[i] - p[j]) > near || norm(p[j] - p[k]) > near || norm(p[k] - p[i]) > near) continue;
        const bool outward = dot(cross(p[j] - p[i], p[k] - p[i]), p[i]) > 0;
        faces.push_back(outward ? Triangle{i, j, k} : Triangle{i, k, j});
      }
  return faces;
}

/// Every triangle in four, new corners on the unit sphere.
void subdivide(std::vector<Vec3d>& p, std::vector<Triangle>& faces) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(p.size()));
    if (fresh) p.push_back(unit(p[a] + p[b]));
    return at->second;
  };
  std::vector<Triangle> finer;
  for (const auto& [a, b, c] : faces) {
    const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  faces = std::move(finer);
}

}  // namespace

Mesh make_box_mesh(const Vec3d& half) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
  constexpr std::array<std::array<std::uint32_t, 4>, 6> faces = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& face : faces) mesh.add_face(face);
  return mesh;
}

Mesh make_cylinder_mesh(double radius, double half_length, int sides) {
  TRI_CHECK(sides >= 3);
  const double step = 2 * std::numbers::pi / sides;
  const double outer = radius / sincos(step / 2).cos;
  Mesh mesh;
  std::vector<std::uint32_t> bottom, top;
  for (int i = 0; i < sides; ++i) {
    const SinCos<double> at = sincos(step * i);
    for (const double z : {-half_length, half_length}) mesh.vertices.push_back({outer * at.cos, outer * at.sin, z});
    bottom.insert(bottom.begin(), static_cast<std::uint32_t>(2 * i));
    top.push_back(static_cast<std::uint32_t>(2 * i + 1));
  }
  mesh.add_face(bottom);
  mesh.add_face(top);
  const auto count = static_cast<std::uint32_t>(2 * sides);
  for (std::uint32_t i = 0; i < count; i += 2) mesh.add_face(std::array{i, (i + 2) % count, (i + 3) % count, i + 1});
  return mesh;
}

Mesh make_ellipsoid_mesh(const Vec3d& axes, int levels, double& growth) {
  std::vector<Vec3d> p = icosahedron_corners();
  std::vector<Triangle> faces = icosahedron_faces(p);
  for (int level = 0; level < levels; ++level) subdivide(p, faces);
  double nearest = 1;
  for (const auto& [a, b, c] : faces) nearest = std::min(nearest, dot(unit(cross(p[b] - p[a], p[c] - p[a])), p[a]));
  growth = 1 / nearest;
  for (Vec3d& v : p) v = {growth * axes.x * v.x, growth * axes.y * v.y, growth * axes.z * v.z};
  return to_mesh(std::move(p), faces);
}

}  // namespace trilith::geom
