#pragma once
#include <string>
#include <vector>

#include "geom/mesh.h"

namespace trilith::geom {

/// Tolerances of the mesh repair, all relative to the longest side of the mesh's box unless said otherwise. (docs/defaults.md)
struct MeshSettings {
  double weld_tolerance = 1e-6;   ///< an open mesh is closed by welding vertices this near to each other
  double split_tolerance = 1e-6;  ///< a vertex this near to an open edge splits it (T-vertex)
  double flat_tolerance = 1e-6;   ///< thinner than this is flat
  double flat_volume = 1e-9;      ///< volume over box volume below which a closed mesh is flat
  int most_listed = 4;            ///< places named in one message
};

/// What became of a mesh. `mesh` may be used where `errors` is empty and it is not flat.
struct MeshDiagnosis {
  Mesh mesh;                          ///< welded, healed, outward
  bool flat = false;                  ///< no volume: all vertices in one plane, or volume 0 within tolerance
  int shells = 0;                     ///< edge-connected pieces
  std::vector<std::string> warnings;  ///< everything that was altered or looks odd, one line each, without the block's name
  std::vector<std::string> errors;    ///< why it cannot be used: "mesh is open: 4 boundary edges (vertices 5-6, ...)"
};

/// Checks and mends a mesh: repeated corners, duplicate and unused vertices, T-vertices, mixed winding (flood fill over the faces), inward
/// shells. Closed means that every directed edge is met by its opposite. A hole, an edge with three faces or a one-sided surface is an
/// error. A flat mesh is not an error here. Vertex numbers in messages count from 1 in the order of the input. (GEO-1, GEO-2)
MeshDiagnosis diagnose_mesh(Mesh mesh, const MeshSettings& settings);

}  // namespace trilith::geom
