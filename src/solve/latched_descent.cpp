// Friction bounded by the normal force that a contact has (NEWTON-7).
#include "solve/latched_descent.h"

#include <algorithm>

#include "base/check.h"
#include "base/math.h"

namespace trilith::solve {
namespace {

constexpr double held_back = 0.5;  // share of its last share that a latch moves whose gap turns without shrinking

void add_counts(const DescentReport& last, DescentReport& sum) {
  const DescentReport before = sum;
  sum = last;
  sum.iterations += before.iterations;
  sum.factorizations += before.factorizations;
  sum.evaluations += before.evaluations;
}

}  // namespace

LatchedDescent::LatchedDescent(int most_unknowns, std::size_t most_rows, std::size_t most_latches, const LatchSettings& settings)
    : settings_(settings), descent_(most_unknowns, most_rows, settings.descent), value_(most_rows) {
  for (auto* vector : {&latch_, &gap_, &last_gap_, &step_}) vector->resize(most_latches);
}

LatchReport LatchedDescent::solve(const SoftProgram& program, const FrictionLatches& latches, WeightedSystem& system,
                                  const Deadline& deadline, std::span<double> x) noexcept {
  const std::size_t count = latches.normal.size();
  TRI_CHECK(count <= latch_.size() && latches.R.size() == count && latches.owner.size() == latches.radius.size());
  start(program, latches, system, x);
  LatchReport report;
  while (report.rounds < settings_.round_limit) {
    write_radii(latches);
    add_counts(descent_.solve(program, system, deadline, x), report.descent);
    ++report.rounds;
    double largest = 0;
    report.latch_gap = measure_gap(latches, largest);
    if (report.descent.status != SolveStatus::solved) return report;
    if (report.latch_gap <= settings_.gap_tolerance * largest) return report;
    move_latches(count);
  }
  report.descent.status = SolveStatus::iteration_limit;
  return report;
}

void LatchedDescent::start(const SoftProgram& program, const FrictionLatches& latches, const WeightedSystem& system,
                           std::span<const double> x) noexcept {
  const std::span<double> value = std::span(value_).first(program.shift.size());
  system.apply(x, value);
  for (std::size_t i = 0; i < latches.normal.size(); ++i) {
    const auto row = static_cast<std::size_t>(latches.normal[i]);
    latch_[i] = max(0.0, (program.shift[row] - value[row]) / latches.R[i]);
    last_gap_[i] = 0;
    step_[i] = 1;
  }
}

void LatchedDescent::write_radii(const FrictionLatches& latches) const noexcept {
  for (std::size_t j = 0; j < latches.radius.size(); ++j)
    latches.radius[j] = latches.coefficient[j] * latch_[static_cast<std::size_t>(latches.owner[j])];
}

double LatchedDescent::measure_gap(const FrictionLatches& latches, double& largest) noexcept {
  double worst = 0;
  for (std::size_t i = 0; i < latches.normal.size(); ++i) {
    const double force = descent_.force()[static_cast<std::size_t>(latches.normal[i])];
    gap_[i] = force - latch_[i];
    worst = max(worst, abs(gap_[i]));
    largest = max(largest, force);
  }
  return worst;
}

/// By the whole gap, or by half as much as before where a gap has changed its sign without shrinking.
void LatchedDescent::move_latches(std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const bool turned = gap_[i] * last_gap_[i] < 0 && abs(gap_[i]) >= abs(last_gap_[i]);
    step_[i] = turned ? held_back * step_[i] : step_[i];
    latch_[i] = max(0.0, latch_[i] + step_[i] * gap_[i]);
    last_gap_[i] = gap_[i];
  }
}

}  // namespace trilith::solve
