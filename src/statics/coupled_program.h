#pragma once
#include <span>
#include <string>
#include <vector>

#include "solve/ipopt_adapter.h"
#include "statics/coupled_pair.h"

namespace trilith::statics {

struct CoupledProgramSettings {
  double cone_room = 1e-2;       ///< of mu: so that a point at the edge of its cone survives rounding
  double least_fraction = 1e-8;  ///< of the largest normal force: smaller ones of a local solution are none
  solve::IpoptSettings ipopt{};
};

struct CoupledProgramReport {
  SolveStatus status = SolveStatus::not_run;  ///< solved: `pair` is worth the judge's time
  int starts = 0, iterations = 0;
  std::string reason;
};

/// Kao's Eq. 11 by IPOPT (CRA-15) from the forces given, from `pair` and from rest, until one start ends in a point. `forces`: world axes,
/// N, one per polygon vertex; may be empty.
CoupledProgramReport solve_coupled_program(const model::Assembly& assembly, std::span<const Vec3d> forces, const CoupledLengths& lengths,
                                           const CoupledProgramSettings& settings, const Deadline& deadline, CoupledPair& pair);

struct PenaltySettings {
  double give_m = 1e-4, displacement_m = 1e-3;  ///< absolute, as users of COMPAS pass them
  double pull_cost = 1e6;
  int faces = 8;
  solve::IpoptSettings ipopt{};
};

/// One vertex of the penalty form: forces in N in the frame of the interface, slip in N/m.
struct PenaltyVertex {
  double push = 0, pull = 0, t1 = 0, t2 = 0, slip = 0;
};

struct PenaltyReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  double largest_push_N = 0, largest_pull_N = 0, objective = 0;
  double residual = 0;  ///< largest violation of a row, mean weights and gives
  std::string reason;
  std::vector<PenaltyVertex> vertices;           ///< one per polygon vertex
  std::vector<certify::Velocity> displacements;  ///< m and rad per block
};

/// Kao's Eq. 14 (CRA-16): forces that may pull at a high cost, and the motion that goes with them. By IPOPT; not_run with the reason where
/// it is absent. Never a verdict.
PenaltyReport cra_penalty(const model::Assembly& assembly, const PenaltySettings& settings, const Deadline& deadline);

}  // namespace trilith::statics
