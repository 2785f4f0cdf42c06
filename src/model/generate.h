#pragma once
#include "model/assembly.h"

/// Assemblies with known answers, made from a few numbers. Lengths in m, angles in rad. Ids are readable: "ground", "r3c5", "lintel".
namespace trilith::model {

/// Running bond: `rows` courses; even ones have `columns` whole blocks, odd ones columns - 1 whole blocks between two half blocks.
struct WallOptions {
  int columns = 6, rows = 6;
  double length = 0.6, height = 0.3, depth = 0.3;  ///< of a whole block
  double ground_height = 0.3;
};
AssemblyInput generate_wall(const WallOptions& options);

/// Two posts of `drums` drums each on a ground, and a lintel.
struct PortalOptions {
  int drums = 1;
  double span = 2;  ///< between the posts
  double post_width = 0.5, post_height = 3, depth = 0.5;
  double lintel_height = 0.5, overhang = 0;  ///< of the lintel beyond the posts
};
AssemblyInput generate_portal(const PortalOptions& options);

/// `count` equal blocks on a ground, each shifted by `offset` along x against the one below.
struct StackOptions {
  int count = 3;
  double length = 1, depth = 1, height = 1, offset = 0;
};
AssemblyInput generate_stack(const StackOptions& options);

/// Semicircular arch of `count` equal voussoirs on two fixed springers; `thickness_ratio`: thickness over mean radius.
struct ArchOptions {
  int count = 16;
  double radius = 1, thickness_ratio = 0.15, depth = 0.5;
};
AssemblyInput generate_arch(const ArchOptions& options);

/// One block on a fixed slope of `angle`.
struct InclineOptions {
  double angle = 0.5;
  double length = 1, depth = 1, height = 1;
};
AssemblyInput generate_incline(const InclineOptions& options);

/// A box as a mesh: 8 vertices, 6 quads, outward.
geom::Mesh make_box(const Vec3d& lower, const Vec3d& upper);

/// A prism over a convex polygon in the x-z plane (counter-clockwise seen from -y), from y = `front` to y = `back`, outward.
geom::Mesh make_prism(std::span<const Vec3d> polygon_xz, double front, double back);

}  // namespace trilith::model
