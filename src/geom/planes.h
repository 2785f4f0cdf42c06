#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geom/contact_settings.h"
#include "geom/mesh.h"
#include "geom/polygon.h"

namespace trilith::geom {

/// What the neighbours of a facet tell of the smooth surface that it may stand for. (GEO-12)
struct Bend {
  double low = 0, high = 0;  ///< m: height of that surface over the facet's plane, low <= 0 <= high; 0 where there is no curve
  double lean = 0;           ///< largest tangent of the angle between that surface and the facet

  bool curved() const { return lean > 0; }
  double rise() const { return low + high; }  ///< positive where the block bulges
};

/// Faces of one block that share edges and lie in one plane within tolerance, as one surface. Its outline may be concave or have holes; it
/// is kept as convex pieces.
struct PlanarRegion {
  PlaneFrame frame;      ///< origin: a corner of its first face; normal: outward, area mean of its faces
  Vec3d first_edge{};    ///< unit, in the plane: along the first edge of its outline
  double area = 0;       ///< m^2
  double deviation = 0;  ///< m: how far the true surface may lie from the plane (corners; for a warped face its whole warp)
  Bend bend{};
  Aabb box{};  ///< world
  std::uint32_t first_piece = 0, piece_count = 0;
};

/// The planar regions of a mesh. Piece i is the convex counter-clockwise polygon `corners[piece_start[i] .. piece_start[i + 1])`.
struct PlanarRegions {
  std::vector<PlanarRegion> regions;
  std::vector<std::uint32_t> piece_start{0};
  std::vector<Vec2> corners;          ///< in the axes of the region's frame
  std::vector<std::uint32_t> vertex;  ///< the mesh vertex behind each corner
  double worst_warp = 0;              ///< m: largest height of a face above its own plane

  std::span<const std::uint32_t> piece_vertices(std::uint32_t i) const {
    return {vertex.data() + piece_start[i], piece_start[i + 1] - piece_start[i]};
  }
  std::span<const Vec2> piece(std::uint32_t i) const { return {corners.data() + piece_start[i], piece_start[i + 1] - piece_start[i]}; }
};

/// Merges coplanar faces of a closed outward mesh; `size`: the block's longest side, m. A face that is not planar within tolerance is used
/// as the triangles of its fan, each with its own plane. Faces without area are left out. (GEO-3)
PlanarRegions find_planar_regions(const Mesh& mesh, double size, const ContactSettings& settings);

}  // namespace trilith::geom
