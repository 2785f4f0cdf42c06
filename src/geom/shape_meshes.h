#pragma once
#include "geom/mesh.h"

namespace trilith::geom {

/// Closed outward meshes that contain a curved shape: their faces touch it from outside. All about the origin, m.

/// Box of half sides `half`; exact.
Mesh make_box_mesh(const Vec3d& half);
/// Prism of `sides` sides around the cylinder of `radius` and `half_length` along z; at most radius (1 / cos(pi / sides) - 1) larger.
Mesh make_cylinder_mesh(double radius, double half_length, int sides);
/// Polyhedron around the ellipsoid of semi-axes `axes`: an icosahedron subdivided `levels` times, grown until every face lies outside the
/// unit ball, then stretched. `growth` is the factor it was grown by: no point is further from the ellipsoid than (growth - 1) times the
/// longest axis.
Mesh make_ellipsoid_mesh(const Vec3d& axes, int levels, double& growth);

}  // namespace trilith::geom
