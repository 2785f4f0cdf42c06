// Implements (GEO-1): closed and consistently wound, seen through the sides of the faces.
#include "geom/mesh_edges.h"

#include <algorithm>
#include <numeric>

namespace trilith::geom {

std::vector<HalfEdge> list_half_edges(const Mesh& mesh) {
  std::vector<HalfEdge> edges;
  edges.reserve(mesh.face_vertex.size());
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    const auto face = mesh.face(f);
    for (std::uint32_t k = 0; k < face.size(); ++k) {
      const std::uint32_t from = face[k], to = face[(k + 1) % face.size()];
      edges.push_back({std::min(from, to), std::max(from, to), f, k, from < to});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.face != b.face ? a.face < b.face : a.corner < b.corner;
  });
  return edges;
}

std::size_t edge_end(const std::vector<HalfEdge>& edges, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high) ++end;
  return end;
}

EdgeCount count_edges(const std::vector<HalfEdge>& edges) {
  EdgeCount count;
  for (std::size_t i = 0; i < edges.size();) {
    const std::size_t end = edge_end(edges, i);
    std::size_t forward = 0;
    for (std::size_t k = i; k < end; ++k) forward += edges[k].forward ? 1 : 0;
    const std::size_t backward = end - i - forward;
    if (end - i == 1) count.boundary.push_back(edges[i]);
    if (end - i > 2) count.crowded.push_back(edges[i]);
    // the sides in the majority direction beyond their partners
    std::size_t excess = forward > backward ? forward - backward : backward - forward;
    for (std::size_t k = i; k < end && excess > 0; ++k) {
      if (edges[k].forward != (forward > backward)) continue;
      count.unpaired.push_back(edges[k]);
      --excess;
    }
    i = end;
  }
  return count;
}

bool orient_by_flood(Mesh& mesh, const std::vector<HalfEdge>& edges, std::vector<bool>& turned) {
  // neighbours of each face over its edges, and whether both run the same way there
  struct Link {
    std::uint32_t face;
    bool same;
  };
  std::vector<std::vector<Link>> links(mesh.face_count());
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const HalfEdge &a = edges[i], &b = edges[i + 1];
    links[a.face].push_back({b.face, a.forward == b.forward});
    links[b.face].push_back({a.face, a.forward == b.forward});
  }

  turned.assign(mesh.face_count(), false);
  std::vector<bool> seen(mesh.face_count(), false);
  std::vector<std::uint32_t> front;
  for (std::uint32_t seed = 0; seed < mesh.face_count(); ++seed) {
    if (seen[seed]) continue;
    seen[seed] = true;
    front.assign(1, seed);
    while (!front.empty()) {
      const std::uint32_t f = front.back();
      front.pop_back();
      for (const Link& link : links[f]) {
        const bool turn = link.same != turned[f];
        if (seen[link.face] && turned[link.face] != turn) return false;
        if (seen[link.face]) continue;
        seen[link.face] = true;
        turned[link.face] = turn;
        front.push_back(link.face);
      }
    }
  }
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    if (turned[f]) reverse_face(mesh, f);
  return true;
}

int find_shells(const Mesh& mesh, const std::vector<HalfEdge>& edges, std::vector<std::uint32_t>& shell_of) {
  std::vector<std::uint32_t> parent(mesh.face_count());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t f) {
    while (parent[f] != f) f = parent[f] = parent[parent[f]];
    return f;
  };
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i].low != edges[i - 1].low || edges[i].high != edges[i - 1].high) continue;
    const std::uint32_t a = root(edges[i].face), b = root(edges[i - 1].face);
    parent[std::max(a, b)] = std::min(a, b);
  }

  // roots are the smallest faces of their shells, so they come in order
  int count = 0;
  shell_of.assign(mesh.face_count(), 0);
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f)
    shell_of[f] = root(f) == f ? static_cast<std::uint32_t>(count++) : shell_of[root(f)];
  return count;
}

void reverse_face(Mesh& mesh, std::size_t face) {
  const auto begin = mesh.face_vertex.begin();
  std::reverse(begin + mesh.face_start[face] + 1, begin + mesh.face_start[face + 1]);
}

}  // namespace trilith::geom
