// Descent on soft constraints (NEWTON-1 to NEWTON-6).
#include "solve/soft_descent.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

constexpr double floor_of_gradient = 0.01;  // of the rule of Hager and Zhang, theirs

double polak_ribiere(double g_change, double last) { return last > 0 ? max(g_change / last, 0.0) : 0; }

double hager_zhang(double g_change, double change_change, double step_change, double step_gradient, double step, double gradient) {
  if (step_change == 0) return 0;
  const double beta = (g_change - 2 * change_change / step_change * step_gradient) / step_change;
  const double least = -1 / (step * min(floor_of_gradient, gradient));
  return max(beta, least);
}

}  // namespace

SoftDescent::SoftDescent(int most_unknowns, std::size_t most_rows, const DescentSettings& settings) : settings_(settings) {
  const auto n = static_cast<std::size_t>(most_unknowns);
  for (auto* vector : {&gradient_, &step_, &product_, &scratch_}) vector->resize(n);
  if (settings.method != DescentMethod::newton)
    for (auto* vector : {&last_gradient_, &scaled_, &last_scaled_}) vector->resize(n);
  for (auto* vector : {&value_, &moved_, &direction_, &force_}) vector->resize(most_rows);
  hessian_.resize(most_rows * rows::most_block_rows);
}

void SoftDescent::size_to(const SoftProgram& program) {
  unknowns_ = program.center.size();
  rows_ = program.shift.size();
  TRI_CHECK(unknowns_ <= gradient_.size() && rows_ <= value_.size());
  TRI_CHECK(program.parameters.size() == program.groups.size());
  TRI_CHECK(program.duals.empty() || program.duals.size() == program.groups.size());
}

DescentReport SoftDescent::solve(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline,
                                 std::span<double> x) noexcept {
  size_to(program);
  TRI_CHECK(x.size() == unknowns_);
  update_value(program, system, x);
  return descend(program, system, deadline, x);
}

DescentReport SoftDescent::solve_from_better(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline,
                                             std::span<const double> other, std::span<double> x) noexcept {
  if (measure_change(program, system, x, other) < 0) {
    std::copy(other.begin(), other.end(), x.begin());
    std::swap(value_, moved_);
  }
  return descend(program, system, deadline, x);
}

/// From x, whose rows are in `value_`.
DescentReport SoftDescent::descend(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline,
                                   std::span<double> x) noexcept {
  DescentReport report;
  report.gradient = update_gradient(program, system, x);
  const bool there = settings_.stop == StopRule::either && program.scale * report.gradient < settings_.tolerance;
  report.status = there ? SolveStatus::solved : SolveStatus::iteration_limit;
  while (report.status == SolveStatus::iteration_limit && report.iterations < settings_.iteration_limit)
    report.status = iterate(program, system, deadline, x, report);
  report.gap_bound = gap_bound(system);
  report.gradient *= program.scale;
  return report;
}

/// One step. Answers `iteration_limit` while it is worth going on.
SolveStatus SoftDescent::iterate(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline, std::span<double> x,
                                 DescentReport& report) noexcept {
  if (deadline.passed()) return SolveStatus::time_limit;
  if (!find_step(program, system, report)) return SolveStatus::numerical_failure;
  ++report.iterations;
  const double length = search(program, report);
  report.improvement = length > 0 ? program.scale * take_step(program, system, length, x) : 0;
  if (length > 0) report.gradient = update_gradient(program, system, x);
  const bool small_gradient = program.scale * report.gradient < settings_.tolerance, small_gain = report.improvement < settings_.tolerance;
  // no length descends: rounding decides what more there is to find
  if (!(length > 0)) return small_gradient ? SolveStatus::solved : SolveStatus::stalled;
  const bool done = settings_.stop == StopRule::either ? small_gradient || small_gain : small_gradient && small_gain;
  return done ? SolveStatus::solved : SolveStatus::iteration_limit;
}

