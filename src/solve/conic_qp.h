#pragma once
#include "base/clock.h"
#include "solve/conic_program.h"
#include "trilith/status.h"

namespace trilith::solve {

struct ConicQpSettings {
  double tolerance = 1e-8;      ///< of rows, stationarity and gap in equilibrated units, relative to the size of the data and 1
  double enough = 1e-13;        ///< a solution is bettered down to this while every step halves its misfit
  double ray_tolerance = 1e-9;  ///< misfit of a ray over its power, in equilibrated units
  ConicLimits limits{.iteration_limit = 100};
  double inaccurate = 1e-5;  ///< a stalled point within this is `solved_inaccurate`
  /// Bounds larger than this times the smallest bound (per length of their row) take part only once a solution passes them.
  double far_bound = 1e4;
  int far_rounds = 5;  ///< solves before all bounds take part
  ConicProgramSettings program{};
  SelfDualSettings steps{};
};

struct ConicQpReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;  ///< of all rounds
  ProgramPoint point;  ///< solved: the minimiser and multipliers; primal_infeasible: y and norm; dual_infeasible: x, a ray
};

/// Solves a convex quadratic or conic program by the conic iteration of rung 4 on dense rows. Proposes: certify::verify_kkt_point and the
/// verifiers of rays decide. P must be positive semidefinite.
ConicQpReport solve_conic_qp(const certify::QuadraticProgram& program, const ConicQpSettings& settings, const Deadline& deadline);

}  // namespace trilith::solve
