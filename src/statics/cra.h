#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "certify/cra_pair.h"
#include "statics/certificate_search.h"
#include "statics/check.h"
#include "statics/coupled_pair.h"
#include "statics/coupled_program.h"
#include "statics/planar.h"
#include "statics/planar_search.h"
#include "statics/slip_search.h"

namespace trilith::statics {

struct CoupledSettings {
  CheckSettings check;       ///< of the equilibrium that comes first; its deadline ends everything
  double give_share = 1e-4;  ///< give over the mean edge of the contact polygons
  /// Largest relative displacement at a contact, in gives.
  double bound_gives = certify::CraSettings{}.bound_gives;
  certify::CraSettings verify{};
  PlanarSettings planar{};
  /// Relative: a pair in the plane is looked for with friction and bound smaller and least slip larger by this, so that rounding leaves it
  /// inside its conditions; and by so many deviations of the structure from its plane.
  double margin = 1e-11;
  double warp_margin = 1000;
  double wide_margins[2] = {1e-3, 1e-2};  ///< tried next where the judge refused the pair or rounding stopped the search
  PlanarSearchSettings search{};
  PolishSettings polish{};
  CertificateSearchSettings certificates{};
  SlipSearchSettings slips{};
  bool ipopt = false;  ///< only IPOPT proposes pairs (after the first two searches gave it a start)
  CoupledProgramSettings program{};
  double overshoots[3] = {2e-3, .02, .1};  ///< SlipSearchSettings::overshoot, in turn
};

/// Does it stand, with forces that a virtual motion calls up (coupled rigid-block analysis)? `stands` only with a pair of forces and motion
/// that the judge accepts; `falls` with a collapse, or where a complete search has excluded every choice and its proof holds; else
/// `undecided`, with the reason. A plane structure is asked for motions in its plane. Interfaces must be present. (CRA-1..12)
CheckResult check_coupled(const model::Assembly& assembly, const CoupledSettings& settings);

/// Give in force for an assembly, m: `give_share` of the mean edge of its contact polygons.
double give_of(const model::Assembly& assembly, double give_share);

}  // namespace trilith::statics
