#pragma once
#include <array>
#include <span>

#include "geom/mesh.h"

/// Distance along a ray from p in the direction d (unit) to a shape, all in the shape's own frame, m; -1 where it is not met. From inside
/// a shape the distance is that to its surface ahead.
namespace trilith::geom {

/// The plane z = 0, seen from above; half sizes in x and y, 0: without end.
double ray_plane(double half_x, double half_y, const Vec3d& p, const Vec3d& d) noexcept;
double ray_sphere(double radius, const Vec3d& p, const Vec3d& d) noexcept;
/// A cylinder along z of half length `half`, with half spheres on its ends.
double ray_capsule(double radius, double half, const Vec3d& p, const Vec3d& d) noexcept;
double ray_cylinder(double radius, double half, const Vec3d& p, const Vec3d& d) noexcept;
double ray_ellipsoid(const Vec3d& semi_axes, const Vec3d& p, const Vec3d& d) noexcept;
double ray_box(const Vec3d& half_sizes, const Vec3d& p, const Vec3d& d) noexcept;
/// Either side of the triangle counts.
double ray_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p, const Vec3d& d) noexcept;
double ray_mesh(const Mesh& mesh, const Vec3d& p, const Vec3d& d) noexcept;
/// Heights (0 to 1, row-major, rows along y) over a grid of half extents size[0], size[1]; height of 1 size[2]. Its top only.
double ray_height_field(int rows, int columns, const std::array<double, 4>& size, std::span<const float> heights, const Vec3d& p,
                        const Vec3d& d) noexcept;

}  // namespace trilith::geom
