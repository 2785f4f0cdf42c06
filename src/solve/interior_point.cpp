// Self-dual embedding with zero objective (IPM-1), Nesterov-Todd predictor-corrector (IPM-3)..(IPM-6), line test (IPM-7).
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

/// One over the largest step that keeps a positive number positive.
double inverse_step_of(double value, double change) noexcept { return change < 0 ? -change / value : 0.0; }

}  // namespace

struct InteriorPoint::Step {
  double mu = 0;                // mean complementarity
  double largest_residual = 0;  // of the equilibrium rows
  double gap = 0, gap_row = 0;  // z's; kappa - b'y
  double kappa_over_tau = 1, denominator = 1;
  double d_tau = 0, d_kappa = 0;
  double affine_tau = 0, affine_kappa = 0;
  double low = 0, high = 0;  // scales of the load on the line of equilibria
  double sigma = 0;
  double length = 0;
};

InteriorPoint::InteriorPoint(const rows::PatchRows& rows, const InteriorPointSettings& settings)
    : rows_(&rows), kernel_(&interior_point_kernel_of(active_isa())), settings_(settings), mu_(rows.groups().size() * rows::patch_lanes) {
  const std::size_t unknowns = 6 * static_cast<std::size_t>(rows.blocks());
  for (Vector* v : {&z_, &s_, &dual_residual_, &centring_, &second_, &dz_, &ds_, &row_, &base_row_, &shift_row_, &force_row_, &other_row_})
    v->resize(rows.size());
  scaling_.resize(rows.size() / 3 * 4);
  weights_.resize(rows.size() * 2);
  for (Vector* v : {&y_, &az_, &ahr_, &direction_, &load_solution_, &state_solution_, &preconditioned_}) v->resize(unknowns);
  for (int k = 0; k < 3; ++k)
    for (Vector* v : {&right_[k], &solution_[k], &residual_[k], &conjugate_[k], &product_[k]}) v->resize(unknowns);
  packed_.resize(3 * unknowns);
  write_reduced_mu(rows, settings_.margin, mu_);
}

ConicView InteriorPoint::view() const noexcept {
  return {rows_->groups().data(), rows_->slots().data(), static_cast<int>(rows_->groups().size()), mu_.data()};
}

ConicArrays InteriorPoint::arrays() noexcept {
  return {z_.data(), s_.data(), scaling_.data(), dual_residual_.data(), centring_.data(), second_.data(), dz_.data(), ds_.data()};
}

ConicReport InteriorPoint::propose(const ForceProblem& problem, WeightedSystem& system, const Deadline& deadline, std::span<double> force,
                                   std::span<double> velocity) noexcept {
  TRI_CHECK(problem.load.size() == y_.size() && force.size() == z_.size() && velocity.size() == y_.size());
  ConicReport report;
  report.status = SolveStatus::iteration_limit;
  report.residual = std::numeric_limits<double>::infinity();
  start(problem.rows.points(), force);
  std::fill(force.begin(), force.end(), 0.0);

  for (int k = 0; k < settings_.iteration_limit; ++k) {
    report.iterations = k;
    if (deadline.passed()) {
      report.status = SolveStatus::time_limit;
      break;
    }
    Step step;
    evaluate(problem, system, step);
    if (!(step.mu < std::numeric_limits<double>::infinity())) {
      report.status = SolveStatus::numerical_failure;
      break;
    }
    if (k > 0 && try_motion(problem, report, velocity)) {
      report.status = SolveStatus::primal_infeasible;
      break;
    }
    system.set_weights({RowWeights::Shape::triple, weights_});
    const linalg::FactorReport factor = system.factor();
    if (!factor.finite) {
      report.status = SolveStatus::numerical_failure;
      break;
    }
    ++report.factorizations;
    solve_predictor(problem, system, step);
    if (k == 0 && factor.dropped_pivots > 0 && try_free_motion(problem, system, report, velocity)) {
      report.status = SolveStatus::primal_infeasible;
      break;
    }
    predict(problem, system, step);
    if (try_forces(problem, system, step, report, force)) {
      report.status = SolveStatus::solved;
      break;
    }
    combine(problem, system, step);
    if (step.length < settings_.smallest_step) {
      report.status = SolveStatus::stalled;
      break;
    }
    advance(step);
  }
  return report;
}

