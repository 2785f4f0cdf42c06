// Rung 4: the self-dual embedding (IPM-1) watched for the first certificate; line test (IPM-7), free motions (IPM-8).
#include "solve/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/lanes.h"

namespace trilith::solve {
namespace {

double dot_of(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest_of(std::span<const double> a) noexcept {
  double worst = 0;
  for (const double v : a) worst = max(worst, abs(v));
  return worst;
}

}  // namespace

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

ConicReport InteriorPoint::propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline, std::span<double> force,
                                   std::span<double> velocity) noexcept {
  TRI_CHECK(problem.load.size() == motion_.size() && force.size() == row_.size() && velocity.size() == motion_.size());
  ConicReport report;
  report.status = SolveStatus::iteration_limit;
  report.residual = std::numeric_limits<double>::infinity();
  const ConicProblem embedding{view(), problem.rows.points(), problem.load};
  iteration_.start(embedding, force);
  std::fill(force.begin(), force.end(), 0.0);

  for (int k = 0; k < settings_.iteration_limit; ++k) {
    report.iterations = k;
    if (deadline.passed()) {
      report.status = SolveStatus::time_limit;
      break;
    }
    Step step;
    iteration_.evaluate(embedding, system, step);
    if (!step.finite()) {
      report.status = SolveStatus::numerical_failure;
      break;
    }
    if (k > 0 && try_motion(problem, iteration_.x(), iteration_.velocity(), report, velocity)) {
      report.status = SolveStatus::primal_infeasible;
      break;
    }
    const linalg::FactorReport factor = iteration_.factor(system);
    if (!factor.finite) {
      report.status = SolveStatus::numerical_failure;
      break;
    }
    ++report.factorizations;
    iteration_.solve_predictor(embedding, system, step);
    if (k == 0 && factor.dropped_pivots > 0 && try_free_motion(problem, system, report, velocity)) {
      report.status = SolveStatus::primal_infeasible;
      break;
    }
    iteration_.predict(embedding, system, step);
    if (try_forces(problem, system, step, report, force)) {
      report.status = SolveStatus::solved;
      break;
    }
    iteration_.combine(embedding, system, step);
    if (step.length < settings_.smallest_step) {
      report.status = SolveStatus::stalled;
      break;
    }
    iteration_.advance(embedding, step);
  }
  return report;
}

/// The motion -y: gravity does work b'y, joints are entered by at most d (RBE-8, RBE-9). `row` = A'y.
bool InteriorPoint::try_motion(const ForceProblem& problem, std::span<const double> y, std::span<const double> row, ConicReport& report,
                               std::span<double> velocity) noexcept {
  const double power = dot_of(problem.load, y);
  if (!(power > 0)) return false;
  const double violation = kernel_->motion_violation(view(), row.data());
  const double factor = violation > 0 ? power / (violation * problem.rows.blocks()) : std::numeric_limits<double>::infinity();
  report.force_factor = max(report.force_factor, factor);
  if (factor < settings_.least_force_factor) return false;
  const double scale = largest_of(y);
  for (std::size_t i = 0; i < y.size(); ++i) velocity[i] = -y[i] / scale;
  return true;
}

/// Where rows of M depend on each other there are motions that no contact force resists, A' y = 0. If the load works on one of them, that
/// is the collapse: with r the part of b that the kept rows leave over, y = r - M^-1 M r, and b'y = r'r. (IPM-8)
bool InteriorPoint::try_free_motion(const ForceProblem& problem, WeightedSystem& system, ConicReport& report,
                                    std::span<double> velocity) noexcept {
  iteration_.multiply(system, iteration_.load_solution(), motion_);
  for (std::size_t i = 0; i < motion_.size(); ++i) direction_[i] = problem.load[i] - motion_[i];
  iteration_.multiply(system, direction_, motion_);
  system.solve(motion_, 1);
  for (std::size_t i = 0; i < motion_.size(); ++i) motion_[i] = direction_[i] - motion_[i];
  system.apply(motion_, row_);
  return largest_of(direction_) > settings_.free_load && try_motion(problem, motion_, row_, report, velocity);
}

/// Forces on the line of equilibria that lie in every cone: projected, corrected in force space, measured (IPM-7).
bool InteriorPoint::try_forces(const ForceProblem& problem, WeightedSystem& system, const Step& step, ConicReport& report,
                               std::span<double> force) noexcept {
  if (!(step.high > step.low && step.high > 0)) return false;
  const bool bounded = step.high < 1e300;
  // the scale nearest to tau that keeps away from both ends: forces of the size of the iterate lose the least digits
  const double room = bounded ? 0.1 * (step.high - step.low) : step.low;
  double t = max(iteration_.tau(), step.low + room);
  if (bounded) t = min(t, step.high - room);

  // (z - H A' yz + t H A' yb) / t, as contact forces
  const auto base = iteration_.base_row(), shift = iteration_.shift_row(), start = iteration_.force();
  for (std::size_t i = 0; i < force.size(); ++i) row_[i] = t * base[i] - shift[i];
  system.apply_weights(row_);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = (start[i] + row_[i]) / t;
  (void)project_forces(problem.rows, mu_, settings_.margin.dust, force);
  double residual = balance(problem, system, force);
  for (int k = 0; k < settings_.corrections && residual > 1e-13; ++k) {
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
