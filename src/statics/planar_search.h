#pragma once
#include <string>
#include <vector>

#include "base/clock.h"
#include "certify/planar_refutation.h"
#include "solve/bounded_simplex.h"
#include "trilith/status.h"

namespace trilith::statics {

struct PlanarSearchSettings {
  double force_dust = 1e-10;     ///< mean weights: smaller contact forces count as none
  double lemma_share = .5;       ///< of what a lemma's gate allows, so that it passes the judge with room
  double ray_dust = 1e-12;       ///< of the largest entry: a choice that weighs less in a self-stress is left out of its lemma
  long conflict_limit = 200000;  ///< lemmas before the search gives up
  solve::SimplexSettings simplex{};
  certify::RefutationSettings judge{};
};

struct PlanarOutcome {
  SolveStatus status = SolveStatus::not_run;  ///< solved: a pair; primal_infeasible: a refutation; else neither
  std::vector<double> forces;                 ///< solved: along normal and tangent of every contact, on b, mean weights
  std::vector<double> displacements;          ///< solved: three per body, gives (turns times the length)
  std::vector<certify::RefutationStep> steps;
  long lemmas = 0, decisions = 0, pivots = 0;
  std::string reason;
};

/// Decides which contacts are pressed and which way joints slide: a search over these choices with a linear program for the forces and one
/// for the motion, which share nothing but the choices. Where one of them has no solution its ray becomes a clause that excludes every
/// choice with the same flaw; where no choice is left the clauses are the proof. Complete but for limits and rounding. (CRA-9..12)
PlanarOutcome search_plane(const certify::PlanarProblem& problem, const PlanarSearchSettings& settings, const Deadline& deadline);

}  // namespace trilith::statics
