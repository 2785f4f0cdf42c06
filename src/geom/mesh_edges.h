#pragma once
#include <cstdint>
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

/// One side of one face: from corner `corner` to the next.
struct HalfEdge {
  std::uint32_t low, high;  ///< its vertices, low < high
  std::uint32_t face, corner;
  bool forward;  ///< runs from low to high
};

/// All sides of all faces, sorted by (low, high), then in file order: what shares an edge stands together.
std::vector<HalfEdge> list_half_edges(const Mesh& mesh);

/// End of the run of half edges that share the edge at `begin`.
std::size_t edge_end(const std::vector<HalfEdge>& edges, std::size_t begin);

/// What the edges say about a surface.
struct EdgeCount {
  std::vector<HalfEdge> unpaired;  ///< sides that no opposite side meets
  std::vector<HalfEdge> boundary;  ///< sides of edges that one face uses
  std::vector<HalfEdge> crowded;   ///< one side of each edge that more than two faces use
};
EdgeCount count_edges(const std::vector<HalfEdge>& edges);

/// Turns faces so that neighbours run along their common edge in opposite directions, starting from the first face of each piece. Every
/// edge must have two sides. Returns false where that is impossible (a one-sided surface). `turned[f]`: face f was reversed.
bool orient_by_flood(Mesh& mesh, const std::vector<HalfEdge>& edges, std::vector<bool>& turned);

/// Faces joined over edges: `shell_of[f]` numbers the pieces from 0 in the order of their first face. Returns how many there are.
int find_shells(const Mesh& mesh, const std::vector<HalfEdge>& edges, std::vector<std::uint32_t>& shell_of);

/// Reverses one face. Its first corner stays first, so that its fan keeps its triangles.
void reverse_face(Mesh& mesh, std::size_t face);

}  // namespace trilith::geom
