// Operator splitting on stacked rows (ADM-1)..(ADM-7).
#include "solve/admm.h"

#include <algorithm>

#include "base/check.h"
#include "base/lanes.h"
#include "rows/mechanism.h"
#include "rows/violation.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

bool finite(double v) noexcept { return abs(v) <= std::numeric_limits<double>::max(); }

/// The part of a row vector that belongs to a group.
std::span<double> part_of(std::vector<double>& rows, const rows::RowGroup& group) {
  return std::span(rows).subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count));
}

}  // namespace

AdmmState::AdmmState(int unknowns, std::size_t rows) {
  for (auto* v : {&x, &x_ray, &tilde_, &right_, &gradient_, &x_before_, &work_}) v->assign(static_cast<std::size_t>(unknowns), 0.0);
  for (auto* v : {&z, &y, &y_ray, &weight_, &row_, &y_before_}) v->assign(rows, 0.0);
}

void AdmmState::clear() noexcept {
  for (auto* v : {&x, &z, &y, &x_ray, &y_ray}) std::fill(v->begin(), v->end(), 0.0);
  rho = 0;
}

/// One solve: the stages of an iteration, and the tests between them.
class AdmmLoop {
 public:
  AdmmLoop(WeightedSystem& system, const AdmmProblem& problem, AdmmState& state, const AdmmSettings& settings) noexcept
      : system_(system), problem_(problem), s_(state), settings_(settings) {
    TRI_CHECK(problem.q.size() == s_.x.size() && s_.x.size() == static_cast<std::size_t>(system.unknowns()));
    TRI_CHECK(s_.z.size() == system.rows());
  }

  AdmmReport run(const Deadline& deadline, AdmmWatcher& watcher) noexcept {
    report_.status = SolveStatus::iteration_limit;
    if (!(s_.rho > 0)) s_.rho = settings_.rho;
    if (!factor()) return report_;
    s_.x_before_ = s_.x;
    s_.y_before_ = s_.y;
    for (int k = 1; k <= settings_.iteration_limit; ++k) {
      const bool groups_rest = iterate();
      report_.iterations = k;
      if (settings_.exit_rule == ExitRule::per_group && groups_rest && end(SolveStatus::solved)) break;
      if (k % settings_.check_interval != 0 && k != settings_.iteration_limit) continue;
      if (deadline.passed() && end(SolveStatus::time_limit)) break;
      if (check(watcher)) break;
      if (k % settings_.rho_interval == 0 && settings_.rho_rule == RhoRule::by_five && !follow_residuals()) break;
    }
    if (settings_.rho_rule == RhoRule::by_square_root) follow_absolute_residuals();
    return report_;
  }

  /// row_ = G x, z = its projection.
  void start() noexcept {
    system_.apply(s_.x, s_.row_);
    std::copy(s_.y.begin(), s_.y.end(), s_.y_before_.begin());
    for (const AdmmGroup& group : problem_.groups) rows::reset_duals(group.rows, s_.row_, duals(group));
    std::copy(s_.y_before_.begin(), s_.y_before_.end(), s_.y.begin());
  }

 private:
  rows::GroupDuals duals(const AdmmGroup& group) noexcept { return {part_of(s_.y, group.rows), part_of(s_.z, group.rows)}; }

  bool end(SolveStatus status) noexcept {
    report_.status = status;
    return true;
  }

  bool factor() noexcept {
    std::fill(s_.weight_.begin(), s_.weight_.end(), 0.0);
    for (const AdmmGroup& group : problem_.groups) {
      const auto rows = part_of(s_.weight_, group.rows);
      std::fill(rows.begin(), rows.end(), s_.rho * group.rho_factor);
    }
    system_.set_proximal(settings_.proximal);
    system_.set_weights({RowWeights::Shape::diagonal, s_.weight_});
    ++report_.factorizations;
    if (!system_.factor().finite) report_.status = SolveStatus::numerical_failure;
    return report_.status != SolveStatus::numerical_failure;
  }

  /// x-update, relaxation, projection onto the sets, multipliers (ADM-2, ADM-3). True where every group is at rest on its own scale
  /// (ADM-5).
  bool iterate() noexcept {
    const double a = settings_.relaxation;
    for (std::size_t i = 0; i < s_.row_.size(); ++i) s_.row_[i] = s_.weight_[i] * s_.z[i] - s_.y[i];
    system_.apply_transposed(s_.row_, s_.tilde_);
    for (std::size_t j = 0; j < s_.x.size(); ++j) s_.tilde_[j] += settings_.proximal * s_.x[j] - problem_.q[j];
    system_.solve(s_.tilde_, 1);
    const bool converged = system_.converged();
    if (!converged) ++report_.unconverged;
    system_.apply(s_.tilde_, s_.row_);
    for (std::size_t j = 0; j < s_.x.size(); ++j) s_.x[j] = a * s_.tilde_[j] + (1 - a) * s_.x[j];
    for (std::size_t i = 0; i < s_.row_.size(); ++i) s_.row_[i] = a * s_.row_[i] + (1 - a) * s_.z[i];

    bool rest = converged;
    step_primal_ = step_dual_ = 0;
    for (const AdmmGroup& group : problem_.groups) {
      const rows::MechanismParameters parameters{.rho = s_.rho * group.rho_factor, .softness = group.softness, .R = {}};
      const rows::DualStep step = rows::update_duals(group.rows, parameters, s_.row_, duals(group));
      step_primal_ = max(step_primal_, step.primal);
      step_dual_ = max(step_dual_, step.dual);
      if (settings_.exit_rule != ExitRule::per_group) continue;
      const double scale = largest_of(part_of(s_.z, group.rows));
      rest = rest && settings_.tol_abs + settings_.tol_rel > 0 && step.primal <= settings_.tol_abs + settings_.tol_rel * scale &&
             step.dual <= settings_.tol_abs + settings_.tol_rel * parameters.rho * scale;
    }
    return rest;
  }

