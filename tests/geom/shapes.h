#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "geom/mesh.h"
#include "linalg/fixed.h"
#include "support/random.h"

namespace trilith::test {

using geom::Mesh;

inline Mesh make_mesh(std::vector<Vec3d> vertices, std::initializer_list<std::initializer_list<std::uint32_t>> faces) {
  Mesh mesh;
  mesh.vertices = std::move(vertices);
  for (const auto& face : faces) mesh.add_face(std::vector<std::uint32_t>(face));
  return mesh;
}

/// Box with outward quads.
inline Mesh box(const Vec3d& low, const Vec3d& high) {
  return make_mesh({{low.x, low.y, low.z},
                    {high.x, low.y, low.z},
                    {high.x, high.y, low.z},
                    {low.x, high.y, low.z},
                    {low.x, low.y, high.z},
                    {high.x, low.y, high.z},
                    {high.x, high.y, high.z},
                    {low.x, high.y, high.z}},
                   {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
}

/// The same faces as fans of triangles.
inline Mesh triangulated(const Mesh& mesh) {
  Mesh triangles;
  triangles.vertices = mesh.vertices;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i) {
      const std::uint32_t corners[3] = {face[0], face[i - 1], face[i]};
      triangles.add_face(corners);
    }
  }
  return triangles;
}

/// Prism over a polygon in the x-y plane (counter-clockwise from above), between two heights.
inline Mesh prism(const std::vector<Vec3d>& polygon, double low, double high) {
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(polygon.size());
  for (const double z : {low, high})
    for (const Vec3d& p : polygon) mesh.vertices.push_back({p.x, p.y, z});
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t i = 0; i < n; ++i) {
    bottom.push_back(n - 1 - i);
    top.push_back(n + i);
  }
  mesh.add_face(bottom);
  mesh.add_face(top);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t side[4] = {i, (i + 1) % n, n + (i + 1) % n, n + i};
    mesh.add_face(side);
  }
  return mesh;
}

/// A rotation followed by a shift; a mirror where `mirror` is set (faces keep their order: turn them outwards yourself).
struct Motion {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, shift{0, 0, 0};
  double scale = 1;

  Vec3d operator()(const Vec3d& p) const { return scale * (p.x * x + p.y * y + p.z * z) + shift; }
  Vec3d turn(const Vec3d& p) const { return p.x * x + p.y * y + p.z * z; }
};

inline Motion random_motion(Random& random, double reach, double scale = 1) {
  Motion motion;
  motion.z = random.direction();
  motion.x = unit(cross(random.direction(), motion.z));
  motion.y = cross(motion.z, motion.x);
  motion.shift = reach * random.direction();
  motion.scale = scale;
  return motion;
}

inline Mesh moved(Mesh mesh, const Motion& motion) {
  for (Vec3d& p : mesh.vertices) p = motion(p);
  return mesh;
}

inline void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

}  // namespace trilith::test
