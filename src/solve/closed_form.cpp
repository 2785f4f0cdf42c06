// Closed-form KKT point (RBE-10).
#include "solve/closed_form.h"

#include <algorithm>

#include "base/check.h"

namespace trilith::solve {

ClosedForm::ClosedForm(const rows::PatchRows& rows, const ClosedFormSettings& settings)
    : settings_(settings),
      mu_(rows.groups().size() * rows::patch_lanes),
      unknown_(6 * static_cast<std::size_t>(rows.blocks())),
      step_(rows.size()),
      before_(rows.size()) {
  write_reduced_mu(rows, settings_.margin, mu_);
}

ForceReport ClosedForm::propose(const ForceProblem& problem, WeightedSystem& system, bool factor_here, std::span<double> force) noexcept {
  TRI_CHECK(problem.load.size() == unknown_.size() && force.size() == step_.size() && problem.rows.size() == step_.size());
  ForceReport report;
  if (factor_here) {
    system.set_weights({});
    report.factor = system.factor();
    if (!report.factor.finite) {
      report.status = SolveStatus::numerical_failure;
      return report;
    }
  }

  // the equilibrium of least norm, then the nearest forces inside the cones
  write_least_norm_load(problem, system);
  system.solve(unknown_, 1);
  system.apply(unknown_, force);
  system.apply_weights(force);
  for (std::size_t i = 0; i < problem.shift.size(); ++i) force[i] += problem.shift[i];
  report.violation = project_forces(problem.rows, mu_, settings_.margin.dust, force);
  report.iterations = 1;
  report.residual = measure(problem, system, force);

  // rounding of the solve is taken out in force space; a gap of the cones is not rounding and stays
  for (int k = 0; k < settings_.refinements; ++k) {
    if (!(report.residual > settings_.refine_above && report.residual <= settings_.refine_below)) break;
    std::copy(force.begin(), force.end(), before_.begin());
    correct(system, force);
    const double moved = project_forces(problem.rows, mu_, settings_.margin.dust, force);
    const double residual = measure(problem, system, force);
    ++report.iterations;
    if (!(residual < report.residual)) {
      std::copy(before_.begin(), before_.end(), force.begin());
      break;
    }
    report.residual = residual;
    report.violation = moved;
  }
  report.status = report.residual <= settings_.balance_tolerance ? SolveStatus::solved
                  : report.residual == report.residual           ? SolveStatus::stalled
                                                                 : SolveStatus::numerical_failure;
  return report;
}

// leaves b - A f in unknown_
double ClosedForm::measure(const ForceProblem& problem, const WeightedSystem& system, std::span<const double> force) noexcept {
  system.apply_transposed(force, unknown_);
  for (std::size_t i = 0; i < unknown_.size(); ++i) unknown_[i] = problem.load[i] - unknown_[i];
  return worst_imbalance(unknown_);
}

// unknown_ = load without A shift: where joints can pull, f has the least norm, not g = f + shift
void ClosedForm::write_least_norm_load(const ForceProblem& problem, const WeightedSystem& system) noexcept {
  std::copy(problem.load.begin(), problem.load.end(), unknown_.begin());
  if (problem.shift.empty()) return;
  system.apply_transposed(problem.shift, unknown_);
  for (std::size_t i = 0; i < unknown_.size(); ++i) unknown_[i] = problem.load[i] - unknown_[i];
}

// adds C A' (A C A')^-1 of the imbalance in unknown_
void ClosedForm::correct(WeightedSystem& system, std::span<double> force) noexcept {
  system.solve(unknown_, 1);
  system.apply(unknown_, step_);
  system.apply_weights(step_);
  for (std::size_t i = 0; i < step_.size(); ++i) force[i] += step_[i];
}

}  // namespace trilith::solve