void SoftDescent::update_value(const SoftProgram& program, const WeightedSystem& system, std::span<const double> x) noexcept {
  system.apply(x, std::span(value_).first(rows_));
  for (std::size_t i = 0; i < rows_; ++i) value_[i] -= program.shift[i];
}

/// Gradient and forces at the present value. Returns the gradient's length.
double SoftDescent::update_gradient(const SoftProgram& program, const WeightedSystem& system, std::span<const double> x) noexcept {
  for (std::size_t g = 0; g < program.groups.size(); ++g) {
    const rows::RowGroup& group = program.groups[g];
    rows::write_gradient(group, program.parameters[g], duals_of(program, g), value(),
                         std::span(force_).subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count)));
  }
  const std::span<double> gradient = std::span(gradient_).first(unknowns_), rest = std::span(scratch_).first(unknowns_);
  for (std::size_t i = 0; i < unknowns_; ++i) rest[i] = x[i] - program.center[i];
  system.apply_transposed(force(), gradient);
  system.apply_quadratic(rest, std::span(product_).first(unknowns_));
  for (std::size_t i = 0; i < unknowns_; ++i) gradient[i] += product_[i];
  for (std::size_t i = 0; i < rows_; ++i) force_[i] = -force_[i];
  return length_of(gradient);
}

/// The step, its images under P and G, and the slope along it.
bool SoftDescent::find_step(const SoftProgram& program, WeightedSystem& system, DescentReport& report) noexcept {
  const bool newton = settings_.method == DescentMethod::newton;
  if (!(newton ? find_newton_step(program, system, report) : find_conjugate_step(system, report.iterations == 0))) return false;
  const std::span<double> step = std::span(step_).first(unknowns_);
  system.apply(step, std::span(direction_).first(rows_));
  system.apply_quadratic(step, std::span(product_).first(unknowns_));
  slope_ = dot_of(step, std::span(gradient_).first(unknowns_));
  line_.slope = slope_ + dot_of(std::span(direction_).first(rows_), force());
  line_.curvature = dot_of(step, std::span(product_).first(unknowns_));
  return true;
}

/// (NEWTON-1)
bool SoftDescent::find_newton_step(const SoftProgram& program, WeightedSystem& system, DescentReport& report) noexcept {
  std::size_t size = 0;
  for (std::size_t g = 0; g < program.groups.size(); ++g) {
    const rows::RowGroup& group = program.groups[g];
    const auto count = static_cast<std::size_t>(group.count * group.block);
    rows::write_hessian(group, program.parameters[g], duals_of(program, g), value(), std::span(hessian_).subspan(size, count));
    size += count;
  }
  system.set_weights({RowWeights::Shape::groups, std::span(hessian_).first(size), program.groups});
  const linalg::FactorReport factor = system.factor();
  ++report.factorizations;
  if (!factor.finite || factor.dropped_pivots > 0) return false;
  const std::span<double> step = std::span(step_).first(unknowns_);
  for (std::size_t i = 0; i < unknowns_; ++i) step[i] = -gradient_[i];
  system.solve(step, 1);
  return true;
}

/// d = -P^-1 g + beta d. (NEWTON-6)
bool SoftDescent::find_conjugate_step(const WeightedSystem& system, bool first) noexcept {
  const std::size_t n = unknowns_;
  std::swap(scaled_, last_scaled_);
  std::copy_n(gradient_.begin(), n, scaled_.begin());
  if (!system.solve_quadratic(std::span(scaled_).first(n))) return false;
  double beta = 0;
  if (!first) {
    double g_change = 0, change_change = 0, step_change = 0, step_gradient = 0, last = 0;  // y = g - g before, scaled with P^-1
    for (std::size_t i = 0; i < n; ++i) {
      const double y = gradient_[i] - last_gradient_[i], scaled_y = scaled_[i] - last_scaled_[i];
      g_change += gradient_[i] * scaled_y, change_change += y * scaled_y;
      step_change += step_[i] * y, step_gradient += step_[i] * gradient_[i];
      last += last_gradient_[i] * last_scaled_[i];
    }
    beta = settings_.method == DescentMethod::polak_ribiere
               ? polak_ribiere(g_change, last)
               : hager_zhang(g_change, change_change, step_change, step_gradient, length_of(std::span(step_).first(n)),
                             length_of(std::span(gradient_).first(n)));
  }
  for (std::size_t i = 0; i < n; ++i) step_[i] = -scaled_[i] + beta * step_[i];
  if (dot_of(std::span(step_).first(n), std::span(gradient_).first(n)) >= 0)  // no descent: begin again
    for (std::size_t i = 0; i < n; ++i) step_[i] = -scaled_[i];
  std::copy_n(gradient_.begin(), n, last_gradient_.begin());
  return true;
}

