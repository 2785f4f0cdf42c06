// Rung 4: the self-dual embedding (IPM-1) watched for the first certificate; line test (IPM-7), free motions (IPM-8).
#include "solve/interior_point.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/lanes.h"
#include "solve/vectors.h"

namespace trilith::solve {

InteriorPoint::InteriorPoint(const rows::PatchRows& rows, const InteriorPointSettings& settings)
    : rows_(&rows),
      kernel_(&interior_point_kernel_of(active_isa())),
      settings_(settings),
      iteration_(rows.size(), 6 * rows.blocks(), settings.steps),
      mu_(rows.groups().size() * rows::patch_lanes),
      row_(rows.size()),
      kept_row_(rows.size()),
      motion_(6 * static_cast<std::size_t>(rows.blocks())),
      direction_(motion_.size()) {
  write_reduced_mu(rows, settings_.margin, mu_);
}

ConicView InteriorPoint::view() const noexcept {
  return {rows_->groups().data(), rows_->slots().data(), static_cast<int>(rows_->groups().size()), mu_.data()};
}

/// Tries a certificate at every stage that may have one.
class InteriorPoint::Watcher final : public ConicWatcher {
 public:
  Watcher(InteriorPoint& rung, const ForceProblem& problem, WeightedSystem& system, ConicReport& report, std::span<double> force,
          std::span<double> velocity)
      : rung_(rung), problem_(problem), system_(system), report_(report), force_(force), velocity_(velocity) {}

  SolveStatus evaluated(int k, const Step&) noexcept override {
    const SelfDual& at = rung_.iteration_;
    return k > 0 && rung_.try_motion(problem_, at.x(), at.velocity(), report_, velocity_) ? SolveStatus::primal_infeasible
                                                                                          : SolveStatus::not_run;
  }
  // (IPM-8): only the first matrix is singular for the geometry alone
  SolveStatus factored(int k, const Step&, const linalg::FactorReport& factor) noexcept override {
    if (k > 0 || factor.dropped_pivots == 0) return SolveStatus::not_run;
    const ConicProblem embedding{rung_.view(), problem_.rows.points(), problem_.load};
    const double load = rung_.iteration_.find_free_fall(embedding, system_, rung_.motion_);
    system_.apply(rung_.motion_, rung_.row_);
    return load > rung_.settings_.free_load && rung_.try_motion(problem_, rung_.motion_, rung_.row_, report_, velocity_)
               ? SolveStatus::primal_infeasible
               : SolveStatus::not_run;
  }
  SolveStatus predicted(int, const Step& step) noexcept override {
    return rung_.try_forces(problem_, system_, step, report_, force_) ? SolveStatus::solved : SolveStatus::not_run;
  }

 private:
  InteriorPoint& rung_;
  const ForceProblem& problem_;
  WeightedSystem& system_;
  ConicReport& report_;
  std::span<double> force_, velocity_;
};

ConicReport InteriorPoint::propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline, std::span<double> force,
                                   std::span<double> velocity) noexcept {
  TRI_CHECK(problem.load.size() == motion_.size() && force.size() == row_.size() && velocity.size() == motion_.size());
  ConicReport report;
  report.residual = std::numeric_limits<double>::infinity();
  const ConicProblem embedding{view(), problem.rows.points(), problem.load};
  iteration_.start(embedding, force);
  std::fill(force.begin(), force.end(), 0.0);
  Watcher watcher(*this, problem, system, report, force, velocity);
  const ConicRun run = run_conic(embedding, system, settings_.limits, deadline, iteration_, watcher);
  report.status = run.status;
  report.iterations = run.iterations;
  report.factorizations = run.factorizations;
  return report;
}

/// The motion -y: gravity does work b'y, joints are entered by at most d (RBE-8, RBE-9). `row` = A'y.
bool InteriorPoint::try_motion(const ForceProblem& problem, std::span<const double> y, std::span<const double> row, ConicReport& report,
                               std::span<double> velocity) noexcept {
  const double factor = force_factor_of(problem, y, kernel_->motion_violation(view(), row.data()));
  report.force_factor = max(report.force_factor, factor);
  if (!(factor >= settings_.least_force_factor)) return false;
  write_motion(y, velocity);
  return true;
}

/// Forces on the line of equilibria that lie in every cone: projected, corrected in force space, measured (IPM-7).
bool InteriorPoint::try_forces(const ForceProblem& problem, WeightedSystem& system, const Step& step, ConicReport& report,
                               std::span<double> force) noexcept {
  if (!(step.high > step.low && step.high > 0)) return false;
  const bool bounded = step.high < unbounded_scale;
  // the scale nearest to tau that keeps away from both ends: forces of the size of the iterate lose the least digits
  const double room = bounded ? settings_.interval_room * (step.high - step.low) : step.low;
  double t = max(iteration_.tau(), step.low + room);
  if (bounded) t = min(t, step.high - room);

  // (z - H A' yz + t H A' yb) / t, as contact forces
  const auto base = iteration_.base_row(), shift = iteration_.shift_row(), start = iteration_.force();
  for (std::size_t i = 0; i < force.size(); ++i) row_[i] = t * base[i] - shift[i];
  system.apply_weights(row_);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = (start[i] + row_[i]) / t;
  (void)project_forces(problem.rows, mu_, settings_.margin.dust, force);
  double residual = balance(problem, system, force);
  for (int k = 0; k < settings_.corrections && residual > settings_.balance_enough; ++k) {
    system.solve(direction_, 1);
    system.apply(direction_, row_);
    system.apply_weights(row_);
    std::copy(force.begin(), force.end(), kept_row_.begin());
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += row_[i];
    (void)project_forces(problem.rows, mu_, settings_.margin.dust, force);
    const double next = balance(problem, system, force);
    if (!(next < residual)) {
      std::copy(kept_row_.begin(), kept_row_.end(), force.begin());
      break;
    }
    residual = next;
  }
  report.residual = min(report.residual, residual);
  if (residual <= settings_.balance_tolerance) {
    report.residual = residual;
    return true;
  }
  std::fill(force.begin(), force.end(), 0.0);
  return false;
}

/// Leaves b - A f in direction_ and returns its worst entry.
double InteriorPoint::balance(const ForceProblem& problem, const WeightedSystem& system, std::span<const double> force) noexcept {
  system.apply_transposed(force, direction_);
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = problem.load[i] - direction_[i];
  return worst_imbalance(direction_);
}

}  // namespace trilith::solve
