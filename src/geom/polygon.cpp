// Implements (GEO-3), (GEO-4), (GEO-5): polygons in space and in a plane.
#include "geom/polygon.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace trilith::geom {
namespace {

Vec2 minus(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
double cross2(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
double dot2(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
double length2(const Vec2& a) { return sqrt(dot2(a, a)); }

/// Signed distance of p from the line a b, positive on its left; distance from a where a and b coincide.
double offset_from_line(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 edge = minus(b, a);
  const double length = length2(edge);
  if (!(length > 0)) return length2(minus(p, a));
  return cross2(edge, minus(p, a)) / length;
}

double distance_to_segment(const Vec2& a, const Vec2& b, const Vec2& p) {
  const Vec2 edge = minus(b, a), arm = minus(p, a);
  const double square = dot2(edge, edge);
  const double s = square > 0 ? std::clamp(dot2(arm, edge) / square, 0.0, 1.0) : 0.0;
  return length2(minus(arm, {s * edge.x, s * edge.y}));
}

}  // namespace

Vec2 PlaneFrame::to_plane(const Vec3d& p) const {
  const Vec3d d = p - origin;
  return {dot(d, t1), dot(d, t2)};
}

Vec3d PlaneFrame::to_space(const Vec2& q) const { return origin + (q.x * t1 + q.y * t2); }

double PlaneFrame::height(const Vec3d& p) const { return dot(p - origin, normal); }

PlaneFrame make_plane_frame(const Vec3d& origin, const Vec3d& normal, const Vec3d& hint) {
  // a hint along the normal says nothing: take the axis furthest from the normal
  Vec3d t1 = hint - dot(hint, normal) * normal;
  if (!(norm(t1) > 1e-9 * norm(hint))) {
    const double ax = abs(normal.x), ay = abs(normal.y), az = abs(normal.z);
    const Vec3d axis = ax <= ay && ax <= az ? Vec3d{1, 0, 0} : ay <= az ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    t1 = axis - dot(axis, normal) * normal;
  }
  // once more: what is left of a hint nearly along the normal is mostly rounding
  t1 = unit(t1);
  t1 = unit(t1 - dot(t1, normal) * normal);
  return {origin, normal, t1, cross(normal, t1)};
}

Vec3d area_vector(std::span<const Vec3d> polygon) {
  Vec3d sum{0, 0, 0};
  for (std::size_t i = 2; i < polygon.size(); ++i) sum = sum + cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * sum;
}

double polygon_area(std::span<const Vec3d> polygon) { return norm(area_vector(polygon)); }

Vec3d polygon_centroid(std::span<const Vec3d> polygon) {
  if (polygon.empty()) return {0, 0, 0};
  // signed fan triangles against the whole area, so that concave polygons come out right
  const Vec3d whole = area_vector(polygon);
  const double square = dot(whole, whole);
  Vec3d sum{0, 0, 0};
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec3d u = polygon[i - 1] - polygon[0], v = polygon[i] - polygon[0];
    sum = sum + (dot(0.5 * cross(u, v), whole) / 3) * (u + v);
  }
  if (square > 0) return polygon[0] + (1 / square) * sum;
  Vec3d mean{0, 0, 0};
  for (const Vec3d& p : polygon) mean = mean + (p - polygon[0]);
  return polygon[0] + (1.0 / static_cast<double>(polygon.size())) * mean;
}

double signed_area(std::span<const Vec2> polygon) {
  double sum = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) sum += cross2(minus(polygon[i - 1], polygon[0]), minus(polygon[i], polygon[0]));
  return 0.5 * sum;
}

Vec2 polygon_centroid(std::span<const Vec2> polygon) {
  if (polygon.empty()) return {0, 0};
  double area = 0;
  Vec2 sum{0, 0};
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec2 u = minus(polygon[i - 1], polygon[0]), v = minus(polygon[i], polygon[0]);
    const double part = cross2(u, v);
    area += part;
    sum = {sum.x + part * (u.x + v.x) / 3, sum.y + part * (u.y + v.y) / 3};
  }
  if (area != 0) return {polygon[0].x + sum.x / area, polygon[0].y + sum.y / area};
  for (const Vec2& p : polygon) sum = {sum.x + (p.x - polygon[0].x), sum.y + (p.y - polygon[0].y)};
  const auto count = static_cast<double>(polygon.size());
  return {polygon[0].x + sum.x / count, polygon[0].y + sum.y / count};
}

