// Convex hull in space by adding points to a simplex, with signs that cannot be wrong. Equation: (GATE-1)
#include "geom/hull.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/rng.h"
#include "geom/mass_properties.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

__extension__ typedef __float128 Quad;  // 113 bits: differences of doubles of one size are exact, products nearly so

constexpr double sign_filter = 1e-14;  // of the sum of the terms: below it the sign of a determinant in double may be wrong
constexpr std::uint32_t none = 0xffffffffU;

/// Volume of the box spanned from a: positive where p is on the front side of a b c.
double side_of(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  const Vec3d u = b - a, v = c - a, w = p - a;
  const double one = w.x * (u.y * v.z - u.z * v.y), two = w.y * (u.z * v.x - u.x * v.z), three = w.z * (u.x * v.y - u.y * v.x);
  const double sum = one + two + three;
  const double terms = abs(w.x) * (abs(u.y * v.z) + abs(u.z * v.y)) + abs(w.y) * (abs(u.z * v.x) + abs(u.x * v.z)) +
                       abs(w.z) * (abs(u.x * v.y) + abs(u.y * v.x));
  if (abs(sum) > sign_filter * terms) return sum;
  const auto less = [](double from, double to) { return Quad(to) - Quad(from); };
  const Quad ux = less(a.x, b.x), uy = less(a.y, b.y), uz = less(a.z, b.z), vx = less(a.x, c.x), vy = less(a.y, c.y), vz = less(a.z, c.z);
  const Quad wx = less(a.x, p.x), wy = less(a.y, p.y), wz = less(a.z, p.z);
  return static_cast<double>(wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx));
}

struct Facet {
  std::uint32_t corner[3] = {};
  std::uint32_t across[3] = {none, none, none};  // facet beyond the side from corner i to the next
  std::vector<std::uint32_t> outside;            // points in front of it, each with one facet only
  bool alive = true;
  std::uint32_t mark = 0;
};

class HullBuilder {
 public:
  explicit HullBuilder(std::vector<Vec3d> points) : points_(std::move(points)) {}

  /// False where there is no simplex thicker than `flat` (m).
  bool run(double flat) {
    if (!start(flat)) return false;
    for (std::uint32_t f = 0; f < facets_.size(); ++f)
      while (facets_[f].alive && !facets_[f].outside.empty()) add_point(f);
    return true;
  }
  const std::vector<Facet>& facets() const { return facets_; }

 private:
  const Vec3d& at(const Facet& facet, int i) const { return points_[facet.corner[i]]; }
  double side(std::uint32_t f, std::uint32_t p) const {
    const Facet& facet = facets_[f];
    return side_of(at(facet, 0), at(facet, 1), at(facet, 2), points_[p]);
  }

  /// Index of the point that scores most.
  template <class Score>
  std::uint32_t furthest(Score score) const {
    std::uint32_t best = 0;
    double most = -1;
    for (std::uint32_t i = 0; i < points_.size(); ++i)
      if (const double value = score(points_[i]); value > most) {
        most = value;
        best = i;
      }
    return best;
  }

