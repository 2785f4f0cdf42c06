#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "geom/box_tree.h"
#include "geom/mesh.h"

namespace trilith::geom {

/// A direction that no modelled edge is likely to have: rays and sorts along it meet few coincidences. Not of length 1.
inline constexpr Vec3d skew_direction{0.53771, 0.42183, 0.73003};

/// How often the faces `faces` of a mesh wind round `p`: 1 inside a closed outward surface, 0 outside, -1 inside an inward one. Counts
/// signed crossings of one fixed ray; undefined for a point on the surface. (GEO-8)
int winding_number(const Mesh& mesh, std::span<const std::uint32_t> faces, const Vec3d& p);
/// The same over all faces.
int winding_number(const Mesh& mesh, const Vec3d& p);

/// The two questions for many points of one mesh: with a tree over the faces where they are many. Views the mesh.
class Surface {
 public:
  Surface() = default;
  explicit Surface(const Mesh& mesh);

  /// As the function of that name.
  int winding_number(const Vec3d& p) const;
  /// Distance of `p` from the nearest face, m. Pieces further than `reach` need not be found: then it is infinite.
  double distance(const Vec3d& p, double reach) const;
  double distance(const Vec3d& p) const;

 private:
  const Mesh* mesh_ = nullptr;
  double size_ = 0;  // longest side, m
  std::shared_ptr<const BoxTree> tree_;
};

/// Distance of `p` from the triangle a b c, m.
double distance_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);
/// Distance of `p` from the nearest face of the mesh, m; concave faces by their ears, not by their fan.
double distance_to_surface(const Mesh& mesh, const Vec3d& p);

struct Segment {
  Vec3d from, to;
};

/// Distance of two segments, m; `at` is the middle of the shortest line between them.
double distance_between_segments(const Segment& one, const Segment& two, Vec3d& at);

}  // namespace trilith::geom
