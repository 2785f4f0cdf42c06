#pragma once
#include <cstdint>

#include "model/assembly.h"

/// Assemblies with known answers, made from a few numbers. Lengths in m, angles in rad, z up, x to the right, y into the depth. Ids are
/// readable: "ground", "r3c5", "lintel". Meshes are closed, outward and have planar faces; stones that touch share a face or a part of one,
/// and interfaces are left to be detected. The same options and the same seed give the same bits. docs/theory/generators.md
namespace trilith::model {

inline constexpr double radians_per_degree = 0.017453292519943295;

/// Running bond: `rows` courses; even ones have `columns` whole blocks, odd ones columns - 1 whole blocks between two half blocks.
struct WallOptions {
  int columns = 6, rows = 6;
  double length = 0.6, height = 0.3, depth = 0.3;  ///< of a whole block
  double ground_height = 0.3;
};
AssemblyInput generate_wall(const WallOptions& options);

/// The benchmark walls 1 to 3 of Ferris and Tin-Loi (2001): blocks of .4 x .175 x 1 m in running bond on a fixed slab, the third with an
/// opening. Friction .65 as published.
struct PublishedWallOptions {
  int number = 1;
};
AssemblyInput generate_published_wall(const PublishedWallOptions& options);

/// Running bond with an opening in the middle.
struct OpeningOptions {
  /// What spans the opening: nothing but the courses above, one lintel that bears half a block on each side, or a flat arch.
  enum class Top : std::uint8_t { none, lintel, arch };
  int columns = 6, rows = 8;                       ///< of the wall
  int opening_columns = 2, opening_rows = 4;       ///< of the hole, in whole blocks and courses
  int sill_rows = 1;                               ///< courses below the hole
  double length = 0.6, height = 0.3, depth = 0.3;  ///< of a whole block
  Top top = Top::lintel;
  int voussoirs = 5;                      ///< of the flat arch
  double skew = 15 * radians_per_degree;  ///< of its outermost joints, from the vertical
};
AssemblyInput generate_opening(const OpeningOptions& options);

/// Two posts of `drums` drums each on a ground, and a lintel.
struct PortalOptions {
  int drums = 1;
  double span = 2;  ///< between the posts
  double post_width = 0.5, post_height = 3, depth = 0.5;
  double lintel_height = 0.5, overhang = 0;  ///< of the lintel beyond the posts
};
AssemblyInput generate_portal(const PortalOptions& options);

/// A row of columns that lean by `lean` towards +x, each of `drums` sheared drums with level joints, and beams that meet above the columns.
struct PorticoOptions {
  int columns = 3, drums = 4;
  double span = 2;  ///< between the axes of neighbours
  double width = 0.5, height = 3, depth = 0.5;
  double beam_height = 0.4;
  double lean = 3 * radians_per_degree;
};
AssemblyInput generate_portico(const PorticoOptions& options);

/// `count` equal blocks on a ground, each shifted by `offset` along x against the one below.
struct StackOptions {
  int count = 3;
  double length = 1, depth = 1, height = 1, offset = 0;
};
AssemblyInput generate_stack(const StackOptions& options);

/// A straight stack on a slope of `angle`, square to it. Slides where tan(angle) > mu, tips where tan(angle) > length / (count height).
/// (GEN-1)
struct TiltedStackOptions {
  int count = 4;
  double length = 1, depth = 1, height = 0.5;
  double angle = 10 * radians_per_degree;
};
AssemblyInput generate_tilted_stack(const TiltedStackOptions& options);

/// The harmonic stack at the edge of a table: the k-th block from the top overhangs the one below by factor length / (2 k). Falls where
/// factor > 1; all joints reach their limit at once. (GEN-2)
struct OverhangOptions {
  int count = 5;
  double length = 1, depth = 0.5, height = 0.2;
  double factor = 0.95;
};
AssemblyInput generate_overhang(const OverhangOptions& options);

/// Courses that each project by `offset` beyond the one below, flush at the back, on a pier of `length`; with `span` > 0 two of them face
/// each other that far apart. (GEN-4)
struct CorbelOptions {
  int rows = 6;
  double length = 1, height = 0.2, depth = 0.5, offset = 0.08;
  double span = 0;
};
AssemblyInput generate_corbel(const CorbelOptions& options);

/// One block on a fixed slope of `angle`.
struct InclineOptions {
  double angle = 0.5;
  double length = 1, depth = 1, height = 1;
};
AssemblyInput generate_incline(const InclineOptions& options);

/// A bar clamped between two posts, which are fixed or, with `free_posts`, stand on a ground. After Kao et al. 2022. (GEN-8)
struct HModelOptions {
  double span = 1, height = 0.25;  ///< of the bar
  double post_width = 0.25, post_height = 1, depth = 0.25;
  bool free_posts = false;
};
AssemblyInput generate_h_model(const HModelOptions& options);

/// A block between two fixed walls whose faces lean by `angle` from the vertical. Positive: the block widens downwards and only friction
/// holds it, where mu >= tan(angle); negative: a keystone. (GEN-3)
struct WedgeOptions {
  double angle = 30 * radians_per_degree;
  double width = 1, height = 1, depth = 0.5;  ///< width of the narrow end
};
AssemblyInput generate_wedge(const WedgeOptions& options);

/// Circular arch of `count` equal voussoirs on two fixed springers; `thickness_ratio`: thickness over mean radius; `opening`: angle between
/// its springings about the centre. The springers' upper faces are the springing joints. (GEN-5, GEN-6, GEN-7, GEN-10)
struct ArchOptions {
  int count = 16;
  double radius = 1, thickness_ratio = 0.15, depth = 0.5;
  double opening = 180 * radians_per_degree;  ///< 10 to 180 degrees
};
AssemblyInput generate_arch(const ArchOptions& options);

/// Two arcs of mean radius `radius` that meet above the middle of the mean span in a vertical joint; `count` voussoirs in all, even.
/// radius = span is the equilateral arch, radius = span / 2 the semicircle.
struct PointedArchOptions {
  int count = 16;
  double span = 2, radius = 2, thickness_ratio = 0.15, depth = 0.5;
};
AssemblyInput generate_pointed_arch(const PointedArchOptions& options);

/// Flat arch: level soffit and back, joints through one point below, fixed abutments whose faces lean by `skew` from the vertical.
struct JackArchOptions {
  int count = 7;
  double span = 2, height = 0.4, depth = 0.3;  ///< span: clear, at the soffit
  double skew = 20 * radians_per_degree;
};
AssemblyInput generate_jack_arch(const JackArchOptions& options);

/// How joints of neighbouring courses lie: one above the other, or shifted by half a stone.
enum class Bond : std::uint8_t { stack, running };

/// An arch of `count` courses over the depth, each cut into `columns` stones.
struct BarrelVaultOptions {
  int count = 9, columns = 4;
  double radius = 1, thickness_ratio = 0.15, depth = 2;
  Bond bond = Bond::running;
};
AssemblyInput generate_barrel_vault(const BarrelVaultOptions& options);

/// Two semicircular barrels of one radius over a square bay, cut at the groins, on four fixed piers. Each web has `count` courses (even),
/// one stone each, that reach `edge` beyond the extrados.
struct CrossVaultOptions {
  int count = 8;
  double radius = 1.5, thickness_ratio = 0.15, edge = 0.3;
};
AssemblyInput generate_cross_vault(const CrossVaultOptions& options);

/// Spherical dome: `rows` courses of `columns` stones between a fixed ring at the polar angle `springing` and an eye of polar angle `eye`,
/// open or closed by a keystone. Stones have flat faces: inscribed in the two spheres.
struct DomeOptions {
  int rows = 7, columns = 12;
  double radius = 2, thickness_ratio = 0.12;
  double eye = 12 * radians_per_degree, springing = 90 * radians_per_degree;
  bool keystone = false;
  Bond bond = Bond::running;
};
AssemblyInput generate_dome(const DomeOptions& options);

/// A wall of Voronoi cells in the x-z plane, `rows` courses of about `columns` stones of about length x height. `jitter`: how far a cell's
/// point may lie from its place in a regular bond, in stones. (GEN-9)
struct PolygonalWallOptions {
  int columns = 6, rows = 5;
  double length = 0.5, height = 0.4, depth = 0.4;
  double jitter = 0.25;
  std::uint64_t seed = 1;
};
AssemblyInput generate_polygonal_wall(const PolygonalWallOptions& options);

/// A wall of irregular convex stones that fill a box: cells of a power diagram in space, in `rows` courses of about `columns` stones along
/// x and `layers` through the depth. (GEN-9)
struct RubbleOptions {
  int columns = 4, rows = 5, layers = 1;
  double length = 0.6, height = 0.2, depth = 0.5;  ///< of a stone, about
  double jitter = 0.15;                            ///< of the points, in stones
  double size_spread = 0.1;                        ///< of the weights: 0 gives Voronoi cells
  std::uint64_t seed = 1;
};
AssemblyInput generate_rubble(const RubbleOptions& options);

/// Why options cannot be built, with the name of the option as `where` ("--thickness"); empty: they can. A generator called with options
/// that have a fault is a programmer error.
std::vector<Error> faults(const WallOptions& options);
std::vector<Error> faults(const PublishedWallOptions& options);
std::vector<Error> faults(const OpeningOptions& options);
std::vector<Error> faults(const PortalOptions& options);
std::vector<Error> faults(const PorticoOptions& options);
std::vector<Error> faults(const StackOptions& options);
std::vector<Error> faults(const TiltedStackOptions& options);
std::vector<Error> faults(const OverhangOptions& options);
std::vector<Error> faults(const CorbelOptions& options);
std::vector<Error> faults(const InclineOptions& options);
std::vector<Error> faults(const HModelOptions& options);
std::vector<Error> faults(const WedgeOptions& options);
std::vector<Error> faults(const ArchOptions& options);
std::vector<Error> faults(const PointedArchOptions& options);
std::vector<Error> faults(const JackArchOptions& options);
std::vector<Error> faults(const BarrelVaultOptions& options);
std::vector<Error> faults(const CrossVaultOptions& options);
std::vector<Error> faults(const DomeOptions& options);
std::vector<Error> faults(const PolygonalWallOptions& options);
std::vector<Error> faults(const RubbleOptions& options);

/// A box as a mesh: 8 vertices, 6 quads, outward.
geom::Mesh make_box(const Vec3d& lower, const Vec3d& upper);

/// A prism over a convex polygon in the x-z plane (counter-clockwise seen from -y), from y = `front` to y = `back`, outward.
geom::Mesh make_prism(std::span<const Vec3d> polygon_xz, double front, double back);

}  // namespace trilith::model
