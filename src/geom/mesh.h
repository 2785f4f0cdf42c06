#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "trilith/vec.h"

namespace trilith::geom {

/// A polygon mesh. Face i lists the vertices face_vertex[face_start[i] .. face_start[i + 1]); an n-gon is the fan from its first listed
/// vertex, everywhere (volume, planes, patches). Outward faces wind counter-clockwise seen from outside. Lengths in m once loaded.
struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> face_start{0};
  std::vector<std::uint32_t> face_vertex;

  std::size_t face_count() const { return face_start.size() - 1; }
  std::span<const std::uint32_t> face(std::size_t i) const {
    return {face_vertex.data() + face_start[i], face_start[i + 1] - face_start[i]};
  }
  void add_face(std::span<const std::uint32_t> corners) {
    face_vertex.insert(face_vertex.end(), corners.begin(), corners.end());
    face_start.push_back(static_cast<std::uint32_t>(face_vertex.size()));
  }
};

/// Axis-aligned box.
struct Aabb {
  Vec3d lower, upper;
};

}  // namespace trilith::geom
