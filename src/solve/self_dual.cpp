// Self-dual embedding (IPM-1), Nesterov-Todd predictor-corrector (IPM-3)..(IPM-6).
#include "solve/self_dual.h"

#include <algorithm>
#include <limits>

#include "base/lanes.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

/// One over the largest step that keeps a positive number positive.
double inverse_step_of(double value, double change) noexcept { return change < 0 ? -change / value : 0.0; }

void subtract(double factor, std::span<const double> from, std::span<double> row) noexcept {
  for (std::size_t i = 0; i < from.size(); ++i) row[i] -= factor * from[i];
}

}  // namespace

SelfDual::SelfDual(std::size_t rows, int unknowns, const SelfDualSettings& settings)
    : kernel_(&interior_point_kernel_of(active_isa())), settings_(settings) {
  const auto n = static_cast<std::size_t>(unknowns);
  for (Vector* v : {&z_, &s_, &dual_residual_, &centring_, &second_, &dz_, &ds_, &row_, &base_row_, &shift_row_, &force_row_, &other_row_})
    v->resize(rows);
  scaling_.resize(rows / 3 * 4);
  weights_.resize(rows * 2);
  for (Vector* v : {&x_, &gz_, &ghr_, &px_, &direction_, &load_solution_, &state_solution_, &preconditioned_}) v->resize(n);
  for (int k = 0; k < 3; ++k)
    for (Vector* v : {&right_[k], &solution_[k], &residual_[k], &conjugate_[k], &product_[k]}) v->resize(n);
  packed_.resize(3 * n);
  if (settings.correctors <= 0) return;
  for (Vector* v : {&kept_dz_, &kept_ds_}) v->resize(rows);
  kept_direction_.resize(n);
}

ConicArrays SelfDual::arrays() noexcept {
  return {z_.data(), s_.data(), scaling_.data(), dual_residual_.data(), centring_.data(), second_.data(), dz_.data(), ds_.data()};
}

void SelfDual::start(const ConicProblem& problem, std::span<const double> force) noexcept {
  std::fill(x_.begin(), x_.end(), 0.0);
  tau_ = kappa_ = 1;
  const double mean = force.empty() ? 0 : kernel_->mean_size(problem.cones, force.data(), problem.points);
  const bool warm = mean > 0 && mean < std::numeric_limits<double>::infinity();
  kernel_->start(problem.cones, arrays(), warm ? force.data() : nullptr, settings_.warm_share * mean);
}

