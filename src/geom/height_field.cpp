// Surfaces seen along a direction, and what their outlines measure. Equations: (GATE-2) (GATE-3)
#include "geom/height_field.h"

#include <algorithm>
#include <limits>

#include "geom/mass_properties.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr double rim_rounding = 1e-9;  // of the size of the surface: this far outside of a triangle a place still counts as inside
constexpr double equal_areas = 1e-9;   // relative: rectangles this near in area count as equal

double cross2(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
Vec2 minus(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
Vec2 flat(const Vec3d& p) { return {p.x, p.y}; }

}  // namespace

HeightField::HeightField(const Mesh& mesh, const PlaneFrame& plane) {
  vertices_.reserve(mesh.vertices.size());
  for (const Vec3d& p : mesh.vertices) {
    const Vec2 q = plane.to_plane(p);
    vertices_.push_back({q.x, q.y, plane.height(p)});
  }
  Mesh local = mesh;
  local.vertices = vertices_;
  rounding_ = rim_rounding * longest_side(bounding_box(local));
  std::vector<Aabb> boxes;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 2; i < face.size(); ++i) {
      const std::uint32_t corner[3] = {face[0], face[i - 1], face[i]};
      triangles_.insert(triangles_.end(), corner, corner + 3);
      const Vec3d &a = vertices_[corner[0]], &b = vertices_[corner[1]], &c = vertices_[corner[2]];
      const Aabb box{{min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)), 0}, {max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)), 0}};
      boxes.push_back(grow(box, rounding_));
    }
  }
  if (!boxes.empty()) tree_.emplace(boxes);
}

std::optional<HeightField::Range> HeightField::range(const Vec2& at) const {
  if (!tree_) return std::nullopt;
  std::vector<std::uint32_t> near;
  tree_->find_touching({{at.x, at.y, 0}, {at.x, at.y, 0}}, near);
  Range found{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const std::uint32_t t : near) {
    const Vec3d &a = vertices_[triangles_[3 * t]], &b = vertices_[triangles_[3 * t + 1]], &c = vertices_[triangles_[3 * t + 2]];
    const double area = cross2(minus(flat(b), flat(a)), minus(flat(c), flat(a)));
    const double sides[3] = {norm(Vec3d{b.x - a.x, b.y - a.y, 0}), norm(Vec3d{c.x - b.x, c.y - b.y, 0}),
                             norm(Vec3d{a.x - c.x, a.y - c.y, 0})};
    // seen from the edge: its neighbours have what it shows
    if (!(abs(area) > rounding_ * max(sides[0], max(sides[1], sides[2])))) continue;
    const double part[3] = {cross2(minus(flat(c), flat(b)), minus(at, flat(b))) / area,
                            cross2(minus(flat(a), flat(c)), minus(at, flat(c))) / area,
                            cross2(minus(flat(b), flat(a)), minus(at, flat(a))) / area};
    const double room = rounding_ / abs(area);
    if (part[0] < -room * sides[1] || part[1] < -room * sides[2] || part[2] < -room * sides[0]) continue;
    const double height = part[0] * a.z + part[1] * b.z + part[2] * c.z;
    found = {min(found.low, height), max(found.high, height)};
  }
  if (!(found.low <= found.high)) return std::nullopt;
  return found;
}

std::optional<double> HeightField::lowest(const Vec2& at) const {
  const auto found = range(at);
  return found ? std::optional(found->low) : std::nullopt;
}

std::optional<double> HeightField::highest(const Vec2& at) const {
  const auto found = range(at);
  return found ? std::optional(found->high) : std::nullopt;
}

void HeightField::append_crossings(std::span<const Vec2> polygon, std::vector<Vec2>& out) const {
  for (std::size_t k = 0; k < triangles_.size(); ++k) {
    const Vec2 a = flat(vertices_[triangles_[k]]), b = flat(vertices_[triangles_[k % 3 == 2 ? k - 2 : k + 1]]);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 p = polygon[i], side = minus(polygon[(i + 1) % polygon.size()], p);
      const double from = cross2(side, minus(a, p)), to = cross2(side, minus(b, p));
      if ((from > 0) == (to > 0)) continue;
      const double share = from / (from - to);
      const Vec2 at{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
      const double along = (at.x - p.x) * side.x + (at.y - p.y) * side.y;
      if (along >= 0 && along <= side.x * side.x + side.y * side.y) out.push_back(at);
    }
  }
}

Rectangle smallest_rectangle(std::span<const Vec2> convex) {
  Rectangle best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Vec2 side = minus(convex[(i + 1) % convex.size()], convex[i]);
    const double length = sqrt(side.x * side.x + side.y * side.y);
    if (!(length > 0)) continue;
    const Vec2 u{side.x / length, side.y / length}, v{-u.y, u.x};
    const double infinite = std::numeric_limits<double>::infinity();
    double low[2] = {infinite, infinite}, high[2] = {-infinite, -infinite};
    for (const Vec2& p : convex) {
      const double s = u.x * p.x + u.y * p.y, t = v.x * p.x + v.y * p.y;
      low[0] = min(low[0], s);
      high[0] = max(high[0], s);
      low[1] = min(low[1], t);
      high[1] = max(high[1], t);
    }
    const double a = high[0] - low[0], b = high[1] - low[1];
    if (!(a * b < least * (1 - equal_areas))) continue;
    least = a * b;
    const double s = 0.5 * (low[0] + high[0]), t = 0.5 * (low[1] + high[1]);
    best = {{s * u.x + t * v.x, s * u.y + t * v.y}, a >= b ? u : v, max(a, b), min(a, b)};
  }
  return best;
}

double distance_inside(std::span<const Vec2> convex, const Vec2& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Vec2 a = convex[i], side = minus(convex[(i + 1) % convex.size()], a);
    const double length = sqrt(side.x * side.x + side.y * side.y);
    if (length > 0) least = min(least, cross2(side, minus(p, a)) / length);
  }
  return least;
}

}  // namespace trilith::geom
