#pragma once
#include "geom/convex_pair.h"

namespace trilith::geom {

/// Most corners of a face that contacts know of; of a face with more every second, third ... is taken.
inline constexpr int most_corners = 32;

/// The part of a core that lies furthest along a direction: a flat face (three corners and more), an edge (two) or nothing of that kind
/// (none). In A's frame, like the direction.
struct Feature {
  int count = 0;
  Vec3d corner[most_corners];
  Vec3d normal{};     ///< unit; of a face, or of the surface along an edge where it has one (cylinder), else 0
  double along = -1;  ///< normal . direction
  bool flat = false;  ///< a face
};

/// The face or edge of `core`, which lies at X in A's frame, that looks most along the unit vector `direction`. `corner_hint` is the last
/// support vertex of a mesh. (COL-14)
void find_feature(Core& core, const Posed& X, const Vec3d& direction, Feature& out) noexcept;

}  // namespace trilith::geom
