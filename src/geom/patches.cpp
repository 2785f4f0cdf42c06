// Implements (GEO-5), (GEO-6), (GEO-7): planar contacts between two solids.
#include "geom/patches.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "geom/box_tree.h"
#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/touch.h"

namespace trilith::geom {
namespace {

/// Height of the plane of `other` above `base`, along base's normal, at a point of base's plane. The normals must not be perpendicular.
double gap_at(const PlaneFrame& base, const PlaneFrame& other, const Vec2& q) {
  const Vec3d on_base = base.to_space(q);
  return -other.height(on_base) / dot(other.normal, base.normal);
}

/// Length of a box along a unit direction.
double extent_along(const Aabb& box, const Vec3d& n) {
  const Vec3d side = box.upper - box.lower;
  return abs(n.x) * side.x + abs(n.y) * side.y + abs(n.z) * side.z;
}

class PatchFinder {
 public:
  PatchFinder(const ContactSolid& a, const ContactSolid& b, const ContactSettings& settings)
      : a_(a), b_(b), settings_(settings), size_(std::min(a.size, b.size)) {}

  PatchSearch run() {
    const double near = settings_.doubt_factor * settings_.gap_tolerance * size_;
    const Aabb reach_a = grow(a_.box, near), reach_b = grow(b_.box, near);
    const double opposite = -1 + 0.5 * settings_.angle_tolerance * settings_.angle_tolerance;
    for (const PlanarRegion& ra : a_.surface.regions) {
      if (!boxes_touch(ra.box, grow(reach_b, ra.deviation))) continue;
      for (const PlanarRegion& rb : b_.surface.regions) {
        // faces that are not planar may lean further than plane ones
        const double slack = 2 * (ra.deviation + rb.deviation) / size_;
        if (dot(ra.frame.normal, rb.frame.normal) > opposite + slack) continue;
        if (boxes_touch(rb.box, grow(reach_a, rb.deviation))) compare(ra, rb);
      }
    }
    if (result_.patches.empty() && result_.doubts.empty()) {
      const auto touch = find_touch(a_, b_, settings_.gap_tolerance * size_);
      if (touch || narrow_) result_.doubts.push_back(touch ? *touch : *narrow_);
    }
    return std::move(result_);
  }

 private:
  /// Overlap of two facing regions in a's plane, and what it is worth.
  void compare(const PlanarRegion& ra, const PlanarRegion& rb) {
    overlaps_.clear();
    for (std::uint32_t j = 0; j < rb.piece_count; ++j) {
      project(rb, b_.surface.piece(rb.first_piece + j), ra.frame);
      for (std::uint32_t i = 0; i < ra.piece_count; ++i) {
        clip_convex(a_.surface.piece(ra.first_piece + i), piece_, settings_.snap_tolerance * size_, overlap_);
        if (overlap_.size() >= 3) overlaps_.push_back(overlap_);
      }
    }
    if (overlaps_.size() > 1) merge_overlaps();
    for (std::vector<Vec2>& polygon : overlaps_) judge(ra, rb, polygon);
  }

  /// A piece of b in the axes of a's plane, counter-clockwise there.
  void project(const PlanarRegion& rb, std::span<const Vec2> piece, const PlaneFrame& plane) {
    piece_.clear();
    for (std::size_t i = piece.size(); i-- > 0;) piece_.push_back(plane.to_plane(rb.frame.to_space(piece[i])));
  }

  /// Joins overlaps of several pieces where the union is convex. Corners nearer than the collinear tolerance are one.
  void merge_overlaps() {
    const double near = settings_.collinear_tolerance * size_;
    std::vector<Vec2> corners;
    std::vector<std::vector<std::uint32_t>> polygons;
    for (const auto& overlap : overlaps_) {
      std::vector<std::uint32_t> polygon;
      for (const Vec2& p : overlap) {
        const auto known =
            std::find_if(corners.begin(), corners.end(), [&](const Vec2& q) { return abs(p.x - q.x) <= near && abs(p.y - q.y) <= near; });
        const auto index = static_cast<std::uint32_t>(known - corners.begin());
        if (known == corners.end()) corners.push_back(p);
        if (polygon.empty() || (polygon.back() != index && polygon.front() != index)) polygon.push_back(index);
      }
      if (polygon.size() >= 3) polygons.push_back(std::move(polygon));
    }
    merge_convex(corners, near, polygons);
    overlaps_.assign(polygons.size(), {});
    for (std::size_t i = 0; i < polygons.size(); ++i)
      for (const std::uint32_t k : polygons[i]) overlaps_[i].push_back(corners[k]);
  }

