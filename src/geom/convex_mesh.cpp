// Convex polyhedra for contacts. Equations: (COL-13)
#include "geom/convex_mesh.h"

#include <algorithm>

#include "base/math.h"
#include "geom/hull.h"
#include "geom/mass_properties.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr std::size_t scan_limit = 24;     // corners: up to here all are looked at, which is as quick as climbing
constexpr std::size_t diagonal_limit = 8;  // corners of a face: up to here each sees all others, not only its two neighbours

/// Newell's normal: the mean plane of a face whose corners are not quite in one plane.
Vec3d face_normal(const Mesh& mesh, std::span<const std::uint32_t> face) {
  Vec3d sum{0, 0, 0};
  const Vec3d origin = mesh.vertices[face[0]];
  for (std::size_t i = 2; i < face.size(); ++i) sum = sum + cross(mesh.vertices[face[i - 1]] - origin, mesh.vertices[face[i]] - origin);
  return unit(sum);
}

}  // namespace

ConvexMesh::Rows ConvexMesh::flatten(const std::vector<std::vector<std::uint32_t>>& lists) {
  Rows rows;
  for (const auto& list : lists) {
    rows.items.insert(rows.items.end(), list.begin(), list.end());
    rows.start.push_back(static_cast<std::uint32_t>(rows.items.size()));
  }
  return rows;
}

std::optional<ConvexMesh> make_convex_mesh(std::span<const Vec3d> points) {
  std::optional<Mesh> hull = make_hull(points);
  if (!hull || hull->face_count() < 4) return std::nullopt;
  ConvexMesh made;
  made.hull_ = std::move(*hull);
  const Mesh& mesh = made.hull_;
  std::vector<std::vector<std::uint32_t>> neighbours(mesh.vertices.size()), faces(mesh.vertices.size());
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    made.normals_.push_back(face_normal(mesh, face));
    const std::size_t n = face.size();
    for (std::size_t i = 0; i < n; ++i) {
      faces[face[i]].push_back(f);
      for (std::size_t j = 0; j < n; ++j)
        if (j != i && (n <= diagonal_limit || j == (i + 1) % n || i == (j + 1) % n)) neighbours[face[i]].push_back(face[j]);
    }
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  made.neighbours_ = ConvexMesh::flatten(neighbours);
  made.faces_ = ConvexMesh::flatten(faces);
  made.box_ = bounding_box(mesh);
  for (const Vec3d& p : mesh.vertices) {
    made.radius_ = max(made.radius_, norm(p));
    made.center_ = made.center_ + (1.0 / static_cast<double>(mesh.vertices.size())) * p;
  }
  return made;
}

std::uint32_t ConvexMesh::support(const Vec3d& direction, std::uint32_t start) const noexcept {
  const auto& p = hull_.vertices;
  if (p.size() <= scan_limit) {
    std::uint32_t best = 0;
    double most = dot(p[0], direction);
    for (std::uint32_t i = 1; i < p.size(); ++i) {
      const double along = dot(p[i], direction);
      if (along > most) best = i, most = along;
    }
    return best;
  }
  std::uint32_t best = start;
  double most = dot(p[best], direction);
  for (bool climbs = true; climbs;) {
    climbs = false;
    for (const std::uint32_t i : neighbours_.row(best)) {
      const double along = dot(p[i], direction);
      if (!(along > most)) continue;
      best = i;
      most = along;
      climbs = true;
    }
  }
  return best;
}

}  // namespace trilith::geom
