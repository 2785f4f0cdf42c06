#pragma once
#include <cstdint>
#include <vector>

#include "certify/problem.h"
#include "model/assembly.h"

namespace trilith::statics {

/// Forces and a motion that claim to go together (CRA-1): world axes, N on b and N/m per polygon vertex, in the order of the interfaces; m
/// and rad per block about its centre of mass.
struct CoupledPair {
  std::vector<Vec3d> forces;
  std::vector<certify::Velocity> displacements;
  std::vector<double> alpha;

  CoupledPair() = default;
  /// All zero.
  explicit CoupledPair(const model::Assembly& assembly);
};

/// The lengths of the claim (CRA-3..5).
struct CoupledLengths {
  double give = 1e-4;        ///< m
  double bound = 100;        ///< gives
  double least_slip = 1e-3;  ///< gives
};

/// Interface i has the entries [first[i], first[i + 1]) of per-vertex arrays; size interfaces + 1.
std::vector<std::size_t> first_vertices(const model::Assembly& assembly);
/// Displacement of b against a at p, m.
Vec3d displacement_at(const model::Assembly& assembly, const model::Interface& face, const CoupledPair& pair, const Vec3d& p);

struct PolishSettings {
  int steps = 6;                  ///< Gauss-Newton steps at most
  double enough = 1e-12;          ///< weights and gives: nothing is left to mend
  double regularization = 1e-13;  ///< of the normal equations, over their largest diagonal entry
  int most_rows = 1200;           ///< of the dense equations; larger structures are left as they are
};

/// Moves a pair by as little as it takes so that pressed vertices (those with a force) are sunk by the give and all blocks are in balance,
/// with friction minus alpha times the slip throughout; which vertices press and slide does not change. For pairs that are right to
/// rounding or to the warp of their faces. Returns what is left, weights and gives. (CRA-7)
double polish_pair(const model::Assembly& assembly, double give, const PolishSettings& settings, CoupledPair& pair);

}  // namespace trilith::statics
