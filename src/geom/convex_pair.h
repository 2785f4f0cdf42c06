#pragma once
#include <cstdint>
#include <span>

#include "geom/shape.h"
#include "linalg/fixed.h"
#include "spatial/pose.h"

namespace trilith::geom {

/// A convex shape as what is left of it without its rounding: a ball is a point, a capsule a segment, grown by `radius`. Frame of the
/// shape.
struct Core {
  enum class Kind : std::uint8_t { point, segment, ellipsoid, cylinder, box, mesh, prism } kind = Kind::point;
  Vec3d size{};       ///< as `Shape::size`
  double radius = 0;  ///< m
  double extent = 0;  ///< of the whole shape about its origin, m
  Vec3d center{};     ///< a point inside of the core
  const ConvexMesh* mesh = nullptr;
  std::span<const Vec3d> points{};  ///< prism: three below, then the three above them, counter-clockwise from above
  std::uint32_t last = 0;           ///< mesh: where the last search ended

  /// The point of the core furthest along `direction` (not 0). (COL-13)
  Vec3d support(const Vec3d& direction) noexcept;
};

/// Any kind but planes and height fields.
Core make_core(const Shape& shape) noexcept;
/// A prism of six points, which must outlive it.
Core make_prism(std::span<const Vec3d, 6> points) noexcept;

/// A point of the difference A - B and the points it comes from, in A's frame.
struct SupportPoint {
  Vec3d p{}, a{}, b{};
};

/// Two cores in the frame of the first.
struct ConvexPair {
  Core A, B;
  Posed X_AB;

  SupportPoint support(const Vec3d& direction) noexcept {
    const Vec3d a = A.support(direction), b = transform_point(X_AB, B.support(transpose_times(X_AB.R, -direction)));
    return {a - b, a, b};
  }
  /// Lengths that rounding is measured by, m.
  double scale() const { return A.extent + B.extent + norm(X_AB.p); }
};

/// Distance of two convex shapes along a direction.
struct Gap {
  Vec3d normal{};        ///< unit, from A into B, A's frame
  double distance = 0;   ///< between the shapes (with their radii) along the normal, m; < 0: overlap
  Vec3d on_a{}, on_b{};  ///< nearest points of the cores, A's frame
  bool beyond = false;   ///< further than was asked; nothing else is set
  bool limit = false;    ///< the iteration limit came first: the distance is a bound (apart: from above; overlapping: from below)
  int steps = 0;         ///< support points taken
};

/// Nearest points of two convex shapes, or the shortest way out of each other. Does not allocate. (COL-11) (COL-12)
Gap measure_gap(ConvexPair& pair, double reach) noexcept;

}  // namespace trilith::geom
