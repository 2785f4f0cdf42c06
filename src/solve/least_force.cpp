// Least-cost contact forces by Newton's method on the dual (PEN-2), rays (PEN-3).
#include "solve/least_force.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/lanes.h"
#include "rows/visit.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

constexpr std::size_t lane_step = rows::patch_lanes;

/// Place of the upper triangle of a point's slope, entry 00, given the place of its normal force.
std::size_t slope_place(std::size_t at) { return at / rows::slot_rows * 6 * lane_step + at % lane_step; }

}  // namespace

LeastForce::LeastForce(const LeastForceProblem& problem, const LeastForceSettings& settings) : problem_(problem), settings_(settings) {
  const std::size_t rows = problem.rows.size(), unknowns = 6 * static_cast<std::size_t>(problem.rows.blocks());
  TRI_CHECK(problem.cone.first == 0 && problem.cone.block == 3 && static_cast<std::size_t>(problem.cone.blocks()) == problem.place.size());
  for (auto* v : {&velocity_, &change_, &force_}) v->assign(rows, 0.0);
  weights_.assign(2 * rows, 0.0);
  pulling_.assign(problem.place.size(), 0.0);
  direction_.assign(unknowns, 0.0);
  gradient_.assign(unknowns, 0.0);
}

/// Forces at velocity_ + length change_, with their slopes where asked; returns half their cost, the dual without the load.
double LeastForce::evaluate(double length, bool with_slopes) noexcept {
  const ForceCost& h = problem_.cost;
  const cones::Block<double, 3> metric = {{h.pressing, h.tangential, h.tangential}};
  double value = 0;
  std::size_t p = 0;
  rows::for_each_block(problem_.cone, [&](const auto& set, std::int32_t) {
    if constexpr (std::remove_cvref_t<decltype(set)>::dim == 3) {
      const std::size_t at = problem_.place[p];
      cones::Block<double, 3> u;
      for (std::size_t i = 0; i < 3; ++i) u[static_cast<int>(i)] = velocity_[at + i * lane_step] + length * change_[at + i * lane_step];
      const auto pulled = cones::Block<double, 3>{{u[0] / h.pressing, u[1] / h.tangential, u[2] / h.tangential}};
      const cones::Projection<double, 3> foot = set.projection(pulled, metric);
      const double minus = problem_.pulling ? std::max(0.0, -u[0] / h.pulling) : 0.0;
      const auto& f = foot.point;
      value += 0.5 * (h.pressing * f[0] * f[0] + h.tangential * (f[1] * f[1] + f[2] * f[2]) + h.pulling * minus * minus);
      force_[at] = f[0] - minus;
      force_[at + lane_step] = f[1];
      force_[at + 2 * lane_step] = f[2];
      pulling_[p] = minus;
      if (with_slopes) {
        double* w = weights_.data() + slope_place(at);
        const auto& m = foot.slope.m;
        const double upper[6] = {m[0][0] + (minus > 0 ? 1 / h.pulling : 0.0), m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]};
        for (std::size_t i = 0; i < 6; ++i) w[i * lane_step] = upper[i];
      }
      ++p;
    }
  });
  return value;
}

/// gradient_ = load - A f - ridge y, minus the gradient of the dual; its largest entry.
double LeastForce::imbalance(WeightedSystem& bodies, std::span<const double> y) noexcept {
  bodies.apply_transposed(force_, gradient_);
  double worst = 0;
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    gradient_[i] = problem_.load[i] - gradient_[i] - ridge_ * y[i];
    const double v = abs(gradient_[i]);
    if (!(v <= worst)) worst = v == v ? v : std::numeric_limits<double>::infinity();
  }
  return worst;
}

/// A step length along direction_: 1 where the dual falls enough, else near the zero of its slope, or as far as was tried where there is
/// none.
double LeastForce::search(std::span<const double> y, double slope) noexcept {
  const double load = dot_of(direction_, problem_.load), along = ridge_ * dot_of(direction_, y),
               across = ridge_ * dot_of(direction_, direction_);
  double low = 0, high = 0, at_low = slope, at_high = 0, length = 1;
  for (int k = 0; k < settings_.search_limit; ++k) {
    const double now = evaluate(length, false) + length * (along + 0.5 * length * across - load);
    const double s = dot_of(change_, force_) + along + length * across - load;
    // a full step that brings enough, unless the slope goes on nearly as it began: then there may be no end
    if (k == 0 && now - value_ <= settings_.decrease * slope && s >= settings_.slope_kept * slope) return length;
    if (abs(s) <= settings_.slope_left * -slope) return length;
    if (s > 0) {
      high = length;
      at_high = s;
    } else {
      low = length;
      at_low = s;
    }
    if (high == 0) {
      length *= 4;
    } else {
      const double secant = low + (high - low) * (at_low / (at_low - at_high));
      length = std::clamp(secant, low + 0.1 * (high - low), high - 0.1 * (high - low));
    }
  }
  return low > 0 ? low : length;
}

