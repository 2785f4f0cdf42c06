// Implements (SOL-2): does a closed surface bound a solid?
#include "geom/mesh_solid.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "geom/box_tree.h"
#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/mesh_edges.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr double least_turn = 1e-6;  // area of a face over the sum of its fan: below it its parts turn against each other and cancel
constexpr double rim_share = 1e-3;   // of the pierce tolerance: this far beside a rim a crossing still counts as on it

using Triangle = std::array<std::uint32_t, 3>;

std::string place(const Vec3d& p) {
  std::string text("(");
  text += format_quantity(p.x, "") + ", ";
  text += format_quantity(p.y, "") + ", ";
  return text + format_quantity(p.z, "m") + ")";
}

/// Twice the signed area of a, b, c.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

class SolidTest {
 public:
  SolidTest(const Mesh& mesh, const SolidSettings& settings)
      : mesh_(mesh), settings_(settings), size_(longest_side(bounding_box(mesh))), pierce_(settings.pierce_tolerance * size_) {}

  SolidFinding run() {
    for (std::size_t f = 0; f < mesh_.face_count(); ++f)
      if (face_crosses_itself(f)) return {"a face crosses itself near " + place(mesh_.vertices[mesh_.face(f)[0]]), {}};
    const bool simple = is_manifold_shell();
    if (!(simple && is_convex_surface())) find_crossing();
    if (finding_.error.empty()) finding_.error = check_winding(simple);
    return std::move(finding_);
  }

 private:
  const Vec3d& corner(std::size_t f, std::size_t k) const { return mesh_.vertices[mesh_.face(f)[k]]; }
  std::vector<Vec3d> polygon(std::size_t f) const {
    std::vector<Vec3d> out;
    for (const std::uint32_t v : mesh_.face(f)) out.push_back(mesh_.vertices[v]);
    return out;
  }
  std::vector<Vec2> flat(const std::vector<Vec3d>& corners, const Vec3d& area) const {
    const PlaneFrame frame = make_plane_frame(corners[0], unit(area), corners[1] - corners[0]);
    std::vector<Vec2> out;
    for (const Vec3d& p : corners) out.push_back(frame.to_plane(p));
    return out;
  }

  bool is_planar(const std::vector<Vec3d>& corners, const Vec3d& area) const {
    const Vec3d normal = unit(area);
    return std::all_of(corners.begin(), corners.end(), [&](const Vec3d& p) { return abs(dot(p - corners[0], normal)) <= pierce_; });
  }

  bool face_crosses_itself(std::size_t f) const;
  bool is_manifold_shell() const;
  bool is_convex_surface() const;
  void cut_face(std::size_t f, std::vector<Triangle>& out) const;
  /// A place where two triangles pass through each other, and how deep, m.
  struct Crossing {
    Vec3d at;
    double depth;
  };
  void find_crossing();
  std::optional<Crossing> crossing_of(const Triangle& a, const Triangle& b) const;
  std::optional<Crossing> pierced(const Vec3d& p, const Vec3d& q, const Triangle& by) const;
  double height(std::size_t f) const;
  std::optional<Vec3d> sample(std::size_t f, Vec3d& outwards) const;
  std::string check_winding(bool simple) const;

  const Mesh& mesh_;
  const SolidSettings& settings_;
  double size_, pierce_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> face_of_;
  SolidFinding finding_;
};

