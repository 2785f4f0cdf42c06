#pragma once
#include <span>

#include "certify/problem.h"
#include "certify/verify.h"

/// What proves `stands` under the claim `cra`: forces and a virtual motion that go together. (CRA-1..5)
namespace trilith::certify {

/// A force state and the virtual displacements that call it up. Views.
struct CraPair {
  std::span<const Vec3d> forces;            ///< world axes, N, on b, one per polygon vertex in the order of the patches
  std::span<const Velocity> displacements;  ///< of centre of mass (m) and turn (rad), one per body; zero for supports
  std::span<const double> alpha;            ///< N/m, >= 0, one per polygon vertex: friction is minus alpha times the slip
  double give = 0;                          ///< m, > 0: how far blocks may sink into each other
  double bound = 0;                         ///< m: largest relative displacement at a contact, along and across the normal
};

struct CraSettings {
  VerifySettings statics{};
  double engage_tolerance = 1e-6;  ///< of the give: how far from it a pressed vertex may be, and what may be sunk beyond it
  double align_tolerance = 1e-6;   ///< of the vertex's own force: how far friction may be from minus alpha times the slip
  double least_slip = 1e-3;        ///< of the give: a vertex that slips less has no friction
  double room = 1e-6;              ///< relative room of least slip and bound for rounding
  /// The bound that the claim speaks of, in gives (CRA-4): a pair in a file may not use more, a refutation not less.
  double bound_gives = 100;
};

/// Every condition of (CRA-1) to (CRA-5) at every vertex of every patch, in exact arithmetic: balance and true cones of the forces, normal
/// force only where the vertex is sunk by the give, nothing sunk deeper, friction against the slip, displacements within the bound. There
/// is no judge in double: exact is fast enough for one point.
Verification verify_cra_pair(const StaticProblem& problem, const CraPair& pair, const CraSettings& settings);

}  // namespace trilith::certify
