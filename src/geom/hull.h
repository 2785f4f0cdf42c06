#pragma once
#include <optional>
#include <span>
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

/// Relative to the longest side of the box of the points. (docs/defaults.md)
struct HullSettings {
  double jitter = 1e-9;            ///< points are moved by up to this while the hull is looked for, so that no four lie in one plane
  double planar_tolerance = 1e-6;  ///< facets within this of one plane are one face
  double flat_tolerance = 1e-6;    ///< thinner is flat: no hull
};

/// Convex hull of points in space: its corners are points of the input, its faces convex polygons, outward, largest first; corners on a
/// straight edge are left out. Nothing where the points lie in a plane, on a line or in one place, or are not finite. (GATE-1)
std::optional<Mesh> make_hull(std::span<const Vec3d> points, const HullSettings& settings = {});

}  // namespace trilith::geom