bool is_convex(std::span<const Vec2> polygon, double tolerance) {
  const std::size_t n = polygon.size();
  if (n < 3) return false;
  double turns = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &before = polygon[(i + n - 1) % n], &here = polygon[i], &after = polygon[(i + 1) % n];
    if (offset_from_line(before, after, here) > tolerance && cross2(minus(here, before), minus(after, here)) < 0) return false;
    // a corner that turns back over more than a right angle on a polygon that winds twice is caught by the area of its fan
    turns += cross2(minus(here, polygon[0]), minus(after, polygon[0])) < -tolerance * length2(minus(after, here)) ? 1 : 0;
  }
  return turns == 0 && signed_area(polygon) > 0;
}

bool contains(std::span<const Vec2> polygon, const Vec2& p, double tolerance) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec2 &a = polygon[j], &b = polygon[i];
    if (distance_to_segment(a, b, p) <= tolerance) return true;
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

double least_width(std::span<const Vec2> polygon) {
  const std::size_t n = polygon.size();
  if (n < 3) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &a = polygon[i], &b = polygon[(i + 1) % n];
    if (!(length2(minus(b, a)) > 0)) continue;
    double widest = 0;
    for (const Vec2& p : polygon) widest = std::max(widest, abs(offset_from_line(a, b, p)));
    least = std::min(least, widest);
  }
  return least < std::numeric_limits<double>::infinity() ? least : 0;
}

namespace {

/// Largest distance of the corners strictly between `from` and `to` (cyclic in `all`) from the segment between these two.
double chord_error(std::span<const Vec2> all, std::size_t from, std::size_t to) {
  double worst = 0;
  for (std::size_t i = (from + 1) % all.size(); i != to; i = (i + 1) % all.size())
    worst = std::max(worst, distance_to_segment(all[from], all[to], all[i]));
  return worst;
}

}  // namespace

std::vector<std::uint32_t> kept_corners(std::span<const Vec2> polygon, double tolerance) {
  std::vector<std::uint32_t> kept(polygon.size());
  std::iota(kept.begin(), kept.end(), 0U);

  // take out the corner that matters least, as long as one is within tolerance
  while (kept.size() >= 3) {
    std::size_t best = kept.size();
    double least = tolerance;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const double error = chord_error(polygon, kept[(k + kept.size() - 1) % kept.size()], kept[(k + 1) % kept.size()]);
      if (error <= least && (best == kept.size() || error < least)) {
        best = k;
        least = error;
      }
    }
    if (best == kept.size()) break;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return kept;
}

void remove_collinear(std::vector<Vec2>& polygon, double tolerance) {
  const std::vector<std::uint32_t> kept = kept_corners(polygon, tolerance);
  for (std::size_t i = 0; i < kept.size(); ++i) polygon[i] = polygon[kept[i]];
  polygon.resize(kept.size());
}

namespace {

/// Writes the part of `in` on the left of the line a b and returns its size. Corners within `tolerance` of the line are on it and stay.
std::size_t clip_at_line(std::span<const Vec2> in, const Vec2& a, const Vec2& b, double tolerance, Vec2* out) {
  std::size_t count = 0;
  const Vec2 edge = minus(b, a);
  const double length = length2(edge);
  const auto offset = [&](const Vec2& p) { return cross2(edge, minus(p, a)) / length; };
  double dp = offset(in[0]);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Vec2 &p = in[i], &q = in[(i + 1) % in.size()];
    const double dq = offset(q);
    if (dp >= -tolerance) out[count++] = p;
    if ((dp > tolerance && dq < -tolerance) || (dp < -tolerance && dq > tolerance)) {
      const double s = dp / (dp - dq);
      out[count++] = {p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)};
    }
    dp = dq;
  }
  return count;
}

}  // namespace

