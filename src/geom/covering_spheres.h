#pragma once
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

struct Sphere {
  Vec3d center{};     ///< m
  double radius = 0;  ///< m
};

/// When enough spheres cover a shape. (docs/defaults.md)
struct CoverSettings {
  double excess = 0.01;     ///< m: spheres may stick out this far
  int most = 64;            ///< spheres, whatever the excess
  double spacing = 0.5;     ///< of spheres along a capsule, of its radius, at most: infinite where the excess alone decides
  double cell = 0.04;       ///< longest edge of a piece of surface, of the longest side of the shape; and at most the excess
  int most_cells = 2000;    ///< pieces; larger surfaces get longer edges
  int candidates = 1500;    ///< centres that are tried, about
  int bisections = 10;      ///< of the excess, where `most` spheres are too few for the one asked
  int search_steps = 16;    ///< of moving the centre of a chosen sphere
  double inflation = 1e-9;  ///< of the longest side, added to every radius against rounding
};

/// Spheres of which every point of the shape's surface lies in one. A body that comes from outside meets a sphere before it meets the
/// shape.
struct SphereCover {
  std::vector<Sphere> spheres;
  double excess = 0;     ///< m: no point of a sphere is further from the shape than this (a proved bound, not the largest distance)
  bool reached = false;  ///< `excess` is at most what was asked
};

/// A row of equal spheres along z; the excess decides the spacing, within `settings.spacing`. (SPHERE-1)
SphereCover cover_capsule(double radius, double half_length, const CoverSettings& settings = {});
/// Any mesh with faces: its surface is cut into small pieces, each wholly inside of one sphere. Centres come from a grid through the inside
/// and from below the surface; spheres that stick out by the excess are chosen greedily, most new pieces first. Where the mesh is not
/// closed every centre counts as outside. The same spheres for the same mesh. (SPHERE-2)
SphereCover cover_mesh(const Mesh& mesh, const CoverSettings& settings = {});

/// The largest distance of a point of `sphere` from the solid within `mesh`, at most: radius minus depth of the centre. (SPHERE-2)
double sphere_excess(const Mesh& mesh, const Sphere& sphere);

}  // namespace trilith::geom