// two sides of one face that properly cross, or parts that turn against each other and cancel
bool SolidTest::face_crosses_itself(std::size_t f) const {
  const std::size_t n = mesh_.face(f).size();
  if (n < 4) return false;
  const std::vector<Vec3d> corners = polygon(f);
  const Vec3d area = area_vector(corners);
  double fan = 0;
  for (std::size_t i = 2; i < n; ++i) fan += 0.5 * norm(cross(corners[i - 1] - corners[0], corners[i] - corners[0]));
  if (!(fan > pierce_ * size_)) return false;
  if (!(norm(area) > least_turn * fan)) return true;
  const std::vector<Vec2> points = flat(corners, area);
  if (n == 4 && is_convex(points, pierce_)) return false;

  // sides in the order of their lower x meet only while their extents overlap
  struct Side {
    double low, high;
    std::size_t first;
  };
  std::vector<Side> sides;
  for (std::size_t i = 0; i < n; ++i)
    sides.push_back({std::min(points[i].x, points[(i + 1) % n].x), std::max(points[i].x, points[(i + 1) % n].x), i});
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.low != b.low ? a.low < b.low : a.first < b.first; });
  const auto apart = [this](double u, double v, double length) { return u > pierce_ * length && v < -pierce_ * length; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n && sides[k].low <= sides[i].high; ++k) {
      const Vec2 &a = points[sides[i].first], &b = points[(sides[i].first + 1) % n];
      const Vec2 &c = points[sides[k].first], &d = points[(sides[k].first + 1) % n];
      const double ab = sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
      const double cd = sqrt((d.x - c.x) * (d.x - c.x) + (d.y - c.y) * (d.y - c.y));
      const double c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a), b_side = turn(c, d, b);
      const bool across = apart(c_side, d_side, ab) || apart(d_side, c_side, ab);
      if (across && (apart(a_side, b_side, cd) || apart(b_side, a_side, cd))) return true;
    }
  return false;
}

bool SolidTest::is_manifold_shell() const {
  const std::vector<HalfEdge> edges = list_half_edges(mesh_);
  std::vector<std::uint32_t> shell_of;
  return count_edges(edges).crowded.empty() && find_shells(mesh_, edges, shell_of) == 1;
}

// every vertex lies behind every face
bool SolidTest::is_convex_surface() const {
  constexpr std::size_t most_tests = 200000;
  if (mesh_.face_count() * mesh_.vertices.size() > most_tests) return false;
  for (std::size_t f = 0; f < mesh_.face_count(); ++f) {
    const Vec3d area = area_vector(polygon(f));
    if (!(norm(area) > pierce_ * pierce_)) continue;
    const Vec3d normal = unit(area), origin = corner(f, 0);
    for (const Vec3d& p : mesh_.vertices)
      if (dot(p - origin, normal) > pierce_) return false;
  }
  return true;
}

// fans, or ears where a planar face is concave: its fan leaves the face
void SolidTest::cut_face(std::size_t f, std::vector<Triangle>& out) const {
  const auto face = mesh_.face(f);
  const std::vector<Vec3d> corners = polygon(f);
  const Vec3d area = area_vector(corners);
  std::vector<std::uint32_t> ears;
  if (face.size() > 3 && norm(area) > 0)
    if (const std::vector<Vec2> points = flat(corners, area); is_planar(corners, area) && !is_convex(points, pierce_))
      triangulate(points, ears);
  for (std::size_t i = 2; ears.empty() && i < face.size(); ++i) out.push_back({face[0], face[i - 1], face[i]});
  for (std::size_t i = 0; i + 2 < ears.size(); i += 3) out.push_back({face[ears[i]], face[ears[i + 1]], face[ears[i + 2]]});
}

void SolidTest::find_crossing() {
  for (std::uint32_t f = 0; f < mesh_.face_count(); ++f) {
    cut_face(f, triangles_);
    face_of_.resize(triangles_.size(), f);
  }
  std::vector<Aabb> boxes;
  boxes.reserve(triangles_.size());
  for (const Triangle& t : triangles_) {
    Aabb box{mesh_.vertices[t[0]], mesh_.vertices[t[0]]};
    for (const std::uint32_t v : t) {
      const Vec3d& p = mesh_.vertices[v];
      box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
      box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
    }
    boxes.push_back(box);
  }
  const BoxTree tree(boxes);
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
    near.clear();
    tree.find_touching(boxes[i], near);
    for (const std::uint32_t k : near) {
      if (k <= i || face_of_[i] == face_of_[k]) continue;
      const auto crossing = crossing_of(triangles_[i], triangles_[k]);
      if (!crossing) continue;
      // a warped face is known to its height only, on either side
      const double allowed = std::min(2 * (height(face_of_[i]) + height(face_of_[k])), settings_.warp_limit * size_);
      if (crossing->depth > allowed + pierce_) {
        finding_.error = "the mesh passes through itself near " + place(crossing->at);
        return;
      }
      if (finding_.warning.empty())
        finding_.warning = "faces that are not planar pass through each other near " + place(crossing->at) + ", by " +
                           format_quantity(crossing->depth, "m") + ": the volume is known to as much";
    }
  }
}