  /// Residuals and rays; true where one of them ends the loop.
  bool check(AdmmWatcher& watcher) noexcept {
    measure();
    if (!finite(report_.primal) || !finite(report_.dual)) return end(SolveStatus::numerical_failure);
    const bool global = settings_.exit_rule == ExitRule::global;
    if (global && report_.primal <= settings_.tol_abs + settings_.tol_rel * primal_scale_ &&
        report_.dual <= settings_.tol_abs + settings_.tol_rel * dual_scale_)
      return end(SolveStatus::solved);
    if (watcher.good_enough(s_)) return end(SolveStatus::solved);
    for (std::size_t i = 0; i < s_.y.size(); ++i) s_.y_ray[i] = s_.y[i] - s_.y_before_[i];
    for (std::size_t j = 0; j < s_.x.size(); ++j) s_.x_ray[j] = s_.x[j] - s_.x_before_[j];
    std::copy(s_.y.begin(), s_.y.end(), s_.y_before_.begin());
    std::copy(s_.x.begin(), s_.x.end(), s_.x_before_.begin());
    if (settings_.infeasibility_tolerance <= 0) return false;
    if (is_contradiction() && watcher.accept_contradiction(s_.y_ray)) return end(SolveStatus::primal_infeasible);
    if (is_unbounded() && watcher.accept_unbounded(s_.x_ray)) return end(SolveStatus::dual_infeasible);
    return false;
  }

  /// (ADM-4)
  void measure() noexcept {
    system_.apply(s_.x, s_.row_);
    report_.primal = 0;
    for (std::size_t i = 0; i < s_.row_.size(); ++i) raise(abs(s_.row_[i] - s_.z[i]), report_.primal);
    primal_scale_ = max(largest_of(s_.row_), largest_of(s_.z));
    system_.apply_quadratic(s_.x, s_.gradient_);
    system_.apply_transposed(s_.y, s_.work_);
    report_.dual = 0;
    for (std::size_t j = 0; j < s_.x.size(); ++j) raise(abs(s_.gradient_[j] + problem_.q[j] + s_.work_[j]), report_.dual);
    dual_scale_ = std::max({largest_of(s_.gradient_), largest_of(s_.work_), largest_of(problem_.q)});
  }

  /// Along y_ray the rows contradict each other (ADM-6).
  bool is_contradiction() noexcept {
    const double allowed = settings_.infeasibility_tolerance * largest_of(s_.y_ray);
    if (!(allowed > 0)) return false;
    double support = 0, violation = 0;
    for (const AdmmGroup& group : problem_.groups) {
      const rows::PolarMeasure polar = rows::measure_polar(group.rows, s_.y_ray);
      support += polar.support;
      violation = max(violation, polar.violation.max);
    }
    if (!(support < -allowed) || !(violation <= allowed)) return false;
    system_.apply_transposed(s_.y_ray, s_.work_);
    return largest_of(s_.work_) <= allowed;
  }

  /// Along x_ray the cost falls for ever (ADM-7).
  bool is_unbounded() noexcept {
    const double allowed = settings_.infeasibility_tolerance * largest_of(s_.x_ray);
    if (!(allowed > 0) || !(dot_of(problem_.q, s_.x_ray) < -allowed)) return false;
    system_.apply_quadratic(s_.x_ray, s_.work_);
    if (!(largest_of(s_.work_) <= allowed)) return false;
    system_.apply(s_.x_ray, s_.row_);
    for (const AdmmGroup& group : problem_.groups)
      if (!(rows::measure_recession(group.rows, s_.row_).max <= allowed)) return false;
    return true;
  }

  /// Seed 000's rule; false where the new factor is of no use.
  bool follow_residuals() noexcept {
    const double primal = report_.primal / max(primal_scale_, std::numeric_limits<double>::min());
    const double dual = report_.dual / max(dual_scale_, std::numeric_limits<double>::min());
    double next = s_.rho;
    if (primal > settings_.rho_ratio * dual) next *= settings_.rho_step;
    if (dual > settings_.rho_ratio * primal) next /= settings_.rho_step;
    next = std::clamp(next, settings_.least_rho, settings_.largest_rho);
    if (next == s_.rho || report_.factorizations > settings_.most_refactorizations) return true;
    s_.rho = next;
    return factor();
  }

  /// Seed 001's rule, for the next solve.
  void follow_absolute_residuals() noexcept {
    if (!(step_primal_ > 0) || !(step_dual_ > 0)) return;
    const double ratio = step_primal_ / step_dual_;
    if (ratio <= settings_.root_ratio && ratio >= 1 / settings_.root_ratio) return;
    s_.rho = std::clamp(s_.rho * sqrt(ratio), settings_.rho / settings_.root_reach, settings_.rho * settings_.root_reach);
  }

  WeightedSystem& system_;
  const AdmmProblem& problem_;
  AdmmState& s_;
  const AdmmSettings& settings_;
  AdmmReport report_;
  double primal_scale_ = 0, dual_scale_ = 0;
  double step_primal_ = 0, step_dual_ = 0;
};

AdmmReport admm(WeightedSystem& system, const AdmmProblem& problem, AdmmState& state, const AdmmSettings& settings,
                const Deadline& deadline, AdmmWatcher& watcher) noexcept {
  return AdmmLoop(system, problem, state, settings).run(deadline, watcher);
}

void start_admm(WeightedSystem& system, const AdmmProblem& problem, AdmmState& state) noexcept {
  AdmmLoop(system, problem, state, {}).start();
}

}  // namespace trilith::solve
