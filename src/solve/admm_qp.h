#pragma once
#include "base/clock.h"
#include "certify/quadratic_program.h"
#include "solve/admm.h"
#include "solve/conic_qp.h"

namespace trilith::solve {

struct AdmmQpSettings {
  AdmmSettings loop{.tol_abs = 1e-9, .tol_rel = 1e-9, .infeasibility_tolerance = 1e-5, .iteration_limit = 50000};
  int scaling_passes = 3;        ///< of the equilibration of rows and columns
  double equality_factor = 1e3;  ///< of rho on equality rows
  double polish_delta = 1e-7;    ///< regularisation of the polish, equilibrated units
  int polish_refinements = 10;
  double inaccurate = 1e-5;  ///< an unfinished point within this, both residuals over their scale, is `solved_inaccurate`
};

/// Solves a convex quadratic or conic program by the splitting on dense rows, equilibrated, with a polish where no norm bound acts. Rays
/// end it only where certify accepts them. Proposes like solve_conic_qp, in the same words. (ADM-1..7, ADM-10)
/// `start`: a point to begin with; nullptr: none.
ConicQpReport solve_admm_qp(const certify::QuadraticProgram& program, const AdmmQpSettings& settings, const Deadline& deadline,
                            const ProgramPoint* start = nullptr);

/// Whether certify accepts the proof that comes with a report's status.
bool is_proved(const certify::QuadraticProgram& program, const ConicQpReport& report);

/// Interior point, and where its answer is not proved the splitting from there. `polished`: whether the second one's answer was taken.
ConicQpReport solve_program(const certify::QuadraticProgram& program, const ConicQpSettings& conic, const AdmmQpSettings& splitting,
                            const Deadline& deadline, bool& polished);

}  // namespace trilith::solve
