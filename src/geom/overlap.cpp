// Implements (GEO-14): do two solids share space?
#include "geom/overlap.h"

#include <algorithm>
#include <limits>

#include "geom/inside.h"
#include "geom/polygon.h"

namespace trilith::geom {
namespace {

constexpr double least_sine = 0.05;     // planes nearer to parallel have no line in common worth looking at
constexpr double probe_depth = 0.55;    // of the depth asked for: how far below both faces a place is probed
constexpr double probe_accepted = 0.5;  // of the depth asked for: how far from both surfaces it must be

/// A part of a line, in its parameter.
struct Span {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

Aabb common_box(const Aabb& a, const Aabb& b) {
  return {{std::max(a.lower.x, b.lower.x), std::max(a.lower.y, b.lower.y), std::max(a.lower.z, b.lower.z)},
          {std::min(a.upper.x, b.upper.x), std::min(a.upper.y, b.upper.y), std::min(a.upper.z, b.upper.z)}};
}

bool thicker(const Aabb& box, double depth) {
  const Vec3d side = box.upper - box.lower;
  return side.x > depth && side.y > depth && side.z > depth;
}

bool holds(const Aabb& box, const Vec3d& p) { return boxes_touch(box, {p, p}); }

/// Cuts `span` of the line p + t d to a convex counter-clockwise polygon grown by `slack` [m].
void cut(std::span<const Vec2> polygon, const Vec2& p, const Vec2& d, double slack, Span& span) {
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
    const Vec2 edge{to.x - from.x, to.y - from.y};
    const double height = edge.x * (p.y - from.y) - edge.y * (p.x - from.x) + slack * sqrt(edge.x * edge.x + edge.y * edge.y);
    const double rate = edge.x * d.y - edge.y * d.x;
    if (rate > 0) span.low = std::max(span.low, -height / rate);
    if (rate < 0) span.high = std::min(span.high, -height / rate);
    if (rate == 0 && height < 0) span.high = -std::numeric_limits<double>::infinity();
  }
}

class OverlapFinder {
 public:
  OverlapFinder(const ContactSolid& a, const ContactSolid& b, double deep)
      : a_(a), b_(b), deep_(deep), common_(common_box(a.box, b.box)), middle_(0.5 * (common_.lower + common_.upper)) {}

  std::optional<DoubtfulContact> run() {
    if (!thicker(common_, deep_) || keeps_apart(a_, b_) || keeps_apart(b_, a_)) return {};
    test_corners(a_, b_);
    test_corners(b_, a_);
    if (found_) return found_;
    for (const PlanarRegion& ra : a_.surface.regions) {
      if (!boxes_touch(ra.box, common_)) continue;
      list_near(ra);
      for (const std::uint32_t j : near_)
        if (compare(ra, b_.surface.regions[j])) return found_;
    }
    return found_;
  }

 private:
  /// True where a plane of `one` has all of `one` below it and all of `two` above, within the depth.
  bool keeps_apart(const ContactSolid& one, const ContactSolid& two) const {
    if (one.tree) return false;  // many faces: not worth the try
    for (const PlanarRegion& region : one.surface.regions) {
      const auto above = [&](const Vec3d& p) { return region.frame.height(p) >= -0.5 * deep_; };
      const auto below = [&](const Vec3d& p) { return region.frame.height(p) <= 0.5 * deep_; };
      if (std::ranges::all_of(two.mesh->vertices, above) && std::ranges::all_of(one.mesh->vertices, below)) return true;
    }
    return false;
  }

  /// Corners of `one` inside `two`.
  void test_corners(const ContactSolid& one, const ContactSolid& two) {
    for (const Vec3d& p : one.mesh->vertices) {
      if (!holds(common_, p) || two.inside.distance(p, deep_) <= deep_) continue;  // most corners of a joint are near the other surface
      if (two.inside.winding_number(p) != 0) keep(p, two.inside.distance(p));
    }
  }

  void keep(const Vec3d& at, double depth) {
    if (found_ && -found_->gap >= depth) return;
    found_.emplace();
    found_->kind = DoubtfulContact::Kind::overlap;
    found_->gap = -depth;
    found_->at = at;
  }

