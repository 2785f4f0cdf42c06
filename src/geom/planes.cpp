// Implements (GEO-3): coplanar faces of one block as one region of convex pieces.
#include "geom/planes.h"

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "geom/mass_properties.h"
#include "geom/mesh_edges.h"
#include "geom/planes_bend.h"

namespace trilith::geom {
namespace {

/// A planar part of a face: the whole face, or one triangle of a face that is not planar.
struct Facet {
  std::uint32_t first, count;  // in the list of corners
  Vec3d area;                  // area vector
  Vec3d centroid;
  double warp;  // of its face, m
};

class RegionBuilder {
 public:
  RegionBuilder(const Mesh& mesh, double size, const ContactSettings& settings)
      : mesh_(mesh),
        settings_(settings),
        size_(size),
        near_(settings.planar_tolerance * size),
        straight_(settings.collinear_tolerance * size),
        tiny_(1e-14 * size * size),
        smooth_(cos(settings.curve_angle) * cos(settings.curve_angle)) {}

  PlanarRegions run() {
    reserve();
    split_faces();
    group_facets();
    for (std::size_t g = 0; g + 1 < group_start_.size(); ++g)
      make_region({members_.data() + group_start_[g], group_start_[g + 1] - group_start_[g]});
    if (has_curve_) measure_bends(mesh_, size_, settings_, result_);
    return std::move(result_);
  }

 private:
  using Group = std::span<const std::uint32_t>;  // facets of one region, ascending

  void reserve() {
    facets_.reserve(mesh_.face_count());
    corner_.reserve(mesh_.face_vertex.size());
    result_.regions.reserve(mesh_.face_count());
    result_.piece_start.reserve(mesh_.face_count() + 1);
    result_.corners.reserve(mesh_.face_vertex.size());
    result_.vertex.reserve(mesh_.face_vertex.size());
  }

  void add_facet(std::span<const std::uint32_t> corners, double warp) {
    points_.clear();
    for (const std::uint32_t v : corners) points_.push_back(mesh_.vertices[v]);
    const Vec3d area = area_vector(points_);
    if (!(norm(area) > tiny_)) return;
    const auto first = static_cast<std::uint32_t>(corner_.size());
    corner_.insert(corner_.end(), corners.begin(), corners.end());
    facets_.push_back({first, static_cast<std::uint32_t>(corners.size()), area, polygon_centroid(points_), warp});
  }

  /// Planar faces whole, others as triangles: of the fan where the face is convex, of its ears where it is not.
  void split_faces() {
    for (std::size_t f = 0; f < mesh_.face_count(); ++f) {
      const auto face = mesh_.face(f);
      const double warp = face_warp(face);
      result_.worst_warp = std::max(result_.worst_warp, warp);
      if (warp <= near_) {
        add_facet(face, 0);
        continue;
      }
      std::vector<std::uint32_t> triangles;
      triangles_of(face, triangles);
      for (std::size_t i = 0; i < triangles.size(); i += 3) {
        const std::uint32_t corners[3] = {face[triangles[i]], face[triangles[i + 1]], face[triangles[i + 2]]};
        add_facet(corners, warp);
      }
    }
  }

  /// Height of the face: how far its corners are apart along the normal of its mean plane.
  double face_warp(std::span<const std::uint32_t> face) {
    if (face.size() < 4) return 0;
    points_.clear();
    for (const std::uint32_t v : face) points_.push_back(mesh_.vertices[v]);
    const Vec3d normal = unit(area_vector(points_));
    double low = 0, high = 0;
    for (const Vec3d& p : points_) {
      const double height = dot(p - points_[0], normal);
      low = std::min(low, height);
      high = std::max(high, height);
    }
    return high - low;
  }

  void triangles_of(std::span<const std::uint32_t> face, std::vector<std::uint32_t>& triangles) {
    points_.clear();
    for (const std::uint32_t v : face) points_.push_back(mesh_.vertices[v]);
    const PlaneFrame frame = make_plane_frame(points_[0], unit(area_vector(points_)), points_[1] - points_[0]);
    std::vector<Vec2> flat;
    flat.reserve(points_.size());
    for (const Vec3d& p : points_) flat.push_back(frame.to_plane(p));
    if (!is_convex(flat, straight_)) {
      triangulate(flat, triangles);
      return;
    }
    for (std::uint32_t i = 2; i < face.size(); ++i) triangles.insert(triangles.end(), {0, i - 1, i});
  }

  std::span<const std::uint32_t> corners(std::size_t i) const { return {corner_.data() + facets_[i].first, facets_[i].count}; }

