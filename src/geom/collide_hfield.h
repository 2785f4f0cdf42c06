#pragma once
#include "geom/contact_writer.h"
#include "spatial/pose.h"

namespace trilith::geom {

/// Terrain and any convex shape: contacts with every triangle of the surface near it, at most four each, none twice. (COL-16)
void collide_hfield(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;

}  // namespace trilith::geom