/// y moves the load with positive power against no cone (PEN-3).
bool LeastForce::try_ray(std::span<const double> y, std::span<const double> velocity, LeastForceReport& report) noexcept {
  const double power = dot_of(y, problem_.load);
  if (!(power > 0)) return false;
  double worst = 0;
  std::size_t p = 0;
  rows::for_each_block(problem_.cone, [&](const auto& set, std::int32_t) {
    if constexpr (std::remove_cvref_t<decltype(set)>::dim == 3) {
      const std::size_t at = problem_.place[p++];
      const cones::Block<double, 3> u = {{velocity[at], velocity[at + lane_step], velocity[at + 2 * lane_step]}};
      worst = max(worst, set.polar_violation(u));
      if (problem_.pulling) worst = max(worst, -u[0]);
    }
  });
  const double factor = worst > 0 ? power / (worst * problem_.rows.blocks()) : std::numeric_limits<double>::infinity();
  report.force_factor = max(report.force_factor, factor);
  return factor >= settings_.least_force_factor;
}

/// One Newton step from the point last evaluated; false where it ends the descent.
bool LeastForce::step(WeightedSystem& bodies, std::span<double> y, LeastForceReport& report) noexcept {
  const auto end = [&](SolveStatus status) {
    report.status = status;
    return false;
  };
  const double proximal = std::clamp(settings_.proximal_share * report.residual, settings_.least_proximal, settings_.largest_proximal);
  bodies.set_proximal(ridge_ > 0 ? ridge_ : proximal);
  bodies.set_weights({RowWeights::Shape::triple, weights_});
  ++report.factorizations;
  ++report.iterations;
  if (!bodies.factor().finite) return end(SolveStatus::numerical_failure);
  std::copy(gradient_.begin(), gradient_.end(), direction_.begin());
  bodies.solve(direction_, 1);
  bodies.apply(direction_, change_);
  const double slope = -dot_of(direction_, gradient_);
  if (!(slope < 0)) return end(SolveStatus::stalled);
  if (try_ray(direction_, change_, report)) {
    std::copy(direction_.begin(), direction_.end(), y.begin());
    return end(SolveStatus::primal_infeasible);
  }
  const double length = search(y, slope);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += length * direction_[i];
  return true;
}

/// Newton steps with the present ridge. Status solved: at rest.
void LeastForce::descend(WeightedSystem& bodies, const Deadline& deadline, std::span<double> y, LeastForceReport& report) noexcept {
  for (int k = 0;; ++k) {
    bodies.apply(y, velocity_);
    const double cost = evaluate(0, true);
    value_ = cost - dot_of(y, problem_.load) + 0.5 * ridge_ * dot_of(y, y);
    report.residual = imbalance(bodies, y);
    const double goal = ridge_ > 0 ? settings_.ridge_tolerance * ridge_ * largest_of(y) : settings_.tolerance;
    if (!(report.residual <= std::numeric_limits<double>::max())) {
      report.status = SolveStatus::numerical_failure;
    } else if (report.residual <= goal) {
      report.value = cost;
      report.status = SolveStatus::solved;
    } else if (try_ray(y, velocity_, report)) {
      report.status = SolveStatus::primal_infeasible;
    } else if (deadline.passed()) {
      report.status = SolveStatus::time_limit;
    } else if (k >= settings_.iteration_limit) {
      report.status = SolveStatus::iteration_limit;
    } else {
      if (step(bodies, y, report)) continue;
    }
    return;
  }
}

LeastForceReport LeastForce::solve(WeightedSystem& bodies, const Deadline& deadline, std::span<double> y) noexcept {
  TRI_CHECK(y.size() == direction_.size());
  LeastForceReport report;
  const auto open = [&report] {
    return report.status == SolveStatus::iteration_limit || report.status == SolveStatus::stalled || report.status == SolveStatus::solved;
  };
  ridge_ = 0;
  descend(bodies, deadline, y, report);
  if (report.status == SolveStatus::solved || !open()) return report;

  // with a ridge there always is a minimum; times the ridge it tends to the imbalance that no forces take away
  std::fill(y.begin(), y.end(), 0.0);
  for (ridge_ = settings_.first_ridge; ridge_ >= settings_.last_ridge && open(); ridge_ *= settings_.ridge_step) {
    descend(bodies, deadline, y, report);
    if (!open()) return report;
    bodies.apply(y, velocity_);
    if (try_ray(y, velocity_, report)) {
      report.status = SolveStatus::primal_infeasible;
      return report;
    }
    for (double& v : y) v /= settings_.ridge_step;
  }
  for (double& v : y) v *= settings_.ridge_step;
  ridge_ = 0;
  descend(bodies, deadline, y, report);
  return report;
}

}  // namespace trilith::solve
