#pragma once
#include <optional>
#include <span>
#include <vector>

#include "geom/box_tree.h"
#include "geom/mesh.h"
#include "geom/polygon.h"

namespace trilith::geom {

/// A surface seen along the normal of a plane: its lowest and highest point over any place of the plane, as heights above the plane. A
/// place within rounding of the rim of the surface counts as on it. (GATE-2)
class HeightField {
 public:
  HeightField(const Mesh& mesh, const PlaneFrame& plane);

  /// None where the surface does not reach.
  std::optional<double> lowest(const Vec2& at) const;
  std::optional<double> highest(const Vec2& at) const;
  /// The mesh in the axes of the plane: t1, t2, height.
  std::span<const Vec3d> vertices() const { return vertices_; }
  /// Appends the places where the sides of its triangles, seen from above, cross the sides of a polygon.
  void append_crossings(std::span<const Vec2> polygon, std::vector<Vec2>& out) const;

 private:
  struct Range {
    double low, high;
  };
  std::optional<Range> range(const Vec2& at) const;

  std::vector<Vec3d> vertices_;
  std::vector<std::uint32_t> triangles_;  // three corners each
  double rounding_ = 0;                   // m: this far outside of a triangle still counts as inside
  std::optional<BoxTree> tree_;
};

/// A rectangle in a plane: `axis` is the unit direction of its long side.
struct Rectangle {
  Vec2 middle{}, axis{1, 0};
  double length = 0, width = 0;  ///< m, length >= width
};
/// The smallest rectangle round a convex polygon; one of its sides lies along a side of the polygon. Among equals the first side of the
/// polygon wins.
Rectangle smallest_rectangle(std::span<const Vec2> convex);

/// Distance of `p` from the nearest side of a convex counter-clockwise polygon: positive inside, negative outside (there from the line
/// through the side). (GATE-3)
double distance_inside(std::span<const Vec2> convex, const Vec2& p);

}  // namespace trilith::geom
