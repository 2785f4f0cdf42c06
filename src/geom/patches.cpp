// Implements (GEO-5), (GEO-6), (GEO-7), (GEO-14): planar contacts between two solids.
#include "geom/patches.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/overlap.h"
#include "geom/touch.h"

namespace trilith::geom {
namespace {

constexpr std::size_t few_regions = 40;  // below that a tree over them does not pay

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

using Kind = DoubtfulContact::Kind;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool within(double least, double most) const { return low >= least && high <= most; }
};

/// Sums over all facets of what may be a curved joint of the pair.
struct Curve {
  double area = 0, touching = 0;  // m^2
  double opening = 0;             // of the two curves, times area
  double rise = 0;                // what the curves stand off their facets, times area
  double sense = 0;               // negative where one block is hollow and the other bulges
  std::vector<DoubtfulContact> doubts, slivers;

  /// A parabola stands 2/3 of its rise off its chord in the mean.
  void measure(double facet_area, double gap, double rise_a, double rise_b) {
    area += facet_area;
    opening += facet_area * (gap - (rise_a + rise_b) * 2 / 3);
    rise += facet_area * (abs(rise_a) + abs(rise_b));
    sense += facet_area * rise_a * rise_b;
  }
};

class PatchFinder {
 public:
  PatchFinder(const ContactSolid& a, const ContactSolid& b, const ContactSettings& settings)
      : a_(a), b_(b), settings_(settings), size_(std::min(a.size, b.size)), near_(settings.doubt_factor * settings.gap_tolerance * size_) {}

  PatchSearch run() {
    const Aabb reach_b = grow(b_.box, near_);
    for (const PlanarRegion& ra : a_.surface.regions) {
      const double room = ra.deviation + reach_of(ra.bend);
      if (!boxes_touch(ra.box, grow(reach_b, room))) continue;
      if (b_.tree) {
        compare_found(ra, grow(ra.box, near_ + room));
        continue;
      }
      for (const PlanarRegion& rb : b_.surface.regions)
        if (faces(ra, rb)) compare(ra, rb);
    }
    settle_curve();
    look_deeper();
    if (result_.patches.empty() && std::ranges::all_of(result_.doubts, &DoubtfulContact::told)) {
      const auto touch = find_touch(a_, b_, settings_.gap_tolerance * size_);
      if (touch || narrow_) result_.doubts.push_back(touch ? *touch : *narrow_);
    }
    return std::move(result_);
  }

 private:
  /// How far a curve may stand off its facet and still be met there, m.
  double reach_of(const Bend& bend) const { return settings_.curve_factor * (bend.high - bend.low); }

  /// The regions of b near `box`, in their order.
  void compare_found(const PlanarRegion& ra, const Aabb& box) {
    found_.clear();
    b_.tree->find_touching(grow(box, b_.reach), found_);
    std::sort(found_.begin(), found_.end());
    for (const std::uint32_t j : found_)
      if (faces(ra, b_.surface.regions[j])) compare(ra, b_.surface.regions[j]);
  }

  /// True where two regions may touch: near each other and opposite. Faces that are not planar, and facets of a curve, may lean further
  /// than plane faces.
  bool faces(const PlanarRegion& ra, const PlanarRegion& rb) const {
    const double warp = ra.deviation + rb.deviation;
    const double angle = settings_.angle_tolerance + (is_curve(ra, rb) ? ra.bend.lean + rb.bend.lean : 0);
    if (dot(ra.frame.normal, rb.frame.normal) > -1 + 0.5 * angle * angle + 2 * warp / size_) return false;
    return boxes_touch(rb.box, grow(ra.box, near_ + warp + reach_of(ra.bend) + reach_of(rb.bend)));
  }

  /// Facets of two curved surfaces that may be the same one.
  static bool is_curve(const PlanarRegion& ra, const PlanarRegion& rb) { return ra.bend.curved() && rb.bend.curved(); }

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
    Range gap;
    for (const Vec2& q : polygon) gap.add(gap_at(ra.frame, rb.frame, q));
    remove_collinear(polygon, settings_.collinear_tolerance * size_);
    const double area = polygon.size() < 3 ? 0 : signed_area(polygon);
    const bool narrow = least_width(polygon) < settings_.least_width * size_;
    if (narrow || area < settings_.least_area * size_ * size_) {
      if (is_curve(ra, rb)) return keep_sliver(ra, rb, polygon, gap, tolerance);
      if (gap.low > tolerance || gap.high < -tolerance) return;
      if (!narrow) doubt(Kind::small, ra, polygon, gap.low);
      if (narrow && !narrow_)
        narrow_ = DoubtfulContact{Kind::edge_or_point, area, gap.low, ra.frame.to_space(polygon_centroid(polygon)), {}, {}, {}};
      return;
    }
    const bool flat = gap.within(-tolerance, tolerance);
    if (is_curve(ra, rb)) return judge_curve(ra, rb, polygon, gap, tolerance);
    if (flat) return accept(ra, rb, polygon);
    tell(ra, polygon, gap, tolerance, settings_.doubt_factor * tolerance);
  }

