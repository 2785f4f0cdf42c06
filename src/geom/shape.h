#pragma once
#include <cstdint>

#include "trilith/vec.h"

namespace trilith::geom {

class ConvexMesh;
class HeightGrid;

/// In the order in which a pair is named: of two kinds the smaller is the first.
enum class ShapeKind : std::uint8_t { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh };

/// A solid in its own frame, centred at the origin. `size` by kind, m: sphere (radius); capsule and cylinder (radius, half length along z);
/// ellipsoid semi-axes; box half sides; plane: everything below z = 0, unused; mesh and hfield: unused. A view: `mesh` and `grid` belong to
/// the caller, and must be there for their kinds.
struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  Vec3d size{};
  const ConvexMesh* mesh = nullptr;
  const HeightGrid* grid = nullptr;
};

/// Two shapes touch or nearly do.
struct ContactPoint {
  Vec3d position{};     ///< middle between the two surfaces, W, m
  Vec3d normal{};       ///< unit, out of A into B, W
  double distance = 0;  ///< between the surfaces along the normal, m; < 0: overlap
  Vec3d tangent{};      ///< where the shape has a direction of its own (a capsule on a plane): wanted first tangent, unit; else 0
};

}  // namespace trilith::geom