  /// Grows regions over edges to facets in the same plane, the largest facet that is left first; numbers them by their first facet.
  void group_facets() {
    Mesh parts;
    parts.face_start.reserve(facets_.size() + 1);
    parts.face_vertex.reserve(corner_.size());
    for (std::size_t i = 0; i < facets_.size(); ++i) parts.add_face(corners(i));
    edges_ = list_half_edges(parts);
    link_neighbours();
    std::vector<std::pair<double, std::uint32_t>> order(facets_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = {-norm(facets_[i].area), i};
    std::sort(order.begin(), order.end());
    group_of_.assign(facets_.size(), none);
    for (const auto& [area, seed] : order)
      if (group_of_[seed] == none) grow(seed);

    // groups go by the number of their first facet until here; sort their members
    members_.resize(facets_.size());
    for (std::uint32_t i = 0; i < members_.size(); ++i) members_[i] = i;
    std::sort(members_.begin(), members_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return group_of_[a] != group_of_[b] ? group_of_[a] < group_of_[b] : a < b; });
    for (std::uint32_t k = 0; k <= members_.size(); ++k)
      if (k == 0 || k == members_.size() || group_of_[members_[k]] != group_of_[members_[k - 1]]) group_start_.push_back(k);
  }

  void link_neighbours() {
    neighbour_.assign(corner_.size(), none);
    for (std::size_t i = 0; i < edges_.size(); i = edge_end(edges_, i)) {
      if (edge_end(edges_, i) != i + 2 || edges_[i].forward == edges_[i + 1].forward) continue;
      neighbour_[facets_[edges_[i].face].first + edges_[i].corner] = edges_[i + 1].face;
      neighbour_[facets_[edges_[i + 1].face].first + edges_[i + 1].corner] = edges_[i].face;
    }
  }

  void grow(std::uint32_t seed) {
    const Vec3d normal = unit(facets_[seed].area), middle = facets_[seed].centroid;
    const auto in_plane = [&](std::uint32_t i) {
      if (!(dot(facets_[i].area, normal) > 0)) return false;
      return std::ranges::all_of(corners(i), [&](std::uint32_t v) { return abs(dot(mesh_.vertices[v] - middle, normal)) <= near_; });
    };
    front_.assign(1, seed);
    group_of_[seed] = seed;
    std::uint32_t first = seed;
    for (std::size_t k = 0; k < front_.size(); ++k) {
      const Facet& facet = facets_[front_[k]];
      for (std::uint32_t c = 0; c < facet.count; ++c) {
        const std::uint32_t i = neighbour_[facet.first + c];
        if (i == none || group_of_[i] != none || !in_plane(i)) continue;
        group_of_[i] = seed;
        first = std::min(first, i);
        front_.push_back(i);
      }
    }
    for (const std::uint32_t i : front_) group_of_[i] = first;
  }

  /// Plane, pieces and boxes of one group of facets.
  void make_region(Group group) {
    PlanarRegion region;
    fit_plane(group, region);
    outline(group, region.frame);
    region.first_piece = static_cast<std::uint32_t>(result_.piece_start.size() - 1);
    if (!outline_.empty() && is_convex(outline_, straight_)) {
      add_piece(outline_, outline_vertex_);
    } else {
      add_pieces(group, region.frame);
    }
    region.piece_count = static_cast<std::uint32_t>(result_.piece_start.size() - 1) - region.first_piece;
    if (region.piece_count == 0) return;
    const Vec2 edge = first_edge_;
    region.first_edge = unit(edge.x * region.frame.t1 + edge.y * region.frame.t2);
    measure_boxes(group, region);
    result_.regions.push_back(region);
  }

  void fit_plane(Group group, PlanarRegion& region) const {
    const auto first = corners(group[0]);
    const Vec3d base = mesh_.vertices[first[0]];
    Vec3d area{0, 0, 0}, weighted{0, 0, 0};
    double total = 0, warp = 0;
    for (const std::uint32_t i : group) {
      const double a = norm(facets_[i].area);
      area = area + facets_[i].area;
      weighted = weighted + a * (facets_[i].centroid - base);
      total += a;
      warp = std::max(warp, facets_[i].warp);
    }
    const Vec3d normal = unit(area);
    const double lift = dot((1 / total) * weighted, normal);
    // a corner that is in the plane but for rounding keeps its coordinates
    const Vec3d origin = abs(lift) <= 1e-7 * near_ ? base : base + lift * normal;
    region.frame = make_plane_frame(origin, normal, mesh_.vertices[first[1]] - base);
    region.area = norm(area);
    region.deviation = warp;
    for (const std::uint32_t i : group)
      for (const std::uint32_t v : corners(i))
        region.deviation = std::max(region.deviation, warp + abs(region.frame.height(mesh_.vertices[v])));
  }

  /// The boundary of a group where it is one simple loop, without collinear corners; empty where it is not. Sets `first_edge_`.
  void outline(Group group, const PlaneFrame& frame) {
    outline_.clear();
    outline_vertex_.clear();
    sides_.clear();
    for (const std::uint32_t i : group) {
      const auto polygon = corners(i);
      for (std::uint32_t k = 0; k < polygon.size(); ++k) {
        const std::uint32_t other = neighbour_[facets_[i].first + k];
        if (other != none && group_of_[other] == group_of_[i]) continue;
        sides_.emplace_back(polygon[k], polygon[(k + 1) % polygon.size()]);
        has_curve_ = has_curve_ || (other != none && turns_smoothly(facets_[i].area, facets_[other].area));
      }
    }
    const Vec2 start = frame.to_plane(mesh_.vertices[corners(group[0])[0]]), end = frame.to_plane(mesh_.vertices[corners(group[0])[1]]);
    first_edge_ = {end.x - start.x, end.y - start.y};
    if (sides_.empty() || !follow(frame)) return;
    keep_corners(outline_, outline_vertex_);
    if (outline_.size() < 3) return outline_.clear();
    first_edge_ = {outline_[1].x - outline_[0].x, outline_[1].y - outline_[0].y};
  }