/// Length of the step: the root of the slope, as exact as the settings ask. (NEWTON-3)
double SoftDescent::search(const SoftProgram& program, DescentReport& report) noexcept {
  const auto slope_at = [&](double length) {
    LineSlope at{line_.slope + length * line_.curvature, line_.curvature};
    for (std::size_t g = 0; g < program.groups.size(); ++g) {
      const rows::LinePoint part = rows::measure_along(program.groups[g], program.parameters[g], duals_of(program, g), value(),
                                                       std::span(direction_).first(rows_), length);
      at.slope += part.slope;
      at.curvature += part.curvature;
    }
    ++report.evaluations;
    return at;
  };
  const double enough = settings_.tolerance * settings_.search_tolerance * length_of(std::span(step_).first(unknowns_)) / program.scale;
  return find_slope_root(slope_, slope_at, {enough, settings_.search_limit});
}

/// x += length step. Returns by how much the objective falls. (NEWTON-4)
double SoftDescent::take_step(const SoftProgram& program, const WeightedSystem& system, double length, std::span<double> x) noexcept {
  const std::span<double> moved = std::span(moved_).first(rows_);
  for (std::size_t i = 0; i < rows_; ++i) moved[i] = value_[i] + length * direction_[i];
  const double change = length * (line_.slope + 0.5 * length * line_.curvature) + change_of_groups(program, value(), moved);
  for (std::size_t i = 0; i < unknowns_; ++i) x[i] += length * step_[i];
  update_value(program, system, x);  // not by the direction: errors would add up
  return -change;
}

double SoftDescent::change_of_groups(const SoftProgram& program, std::span<const double> from, std::span<const double> to) const noexcept {
  double change = 0;
  for (std::size_t g = 0; g < program.groups.size(); ++g)
    change += rows::measure_change(program.groups[g], program.parameters[g], duals_of(program, g), from, to);
  return change;
}

/// Leaves the rows at `from` in `value_`, those at x in `moved_`.
double SoftDescent::measure_change(const SoftProgram& program, const WeightedSystem& system, std::span<const double> from,
                                   std::span<const double> x) noexcept {
  size_to(program);
  update_value(program, system, from);
  const std::span<double> moved = std::span(moved_).first(rows_), rest = std::span(scratch_).first(unknowns_);
  system.apply(x, moved);
  for (std::size_t i = 0; i < rows_; ++i) moved[i] -= program.shift[i];
  double change = change_of_groups(program, value(), moved);
  // 1/2 (x - c)'P(x - c) - 1/2 (f - c)'P(f - c) = (x - f)' P ((x + f)/2 - c)
  for (std::size_t i = 0; i < unknowns_; ++i) rest[i] = 0.5 * (x[i] + from[i]) - program.center[i];
  system.apply_quadratic(rest, std::span(product_).first(unknowns_));
  for (std::size_t i = 0; i < unknowns_; ++i) change += (x[i] - from[i]) * product_[i];
  return change;
}

double SoftDescent::gap_bound(const WeightedSystem& system) noexcept {
  const std::span<double> rest = std::span(scratch_).first(unknowns_);
  for (std::size_t i = 0; i < unknowns_; ++i) rest[i] = gradient_[i];
  if (!system.solve_quadratic(rest)) return std::numeric_limits<double>::quiet_NaN();
  return 0.5 * dot_of(rest, std::span(gradient_).first(unknowns_));
}

}  // namespace trilith::solve
