#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/fixed.h"

/// Polygons in space and in a plane. A polygon lists its corners once; counter-clockwise about its normal is positive. Lengths in m.
namespace trilith::geom {

/// A point of a plane, in the tangents of a PlaneFrame, m.
struct Vec2 {
  double x, y;
};

/// A plane with axes: `normal`, `t1`, `t2` unit and right-handed (t2 = normal x t1). World axes.
struct PlaneFrame {
  Vec3d origin{}, normal{}, t1{}, t2{};

  Vec2 to_plane(const Vec3d& p) const;
  Vec3d to_space(const Vec2& q) const;
  /// Signed distance of `p`, positive on the side of the normal.
  double height(const Vec3d& p) const;
};

/// A frame with unit `normal` whose t1 is `hint` without its normal part; any tangent where that part vanishes.
PlaneFrame make_plane_frame(const Vec3d& origin, const Vec3d& normal, const Vec3d& hint);

/// Area vector of a polygon by Newell's rule: length = area, direction = normal. Summed about the first corner, so that far coordinates
/// cost nothing. (RBE-4)
Vec3d area_vector(std::span<const Vec3d> polygon);
double polygon_area(std::span<const Vec3d> polygon);
/// Centre of area; the mean of the corners where the area is 0.
Vec3d polygon_centroid(std::span<const Vec3d> polygon);

/// Signed area [m^2] and centre of area [m] in a plane, both about the first corner.
double signed_area(std::span<const Vec2> polygon);
Vec2 polygon_centroid(std::span<const Vec2> polygon);

/// True where no corner turns right by more than `tolerance` (m, distance of the corner from the line through its neighbours).
bool is_convex(std::span<const Vec2> polygon, double tolerance);

/// True where `p` lies in the polygon or on its boundary within `tolerance` [m]. Any simple polygon, either orientation.
bool contains(std::span<const Vec2> polygon, const Vec2& p, double tolerance);

/// Least width of a convex polygon: the smallest distance between two parallel lines that hold it. 0 with fewer than 3 corners.
double least_width(std::span<const Vec2> polygon);

/// Removes corners that lie within `tolerance` [m] of the line through their kept neighbours (and those that coincide), so that every
/// removed corner stays within `tolerance` of the result. Keeps the first kept corner first. May leave fewer than 3. (GEO-4)
void remove_collinear(std::vector<Vec2>& polygon, double tolerance);

/// The corners that `remove_collinear` keeps, as ascending indices.
std::vector<std::uint32_t> kept_corners(std::span<const Vec2> polygon, double tolerance);

/// Intersection of two convex counter-clockwise polygons by clipping `subject` at the edges of `clip` (Sutherland-Hodgman). A corner within
/// `tolerance` [m] of a clip line counts as on it. `out` is convex, counter-clockwise, empty where they do not meet. (GEO-5)
void clip_convex(std::span<const Vec2> subject, std::span<const Vec2> clip, double tolerance, std::vector<Vec2>& out);

/// Ear clipping of a simple counter-clockwise polygon: corner indices, 3 per triangle, n - 2 triangles. Degenerate ears are clipped too, so
/// it always ends; a polygon that crosses itself gives overlapping triangles.
void triangulate(std::span<const Vec2> polygon, std::vector<std::uint32_t>& out);

/// Merges polygons that share an edge (the same two corner numbers, in opposite order) as long as the union stays convex within
/// `tolerance` [m]. Each polygon is a list of indices into `corners`, counter-clockwise. Order of the input decides; deterministic. (GEO-3)
void merge_convex(std::span<const Vec2> corners, double tolerance, std::vector<std::vector<std::uint32_t>>& polygons);

/// Convex hull, counter-clockwise, without collinear points (monotone chain); starts at the lowest x, then y.
std::vector<Vec2> convex_hull(std::vector<Vec2> points);

}  // namespace trilith::geom
