#pragma once
#include <span>

#include "geom/shape.h"
#include "spatial/pose.h"

namespace trilith::geom {

/// What `collide` found.
struct ContactCount {
  int count = 0;      ///< contacts written
  bool full = false;  ///< more were found than there was room for; the first ones are there
};

/// Room that is enough for every pair without a height field.
inline constexpr int most_pair_contacts = 8;

/// Contacts of two shapes whose distance is at most `margin` [m] (>= 0), in an order that depends on the shapes and poses only. Normals
/// point out of A into B, whichever comes first. Pairs of planes and height fields with each other have none. Does not allocate. (COL-1)
[[nodiscard]] ContactCount collide(const Shape& a, const Posed& X_WA, const Shape& b, const Posed& X_WB, double margin,
                                   std::span<ContactPoint> out) noexcept;

/// Radius of a ball about the shape's origin that holds it, m; infinite for planes.
double bounding_radius(const Shape& shape) noexcept;

}  // namespace trilith::geom
