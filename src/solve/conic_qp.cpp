// Quadratic and conic programs through the self-dual embedding (IPM-1), (QP-1)..(QP-6).
#include "solve/conic_qp.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/lanes.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

/// One solve with the bounds that take part.
class Round final : public ConicWatcher {
 public:
  Round(const certify::QuadraticProgram& program, const std::vector<bool>& bounds, const ConicQpSettings& settings)
      : settings_(settings), program_(program, bounds, settings.program) {}

  ConicQpReport run(const Deadline& deadline) {
    if (program_.contradiction()) return {SolveStatus::primal_infeasible, 0, *program_.contradiction()};
    iteration_.emplace(program_.system().rows(), program_.unknowns(), settings_.steps);
    problem_ = program_.problem();
    iteration_->start(problem_, {});
    const ConicRun run = run_conic(problem_, program_.system(), settings_.limits, deadline, *iteration_, *this);
    report_.status = run.status;
    report_.iterations = run.iterations;
    conclude(report_);
    return report_;
  }

 private:
  /// A test is met. A solution is kept and bettered while each step halves its misfit.
  SolveStatus evaluated(int, const SelfDual::Step& step) noexcept override {
    const ConicMisfit misfit = measure_misfit(*iteration_, step, problem_);
    const bool halved = misfit.solution <= 0.5 * best_;
    if (misfit.solution < best_) {
      best_ = misfit.solution;
      best_point_ = program_.solution(*iteration_);
    }
    if (best_ <= settings_.tolerance) return !halved || best_ <= settings_.enough ? SolveStatus::solved : SolveStatus::not_run;
    if (misfit.contradiction <= settings_.ray_tolerance) {
      report_.point = program_.infeasibility_ray(*iteration_);
      return SolveStatus::primal_infeasible;
    }
    if (misfit.unbounded > settings_.ray_tolerance) return SolveStatus::not_run;
    report_.point = program_.unbounded_ray(iteration_->x());
    return SolveStatus::dual_infeasible;
  }

  /// A direction that neither the cost curves along nor any row sees, and along which the cost falls (IPM-8).
  SolveStatus factored(int k, const SelfDual::Step&, const linalg::FactorReport& factor) noexcept override {
    if (k > 0 || factor.dropped_pivots == 0) return SolveStatus::not_run;
    std::vector<double> direction(static_cast<std::size_t>(program_.unknowns()));
    if (!(iteration_->find_free_fall(problem_, program_.system(), direction) > settings_.ray_tolerance)) return SolveStatus::not_run;
    report_.point = program_.unbounded_ray(direction);
    return SolveStatus::dual_infeasible;
  }

  /// Where no ray ended the loop: the best point on the way, as what it is.
  void conclude(ConicQpReport& report) const {
    if (report.status == SolveStatus::primal_infeasible || report.status == SolveStatus::dual_infeasible || best_point_.x.empty()) return;
    report.point = best_point_;
    if (best_ <= settings_.tolerance)
      report.status = SolveStatus::solved;
    else if (best_ <= settings_.inaccurate && report.status != SolveStatus::time_limit)
      report.status = SolveStatus::solved_inaccurate;
  }

  const ConicQpSettings& settings_;
  ConicProgram program_;
  ConicProblem problem_{};
  std::optional<SelfDual> iteration_;
  ConicQpReport report_;
  double best_ = std::numeric_limits<double>::infinity();
  ProgramPoint best_point_;
};

/// Bounds without the far ones: a bound this far away is seldom met and spoils the start. Lower and upper of each row in turn. (QP-6)
std::vector<bool> near_bounds(const certify::QuadraticProgram& program, double far_bound) {
  const auto n = static_cast<std::size_t>(program.variables), m = static_cast<std::size_t>(program.rows);
  std::vector<double> distance(2 * m, 0.0);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < m; ++i) {
    double squared = 0;
    for (std::size_t j = 0; j < n; ++j) squared += program.A[i * n + j] * program.A[i * n + j];
    const double length = sqrt(squared);
    for (const std::size_t side : {0, 1}) {
      const double bound = side == 0 ? program.lower[i] : program.upper[i];
      if (!std::isfinite(bound) || !(length > 0)) continue;
      distance[2 * i + side] = abs(bound) / length;
      if (bound != 0) smallest = std::min(smallest, abs(bound) / length);
    }
  }
  for (const certify::NormBound& bound : program.norms)
    if (bound.radius > 0) smallest = std::min(smallest, bound.radius);
  std::vector<bool> wanted(2 * m);
  for (std::size_t k = 0; k < wanted.size(); ++k) wanted[k] = !(distance[k] > far_bound * smallest);
  return wanted;
}

/// Adds the bounds that x passes; false where it passes none.
bool add_passed_bounds(const certify::QuadraticProgram& program, std::span<const double> x, double tolerance, std::vector<bool>& wanted) {
  const auto n = static_cast<std::size_t>(program.variables);
  bool any = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(program.rows); ++i) {
    double value = 0;
    for (std::size_t j = 0; j < n; ++j) value += program.A[i * n + j] * x[j];
    for (const std::size_t side : {0, 1}) {
      const double bound = side == 0 ? program.lower[i] : program.upper[i], over = side == 0 ? bound - value : value - bound;
      if (wanted[2 * i + side] || !(over > tolerance * abs(bound))) continue;
      wanted[2 * i + side] = true;
      any = true;
    }
  }
  return any;
}

}  // namespace

ConicQpReport solve_conic_qp(const certify::QuadraticProgram& program, const ConicQpSettings& settings, const Deadline& deadline) {
  std::vector<bool> wanted = near_bounds(program, settings.far_bound);
  int iterations = 0;
  for (int round = 0;; ++round) {
    if (round >= settings.far_rounds) wanted.assign(wanted.size(), true);
    const bool all = std::find(wanted.begin(), wanted.end(), false) == wanted.end();
    ConicQpReport report = Round(program, wanted, settings).run(deadline);
    iterations += report.iterations;
    report.iterations = iterations;
    if (all || report.status == SolveStatus::primal_infeasible || report.status == SolveStatus::time_limit) return report;
    if (report.status != SolveStatus::solved)
      wanted.assign(wanted.size(), true);
    else if (!add_passed_bounds(program, report.point.x, settings.tolerance, wanted))
      return report;
  }
}

}  // namespace trilith::solve
