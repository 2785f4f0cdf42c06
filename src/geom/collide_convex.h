#pragma once
#include "geom/contact_writer.h"
#include "geom/convex_pair.h"

/// Contacts of convex shapes that have no formula of their own. Equations: (COL-14) (COL-15)
namespace trilith::geom {

/// Two shapes of any kinds but plane and height field.
void collide_convex(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;
/// The pose of B in A, with less rounding than the product with an inverse.
Posed relative_pose(const Posed& X_WA, const Posed& X_WB) noexcept;
/// Contacts of a pair whose gap is known and within reach; A is the pose of its first shape.
void touch_convex(ConvexPair& pair, const Gap& gap, const Posed& A, ContactWriter& out) noexcept;
/// Contacts of B with the upper face of a prism A where it lies over it, however deep.
void touch_top(ConvexPair& pair, const Posed& A, ContactWriter& out) noexcept;
/// One contact along a given unit normal (A's frame), at the point of B furthest against it.
void touch_along(ConvexPair& pair, const Vec3d& normal, const Posed& A, ContactWriter& out) noexcept;
/// Up to four corners of the mesh.
void collide_plane_mesh(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;

}  // namespace trilith::geom
