#pragma once
#include "geom/mesh.h"
#include "linalg/fixed.h"

namespace trilith::geom {

/// Of a solid with density 1. World axes.
struct MassProperties {
  double volume = 0;  ///< m^3; negative where the faces wind inwards
  Vec3d com{};        ///< m; mean of the vertices where the volume is 0
  Mat3d inertia{};    ///< about `com`, m^5; times density: kg m^2
};

/// Volume, centre of mass and inertia of a closed mesh by the divergence theorem over the fans of its faces, about a local origin (the
/// middle of the bounding box), so that map coordinates cost nothing. (RBE-3)
MassProperties measure_mass_properties(const Mesh& mesh);

/// Signed volume alone. (RBE-3)
double measure_volume(const Mesh& mesh);

/// Box of the vertices that faces use; all zero for a mesh without faces.
Aabb bounding_box(const Mesh& mesh);

/// Longest side of a box, m.
double longest_side(const Aabb& box);

}  // namespace trilith::geom