  bool start(double flat) {
    const Vec3d first = points_[0];
    const std::uint32_t a = furthest([&](const Vec3d& p) { return norm(p - first); });
    const std::uint32_t b = furthest([&](const Vec3d& p) { return norm(p - points_[a]); });
    const Vec3d along = unit(points_[b] - points_[a]);
    const std::uint32_t c = furthest([&](const Vec3d& p) { return norm(cross(p - points_[a], along)); });
    const Vec3d normal = unit(cross(points_[b] - points_[a], points_[c] - points_[a]));
    const std::uint32_t d = furthest([&](const Vec3d& p) { return abs(dot(p - points_[a], normal)); });
    if (!(norm(cross(points_[c] - points_[a], along)) > flat) || !(abs(dot(points_[d] - points_[a], normal)) > flat)) return false;
    const bool front = side_of(points_[a], points_[b], points_[c], points_[d]) > 0;
    const std::uint32_t q = front ? c : b, r = front ? b : c;  // a q r turns away from d
    const std::uint32_t corners[4][3] = {{a, q, r}, {a, r, d}, {r, q, d}, {q, a, d}};
    const std::uint32_t across[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    facets_.resize(4);
    for (std::size_t f = 0; f < 4; ++f) {
      std::copy(corners[f], corners[f] + 3, facets_[f].corner);
      std::copy(across[f], across[f] + 3, facets_[f].across);
    }
    std::vector<std::uint32_t> all(points_.size());
    std::iota(all.begin(), all.end(), 0U);
    std::erase_if(all, [&](std::uint32_t p) { return p == a || p == b || p == c || p == d; });
    share_out(all, 0, 4);
    return true;
  }

  /// Gives each point to the first of the facets [begin, end) that it is in front of; the others are inside.
  void share_out(const std::vector<std::uint32_t>& points, std::uint32_t begin, std::uint32_t end) {
    for (const std::uint32_t p : points)
      for (std::uint32_t f = begin; f < end; ++f)
        if (side(f, p) > 0) {
          facets_[f].outside.push_back(p);
          break;
        }
  }

  /// The facets that see `eye`, from `f` on, and the sides where seeing ends, in a ring.
  struct Side {
    std::uint32_t from, to, beyond;  // `beyond`: the facet that stays
  };
  void look(std::uint32_t f, std::uint32_t eye, std::vector<std::uint32_t>& seen, std::vector<Side>& rim) {
    ++mark_;
    facets_[f].mark = mark_;
    seen.push_back(f);
    for (std::size_t k = 0; k < seen.size(); ++k) {
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t other = facets_[seen[k]].across[i];
        if (facets_[other].mark == mark_) continue;
        if (side(other, eye) > 0) {
          facets_[other].mark = mark_;
          seen.push_back(other);
        } else {
          rim.push_back({facets_[seen[k]].corner[i], facets_[seen[k]].corner[(i + 1) % 3], other});
        }
      }
    }
  }

  /// Replaces what the furthest point of facet `f` sees by a fan from that point.
  void add_point(std::uint32_t f) {
    const Vec3d normal = cross(at(facets_[f], 1) - at(facets_[f], 0), at(facets_[f], 2) - at(facets_[f], 0));
    std::uint32_t eye = facets_[f].outside[0];
    for (const std::uint32_t p : facets_[f].outside)
      if (dot(normal, points_[p] - points_[eye]) > 0) eye = p;
    std::vector<std::uint32_t> seen;
    std::vector<Side> rim;
    look(f, eye, seen, rim);
    const auto first = static_cast<std::uint32_t>(facets_.size());
    for (const Side& side : rim) {
      Facet& facet = facets_.emplace_back();
      facet.corner[0] = side.from;
      facet.corner[1] = side.to;
      facet.corner[2] = eye;
      facet.across[0] = side.beyond;
    }
    connect(first, rim);
    std::vector<std::uint32_t> loose;
    for (const std::uint32_t dead : seen) {
      loose.insert(loose.end(), facets_[dead].outside.begin(), facets_[dead].outside.end());
      facets_[dead] = {};
      facets_[dead].alive = false;
    }
    std::erase(loose, eye);
    share_out(loose, first, static_cast<std::uint32_t>(facets_.size()));
  }

  /// Neighbours of the fan: the facet of a side that starts at `to` follows it round the eye.
  void connect(std::uint32_t first, const std::vector<Side>& rim) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> start;
    for (std::uint32_t k = 0; k < rim.size(); ++k) start.emplace_back(rim[k].from, first + k);
    std::sort(start.begin(), start.end());
    for (std::uint32_t k = 0; k < rim.size(); ++k) {
      const std::uint32_t next = std::lower_bound(start.begin(), start.end(), std::pair(rim[k].to, 0U))->second;
      facets_[first + k].across[1] = next;
      facets_[next].across[2] = first + k;
      Facet& beyond = facets_[rim[k].beyond];
      for (int i = 0; i < 3; ++i)
        if (beyond.corner[i] == rim[k].to && beyond.corner[(i + 1) % 3] == rim[k].from) beyond.across[i] = first + k;
    }
  }

  const std::vector<Vec3d> points_;
  std::vector<Facet> facets_;
  std::uint32_t mark_ = 0;
};

/// Facets in one plane as one polygon, corners by their index into the points.
class FaceMerger {
 public:
  FaceMerger(std::span<const Vec3d> points, const std::vector<Facet>& facets, double tolerance)
      : points_(points), facets_(facets), tolerance_(tolerance), taken_(facets.size(), false) {}

  std::vector<std::vector<std::uint32_t>> run() {
    std::vector<std::pair<double, std::uint32_t>> by_size;
    for (std::uint32_t f = 0; f < facets_.size(); ++f)
      if (facets_[f].alive) by_size.emplace_back(-norm(area_of(f)), f);
    std::sort(by_size.begin(), by_size.end());
    std::vector<std::vector<std::uint32_t>> faces;
    for (const auto& [size, f] : by_size)
      if (!taken_[f]) grow(f, faces);
    return faces;
  }

