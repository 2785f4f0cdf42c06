#pragma once
#include "geom/mesh.h"
#include "geom/shape.h"
#include "spatial/pose.h"

namespace trilith::geom {

/// A box in world axes that holds the shape, larger by rounding, m. Of a plane all sides are infinite but one along its normal, where that
/// is an axis of the world. Not a number where the pose is not.
Aabb bounding_box(const Shape& shape, const Posed& X_WS) noexcept;

}  // namespace trilith::geom