  void judge(const PlanarRegion& ra, const PlanarRegion& rb, std::vector<Vec2>& polygon) {
    const double tolerance = settings_.gap_tolerance * size_ + ra.deviation + rb.deviation;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec2& q : polygon) {
      const double gap = gap_at(ra.frame, rb.frame, q);
      low = std::min(low, gap);
      high = std::max(high, gap);
    }
    remove_collinear(polygon, settings_.collinear_tolerance * size_);
    const double area = polygon.size() < 3 ? 0 : signed_area(polygon);
    const Vec3d at = ra.frame.to_space(polygon_centroid(polygon));
    const bool narrow = least_width(polygon) < settings_.least_width * size_;
    if (narrow || area < settings_.least_area * size_ * size_) {
      if (low > tolerance || high < -tolerance) return;
      if (!narrow) result_.doubts.push_back({DoubtfulContact::Kind::small, area, low, at});
      if (narrow && !narrow_) narrow_ = DoubtfulContact{DoubtfulContact::Kind::edge_or_point, area, low, at};
      return;
    }
    if (low >= -tolerance && high <= tolerance) return accept(ra, rb, polygon, area);
    if (low < -tolerance) {
      const double depth = overlap_depth(ra, at, low);
      if (depth > tolerance) result_.doubts.push_back({DoubtfulContact::Kind::overlap, area, -depth, at});
    } else if (low <= settings_.doubt_factor * tolerance) {
      result_.doubts.push_back({DoubtfulContact::Kind::gap, area, high, at});
    }
  }

  /// How deep the solids share the space behind a's face at `at`, where b's face lies `low` (negative) below: twice the distance of the
  /// point between the two faces from the nearer surface; 0 where it is not inside both.
  double overlap_depth(const PlanarRegion& ra, const Vec3d& at, double low) const {
    const Vec3d n = ra.frame.normal;
    if (-low > std::min(extent_along(a_.box, n), extent_along(b_.box, n))) return 0;
    const Vec3d between = at + (0.5 * low) * n;
    if (winding_number(*a_.mesh, between) == 0 || winding_number(*b_.mesh, between) == 0) return 0;
    return 2 * std::min(distance_to_surface(*a_.mesh, between), distance_to_surface(*b_.mesh, between));
  }

  void accept(const PlanarRegion& ra, const PlanarRegion& rb, const std::vector<Vec2>& polygon, double area) {
    ContactPatch patch;
    patch.normal = ra.frame.normal;
    patch.t1 = ra.first_edge;
    patch.area = area;
    patch.warp = std::max(ra.deviation, rb.deviation);
    for (const Vec2& q : polygon) {
      patch.polygon.push_back(nearest_corner(ra, rb, ra.frame.to_space(q)));
      patch.gap = std::max(patch.gap, abs(gap_at(ra.frame, rb.frame, q)));
    }
    result_.patches.push_back(std::move(patch));
  }

  /// The corner of one of the two faces that `p` is but for rounding, so that corners keep the coordinates of the file.
  Vec3d nearest_corner(const PlanarRegion& ra, const PlanarRegion& rb, const Vec3d& p) const {
    const double near = settings_.snap_tolerance * size_;
    const auto search = [&](const ContactSolid& solid, const PlanarRegion& region) -> const Vec3d* {
      for (std::uint32_t i = region.first_piece; i < region.first_piece + region.piece_count; ++i)
        for (const std::uint32_t v : solid.surface.piece_vertices(i)) {
          const Vec3d& q = solid.mesh->vertices[v];
          if (abs(q.x - p.x) <= near && abs(q.y - p.y) <= near && abs(q.z - p.z) <= near) return &q;
        }
      return nullptr;
    };
    if (const Vec3d* q = search(a_, ra)) return *q;
    if (const Vec3d* q = search(b_, rb)) return *q;
    return p;
  }

  const ContactSolid &a_, &b_;
  const ContactSettings& settings_;
  const double size_;  // of the smaller solid
  std::vector<Vec2> piece_, overlap_;
  std::vector<std::vector<Vec2>> overlaps_;
  std::optional<DoubtfulContact> narrow_;  // the first contact that is but an edge
  PatchSearch result_;
};

}  // namespace

ContactSolid make_contact_solid(const Mesh& mesh, const ContactSettings& settings) {
  ContactSolid solid;
  solid.mesh = &mesh;
  solid.box = bounding_box(mesh);
  solid.size = longest_side(solid.box);
  solid.surface = find_planar_regions(mesh, solid.size, settings);
  return solid;
}

PatchSearch find_patches(const ContactSolid& a, const ContactSolid& b, const ContactSettings& settings) {
  return PatchFinder(a, b, settings).run();
}

}  // namespace trilith::geom
