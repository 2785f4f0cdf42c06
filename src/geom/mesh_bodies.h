#pragma once
#include <vector>

#include "geom/mesh.h"
#include "geom/mesh_diagnosis.h"

namespace trilith::geom {

/// Points faces at the first of all vertices with the same coordinates; vertices stay. Returns how many were welded.
std::size_t weld_equal_points(Mesh& mesh);

/// Keeps the vertices that faces use, in their order.
void drop_unused_vertices(Mesh& mesh);

/// The bodies of a surface without names, in the order of their first face: closed shells, also where they touch along edges and faces; a
/// shell inside another goes with it (a cavity); open pieces that no repair closes alone are joined where their rims meet. Equal points are
/// welded. (SOL-1)
std::vector<Mesh> split_bodies(Mesh mesh, const MeshSettings& settings);

}  // namespace trilith::geom