// spread of the corners along the normal
double SolidTest::height(std::size_t f) const {
  const Vec3d area = area_vector(polygon(f));
  if (!(norm(area) > 0)) return 0;
  const Vec3d normal = unit(area);
  double low = 0, high = 0;
  for (const Vec3d& p : polygon(f)) {
    low = std::min(low, dot(p - corner(f, 0), normal));
    high = std::max(high, dot(p - corner(f, 0), normal));
  }
  return high - low;
}

// only sides without a common corner can pass through
std::optional<SolidTest::Crossing> SolidTest::crossing_of(const Triangle& a, const Triangle& b) const {
  const auto has = [](const Triangle& t, std::uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; };
  if (int(has(b, a[0])) + int(has(b, a[1])) + int(has(b, a[2])) > 1) return std::nullopt;
  for (const auto& [sides, by] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = (*sides)[i], q = (*sides)[(i + 1) % 3];
      if (has(*by, p) || has(*by, q)) continue;
      if (const auto at = pierced(mesh_.vertices[p], mesh_.vertices[q], *by)) return at;
    }
  return std::nullopt;
}

std::optional<SolidTest::Crossing> SolidTest::pierced(const Vec3d& p, const Vec3d& q, const Triangle& by) const {
  const Vec3d &a = mesh_.vertices[by[0]], &b = mesh_.vertices[by[1]], &c = mesh_.vertices[by[2]];
  const Vec3d area = cross(b - a, c - a);
  const double length = norm(area);
  if (!(length > pierce_ * pierce_)) return std::nullopt;
  const Vec3d normal = (1 / length) * area;
  const double from = dot(p - a, normal), to = dot(q - a, normal);
  if (!((from > pierce_ && to < -pierce_) || (from < -pierce_ && to > pierce_))) return std::nullopt;
  const Vec3d at = p + (from / (from - to)) * (q - p);
  // the rim counts: where shapes are regular, sides meet sides
  const double rim = -rim_share * pierce_;
  for (const auto& [u, v] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
    if (dot(cross(v - u, at - u), normal) < rim * norm(v - u)) return std::nullopt;
  return Crossing{at, std::min(abs(from), abs(to))};
}

// the middle of the largest of a face's triangles; none where they turn against each other, so that some lie beside the face
std::optional<Vec3d> SolidTest::sample(std::size_t f, Vec3d& outwards) const {
  const Vec3d area = area_vector(polygon(f));
  std::vector<Triangle> parts;
  cut_face(f, parts);
  double largest = 100 * settings_.sample_depth * size_ * size_;
  std::optional<Vec3d> out;
  for (const auto& [i, k, l] : parts) {
    const Vec3d &a = mesh_.vertices[i], &b = mesh_.vertices[k], &c = mesh_.vertices[l];
    const Vec3d part = cross(b - a, c - a);
    if (dot(part, area) < 0) return std::nullopt;
    if (!(norm(part) > largest)) continue;
    largest = norm(part);
    outwards = unit(part);
    out = (1.0 / 3) * (a + b + c);
  }
  return out;
}

// beside every face: inside once, and outside not more than once (another part may join there)
std::string SolidTest::check_winding(bool simple) const {
  const auto faces = static_cast<double>(mesh_.face_count());
  const double stride = simple ? faces : std::max(1.0, faces * faces * 2 / settings_.most_work);
  std::size_t step = 1;
  for (std::size_t f = 0; f < mesh_.face_count(); f += step) {
    Vec3d outwards{};
    const auto at = sample(f, outwards);
    if (!at) continue;
    step = static_cast<std::size_t>(stride);
    const Vec3d arm = settings_.sample_depth * size_ * outwards;
    const int inside = winding_number(mesh_, *at - arm), outside = winding_number(mesh_, *at + arm);
    if (inside > 1) return "parts of the mesh lie inside each other near " + place(*at) + " and would count twice";
    if (inside < 1 || outside < 0 || outside > 1) return "the mesh has no inside near " + place(*at);
  }
  return {};
}

}  // namespace

SolidFinding examine_solid(const Mesh& mesh, const SolidSettings& settings) { return SolidTest(mesh, settings).run(); }

}  // namespace trilith::geom