/// Residuals, scaling and weights of the current point.
void InteriorPoint::evaluate(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept {
  system.apply(y_, row_);
  const ScaleSums sums = kernel_->scale(view(), arrays(), row_.data(), weights_.data(), force_row_.data(), other_row_.data());
  system.apply_transposed(force_row_, az_);
  system.apply_transposed(other_row_, ahr_);
  const double load_y = dot_of(problem.load, y_);
  step.gap = sums.gap;
  step.gap_row = kappa_ - load_y;
  step.mu = (sums.gap + tau_ * kappa_) / (problem.rows.points() + 1);
  for (std::size_t i = 0; i < az_.size(); ++i) step.largest_residual = max(step.largest_residual, abs(problem.load[i] * tau_ - az_[i]));
}

/// The motion -y: gravity does work b'y, joints are entered by at most d (RBE-8, RBE-9). Uses A'y left in row_ by `evaluate`.
bool InteriorPoint::try_motion(const ForceProblem& problem, ConicReport& report, std::span<double> velocity) noexcept {
  const double power = dot_of(problem.load, y_);
  if (!(power > 0)) return false;
  const double violation = kernel_->motion_violation(view(), row_.data());
  const double factor = violation > 0 ? power / (violation * problem.rows.blocks()) : std::numeric_limits<double>::infinity();
  report.force_factor = max(report.force_factor, factor);
  if (factor < settings_.least_force_factor) return false;
  const double scale = largest_of(y_);
  for (std::size_t i = 0; i < y_.size(); ++i) velocity[i] = -y_[i] / scale;
  return true;
}

/// Where rows of M depend on each other there are motions that no contact force resists, A' y = 0. If the load works on one of them, that
/// is the collapse: with r the part of b that the kept rows leave over, y = r - M^-1 M r, and b'y = r'r. (IPM-8)
bool InteriorPoint::try_free_motion(const ForceProblem& problem, WeightedSystem& system, ConicReport& report,
                                    std::span<double> velocity) noexcept {
  multiply(system, load_solution_, y_);
  for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = problem.load[i] - y_[i];
  multiply(system, direction_, y_);
  system.solve(y_, 1);
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = direction_[i] - y_[i];
  system.apply(y_, row_);
  if (largest_of(direction_) > settings_.free_load && try_motion(problem, report, velocity)) return true;
  std::fill(y_.begin(), y_.end(), 0.0);
  return false;
}

/// out = M x
void InteriorPoint::multiply(WeightedSystem& system, std::span<const double> x, std::span<double> out) noexcept {
  system.apply(x, dz_);
  system.apply_weights(dz_);
  system.apply_transposed(dz_, out);
}

/// M u1 = b, M u2 = the affine right-hand side, M y3 = b tau - A z.
void InteriorPoint::solve_predictor(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept {
  for (std::size_t i = 0; i < az_.size(); ++i) {
    right_[0][i] = problem.load[i];
    right_[2][i] = problem.load[i] * tau_ - az_[i];
    right_[1][i] = right_[2][i] + az_[i] + ahr_[i];
  }
  refined_solve(system, 3);
  load_solution_ = solution_[0];
  state_solution_ = solution_[2];
  step.kappa_over_tau = kappa_ / tau_;
  step.denominator = dot_of(problem.load, load_solution_) + step.kappa_over_tau;
}

/// The affine direction, its step bounds, and the line of equilibria through it.
void InteriorPoint::predict(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept {
  const Vector& u2 = solution_[1];
  step.affine_tau = (step.gap_row - kappa_ - dot_of(problem.load, u2)) / step.denominator;
  step.affine_kappa = -kappa_ - step.kappa_over_tau * step.affine_tau;
  for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = load_solution_[i] * step.affine_tau + u2[i];
  system.apply(direction_, row_);
  system.apply(load_solution_, base_row_);
  for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = tau_ * load_solution_[i] - state_solution_[i];
  system.apply(direction_, shift_row_);
  // the contact forces of the centring and second-order terms end in force rows of their own; those of z are needed by try_forces
  const PredictSums sums =
      kernel_->predict(view(), arrays(), row_.data(), base_row_.data(), shift_row_.data(), other_row_.data(), row_.data());
  step.low = sums.low;
  step.high = sums.high;

  const double worst =
      std::max({sums.primal, sums.dual, inverse_step_of(tau_, step.affine_tau), inverse_step_of(kappa_, step.affine_kappa)});
  const double a = worst > 1 ? 1 / worst : 1;
  const double total = step.gap + tau_ * kappa_;
  const double after =
      step.gap + a * (sums.z_ds + sums.dz_s) + a * a * sums.dz_ds + (tau_ + a * step.affine_tau) * (kappa_ + a * step.affine_kappa);
  const double ratio = std::clamp(after / total, 0.0, 1.0);
  step.sigma = std::clamp(ratio * ratio * ratio, 1e-12, settings_.largest_centring);
}

/// Forces on the line of equilibria that lie in every cone: projected, corrected in force space, measured (IPM-7).
bool InteriorPoint::try_forces(const ForceProblem& problem, WeightedSystem& system, const Step& step, ConicReport& report,
                               std::span<double> force) noexcept {
  if (!(step.high > step.low && step.high > 0)) return false;
  const bool bounded = step.high < 1e300;
  // the scale nearest to tau that keeps away from both ends: forces of the size of the iterate lose the least digits
  const double room = bounded ? 0.1 * (step.high - step.low) : step.low;
  double t = max(tau_, step.low + room);
  if (bounded) t = min(t, step.high - room);

  // (z - H A' yz + t H A' yb) / t, as contact forces
  for (std::size_t i = 0; i < force.size(); ++i) shift_row_[i] = t * base_row_[i] - shift_row_[i];
  system.apply_weights(shift_row_);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = (force_row_[i] + shift_row_[i]) / t;
  (void)project_forces(problem.rows, mu_, settings_.margin.dust, force);
  double residual = balance(problem, system, force);
  for (int k = 0; k < settings_.corrections && residual > 1e-13; ++k) {
    system.solve(direction_, 1);
    system.apply(direction_, shift_row_);
    system.apply_weights(shift_row_);
    std::copy(force.begin(), force.end(), base_row_.begin());
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += shift_row_[i];
    (void)project_forces(problem.rows, mu_, settings_.margin.dust, force);
    const double next = balance(problem, system, force);
    if (!(next < residual)) {
      std::copy(base_row_.begin(), base_row_.end(), force.begin());
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

/// Cold: z = s = (1, 0, 0). Warm: the given forces, pushed inside their cones, each with the s that makes the pair centred.
void InteriorPoint::start(int points, std::span<const double> force) noexcept {
  std::fill(y_.begin(), y_.end(), 0.0);
  tau_ = kappa_ = 1;
  const double mean = kernel_->mean_size(view(), force.data(), points);
  const bool warm = mean > 0 && mean < std::numeric_limits<double>::infinity();
  kernel_->start(view(), arrays(), warm ? force.data() : nullptr, settings_.warm_share * mean);
}

/// The combined direction and how far it can go.
void InteriorPoint::combine(const ForceProblem& problem, WeightedSystem& system, Step& step) noexcept {
  const double keep = 1 - step.sigma, centre = step.sigma * step.mu;
  system.apply_transposed(other_row_, product_[0]);  // A of the centring term
  system.apply_transposed(row_, product_[1]);        // A of the second-order term
  for (std::size_t i = 0; i < y_.size(); ++i)
    right_[0][i] = keep * ((problem.load[i] * tau_ - az_[i]) + ahr_[i]) - centre * product_[0][i] - product_[1][i];
  refined_solve(system, 1);
  const double complementarity = centre - step.affine_tau * step.affine_kappa - tau_ * kappa_;
  step.d_tau = (keep * step.gap_row + complementarity / tau_ - dot_of(problem.load, solution_[0])) / step.denominator;
  step.d_kappa = (complementarity - kappa_ * step.d_tau) / tau_;
  for (std::size_t i = 0; i < y_.size(); ++i) direction_[i] = load_solution_[i] * step.d_tau + solution_[0][i];
  system.apply(direction_, base_row_);
  double primal = 0, dual = 0;
  kernel_->combine(view(), arrays(), base_row_.data(), keep, centre, primal, dual);
  const double worst = std::max({primal, dual, inverse_step_of(tau_, step.d_tau), inverse_step_of(kappa_, step.d_kappa)});
  step.length = worst > 0 ? min(1.0, settings_.step_fraction / worst) : 1.0;
}

void InteriorPoint::advance(const Step& step) noexcept {
  kernel_->advance(view(), arrays(), step.length, step.length);
  for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += step.length * direction_[i];
  tau_ += step.length * step.d_tau;
  kappa_ += step.length * step.d_kappa;
}

/// solution_[k] = M^-1 right_[k] for k < count: the factor, then conjugate gradients preconditioned by it while the residual is too large.
void InteriorPoint::refined_solve(WeightedSystem& system, int count) noexcept {
  const std::size_t n = y_.size();
  double scale[3] = {}, step_dot[3] = {};
  bool open[3] = {};
  for (int c = 0; c < count; ++c) {
    std::fill(solution_[c].begin(), solution_[c].end(), 0.0);
    residual_[c] = right_[c];
    scale[c] = largest_of(right_[c]);
    open[c] = scale[c] > 0;
  }
  for (int k = 0; k <= settings_.refinements; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < count; ++c) packed_[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)] = residual_[c][i];
    system.solve(std::span(packed_).first(n * static_cast<std::size_t>(count)), count);
    bool again = false;
    for (int c = 0; c < count; ++c) {
      if (!open[c]) continue;
      for (std::size_t i = 0; i < n; ++i) preconditioned_[i] = packed_[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)];
      const double now = dot_of(residual_[c], preconditioned_);
      const double beta = k > 0 && step_dot[c] > 0 ? now / step_dot[c] : 0;
      for (std::size_t i = 0; i < n; ++i) conjugate_[c][i] = preconditioned_[i] + beta * conjugate_[c][i] * (k > 0 ? 1 : 0);
      step_dot[c] = now;
      multiply(system, conjugate_[c], product_[c]);
      const double curvature = dot_of(conjugate_[c], product_[c]);
      const double length = curvature > 0 && now > 0 ? now / curvature : 0;
      for (std::size_t i = 0; i < n; ++i) {
        solution_[c][i] += length * conjugate_[c][i];
        residual_[c][i] -= length * product_[c][i];
      }
      open[c] = length > 0 && largest_of(residual_[c]) > settings_.refine_above * scale[c];
      again = again || open[c];
    }
    if (!again) break;
  }
}

}  // namespace trilith::solve
