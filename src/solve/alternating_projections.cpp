// Alternating projections (RBE-11), stagnation rule (RBE-12).
#include "solve/alternating_projections.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace trilith::solve {
namespace {

/// Whether the residual still shrinks (RBE-12).
class StagnationRule {
 public:
  explicit StagnationRule(const AlternatingProjectionsSettings& settings)
      : window_(settings.stagnation_window), gain_(settings.stagnation_gain) {}

  /// `best`: smallest residual so far. True where the last full window brought too little.
  bool stop(int iteration, double best) {
    if (iteration - start_ < window_) return false;
    const bool too_little = !(best <= (1 - gain_) * at_start_);
    start_ = iteration;
    at_start_ = best;
    return too_little;
  }

 private:
  int window_, start_ = 0;
  double gain_, at_start_ = std::numeric_limits<double>::infinity();
};

}  // namespace

AlternatingProjections::AlternatingProjections(const rows::PatchRows& rows, const AlternatingProjectionsSettings& settings)
    : settings_(settings),
      mu_(rows.groups().size() * rows::patch_lanes),
      unknown_(6 * static_cast<std::size_t>(rows.blocks())),
      z_(rows.size()),
      step_(rows.size()),
      trial_(rows.size()) {
  TRI_CHECK(settings.reflection >= 0 && settings.reflection <= 1);
  TRI_CHECK(settings.stagnation_window > 0 && settings.clock_interval > 0);
  write_reduced_mu(rows, settings_.margin, mu_);
}

ForceReport AlternatingProjections::propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline,
                                            std::span<double> force) noexcept {
  TRI_CHECK(problem.load.size() == unknown_.size() && force.size() == z_.size() && problem.rows.size() == z_.size());
  ForceReport report;
  report.status = SolveStatus::iteration_limit;
  report.residual = std::numeric_limits<double>::infinity();
  StagnationRule stagnation(settings_);
  std::copy(force.begin(), force.end(), z_.begin());

  for (int k = 0; k < settings_.iteration_limit; ++k) {
    if (k % settings_.clock_interval == 0 && deadline.passed()) {
      report.status = SolveStatus::time_limit;
      break;
    }
    step_to_equilibrium(problem, system);
    double violation = 0;
    const double residual = try_equilibrium(problem, system, violation);
    report.iterations = k + 1;
    if (!(residual == residual)) {
      report.status = SolveStatus::numerical_failure;
      break;
    }

    // keep the best
    if (residual < report.residual) {
      report.residual = residual;
      report.violation = violation;
      std::copy(trial_.begin(), trial_.end(), force.begin());
    }
    if (report.residual <= settings_.balance_tolerance) {
      report.status = SolveStatus::solved;
      break;
    }
    if (stagnation.stop(k + 1, report.residual)) {
      report.status = SolveStatus::stalled;
      break;
    }
    step_to_cones(problem);
  }

  // forces that never were measured must not pass for a state
  if (!(report.residual < std::numeric_limits<double>::infinity())) std::fill(force.begin(), force.end(), 0.0);
  return report;
}

// step_ = P_E(z) - z = A' (A A')^-1 (b - A z)
void AlternatingProjections::step_to_equilibrium(const ForceProblem& problem, WeightedSystem& system) noexcept {
  system.apply_transposed(z_, unknown_);
  for (std::size_t i = 0; i < unknown_.size(); ++i) unknown_[i] = problem.load[i] - unknown_[i];
  system.solve(unknown_, 1);
  system.apply(unknown_, step_);
}

// trial_ = P_K(z + step); returns its imbalance
double AlternatingProjections::try_equilibrium(const ForceProblem& problem, const WeightedSystem& system, double& violation) noexcept {
  for (std::size_t i = 0; i < z_.size(); ++i) trial_[i] = z_[i] + step_[i];
  violation = project_forces(problem.rows, mu_, settings_.margin.dust, trial_);
  system.apply_transposed(trial_, unknown_);
  for (std::size_t i = 0; i < unknown_.size(); ++i) unknown_[i] = problem.load[i] - unknown_[i];
  return worst_imbalance(unknown_);
}

// z = P_K(z + (1 + r) step) - r step
void AlternatingProjections::step_to_cones(const ForceProblem& problem) noexcept {
  const double r = settings_.reflection;
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += (1 + r) * step_[i];
  (void)project_forces(problem.rows, mu_, 0, z_);
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] -= r * step_[i];
}

}  // namespace trilith::solve