 private:
  Vec3d area_of(std::uint32_t f) const {
    const std::uint32_t* c = facets_[f].corner;
    return cross(points_[c[1]] - points_[c[0]], points_[c[2]] - points_[c[0]]);
  }

  /// All facets that hang together with `seed` in its plane; what is narrower than the tolerance is no face.
  void grow(std::uint32_t seed, std::vector<std::vector<std::uint32_t>>& faces) {
    const Vec3d origin = points_[facets_[seed].corner[0]];
    const PlaneFrame plane = make_plane_frame(origin, unit(area_of(seed)), points_[facets_[seed].corner[1]] - origin);
    std::vector<std::uint32_t> stack{seed}, corners;
    taken_[seed] = true;
    while (!stack.empty()) {
      const Facet& facet = facets_[stack.back()];
      stack.pop_back();
      corners.insert(corners.end(), facet.corner, facet.corner + 3);
      for (const std::uint32_t other : facet.across) {
        if (taken_[other]) continue;
        const bool level =
            std::ranges::all_of(facets_[other].corner, [&](std::uint32_t c) { return abs(plane.height(points_[c])) <= tolerance_; });
        if (!level) continue;
        taken_[other] = true;
        stack.push_back(other);
      }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::vector<std::uint32_t> polygon = outline(plane, corners);
    if (polygon.size() >= 3) faces.push_back(std::move(polygon));
  }

  /// Corners of the polygon, counter-clockwise about the plane's normal.
  std::vector<std::uint32_t> outline(const PlaneFrame& plane, const std::vector<std::uint32_t>& corners) const {
    std::vector<Vec2> flat;
    for (const std::uint32_t c : corners) flat.push_back(plane.to_plane(points_[c]));
    const std::vector<Vec2> ring = convex_hull(flat);
    if (!(least_width(ring) > tolerance_)) return {};
    std::vector<std::uint32_t> polygon;
    for (const std::uint32_t k : kept_corners(ring, tolerance_))
      for (std::size_t i = 0; i < flat.size(); ++i)
        if (flat[i].x == ring[k].x && flat[i].y == ring[k].y) {
          polygon.push_back(corners[i]);
          break;
        }
    return polygon;
  }

  std::span<const Vec3d> points_;
  const std::vector<Facet>& facets_;
  const double tolerance_;
  std::vector<bool> taken_;
};

bool is_finite(const Vec3d& p) {
  const double most = std::numeric_limits<double>::max();
  return abs(p.x) <= most && abs(p.y) <= most && abs(p.z) <= most;
}

}  // namespace

// (GATE-1)
std::optional<Mesh> make_hull(std::span<const Vec3d> points, const HullSettings& settings) {
  if (points.size() < 4) return std::nullopt;
  Aabb box{points[0], points[0]};
  for (const Vec3d& p : points) {
    if (!is_finite(p)) return std::nullopt;
    box.lower = {min(box.lower.x, p.x), min(box.lower.y, p.y), min(box.lower.z, p.z)};
    box.upper = {max(box.upper.x, p.x), max(box.upper.y, p.y), max(box.upper.z, p.z)};
  }
  const double size = longest_side(box);
  if (!(size > 0) || !(size < std::numeric_limits<double>::infinity())) return std::nullopt;
  Rng rng(1);
  std::vector<Vec3d> moved;
  moved.reserve(points.size());
  const auto shift = [&] { return settings.jitter * size * (2 * rng.uniform() - 1); };
  for (const Vec3d& p : points) {
    const double x = shift(), y = shift(), z = shift();
    moved.push_back((p - box.lower) + Vec3d{x, y, z});
  }
  HullBuilder builder(std::move(moved));
  if (!builder.run(settings.flat_tolerance * size)) return std::nullopt;

  const auto faces = FaceMerger(points, builder.facets(), settings.planar_tolerance * size).run();
  Mesh hull;
  std::vector<std::uint32_t> number(points.size(), none);
  for (const auto& face : faces) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t p : face) {
      if (number[p] == none) {
        number[p] = static_cast<std::uint32_t>(hull.vertices.size());
        hull.vertices.push_back(points[p]);
      }
      corners.push_back(number[p]);
    }
    hull.add_face(corners);
  }
  return hull;
}

}  // namespace trilith::geom