  /// Where facets of two meshes of one curve cross there are slivers: no contacts, but they might carry.
  void keep_sliver(const PlanarRegion& ra, const PlanarRegion& rb, const std::vector<Vec2>& polygon, const Range& gap, double tolerance) {
    const double low = settings_.curve_factor * (ra.bend.low + rb.bend.low), high = settings_.curve_factor * (ra.bend.high + rb.bend.high);
    if (polygon.size() < 3 || gap.low > high + tolerance || gap.high < low - tolerance) return;
    curve_.slivers.push_back(make_doubt(Kind::small, ra, polygon, gap.low));
  }

  /// Two facets of what may be one curve. Whether it is one is known once all of its facets are. (GEO-12)
  void judge_curve(const PlanarRegion& ra, const PlanarRegion& rb, const std::vector<Vec2>& polygon, const Range& gap, double tolerance) {
    const double low = settings_.curve_factor * (ra.bend.low + rb.bend.low), high = settings_.curve_factor * (ra.bend.high + rb.bend.high);
    const double reach = settings_.doubt_factor * tolerance, area = signed_area(polygon);
    if (gap.low > high + reach || gap.high < low - reach) return;
    curve_.measure(area, gap_at(ra.frame, rb.frame, polygon_centroid(polygon)), ra.bend.rise(), rb.bend.rise());
    if (gap.within(-tolerance, tolerance)) {
      curve_.touching += area;
      return accept(ra, rb, polygon);
    }
    if (!gap.within(low - tolerance, high + tolerance)) {
      const std::size_t before = result_.doubts.size();
      tell(ra, polygon, gap, tolerance, high + reach);
      if (result_.doubts.size() == before) return;
      curve_.doubts.push_back(std::move(result_.doubts.back()));
      result_.doubts.pop_back();
      return;
    }
    curve_.touching += area;
    accept(ra, rb, polygon);
    result_.patches.back().curved = true;
  }

  /// Takes the facets of the curve, or none of them.
  void settle_curve() {
    const double tolerance = settings_.gap_tolerance * size_ * curve_.area + settings_.curve_opening * curve_.rise;
    const bool joint = curve_.sense <= 0 && curve_.touching >= settings_.curve_share * curve_.area && abs(curve_.opening) <= tolerance;
    if (joint) {
      for (const ContactPatch& patch : result_.patches)
        if (patch.curved) add_facet(patch);
      if (result_.curved.facets > 0) result_.curved.left_out = curve_.area - curve_.touching;
      add_doubts(curve_.doubts, result_.curved.facets > 0);
      add_doubts(curve_.slivers, true);
      return;
    }
    for (ContactPatch& patch : result_.patches) {
      if (!patch.curved) continue;
      const Vec3d at = polygon_centroid(patch.polygon);
      curve_.doubts.push_back({Kind::gap, patch.area, patch.gap, at, std::move(patch.polygon), patch.normal, patch.t1});
    }
    std::erase_if(result_.patches, [](const ContactPatch& patch) { return patch.curved; });
    add_doubts(curve_.doubts, false);
    add_doubts(curve_.slivers, true);
  }

  void add_doubts(std::vector<DoubtfulContact>& doubts, bool told) {
    for (DoubtfulContact& one : doubts) {
      one.told = told;
      result_.doubts.push_back(std::move(one));
    }
  }

  /// Faces further apart than `near_` were not compared; solids that run deeper into each other are found by their space. Deeper than what
  /// warped and curved faces that were taken may share.
  void look_deeper() {
    double deep = near_;
    for (const ContactPatch& patch : result_.patches) deep = std::max(deep, near_ + patch.warp);
    if (result_.curved.facets > 0) deep = std::max(deep, near_ + a_.reach + b_.reach);
    for (const DoubtfulContact& one : result_.doubts)
      if (one.kind == Kind::overlap && one.gap < -near_) return;
    if (const auto overlap = find_overlap(a_, b_, deep)) result_.doubts.push_back(*overlap);
  }

