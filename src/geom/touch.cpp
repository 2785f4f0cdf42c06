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
    const double distance = two.inside.distance(p, near);
    if (distance <= near)
      keep(found, DoubtfulContact::Kind::edge_or_point, distance, p);
    else if (two.inside.winding_number(p) != 0)
      keep(found, DoubtfulContact::Kind::overlap, -two.inside.distance(p), p);
  }
}

Aabb box_of(const Segment& side) {
  const Vec3d &p = side.from, &q = side.to;
  return {{std::min(p.x, q.x), std::min(p.y, q.y), std::min(p.z, q.z)}, {std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)}};
}

std::vector<Segment> edges_in(const ContactSolid& solid, const Aabb& box) {
  std::vector<Segment> edges;
  const Mesh& mesh = *solid.mesh;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t from = face[k], to = face[(k + 1) % face.size()];
      if (from > to) continue;  // its opposite side is listed by the neighbour
      const Segment side{mesh.vertices[from], mesh.vertices[to]};
      if (boxes_touch(box_of(side), box)) edges.push_back(side);
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
  std::vector<Aabb> boxes;
  boxes.reserve(theirs.size());
  for (const Segment& two : theirs) boxes.push_back(box_of(two));
  const BoxTree tree(boxes);
  std::vector<std::uint32_t> candidates;
  for (const Segment& one : ours) {
    candidates.clear();
    tree.find_touching(grow(box_of(one), near), candidates);
    std::sort(candidates.begin(), candidates.end());
    for (const std::uint32_t i : candidates) {
      Vec3d at{};
      const double distance = distance_between_segments(one, theirs[i], at);
      if (distance <= near) keep(found, DoubtfulContact::Kind::edge_or_point, distance, at);
    }
  }
  return found;
}

}  // namespace trilith::geom