/// Residuals, scaling and weights of the current point.
void SelfDual::evaluate(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept {
  system.apply(x_, row_);
  subtract(tau_, problem.offset, row_);
  const ScaleSums sums = kernel_->scale(problem.cones, arrays(), row_.data(), weights_.data(), force_row_.data(), other_row_.data());
  system.apply_transposed(force_row_, gz_);
  system.apply_transposed(other_row_, ghr_);
  system.apply_quadratic(x_, px_);
  step.gap = sums.gap;
  step.largest_dual = sums.largest_residual;
  step.curvature = dot_of(x_, px_);
  step.offset_z = dot_of(problem.offset, force_row_);
  step.gap_row = kappa_ - dot_of(problem.load, x_) + step.offset_z + step.curvature / tau_;
  step.mu = (sums.gap + tau_ * kappa_) / (problem.points + 1);
  for (std::size_t i = 0; i < x_.size(); ++i)
    step.largest_residual = max(step.largest_residual, abs(problem.load[i] * tau_ - gz_[i] - px_[i]));
}

linalg::FactorReport SelfDual::factor(WeightedSystem& system) noexcept {
  system.set_weights({RowWeights::Shape::triple, weights_});
  return system.factor();
}

void SelfDual::multiply(WeightedSystem& system, std::span<const double> x, std::span<double> out) noexcept {
  system.apply_quadratic(x, out);
  std::copy(out.begin(), out.end(), preconditioned_.begin());
  const std::span<double> row = std::span(dz_).first(system.rows());  // that of a border or without it
  system.apply(x, row);
  system.apply_weights(row);
  system.apply_transposed(row, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += preconditioned_[i];
}

/// (2 P x / tau - 2 load)' u: the row of kappa, written so that the large H h and G'H h do not have to cancel. (IPM-9)
double SelfDual::cost_of(const ConicProblem& problem, std::span<const double> u) const noexcept {
  return 2 * (dot_of(px_, u) / tau_ - dot_of(problem.load, u));
}

/// M u1 = load + G'H h, M u2 = the affine right-hand side, and for the line test M u3 = load tau - G'z.
void SelfDual::solve_predictor(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    right_[0][i] = problem.load[i];
    right_[2][i] = problem.load[i] * tau_ - gz_[i];
    right_[1][i] = right_[2][i] + gz_[i] + ghr_[i] - px_[i];
  }
  if (!problem.offset.empty()) {
    std::copy(problem.offset.begin(), problem.offset.end(), shift_row_.begin());
    system.apply_weights(shift_row_);
    system.apply_transposed(shift_row_, direction_);
    for (std::size_t i = 0; i < x_.size(); ++i) right_[0][i] += direction_[i];
  }
  refined_solve(system, settings_.line_test ? 3 : 2, settings_.refine_share * step.largest_residual);
  load_solution_ = solution_[0];
  if (settings_.line_test) state_solution_ = solution_[2];
  measure_base(problem, system, step);
}

/// Scalars of u1 and r1 = G u1 - h; the denominator of dtau as a sum of squares. (IPM-9)
void SelfDual::measure_base(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept {
  system.apply(load_solution_, base_row_);
  subtract(1, problem.offset, base_row_);
  for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = problem.load[i] * tau_ - gz_[i] - px_[i];
  step.base_load = dot_of(load_solution_, direction_);
  for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = x_[i] / tau_ - load_solution_[i];
  step.base_residual = dot_of(base_row_, other_row_);
  step.base_force = dot_of(base_row_, force_row_);
  std::copy(base_row_.begin(), base_row_.end(), shift_row_.begin());
  system.apply_weights(shift_row_);
  system.apply_quadratic(direction_, product_[0]);
  step.denominator = kappa_ / tau_ + dot_of(base_row_, shift_row_) + dot_of(direction_, product_[0]);
}

/// The affine direction, its step bounds, and the line of equilibria through it.
void SelfDual::predict(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept {
  const Vector& u2 = solution_[1];
  step.affine_tau =
      (step.gap_row - kappa_ + cost_of(problem, u2) + step.base_load + step.base_residual + step.base_force) / step.denominator;
  step.affine_kappa = -kappa_ - kappa_ / tau_ * step.affine_tau;
  for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = load_solution_[i] * step.affine_tau + u2[i];
  system.apply(direction_, row_);
  subtract(step.affine_tau, problem.offset, row_);
  if (settings_.line_test) {
    for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = tau_ * load_solution_[i] - state_solution_[i];
    system.apply(direction_, shift_row_);
  }
  // the contact forces of the centring and second-order terms end in row vectors of their own; those of z are needed by the line test
  const PredictSums sums =
      kernel_->predict(problem.cones, arrays(), {row_.data(), base_row_.data(), shift_row_.data(), other_row_.data(), row_.data()});
  step.low = sums.low;
  step.high = sums.high;

  const double worst =
      std::max({sums.primal, sums.dual, inverse_step_of(tau_, step.affine_tau), inverse_step_of(kappa_, step.affine_kappa)});
  const double a = worst > 1 ? 1 / worst : 1;
  const double total = step.gap + tau_ * kappa_;
  const double after =
      step.gap + a * (sums.z_ds + sums.dz_s) + a * a * sums.dz_ds + (tau_ + a * step.affine_tau) * (kappa_ + a * step.affine_kappa);
  const double ratio = std::clamp(after / total, 0.0, 1.0);
  step.sigma = std::clamp(ratio * ratio * ratio, settings_.least_centring, settings_.largest_centring);
}

/// The combined direction and how far it can go, for the second-order terms in row_; `extra` belongs to the product of tau and kappa.
void SelfDual::solve_combined(const ConicProblem& problem, WeightedSystem& system, double extra, Step& step) noexcept {
  const double keep = 1 - step.sigma, centre = step.sigma * step.mu;
  system.apply_transposed(other_row_, product_[0]);  // of the centring term
  system.apply_transposed(row_, product_[1]);        // of the second-order term
  for (std::size_t i = 0; i < x_.size(); ++i)
    right_[0][i] = keep * ((problem.load[i] * tau_ - gz_[i] - px_[i]) + ghr_[i]) - centre * product_[0][i] - product_[1][i];
  double base = keep * (step.base_load + step.base_residual);
  base -= centre * dot_of(base_row_, other_row_) + dot_of(base_row_, row_);
  refined_solve(system, 1, settings_.refine_share * step.largest_residual);
  const double complementarity = centre - step.affine_tau * step.affine_kappa - tau_ * kappa_ + extra;
  step.d_tau = (keep * step.gap_row + complementarity / tau_ + cost_of(problem, solution_[0]) + base) / step.denominator;
  step.d_kappa = (complementarity - kappa_ * step.d_tau) / tau_;
  for (std::size_t i = 0; i < x_.size(); ++i) direction_[i] = load_solution_[i] * step.d_tau + solution_[0][i];
  system.apply(direction_, shift_row_);
  subtract(step.d_tau, problem.offset, shift_row_);
  const auto [primal, dual] = kernel_->combine(problem.cones, arrays(), shift_row_.data(), keep, centre);
  const double worst = std::max({primal, dual, inverse_step_of(tau_, step.d_tau), inverse_step_of(kappa_, step.d_kappa)});
  step.length = worst > 0 ? min(1.0, settings_.step_fraction / worst) : 1.0;
}

/// Once more with the products corrected that would be far from their target a little beyond the step. False where the step did not get
/// longer: then it is the one before. (IPM-10)
bool SelfDual::correct(const ConicProblem& problem, WeightedSystem& system, double& extra, Step& step) noexcept {
  const double target = step.sigma * step.mu, reach = min(1.0, step.length + settings_.corrector_reach);
  const ProductRange range{reach, settings_.least_product * target, settings_.largest_product * target};
  kernel_->correct(problem.cones, arrays(), range, row_.data());
  const double product = (tau_ + reach * step.d_tau) * (kappa_ + reach * step.d_kappa);
  extra += max(min(max(product, range.low), range.high) - product, -range.high);
  kept_dz_ = dz_;
  kept_ds_ = ds_;
  kept_direction_ = direction_;
  const Step kept = step;
  solve_combined(problem, system, extra, step);
  if (step.length > kept.length) return true;
  dz_ = kept_dz_;
  ds_ = kept_ds_;
  direction_ = kept_direction_;
  step = kept;
  return false;
}

void SelfDual::combine(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept {
  double extra = 0;
  solve_combined(problem, system, extra, step);
  for (int k = 0; k < settings_.correctors && step.length <= settings_.long_step; ++k)
    if (!correct(problem, system, extra, step)) return;
}

void SelfDual::advance(const ConicProblem& problem, const Step& step) noexcept {
  kernel_->advance(problem.cones, arrays(), step.length, step.length);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step.length * direction_[i];
  tau_ += step.length * step.d_tau;
  kappa_ += step.length * step.d_kappa;
}

/// solution_[k] = M^-1 right_[k] for k < count: the factor, then conjugate gradients preconditioned by it while the residual is too large,
/// that is above refine_above of the right-hand side and above `allowed`.
void SelfDual::refined_solve(WeightedSystem& system, int count, double allowed) noexcept {
  for (int c = 0; c < count; ++c) {
    std::fill(solution_[c].begin(), solution_[c].end(), 0.0);
    residual_[c] = right_[c];
    scale_[c] = largest_of(right_[c]);
    open_[c] = scale_[c] > 0;
  }
  for (int k = 0; k <= settings_.refinements; ++k)
    if (!refine_once(system, count, k == 0, allowed)) break;
}

void SelfDual::solve_refined(WeightedSystem& system, std::span<double> x) noexcept {
  std::copy(x.begin(), x.end(), right_[0].begin());
  refined_solve(system, 1, 0);
  std::copy(solution_[0].begin(), solution_[0].end(), x.begin());
}

/// One preconditioned step of every right-hand side that is still open; false where none is left.
bool SelfDual::refine_once(WeightedSystem& system, int count, bool first, double allowed) noexcept {
  const std::size_t n = x_.size();
  int open[3], width = 0;
  for (int c = 0; c < count; ++c)
    if (open_[c]) open[width++] = c;
  if (width == 0) return false;
  const auto stride = static_cast<std::size_t>(width);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < stride; ++k) packed_[i * stride + k] = residual_[open[k]][i];
  system.solve(std::span(packed_).first(n * stride), width);
  bool again = false;
  for (std::size_t k = 0; k < stride; ++k) {
    const int c = open[k];
    for (std::size_t i = 0; i < n; ++i) preconditioned_[i] = packed_[i * stride + k];
    const double now = dot_of(residual_[c], preconditioned_);
    const double beta = !first && step_dot_[c] > 0 ? now / step_dot_[c] : 0;
    for (std::size_t i = 0; i < n; ++i) conjugate_[c][i] = preconditioned_[i] + beta * conjugate_[c][i] * (first ? 0 : 1);
    step_dot_[c] = now;
    multiply(system, conjugate_[c], product_[c]);
    const double curvature = dot_of(conjugate_[c], product_[c]);
    const double length = curvature > 0 && now > 0 ? now / curvature : 0;
    for (std::size_t i = 0; i < n; ++i) {
      solution_[c][i] += length * conjugate_[c][i];
      residual_[c][i] -= length * product_[c][i];
    }
    open_[c] = length > 0 && largest_of(residual_[c]) > max(settings_.refine_above * scale_[c], allowed);
    again = again || open_[c];
  }
  return again;
}

double SelfDual::find_free_fall(const ConicProblem& problem, WeightedSystem& system, std::span<double> y) noexcept {
  std::copy(problem.load.begin(), problem.load.end(), y.begin());
  system.solve(y, 1);
  multiply(system, y, product_[0]);
  for (std::size_t i = 0; i < y.size(); ++i) direction_[i] = problem.load[i] - product_[0][i];
  multiply(system, direction_, product_[0]);
  system.solve(product_[0], 1);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = direction_[i] - product_[0][i];
  return largest_of(direction_);
}

ConicRun run_conic(const ConicProblem& problem, WeightedSystem& system, const ConicLimits& limits, const Deadline& deadline,
                   SelfDual& iteration, ConicWatcher& watcher) noexcept {
  ConicRun run;
  const auto ended = [&run](SolveStatus status) {
    run.status = status;
    return status != SolveStatus::not_run;
  };
  for (int k = 0; k < limits.iteration_limit; ++k) {
    run.iterations = k;
    SelfDual::Step step;
    if (deadline.passed() && ended(SolveStatus::time_limit)) return run;
    iteration.evaluate(problem, system, step);
    if (!step.finite() && ended(SolveStatus::numerical_failure)) return run;
    if (ended(watcher.evaluated(k, step))) return run;
    const linalg::FactorReport factor = iteration.factor(system);
    if (!factor.finite && ended(SolveStatus::numerical_failure)) return run;
    ++run.factorizations;
    if (ended(watcher.factored(k, step, factor))) return run;
    iteration.solve_predictor(problem, system, step);
    iteration.predict(problem, system, step);
    if (ended(watcher.predicted(k, step))) return run;
    iteration.combine(problem, system, step);
    if (!(step.length >= limits.smallest_step) && ended(SolveStatus::stalled)) return run;
    iteration.advance(problem, step);
  }
  run.iterations = limits.iteration_limit;
  run.status = SolveStatus::iteration_limit;
  return run;
}

/// Misfits of rows count in units of the problem; where its numbers span more than this, rounding of the largest is granted.
constexpr double large_rows = 1e-5;

ConicMisfit measure_misfit(const SelfDual& iteration, const SelfDual::Step& step, const ConicProblem& problem) noexcept {
  const double tau = iteration.tau(), infinity = std::numeric_limits<double>::infinity();
  ConicMisfit misfit;
  double load_x = 0;
  for (std::size_t i = 0; i < problem.load.size(); ++i) load_x += problem.load[i] * iteration.x()[i];
  const double primal = (0.5 * step.curvature / tau - load_x) / tau, dual = (-0.5 * step.curvature / tau - step.offset_z) / tau;
  const double rows_scale = 1 + large_rows * (largest_of(problem.offset) + largest_of(iteration.s()) / tau);
  const double cost_scale =
      1 + largest_of(problem.load) + std::max(largest_of(iteration.transposed_z()), largest_of(iteration.quadratic_x())) / tau;
  misfit.solution = std::max({step.largest_dual / tau / rows_scale, step.largest_residual / tau / cost_scale,
                              abs(primal - dual) / (1 + std::min(abs(primal), abs(dual)))});

  misfit.contradiction = step.offset_z < 0 ? largest_of(iteration.transposed_z()) / -step.offset_z : infinity;
  double allowed = 0;  // G x + s, without the offset
  for (std::size_t i = 0; i < problem.offset.size(); ++i)
    allowed = std::max(allowed, abs(iteration.velocity()[i] + tau * problem.offset[i] + iteration.s()[i]));
  misfit.unbounded = load_x > 0 ? std::max(allowed, largest_of(iteration.quadratic_x())) / load_x : infinity;
  return misfit;
}

}  // namespace trilith::solve