  /// The regions of b that may meet `ra`, in their order.
  void list_near(const PlanarRegion& ra) {
    near_.clear();
    const Aabb box = grow(ra.box, deep_);
    if (b_.tree) {
      b_.tree->find_touching(box, near_);
      std::sort(near_.begin(), near_.end());
      return;
    }
    for (std::uint32_t j = 0; j < b_.surface.regions.size(); ++j)
      if (boxes_touch(b_.surface.regions[j].box, box)) near_.push_back(j);
  }

  /// Two faces: where they cross, and where they lie in one plane on the same side, there may be shared space below both.
  bool compare(const PlanarRegion& ra, const PlanarRegion& rb) {
    const double cosine = dot(ra.frame.normal, rb.frame.normal);
    const bool parallel = 1 - cosine * cosine < least_sine * least_sine;
    if (parallel && cosine < 0) return false;  // facing each other: a matter of gaps
    for (std::uint32_t i = ra.first_piece; i < ra.first_piece + ra.piece_count; ++i)
      for (std::uint32_t j = rb.first_piece; j < rb.first_piece + rb.piece_count; ++j) {
        const auto one = a_.surface.piece(i), two = b_.surface.piece(j);
        if (parallel ? share_plane(ra, one, rb, two) : cross_over(ra, one, rb, two, cosine)) return true;
      }
    return false;
  }

  bool share_plane(const PlanarRegion& ra, std::span<const Vec2> one, const PlanarRegion& rb, std::span<const Vec2> two) {
    piece_.clear();
    for (const Vec2& q : two) piece_.push_back(ra.frame.to_plane(rb.frame.to_space(q)));
    clip_convex(one, piece_, 0, overlap_);
    if (overlap_.size() < 3) return false;
    const Vec3d at = ra.frame.to_space(polygon_centroid(overlap_));
    return abs(rb.frame.height(at)) <= deep_ && probe(at, -probe_depth * deep_ * ra.frame.normal);
  }

  /// Probes the four corners between two planes, along the line in which the pieces cross.
  bool cross_over(const PlanarRegion& ra, std::span<const Vec2> one, const PlanarRegion& rb, std::span<const Vec2> two, double cosine) {
    const double inverse = 1 / (1 - cosine * cosine);
    const Vec3d &m = ra.frame.normal, &n = rb.frame.normal;
    const auto between = [&](double p, double q) { return inverse * (p - cosine * q) * m + inverse * (q - cosine * p) * n; };
    const Vec3d along = unit(cross(m, n)), start = middle_ + between(-ra.frame.height(middle_), -rb.frame.height(middle_));
    Span span;
    const double slack = 0.25 * deep_;
    cut(one, ra.frame.to_plane(start), {dot(along, ra.frame.t1), dot(along, ra.frame.t2)}, slack, span);
    cut(two, rb.frame.to_plane(start), {dot(along, rb.frame.t1), dot(along, rb.frame.t2)}, slack, span);
    if (!(span.high - span.low > deep_)) return false;

    const double step = probe_depth * deep_;
    for (const double share : {0.5, 0.25, 0.75}) {
      const Vec3d at = start + (span.low + share * (span.high - span.low)) * along;
      for (const auto& [p, q] : {std::pair{-step, -step}, {-step, step}, {step, -step}, {step, step}})
        if (probe(at, between(p, q))) return true;
    }
    return false;
  }

  /// How far a place is inside both solids, m; 0 where it is not.
  double depth_at(const Vec3d& p) const {
    if (!holds(common_, p) || a_.inside.winding_number(p) == 0 || b_.inside.winding_number(p) == 0) return 0;
    return std::min(a_.inside.distance(p), b_.inside.distance(p));
  }

  /// A place next to a crossing; where both solids have it, how deep they share space further that way.
  bool probe(const Vec3d& at, const Vec3d& step) {
    double depth = depth_at(at + step);
    if (!(depth >= probe_accepted * deep_)) return false;
    Vec3d place = at + step;
    for (double length = 2; depth_at(at + length * step) > depth; length *= 2) {
      place = at + length * step;
      depth = depth_at(place);
    }
    keep(place, 2 * depth);
    return true;
  }

  const ContactSolid &a_, &b_;
  const double deep_;  // m
  const Aabb common_;
  const Vec3d middle_;
  std::vector<std::uint32_t> near_;
  std::vector<Vec2> piece_, overlap_;
  std::optional<DoubtfulContact> found_;
};

}  // namespace

std::optional<DoubtfulContact> find_overlap(const ContactSolid& a, const ContactSolid& b, double deep) {
  return OverlapFinder(a, b, deep).run();
}

}  // namespace trilith::geom