void clip_convex(std::span<const Vec2> subject, std::span<const Vec2> clip, double tolerance, std::vector<Vec2>& out) {
  // small polygons stay on the stack; one line at most doubles the corners
  constexpr std::size_t small = 48;
  Vec2 near_buffer[2 * small];
  std::vector<Vec2> far_buffer;
  std::size_t capacity = small, count = subject.size();
  Vec2 *now = near_buffer, *next = near_buffer + small;
  const auto hold = [&](const Vec2* from, std::size_t most) {
    if (most <= capacity) return;
    std::vector<Vec2> larger(4 * most);
    std::copy(from, from + count, larger.begin());
    far_buffer.swap(larger);
    capacity = 2 * most;
    now = far_buffer.data();
    next = now + capacity;
  };
  if (2 * count > capacity) {
    hold(subject.data(), 2 * count);
  } else {
    std::copy(subject.begin(), subject.end(), now);
  }
  for (std::size_t i = 0; i < clip.size() && count > 0; ++i) {
    const Vec2 &a = clip[i], &b = clip[(i + 1) % clip.size()];
    if (!(length2(minus(b, a)) > 0)) continue;
    hold(now, 2 * count);
    count = clip_at_line({now, count}, a, b, tolerance, next);
    std::swap(now, next);
  }
  if (count < 3) count = 0;
  out.assign(now, now + count);
}

namespace {

bool in_triangle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& p) {
  return cross2(minus(b, a), minus(p, a)) >= 0 && cross2(minus(c, b), minus(p, b)) >= 0 && cross2(minus(a, c), minus(p, c)) >= 0;
}

bool same_point(const Vec2& a, const Vec2& b) { return a.x == b.x && a.y == b.y; }

/// True where corner k of the remaining polygon can be cut off: it turns left and its triangle holds no other corner.
bool is_ear(std::span<const Vec2> polygon, std::span<const std::uint32_t> rest, std::size_t k) {
  const std::size_t n = rest.size();
  const Vec2 &a = polygon[rest[(k + n - 1) % n]], &b = polygon[rest[k]], &c = polygon[rest[(k + 1) % n]];
  if (!(cross2(minus(b, a), minus(c, b)) > 0)) return false;
  for (const std::uint32_t i : rest) {
    const Vec2& p = polygon[i];
    if (!same_point(p, a) && !same_point(p, b) && !same_point(p, c) && in_triangle(a, b, c, p)) return false;
  }
  return true;
}

/// The corner whose triangle is nearest to none: what is cut where no proper ear is left.
std::size_t flattest_corner(std::span<const Vec2> polygon, std::span<const std::uint32_t> rest) {
  const std::size_t n = rest.size();
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 &a = polygon[rest[(k + n - 1) % n]], &b = polygon[rest[k]], &c = polygon[rest[(k + 1) % n]];
    const double area = abs(cross2(minus(b, a), minus(c, b)));
    if (area < least) {
      least = area;
      best = k;
    }
  }
  return best;
}

}  // namespace