  void add_facet(const ContactPatch& patch) {
    CurvedJoint& joint = result_.curved;
    ++joint.facets;
    joint.area += patch.area;
    if (patch.gap < joint.gap) return;
    joint.gap = patch.gap;
    joint.at = polygon_centroid(patch.polygon);
  }

  /// Faces that are too far apart or that intersect; `reach`: gaps that begin further out are not worth a word.
  void tell(const PlanarRegion& ra, const std::vector<Vec2>& polygon, const Range& gap, double tolerance, double reach) {
    if (gap.low < -tolerance) {
      const double depth = overlap_depth(ra, ra.frame.to_space(polygon_centroid(polygon)), gap.low);
      if (depth > tolerance)
        doubt(Kind::overlap, ra, polygon, -depth);
      else if (gap.high > tolerance)
        doubt(Kind::gap, ra, polygon, gap.high);  // they cross, and the middle is open
    } else if (gap.low <= reach) {
      doubt(Kind::gap, ra, polygon, gap.high);
    }
  }

  void doubt(Kind kind, const PlanarRegion& ra, const std::vector<Vec2>& polygon, double gap) {
    result_.doubts.push_back(make_doubt(kind, ra, polygon, gap));
  }

  static DoubtfulContact make_doubt(Kind kind, const PlanarRegion& ra, const std::vector<Vec2>& polygon, double gap) {
    DoubtfulContact one{kind, signed_area(polygon), gap, ra.frame.to_space(polygon_centroid(polygon)), {}, ra.frame.normal, ra.first_edge};
    for (const Vec2& q : polygon) one.polygon.push_back(ra.frame.to_space(q));
    return one;
  }

  /// How deep the solids share the space behind a's face at `at`, where b's face lies `low` (negative) below: twice the distance of the
  /// point between the two faces from the nearer surface; 0 where it is not inside both.
  double overlap_depth(const PlanarRegion& ra, const Vec3d& at, double low) const {
    const Vec3d n = ra.frame.normal;
    if (-low > std::min(extent_along(a_.box, n), extent_along(b_.box, n))) return 0;
    const Vec3d between = at + (0.5 * low) * n;
    if (a_.inside.winding_number(between) == 0 || b_.inside.winding_number(between) == 0) return 0;
    return 2 * std::min(a_.inside.distance(between), b_.inside.distance(between));
  }

  void accept(const PlanarRegion& ra, const PlanarRegion& rb, const std::vector<Vec2>& polygon) {
    ContactPatch patch;
    patch.normal = ra.frame.normal;
    patch.t1 = ra.first_edge;
    patch.warp = std::max(ra.deviation, rb.deviation);
    for (const Vec2& q : polygon) {
      patch.polygon.push_back(nearest_corner(ra, rb, ra.frame.to_space(q)));
      patch.gap = std::max(patch.gap, abs(gap_at(ra.frame, rb.frame, q)));
    }
    patch.area = polygon_area(patch.polygon);
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
  const double near_;  // m: faces further apart are not looked at
  std::vector<std::uint32_t> found_;
  std::vector<Vec2> piece_, overlap_;
  std::vector<std::vector<Vec2>> overlaps_;
  std::optional<DoubtfulContact> narrow_;  // the first contact that is but an edge
  Curve curve_;
  PatchSearch result_;
};

}  // namespace

ContactSolid make_contact_solid(const Mesh& mesh, const ContactSettings& settings) {
  ContactSolid solid;
  solid.mesh = &mesh;
  solid.box = bounding_box(mesh);
  solid.size = longest_side(solid.box);
  solid.surface = find_planar_regions(mesh, solid.size, settings);
  solid.inside = Surface(mesh);
  const auto& regions = solid.surface.regions;
  for (const PlanarRegion& region : regions)
    solid.reach = std::max(solid.reach, region.deviation + settings.curve_factor * (region.bend.high - region.bend.low));
  if (regions.size() < few_regions) return solid;
  std::vector<Aabb> boxes;
  boxes.reserve(regions.size());
  for (const PlanarRegion& region : regions) boxes.push_back(region.box);
  solid.tree = std::make_shared<const BoxTree>(boxes);
  return solid;
}

PatchSearch find_patches(const ContactSolid& a, const ContactSolid& b, const ContactSettings& settings) {
  return PatchFinder(a, b, settings).run();
}

}  // namespace trilith::geom
