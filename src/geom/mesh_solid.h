#pragma once
#include <string>

#include "geom/mesh.h"

namespace trilith::geom {

/// Tolerances of `examine_solid`, relative to the longest side of the mesh's box unless said otherwise. (docs/defaults.md)
struct SolidSettings {
  double pierce_tolerance = 1e-6;  ///< an edge must reach this far to both sides of a face to pass through it
  double warp_limit = 0.1;         ///< faces that are not planar may pass through each other by twice their heights, up to this: told
  double sample_depth = 1e-7;      ///< how far beside a face its winding number is looked at
  double most_work = 2e7;          ///< face tests spent on winding numbers; beyond it every k-th face is looked at
};

struct SolidFinding {
  std::string error;    ///< why the mesh bounds no solid, so that its volume would be wrong; empty where nothing was found
  std::string warning;  ///< faces off their plane that pass through each other a little; empty where none do
};

/// Does a closed mesh with outward faces bound a solid? Found are faces that cross themselves, edges that pass through faces, and places
/// that lie inside twice or not at all. Not found: surfaces that touch or overlap by less than `pierce_tolerance`. (SOL-2)
SolidFinding examine_solid(const Mesh& mesh, const SolidSettings& settings);

}  // namespace trilith::geom
