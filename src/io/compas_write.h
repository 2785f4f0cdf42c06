#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "io/json.h"
#include "model/assembly.h"

namespace trilith::io {

/// What the penalty form of coupled analysis adds: pulls (c_nn), N, in the layout of the forces, and the motion of every block, m and rad
/// (`displacement` of the free ones: six numbers, lengths in the unit of the file).
struct CompasMotion {
  std::vector<std::vector<double>> pulls;
  std::vector<std::array<double, 6>> displacements;
};

/// A COMPAS 2 assembly (compas_assembly.datastructures/Assembly) with the interfaces of `assembly` and their forces. `forces`: N, in the
/// axes (n, t1, t2) of every interface, one per vertex, acting on b; empty: `forces` is null. They go under c_np (compression), c_nn (0),
/// c_u (xaxis = t1) and c_v (yaxis = t2). Lengths are in the unit of the input, which stands in `attributes`.
/// `original`: the file, where it was a COMPAS 2 assembly: then only its edges and `is_support` are replaced, and interfaces that it gave
/// keep the order of their points. Else nullptr: the whole file is made from the blocks.
/// `motion`: nullptr, or pulls and displacements.
std::string write_compas_json(const model::Assembly& assembly, std::span<const std::vector<Vec3d>> forces, const Json* original,
                              const CompasMotion* motion = nullptr);

}  // namespace trilith::io
