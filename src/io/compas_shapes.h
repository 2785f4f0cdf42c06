#pragma once
#include "geom/mesh.h"

/// Shapes of COMPAS 2 as closed outward meshes in their own frame.
namespace trilith::io {

/// Box about the origin with these side lengths.
geom::Mesh make_box(const Vec3d& sides);
/// Prism inscribed in a cylinder about the z axis, half its height on either side of the origin.
geom::Mesh make_cylinder(double radius, double height, int sides);
/// Pyramid inscribed in a cone with its base about the origin.
geom::Mesh make_cone(double radius, double height, int sides);
/// Two half spheres, `height` between their centres, about the origin; height 0: a sphere. Corners on the surface.
geom::Mesh make_capsule(double radius, double height, int sides);
/// Ring about the z axis: `axis` from the centre to the middle of the pipe, `pipe` its radius. Corners on the surface.
geom::Mesh make_torus(double axis, double pipe, int sides);

}  // namespace trilith::io
