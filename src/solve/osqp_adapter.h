#pragma once
#include <string>
#include <vector>

#include "base/clock.h"
#include "solve/registry.h"
#include "solve/sparse_program.h"
#include "trilith/status.h"

namespace trilith::solve {

/// Settings handed to OSQP; the rest are its own defaults.
struct OsqpSettings {
  double absolute_tolerance = 1e-6, relative_tolerance = 1e-5;
  double infeasibility_tolerance = 1e-6;  ///< of both of its certificates
  int iteration_limit = 6000;
  bool polish = true;
};

struct OsqpReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  double seconds = 0;        ///< CPU, set-up included
  std::string word;          ///< OSQP's own word for the outcome
  std::vector<double> x, y;  ///< solved: point and multipliers; primal_infeasible: y a ray; dual_infeasible: x a ray
};

/// Version, or why OSQP is not in this build.
Availability osqp_availability();

/// One solve. not_run with the reason in `word` where the library is absent. Statuses are read by their names in its header (versions 0.6
/// and 1 number them differently). Its answers are proposals like any other.
OsqpReport solve_osqp(const SparseProgram& program, const OsqpSettings& settings, const Deadline& deadline);

}  // namespace trilith::solve
