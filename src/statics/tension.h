#pragma once
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "model/assembly.h"
#include "solve/self_dual.h"
#include "trilith/status.h"

namespace trilith::statics {

struct TensionSettings {
  double tolerance = 1e-7;      ///< of rows, stationarity and gap, relative
  double ray_tolerance = 1e-7;  ///< misfit of a ray that shows that no pull holds it, over its power
  double pivot_tolerance = solve::conic_pivot_tolerance;
  int iteration_limit = 100;
  double shown = 1e-3;  ///< joints that need less than this share of the value are not listed
};

/// Where the joints would have to hold by pulling: the least t such that an equilibrium exists with f_n >= -t and |f_t| <= mu (f_n + t) at
/// every corner of every joint, what mortar, glue or a tie would have to carry. 0 where it stands. A report, never a verdict.
/// status: solved; primal_infeasible where no pull holds it (no joint, or frictionless ones); else what stopped the search. (RBE-16)
struct TensionReport {
  SolveStatus status = SolveStatus::not_run;
  double value_N = 0;  ///< t
  struct Joint {
    std::uint32_t interface = 0;
    double tension_N = 0;  ///< largest pull at one of its corners in the state found
  };
  std::vector<Joint> joints;  ///< those that pull, the hardest first
};

TensionReport find_tension(const model::Assembly& assembly, const TensionSettings& settings, const Deadline& deadline);

}  // namespace trilith::statics
