#pragma once
#include <span>
#include <vector>

#include "linalg/fixed.h"

namespace trilith::model {

/// Shares a joint's pull capacity `total_N` between the corners of its polygon: half the area of the two triangles that a corner spans with
/// the centroid. The shares sum up to the whole and balance about the centroid, as an even stress does. `even` is set where the polygon is
/// so concave that a share would be negative: then every corner gets the same. (LIM-1)
std::vector<double> share_tension(std::span<const Vec3d> polygon, double total_N, bool& even);

}  // namespace trilith::model
