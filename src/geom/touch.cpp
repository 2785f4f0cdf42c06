// Implements (GEO-7): contacts without an area.
#include "geom/touch.h"

#include <algorithm>

#include "geom/box_tree.h"
#include "geom/inside.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

bool holds(const Aabb& box, const Vec3d& p) { return boxes_touch(box, {p, p}); }

/// Keeps the worst of all findings: the deepest overlap, else the nearest touch.
void keep(std::optional<DoubtfulContact>& found, DoubtfulContact::Kind kind, double gap, const Vec3d& at) {
  const bool deeper = !found || (kind == DoubtfulContact::Kind::overlap && gap < found->gap) ||
                      (kind == found->kind && kind == DoubtfulContact::Kind::edge_or_point && gap < found->gap);
  if (!deeper) return;
  found.emplace();
  found->kind = kind;
  found->gap = gap;
  found->at = at;
}

/// Corners of `one` on or in `two`.
void test_corners(const ContactSolid& one, const ContactSolid& two, double near, std::optional<DoubtfulContact>& found) {
  const Aabb box = grow(two.box, near);
  for (const Vec3d& p : one.mesh->vertices) {
    if (!holds(box, p)) continue;
    const double distance = distance_to_surface(*two.mesh, p);
    if (distance <= near)
      keep(found, DoubtfulContact::Kind::edge_or_point, distance, p);
    else if (winding_number(*two.mesh, p) != 0)
      keep(found, DoubtfulContact::Kind::overlap, -distance, p);
  }
}

std::vector<Segment> edges_in(const ContactSolid& solid, const Aabb& box) {
  std::vector<Segment> edges;
  const Mesh& mesh = *solid.mesh;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t from = face[k], to = face[(k + 1) % face.size()];
      if (from > to) continue;  // its opposite side is listed by the neighbour
      const Vec3d &p = mesh.vertices[from], &q = mesh.vertices[to];
      const Aabb side{{std::min(p.x, q.x), std::min(p.y, q.y), std::min(p.z, q.z)},
                      {std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)}};
      if (boxes_touch(side, box)) edges.push_back({p, q});
    }
  }
  return edges;
}

}  // namespace

std::optional<DoubtfulContact> find_touch(const ContactSolid& a, const ContactSolid& b, double near) {
  std::optional<DoubtfulContact> found;
  if (!boxes_touch(grow(a.box, near), b.box)) return found;
  test_corners(a, b, near, found);
  test_corners(b, a, near, found);
  if (found) return found;
  const std::vector<Segment> ours = edges_in(a, grow(b.box, near)), theirs = edges_in(b, grow(a.box, near));
  for (const Segment& one : ours)
    for (const Segment& two : theirs) {
      Vec3d at{};
      const double distance = distance_between_segments(one, two, at);
      if (distance <= near) keep(found, DoubtfulContact::Kind::edge_or_point, distance, at);
    }
  return found;
}

}  // namespace trilith::geom
