#include "model/generate_cells.h"

#include <algorithm>
#include <map>

#include "base/lanes.h"
#include "linalg/fixed.h"

namespace trilith::model {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Corners on edges that cross the cutting plane, made once per edge.
class Crossings {
 public:
  Crossings(std::vector<Vec3d>& vertices, const std::vector<double>& height) : vertices_(vertices), height_(height) {}

  std::uint32_t at(std::uint32_t a, std::uint32_t b) {
    const Edge edge = std::minmax(a, b);
    const auto [place, made] = corner_.try_emplace(edge, static_cast<std::uint32_t>(vertices_.size()));
    if (made) {
      const double share = height_[edge.first] / (height_[edge.first] - height_[edge.second]);
      const Vec3d from = vertices_[edge.first], to = vertices_[edge.second];
      vertices_.push_back(from + share * (to - from));
    }
    return place->second;
  }

 private:
  std::vector<Vec3d>& vertices_;
  const std::vector<double>& height_;
  std::map<Edge, std::uint32_t> corner_;
};

/// Closes the hole of a convex mesh: its border edges, turned and chained.
void close(geom::Mesh& mesh) {
  std::map<Edge, int> edges;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t i = 0; i < face.size(); ++i) ++edges[{face[i], face[(i + 1) % face.size()]}];
  }
  std::map<std::uint32_t, std::uint32_t> next;
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first})) next[edge.second] = edge.first;
  if (next.size() < 3) return;

  std::vector<std::uint32_t> cap;
  for (std::uint32_t v = next.begin()->first; cap.size() < next.size(); v = next[v]) cap.push_back(v);
  mesh.add_face(cap);
}

}  // namespace

void ConvexCell::cut(const Vec3d& normal, double offset, double snap) {
  std::vector<double> height;
  const double on = snap * norm(normal);
  bool above = false;
  for (const Vec3d& p : mesh_.vertices) {
    const double h = dot(normal, p) - offset;
    height.push_back(h > on || h < -on ? h : 0);
    above = above || h > on;
  }
  if (!above) return;

  geom::Mesh kept;
  kept.vertices = mesh_.vertices;
  Crossings crossings(kept.vertices, height);
  for (std::size_t f = 0; f < mesh_.face_count(); ++f) {
    const auto face = mesh_.face(f);
    std::vector<std::uint32_t> corners;
    bool below = false;
    for (std::size_t i = 0; i < face.size(); ++i) {
      const std::uint32_t a = face[i], b = face[(i + 1) % face.size()];
      below = below || height[a] < 0;
      if (height[a] <= 0) corners.push_back(a);
      if ((height[a] < 0 && height[b] > 0) || (height[a] > 0 && height[b] < 0)) corners.push_back(crossings.at(a, b));
    }
    if (below && corners.size() >= 3) kept.add_face(corners);
  }
  mesh_ = std::move(kept);
  close(mesh_);
  mesh_ = take();
}

double ConvexCell::radius_from(const Vec3d& centre) const {
  double largest = 0;
  for (const Vec3d& p : mesh_.vertices) largest = std::max(largest, norm(p - centre));
  return largest;
}

double ConvexCell::least_width() const {
  double least = radius_from(mesh_.vertices[0]);
  for (std::size_t f = 0; f < mesh_.face_count(); ++f) {
    const auto face = mesh_.face(f);
    const auto corner = [&](std::size_t i) { return mesh_.vertices[face[i % face.size()]]; };
    double longest = 0;
    Vec3d area{0, 0, 0};
    for (std::size_t i = 0; i < face.size(); ++i) {
      const double edge = norm(corner(i + 1) - corner(i));
      least = std::min(least, edge);
      longest = std::max(longest, edge);
      area = area + 0.5 * cross(corner(i) - corner(0), corner(i + 1) - corner(0));
    }
    least = std::min(least, norm(area) / (0.5 * longest));
  }
  return least;
}

geom::Mesh ConvexCell::take() {
  geom::Mesh mesh = std::move(mesh_);
  constexpr std::uint32_t unused = ~0U;
  std::vector<std::uint32_t> place(mesh.vertices.size(), unused);
  std::vector<Vec3d> used;
  for (std::uint32_t& corner : mesh.face_vertex) {
    if (place[corner] == unused) {
      place[corner] = static_cast<std::uint32_t>(used.size());
      used.push_back(mesh.vertices[corner]);
    }
    corner = place[corner];
  }
  mesh.vertices = std::move(used);
  return mesh;
}

void cut_by_border(ConvexCell& cell, const Site& own, const Site& other, bool own_first, double snap) {
  // |p - a|^2 - wa <= |p - b|^2 - wb, written for the first of the pair and turned for the second
  const Site& a = own_first ? own : other;
  const Site& b = own_first ? other : own;
  const Vec3d normal = b.point - a.point;
  const Vec3d middle = 0.5 * (a.point + b.point);
  const double offset = dot(normal, middle) + 0.5 * (a.weight - b.weight);
  if (own_first)
    cell.cut(normal, offset, snap);
  else
    cell.cut(-normal, -offset, snap);
}

}  // namespace trilith::model