  /// True where two area vectors make less than the curve angle.
  bool turns_smoothly(const Vec3d& a, const Vec3d& b) const {
    const double along = dot(a, b);
    return along > 0 && along * along > smooth_ * dot(a, a) * dot(b, b);
  }

  /// Walks the boundary sides from the first one; false where they are not one loop that visits each corner once.
  bool follow(const PlaneFrame& frame) {
    const std::uint32_t start = sides_[0].first;
    auto& sorted = sides_;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i].first == sorted[i - 1].first) return false;
    std::uint32_t at = start;
    do {
      outline_.push_back(frame.to_plane(mesh_.vertices[at]));
      outline_vertex_.push_back(at);
      const auto side = std::lower_bound(sorted.begin(), sorted.end(), std::pair(at, 0U));
      if (side == sorted.end() || side->first != at) break;
      at = side->second;
    } while (at != start && outline_.size() <= sorted.size());
    if (at == start && outline_.size() == sorted.size()) return true;
    outline_.clear();
    return false;
  }

  void keep_corners(std::vector<Vec2>& polygon, std::vector<std::uint32_t>& vertices) const {
    const std::vector<std::uint32_t> kept = kept_corners(polygon, straight_);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      polygon[i] = polygon[kept[i]];
      vertices[i] = vertices[kept[i]];
    }
    polygon.resize(kept.size());
    vertices.resize(kept.size());
  }

  void add_piece(std::span<const Vec2> polygon, std::span<const std::uint32_t> vertices) {
    result_.corners.insert(result_.corners.end(), polygon.begin(), polygon.end());
    result_.vertex.insert(result_.vertex.end(), vertices.begin(), vertices.end());
    result_.piece_start.push_back(static_cast<std::uint32_t>(result_.corners.size()));
  }

  /// A concave region or one with holes: its facets, cut into convex parts and joined again as far as they stay convex.
  void add_pieces(Group group, const PlaneFrame& frame) {
    std::vector<Vec2> flat(mesh_.vertices.size());
    std::vector<std::vector<std::uint32_t>> parts;
    std::vector<Vec2> polygon;
    std::vector<std::uint32_t> triangles;
    for (const std::uint32_t i : group) {
      const auto facet = corners(i);
      polygon.clear();
      for (const std::uint32_t v : facet) polygon.push_back(flat[v] = frame.to_plane(mesh_.vertices[v]));
      if (is_convex(polygon, 0)) {
        parts.emplace_back(facet.begin(), facet.end());
        continue;
      }
      triangulate(polygon, triangles);
      for (std::size_t k = 0; k < triangles.size(); k += 3)
        parts.push_back({facet[triangles[k]], facet[triangles[k + 1]], facet[triangles[k + 2]]});
    }
    merge_convex(flat, straight_, parts);
    for (auto& part : parts) {
      polygon.clear();
      for (const std::uint32_t v : part) polygon.push_back(flat[v]);
      keep_corners(polygon, part);
      if (polygon.size() >= 3 && signed_area(polygon) > tiny_) add_piece(polygon, part);
    }
  }

  void measure_boxes(Group group, PlanarRegion& region) const {
    const Vec3d first = mesh_.vertices[corners(group[0])[0]];
    region.box = {first, first};
    for (const std::uint32_t i : group)
      for (const std::uint32_t v : corners(i)) {
        const Vec3d& p = mesh_.vertices[v];
        Aabb& box = region.box;
        box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
        box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
      }
  }

  static constexpr std::uint32_t none = 0xffffffffU;
  const Mesh& mesh_;
  const ContactSettings& settings_;
  const double size_, near_, straight_, tiny_;
  const double smooth_;  // squared cosine of the curve angle
  bool has_curve_ = false;
  std::vector<Facet> facets_;
  std::vector<std::uint32_t> corner_;
  std::vector<HalfEdge> edges_;
  std::vector<std::uint32_t> neighbour_;  // facet across each corner's side, or none
  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> front_, members_, group_start_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides_;  // boundary sides, from -> to
  std::vector<Vec2> outline_;
  std::vector<std::uint32_t> outline_vertex_;
  Vec2 first_edge_{};
  std::vector<Vec3d> points_;
  PlanarRegions result_;
};

}  // namespace

PlanarRegions find_planar_regions(const Mesh& mesh, double size, const ContactSettings& settings) {
  return RegionBuilder(mesh, size, settings).run();
}

}  // namespace trilith::geom
