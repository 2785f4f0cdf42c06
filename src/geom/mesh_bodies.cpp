// Implements (SOL-1): which faces of a surface without names make one body.
#include "geom/mesh_bodies.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/math.h"
#include "geom/box_tree.h"
#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/mesh_edges.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double same_angle = 1e-9;  // rad: two faces about an edge turned by less lie in one place

bool same_point(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool point_before(const Vec3d& a, const Vec3d& b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }

/// Sets that grow together; the root of a set is its smallest member.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t k) {
    const std::uint32_t a = root(i), b = root(k);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// The faces of one connected piece.
struct Piece {
  std::vector<std::uint32_t> faces;
  std::vector<std::uint32_t> rim;  // vertices of its boundary edges, ascending
};

/// Angle about `axis` of the direction in which a face leaves the edge at one of its sides, in [0, 2 pi).
double angle_about(const Mesh& mesh, const HalfEdge& side, const Vec3d& axis, const Vec3d& zero) {
  Vec3d area{0, 0, 0};
  const auto face = mesh.face(side.face);
  const Vec3d first = mesh.vertices[face[0]];
  for (std::size_t i = 2; i < face.size(); ++i) area = area + cross(mesh.vertices[face[i - 1]] - first, mesh.vertices[face[i]] - first);
  const Vec3d into = side.forward ? cross(area, axis) : cross(axis, area);
  const double angle = atan2(dot(into, cross(axis, zero)), dot(into, zero));
  return angle < 0 ? angle + 2 * pi : angle;
}

/// Where stones touch along an edge, four sides and more meet there: those belong together that have the solid between them. `edges` run
/// from low to high and back equally often. Joins all where that does not settle it.
void join_at_crowded_edge(const Mesh& mesh, std::span<const HalfEdge> edges, Groups& groups) {
  const Vec3d axis = mesh.vertices[edges[0].high] - mesh.vertices[edges[0].low];
  const Vec3d other = abs(axis.x) <= abs(axis.y) && abs(axis.x) <= abs(axis.z) ? Vec3d{1, 0, 0}
                      : abs(axis.y) <= abs(axis.z)                             ? Vec3d{0, 1, 0}
                                                                               : Vec3d{0, 0, 1};
  const Vec3d along = unit(axis), zero = unit(cross(axis, other));
  std::vector<std::size_t> partner;
  for (const HalfEdge& side : edges) {
    if (!side.forward) continue;
    // from this face through the solid behind it; a face in the same place comes last
    double least = 0;
    std::size_t best = edges.size();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (edges[k].forward) continue;
      double turn = angle_about(mesh, side, along, zero) - angle_about(mesh, edges[k], along, zero);
      if (turn < same_angle) turn += 2 * pi;
      if (best != edges.size() && turn >= least) continue;
      best = k;
      least = turn;
    }
    partner.push_back(best);
  }
  std::vector<std::size_t> taken = partner;
  std::sort(taken.begin(), taken.end());
  const bool settled = 2 * partner.size() == edges.size() && std::adjacent_find(taken.begin(), taken.end()) == taken.end();
  std::size_t next = 0;
  for (const HalfEdge& side : edges)
    if (!settled)
      groups.join(edges[0].face, side.face);
    else if (side.forward)
      groups.join(side.face, edges[partner[next++]].face);
}

std::vector<Piece> find_pieces(const Mesh& mesh) {
  const std::vector<HalfEdge> edges = list_half_edges(mesh);
  Groups groups(mesh.face_count());
  for (std::size_t i = 0; i < edges.size(); i = edge_end(edges, i)) {
    const std::size_t end = edge_end(edges, i);
    if (end - i == 2) groups.join(edges[i].face, edges[i + 1].face);
    if (end - i > 2) join_at_crowded_edge(mesh, std::span(edges).subspan(i, end - i), groups);
  }
  std::vector<std::uint32_t> piece_of(mesh.face_count());
  std::vector<Piece> pieces;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    if (groups.root(f) == f) {
      piece_of[f] = static_cast<std::uint32_t>(pieces.size());
      pieces.emplace_back();
    }
    piece_of[f] = piece_of[groups.root(f)];
    pieces[piece_of[f]].faces.push_back(f);
  }
  for (std::size_t i = 0; i < edges.size(); i = edge_end(edges, i)) {
    if (edge_end(edges, i) != i + 1) continue;
    std::vector<std::uint32_t>& rim = pieces[piece_of[edges[i].face]].rim;
    rim.insert(rim.end(), {edges[i].low, edges[i].high});
  }
  for (Piece& piece : pieces) {
    std::sort(piece.rim.begin(), piece.rim.end());
    piece.rim.erase(std::unique(piece.rim.begin(), piece.rim.end()), piece.rim.end());
  }
  return pieces;
}

Mesh mesh_of(const Mesh& mesh, const std::vector<std::uint32_t>& faces) {
  Mesh part;
  std::vector<std::uint32_t> used;
  for (const std::uint32_t f : faces) used.insert(used.end(), mesh.face(f).begin(), mesh.face(f).end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  part.vertices.reserve(used.size());
  for (const std::uint32_t v : used) part.vertices.push_back(mesh.vertices[v]);
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t f : faces) {
    corners.clear();
    for (const std::uint32_t v : mesh.face(f))
      corners.push_back(static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), v) - used.begin()));
    part.add_face(corners);
  }
  return part;
}

