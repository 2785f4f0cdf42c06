#pragma once
#include <string>

#include "base/clock.h"
#include "constraints/contact_rows.h"
#include "statics/coupled_pair.h"
#include "trilith/status.h"

namespace trilith::statics {

struct SlipSearchSettings {
  int rounds = 80;                ///< choices of alpha
  int most_factorizations = 600;  ///< of all rounds
  double start_alpha = 1;         ///< weights per give, at every rough contact
  double cone_room = 1e-3;        ///< of mu: friction is kept below its limit by this
  double most_change = 4;         ///< factor of one alpha in one round
  double overshoot = .1;          ///< of the limit: how far below it friction is put that was above
  double far_share = .25;         ///< of the bound: contacts that slip more are slowed where something is beyond it
  double snap = 1e-4;             ///< weights: friction that has to go and is below this goes at once
  double friction_dust = 1e-9;    ///< weights: friction below it is none
  double force_dust = 1e-10;      ///< weights, likewise for normal forces
  double stiffness = 1e4;         ///< weights per give of the augmented Lagrangian
  double proximity = 1e-7;        ///< weights per give: keeps free motions where they are
  int newton_steps = 60;          ///< of one motion, all multiplier updates together
  double first_tolerance = 1e-2,
         tightening = .1;   ///< weights: of the gradient before the first multipliers, and its factor from one to the next
  int line_steps = 40;      ///< of the line search
  double tolerance = 1e-9;  ///< gives and weights: where a motion counts as found
  double pivot_tolerance = 1e-15;
};

struct SlipSearchReport {
  SolveStatus status = SolveStatus::not_run;  ///< solved: `pair` is worth the judge's time
  int rounds = 0, factorizations = 0;
  std::string reason;
};

/// Looks for alphas whose motion (CRA-6) keeps friction inside the cones, slips above the least and displacements inside the bound, any
/// structure. Proposes only.
SlipSearchReport search_slips(const model::Assembly& assembly, const constraints::ContactRows& contacts, const CoupledLengths& lengths,
                              const SlipSearchSettings& settings, const Deadline& deadline, CoupledPair& pair);

}  // namespace trilith::statics
