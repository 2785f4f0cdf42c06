#pragma once
#include "geom/contact_writer.h"
#include "geom/convex_pair.h"

/// Contacts of convex shapes that have no formula of their own. Equations: (COL-14) (COL-15)
namespace trilith::geom {

/// Two shapes of any kinds but plane and height field.
void collide_convex(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;
/// Up to four corners of the mesh.
void collide_plane_mesh(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;

}  // namespace trilith::geom