/// Joins pieces whose rims come within `near` of each other.
void join_rims(const Mesh& mesh, const std::vector<Piece>& pieces, const std::vector<std::uint32_t>& open, double near, Groups& groups) {
  // along a skew direction few points coincide that are not near
  struct RimPoint {
    double along;
    std::uint32_t vertex, piece;
  };
  std::vector<RimPoint> points;
  for (const std::uint32_t p : open)
    for (const std::uint32_t v : pieces[p].rim) points.push_back({dot(skew_direction, mesh.vertices[v] - mesh.vertices[0]), v, p});
  std::sort(points.begin(), points.end(), [](const RimPoint& a, const RimPoint& b) {
    return a.along != b.along ? a.along < b.along : a.vertex != b.vertex ? a.vertex < b.vertex : a.piece < b.piece;
  });
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = i + 1; k < points.size() && points[k].along - points[i].along <= near; ++k)
      if (norm(mesh.vertices[points[k].vertex] - mesh.vertices[points[i].vertex]) <= near) groups.join(points[i].piece, points[k].piece);
}

/// Joins a closed shell to the one that holds it. Depth two is a body again: a stone in a hollow stone.
void join_cavities(const Mesh& mesh, const std::vector<Piece>& pieces, const std::vector<std::uint32_t>& closed, Groups& groups) {
  std::vector<Aabb> boxes;
  for (const std::uint32_t p : closed) boxes.push_back(bounding_box(mesh_of(mesh, pieces[p].faces)));
  const BoxTree tree(boxes);
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < closed.size(); ++i) {
    near.clear();
    tree.find_touching(boxes[i], near);
    const auto holds = [&](std::uint32_t k) {
      const Aabb &a = boxes[i], &b = boxes[k];
      return b.lower.x < a.lower.x && b.lower.y < a.lower.y && b.lower.z < a.lower.z && a.upper.x < b.upper.x && a.upper.y < b.upper.y &&
             a.upper.z < b.upper.z;
    };
    const Vec3d p = mesh.vertices[mesh.face(pieces[closed[i]].faces[0])[0]];
    std::uint32_t host = i, depth = 0;
    double smallest = 0;
    for (const std::uint32_t k : near) {
      if (k == i || !holds(k) || winding_number(mesh, pieces[closed[k]].faces, p) == 0) continue;
      ++depth;
      const double side = longest_side(boxes[k]);
      if (host != i && side >= smallest) continue;
      host = k;
      smallest = side;
    }
    if (depth % 2 == 1) groups.join(closed[i], closed[host]);
  }
}

}  // namespace

std::size_t weld_equal_points(Mesh& mesh) {
  const auto& points = mesh.vertices;
  std::vector<std::uint32_t> order(points.size()), kept(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&points](std::uint32_t a, std::uint32_t b) {
    return same_point(points[a], points[b]) ? a < b : point_before(points[a], points[b]);
  });
  std::size_t welded = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool again = i > 0 && same_point(points[order[i]], points[order[i - 1]]);
    kept[order[i]] = again ? kept[order[i - 1]] : order[i];
    welded += again ? 1 : 0;
  }
  if (welded == 0) return 0;
  for (std::uint32_t& v : mesh.face_vertex) v = kept[v];
  return welded;
}

void drop_unused_vertices(Mesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const std::uint32_t v : mesh.face_vertex) used[v] = true;
  std::vector<std::uint32_t> place(used.size(), 0);
  std::uint32_t next = 0;
  for (std::uint32_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    place[v] = next;
    mesh.vertices[next++] = mesh.vertices[v];
  }
  mesh.vertices.resize(next);
  for (std::uint32_t& v : mesh.face_vertex) v = place[v];
}

std::vector<Mesh> split_bodies(Mesh mesh, const MeshSettings& settings) {
  weld_equal_points(mesh);
  drop_unused_vertices(mesh);
  const std::vector<Piece> pieces = find_pieces(mesh);
  if (pieces.size() <= 1) return {std::move(mesh)};

  // closed shells, and open ones that a repair closes, stand for themselves
  std::vector<std::uint32_t> closed, open;
  for (std::uint32_t p = 0; p < pieces.size(); ++p) {
    const bool whole = pieces[p].rim.empty() || diagnose_mesh(mesh_of(mesh, pieces[p].faces), settings).errors.empty();
    (whole ? closed : open).push_back(p);
  }
  Groups groups(pieces.size());
  join_rims(mesh, pieces, open, settings.weld_tolerance * longest_side(bounding_box(mesh)), groups);
  join_cavities(mesh, pieces, closed, groups);

  std::vector<std::vector<std::uint32_t>> faces(pieces.size());
  for (std::uint32_t p = 0; p < pieces.size(); ++p) {
    std::vector<std::uint32_t>& list = faces[groups.root(p)];
    list.insert(list.end(), pieces[p].faces.begin(), pieces[p].faces.end());
  }
  std::vector<Mesh> bodies;
  for (std::vector<std::uint32_t>& list : faces) {
    if (list.empty()) continue;
    std::sort(list.begin(), list.end());
    bodies.push_back(mesh_of(mesh, list));
  }
  return bodies;
}

}  // namespace trilith::geom
