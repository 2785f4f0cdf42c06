#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

/// A convex polyhedron as contacts need it: corners, faces with their planes, and who neighbours whom. Immutable once made.
class ConvexMesh {
 public:
  std::span<const Vec3d> vertices() const { return hull_.vertices; }
  std::size_t face_count() const { return hull_.face_count(); }
  /// Corners of a face, counter-clockwise from outside.
  std::span<const std::uint32_t> face(std::size_t i) const { return hull_.face(i); }
  const Vec3d& normal(std::size_t face) const { return normals_[face]; }
  std::span<const std::uint32_t> faces_at(std::uint32_t vertex) const { return faces_.row(vertex); }
  /// Largest distance of a corner from the origin of its frame, m.
  double radius() const { return radius_; }
  /// Of the corners.
  const Aabb& box() const { return box_; }
  /// Mean of the corners: a point inside.
  const Vec3d& center() const { return center_; }

  /// The corner furthest along `direction`, looked for from `start`. (COL-13)
  std::uint32_t support(const Vec3d& direction, std::uint32_t start) const noexcept;

  /// The convex hull of `points`; nothing where they are flat. Positions stay in the frame of the points.
  friend std::optional<ConvexMesh> make_convex_mesh(std::span<const Vec3d> points);

 private:
  struct Rows {
    std::vector<std::uint32_t> start{0}, items;
    std::span<const std::uint32_t> row(std::size_t i) const { return {items.data() + start[i], start[i + 1] - start[i]}; }
  };
  static Rows flatten(const std::vector<std::vector<std::uint32_t>>& lists);

  Mesh hull_;
  std::vector<Vec3d> normals_;
  Rows neighbours_, faces_;  // of each vertex
  Aabb box_{};
  Vec3d center_{};
  double radius_ = 0;
};

std::optional<ConvexMesh> make_convex_mesh(std::span<const Vec3d> points);

}  // namespace trilith::geom
