#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "statics/coupled_pair.h"
#include "trilith/status.h"

namespace trilith::statics {

struct CertificateSearchSettings {
  int rounds = 12;
  double engaged_share = .01;      ///< of the largest normal force: from here on a vertex is engaged
  double gate = .5;                ///< gives: largest weighted residual of an engaged vertex
  double peel_share = .75;         ///< of the residual: engaged vertices above it are peeled, worst first
  double zero_above = 2;           ///< gives: where friction misses its slip by more, it goes
  double regularization = 1e-9;    ///< of the least squares
  int faces = 8;                   ///< of the inscribed pyramids when forces are found again
  std::size_t most_vertices = 48;  ///< larger structures are left to the other searches: its programs are dense
};

struct CertificateSearchReport {
  SolveStatus status = SolveStatus::not_run;  ///< solved: the gate holds and `pair` is worth the judge's time
  double residual_gives = -1;                 ///< below 0: nothing was measured
  int rounds = 0, engaged = 0, peeled = 0, zeroed = 0;
  std::string reason;
};

/// The alternation of seed 000, section 3: a motion for given forces by least squares (CRA-13), then forces without the vertices that do
/// not fit (CRA-14). `forces`: (n, t1, t2) per polygon vertex, N. Proposes; its gate is no proof, the judge of pairs decides.
CertificateSearchReport search_certificate(const model::Assembly& assembly, std::span<const std::vector<Vec3d>> forces,
                                           const CoupledLengths& lengths, const CertificateSearchSettings& settings,
                                           const Deadline& deadline, CoupledPair& pair);

}  // namespace trilith::statics