void triangulate(std::span<const Vec2> polygon, std::vector<std::uint32_t>& out) {
  out.clear();
  std::vector<std::uint32_t> rest(polygon.size());
  for (std::uint32_t i = 0; i < rest.size(); ++i) rest[i] = i;
  while (rest.size() >= 3) {
    std::size_t ear = 0;
    while (ear < rest.size() && !is_ear(polygon, rest, ear)) ++ear;
    if (ear == rest.size()) ear = flattest_corner(polygon, rest);
    const std::size_t n = rest.size();
    out.insert(out.end(), {rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
  }
}

namespace {

using Polygon = std::vector<std::uint32_t>;
using EdgeOwners = std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;

/// `one` and `two` joined over the edge from one[k] to one[k + 1]; spikes that the join leaves are taken out.
Polygon join(const Polygon& one, std::size_t k, const Polygon& two) {
  const std::uint32_t from = one[k], to = one[(k + 1) % one.size()];
  std::size_t start = 0;
  while (two[start] != from || two[(start + two.size() - 1) % two.size()] != to) ++start;
  Polygon joined;
  for (std::size_t i = 0; i < one.size(); ++i) joined.push_back(one[(k + 1 + i) % one.size()]);  // to ... from
  for (std::size_t i = 1; i + 1 < two.size(); ++i) joined.push_back(two[(start + i) % two.size()]);
  for (bool again = true; again && joined.size() > 2;) {
    again = false;
    for (std::size_t i = 0; i < joined.size() && joined.size() > 2; ++i) {
      const std::size_t n = joined.size();
      if (joined[(i + n - 1) % n] != joined[(i + 1) % n]) continue;
      const std::size_t next = (i + 1) % n;
      joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(std::max(i, next)));
      joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(std::min(i, next)));
      again = true;
      break;
    }
  }
  return joined;
}

/// The union of two convex polygons over the edge from one[k] to one[k + 1] can turn right only at the two ends of what they share: a cheap
/// test before the union is made.
bool turns_right_after_join(std::span<const Vec2> corners, double tolerance, const Polygon& one, std::size_t k, const Polygon& two) {
  const std::size_t n = one.size(), m = two.size();
  std::size_t start = 0;
  while (two[start] != one[k] || two[(start + m - 1) % m] != one[(k + 1) % n]) ++start;

  // from one[first] on, two runs backwards along one as far as they share edges, to one[last]
  std::size_t first = k, last = k + 1, into = start, out = start + m - 1;
  const std::size_t most = std::min(n, m);
  for (std::size_t i = 1; i < most && two[(into + 1) % m] == one[(first + n - 1) % n]; ++i) {
    first = (first + n - 1) % n;
    into = (into + 1) % m;
  }
  for (std::size_t i = 1; i < most && two[(out + m - 1) % m] == one[(last + 1) % n]; ++i) {
    last = (last + 1) % n;
    out = (out + m - 1) % m;
  }
  const auto turns_right = [&](std::uint32_t before, std::uint32_t here, std::uint32_t after) {
    const Vec2 &p = corners[before], &q = corners[here], &r = corners[after];
    return cross2(minus(q, p), minus(r, q)) < 0 && offset_from_line(p, r, q) > tolerance;
  };
  return turns_right(one[(first + n - 1) % n], one[first], two[(into + 1) % m]) ||
         turns_right(two[(out + m - 1) % m], one[last % n], one[(last + 1) % n]);
}

bool is_convex_at(std::span<const Vec2> corners, const Polygon& polygon, double tolerance) {
  std::vector<Vec2> points;
  for (const std::uint32_t i : polygon) points.push_back(corners[i]);
  return is_convex(points, tolerance);
}

void own_edges(const Polygon& polygon, std::size_t owner, EdgeOwners& owners) {
  for (std::size_t i = 0; i < polygon.size(); ++i) owners[{polygon[i], polygon[(i + 1) % polygon.size()]}] = owner;
}

/// Joins one neighbour to polygon i; false where none can be.
bool join_neighbour(std::span<const Vec2> corners, double tolerance, std::vector<Polygon>& polygons, EdgeOwners& owners, std::size_t i) {
  const std::size_t n = polygons[i].size();
  for (std::size_t k = 0; k < n; ++k) {
    const auto other = owners.find({polygons[i][(k + 1) % n], polygons[i][k]});
    if (other == owners.end() || other->second == i || polygons[other->second].empty()) continue;
    const std::size_t j = other->second;
    if (turns_right_after_join(corners, tolerance, polygons[i], k, polygons[j])) continue;
    Polygon joined = join(polygons[i], k, polygons[j]);
    if (!is_convex_at(corners, joined, tolerance)) continue;
    polygons[i] = std::move(joined);
    polygons[j].clear();
    own_edges(polygons[i], i, owners);
    return true;
  }
  return false;
}

}  // namespace

void merge_convex(std::span<const Vec2> corners, double tolerance, std::vector<std::vector<std::uint32_t>>& polygons) {
  EdgeOwners owners;
  for (std::size_t i = 0; i < polygons.size(); ++i) own_edges(polygons[i], i, owners);
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    if (polygons[i].empty()) continue;
    while (join_neighbour(corners, tolerance, polygons, owners, i)) {
    }
  }
  std::erase_if(polygons, [](const Polygon& polygon) { return polygon.empty(); });
}

std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(), [](const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  points.erase(std::unique(points.begin(), points.end(), same_point), points.end());
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  const auto extend = [&hull](const Vec2& p, std::size_t keep) {
    while (hull.size() > keep + 1 && cross2(minus(hull.back(), hull[hull.size() - 2]), minus(p, hull.back())) <= 0) hull.pop_back();
    hull.push_back(p);
  };
  for (const Vec2& p : points) extend(p, 0);
  const std::size_t upper = hull.size() - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) extend(points[i], upper);
  hull.pop_back();
  return hull;
}

}  // namespace trilith::geom
