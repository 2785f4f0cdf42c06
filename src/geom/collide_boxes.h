#pragma once
#include "geom/contact_writer.h"
#include "spatial/pose.h"

/// Contacts of boxes with spheres, capsules and boxes; positions of the poses come from one origin. Equations: (COL-8) (COL-9) (COL-10)
namespace trilith::geom {

/// The ball leaves a box that holds its centre by the nearest face. (COL-8)
void collide_ball_box(const Vec3d& p_a, double r_a, const Shape& b, const Posed& B, ContactWriter& out) noexcept;
void collide_sphere_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;
/// One or two contacts. (COL-9)
void collide_capsule_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;
/// Up to eight contacts of two faces, or one of two edges. (COL-10)
void collide_box_box(const Shape& a, const Posed& A, const Shape& b, const Posed& B, ContactWriter& out) noexcept;

}  // namespace trilith::geom
