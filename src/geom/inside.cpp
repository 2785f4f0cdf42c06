// Implements (GEO-8): where a point is against a surface.
#include "geom/inside.h"

#include <algorithm>
#include <limits>

#include "geom/mass_properties.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

// the search for a piece of surface doubles its reach from the first to the last of these shares of the size
constexpr double first_reach = 1e-3, last_reach = 1e3;

/// +1 where the ray from the origin leaves through the triangle's front, -1 where it enters, 0 where it misses.
int crossing(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double ab = dot(skew_direction, cross(a, b)), bc = dot(skew_direction, cross(b, c)), ca = dot(skew_direction, cross(c, a));
  const bool out = ab > 0 && bc > 0 && ca > 0, in = ab < 0 && bc < 0 && ca < 0;
  if (!out && !in) return 0;
  const double along = dot(a, cross(b, c)) / (ab + bc + ca);
  if (!(along > 0)) return 0;
  return out ? 1 : -1;
}

int crossings_of_face(const Mesh& mesh, std::size_t f, const Vec3d& p) {
  const auto face = mesh.face(f);
  int sum = 0;
  for (std::size_t i = 2; i < face.size(); ++i)
    sum += crossing(mesh.vertices[face[0]] - p, mesh.vertices[face[i - 1]] - p, mesh.vertices[face[i]] - p);
  return sum;
}

double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d edge = b - a, arm = p - a;
  const double square = dot(edge, edge);
  const double s = square > 0 ? std::clamp(dot(arm, edge) / square, 0.0, 1.0) : 0.0;
  return norm(arm - s * edge);
}

}  // namespace

int winding_number(const Mesh& mesh, std::span<const std::uint32_t> faces, const Vec3d& p) {
  int sum = 0;
  for (const std::uint32_t f : faces) sum += crossings_of_face(mesh, f, p);
  return sum;
}

int winding_number(const Mesh& mesh, const Vec3d& p) {
  int sum = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) sum += crossings_of_face(mesh, f, p);
  return sum;
}

double distance_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = cross(b - a, c - a);
  const double square = dot(n, n);
  const bool above = square > 0 && dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
  if (above) return abs(dot(p - a, n)) / sqrt(square);
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

namespace {

/// True where a triangle of the fan is turned over: then the fan covers more than the face.
bool has_turned_fan(std::span<const Vec3d> corners, const Vec3d& area) {
  for (std::size_t i = 2; i < corners.size(); ++i)
    if (dot(cross(corners[i - 1] - corners[0], corners[i] - corners[0]), area) < 0) return true;
  return false;
}

/// A concave face by its ears.
double distance_to_concave(std::span<const Vec3d> corners, const Vec3d& area, const Vec3d& p) {
  const PlaneFrame frame = make_plane_frame(corners[0], unit(area), corners[1] - corners[0]);
  std::vector<Vec2> flat;
  flat.reserve(corners.size());
  for (const Vec3d& q : corners) flat.push_back(frame.to_plane(q));
  std::vector<std::uint32_t> ears;
  triangulate(flat, ears);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ears.size(); i += 3)
    least = std::min(least, distance_to_triangle(p, corners[ears[i]], corners[ears[i + 1]], corners[ears[i + 2]]));
  return least;
}

double distance_to_face(const Mesh& mesh, std::size_t f, const Vec3d& p) {
  const auto face = mesh.face(f);
  if (face.size() > 3) {
    std::vector<Vec3d> corners;
    corners.reserve(face.size());
    for (const std::uint32_t v : face) corners.push_back(mesh.vertices[v]);
    const Vec3d area = area_vector(corners);
    if (has_turned_fan(corners, area)) return distance_to_concave(corners, area, p);
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 2; i < face.size(); ++i)
    least = std::min(least, distance_to_triangle(p, mesh.vertices[face[0]], mesh.vertices[face[i - 1]], mesh.vertices[face[i]]));
  return least;
}

}  // namespace

double distance_to_surface(const Mesh& mesh, const Vec3d& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < mesh.face_count(); ++f) least = std::min(least, distance_to_face(mesh, f, p));
  return least;
}

namespace {

constexpr std::size_t few_faces = 64;  // below that a tree over them does not pay

Aabb face_box(const Mesh& mesh, std::size_t f) {
  const Vec3d& first = mesh.vertices[mesh.face(f)[0]];
  Aabb box{first, first};
  for (const std::uint32_t v : mesh.face(f)) {
    const Vec3d& p = mesh.vertices[v];
    box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
    box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
  }
  return box;
}

}  // namespace

Surface::Surface(const Mesh& mesh) : mesh_(&mesh), size_(longest_side(bounding_box(mesh))) {
  if (mesh.face_count() < few_faces) return;
  std::vector<Aabb> boxes;
  boxes.reserve(mesh.face_count());
  for (std::size_t f = 0; f < mesh.face_count(); ++f) boxes.push_back(face_box(mesh, f));
  tree_ = std::make_shared<const BoxTree>(boxes);
}

int Surface::winding_number(const Vec3d& p) const {
  if (!tree_) return geom::winding_number(*mesh_, p);
  std::vector<std::uint32_t> faces;
  tree_->find_on_ray(p, skew_direction, faces);
  return geom::winding_number(*mesh_, faces, p);
}

double Surface::distance(const Vec3d& p, double reach) const {
  double least = std::numeric_limits<double>::infinity();
  if (!tree_) {
    least = distance_to_surface(*mesh_, p);
    return least <= reach ? least : std::numeric_limits<double>::infinity();
  }
  std::vector<std::uint32_t> faces;
  tree_->find_touching(grow({p, p}, reach), faces);
  for (const std::uint32_t f : faces) least = std::min(least, distance_to_face(*mesh_, f, p));
  return least <= reach ? least : std::numeric_limits<double>::infinity();
}

double Surface::distance(const Vec3d& p) const {
  if (!tree_) return distance_to_surface(*mesh_, p);
  // a ball that holds a piece of the surface, found by doubling
  const double infinite = std::numeric_limits<double>::infinity();
  for (double reach = first_reach * size_; reach < last_reach * size_; reach *= 2)
    if (const double least = distance(p, reach); least < infinite) return least;
  return distance_to_surface(*mesh_, p);
}

double distance_between_segments(const Segment& one, const Segment& two, Vec3d& at) {
  const Vec3d u = one.to - one.from, v = two.to - two.from, w = one.from - two.from;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;

  // nearest parameters on the two lines, pulled back into the segments one after the other
  double s = det > 0 ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
  const double t = vv > 0 ? std::clamp((uv * s + vw) / vv, 0.0, 1.0) : 0.0;
  s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  const Vec3d p = one.from + s * u, q = two.from + t * v;
  at = 0.5 * (p + q);
  return norm(p - q);
}

}  // namespace trilith::geom
