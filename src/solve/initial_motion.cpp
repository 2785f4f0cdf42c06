// The motion nearest to free fall, by the conic iteration with the mass matrix as its quadratic (IPM-1), (RBE-15).
#include "solve/initial_motion.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/lanes.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

/// Measures the motion -x of every iterate.
class MotionWatcher final : public ConicWatcher {
 public:
  MotionWatcher(const ForceProblem& problem, const ConicView& view, const SelfDual& iteration, const InitialMotionSettings& settings,
                InitialMotionReport& report)
      : problem_(problem), view_(view), iteration_(iteration), settings_(settings), report_(report) {}

  SolveStatus evaluated(int, const SelfDual::Step& step) noexcept override {
    report_.gap = std::numeric_limits<double>::infinity();
    const double violation = interior_point_kernel_of(active_isa()).motion_violation(view_, iteration_.velocity().data());
    report_.force_factor = force_factor_of(problem_, iteration_.x(), violation);
    if (!(report_.force_factor > 0)) return SolveStatus::not_run;
    // at the solution the kinetic energy is half the power
    const double kinetic = 0.5 * step.curvature / iteration_.tau();
    report_.gap = abs(2 * kinetic - dot_of(problem_.load, iteration_.x())) / kinetic;
    return report_.gap <= settings_.gap && report_.force_factor >= settings_.least_force_factor ? SolveStatus::solved
                                                                                                : SolveStatus::not_run;
  }

 private:
  const ForceProblem& problem_;
  const ConicView& view_;
  const SelfDual& iteration_;
  const InitialMotionSettings& settings_;
  InitialMotionReport& report_;
};

}  // namespace

InitialMotionReport find_initial_motion(const ForceProblem& problem, WeightedSystem& system, const InitialMotionSettings& settings,
                                        const Deadline& deadline, std::span<double> velocity) {
  TRI_CHECK(problem.load.size() == velocity.size() && system.rows() == problem.rows.size());
  std::fill(velocity.begin(), velocity.end(), 0.0);
  std::vector<double> mu(problem.rows.groups().size() * rows::patch_lanes);
  write_reduced_mu(problem.rows, settings.margin, mu);
  const ConicView view{problem.rows.groups().data(), problem.rows.slots().data(), static_cast<int>(problem.rows.groups().size()),
                       mu.data()};
  const ConicProblem embedding{view, problem.rows.points(), problem.load};
  SelfDual iteration(problem.rows.size(), system.unknowns(), settings.steps);
  iteration.start(embedding, {});

  InitialMotionReport report;
  MotionWatcher watcher(problem, view, iteration, settings, report);
  const ConicRun run = run_conic(embedding, system, settings.limits, deadline, iteration, watcher);
  report.status = run.status;
  report.factorizations = run.factorizations;
  const bool rough = report.gap <= settings.rough_gap && report.force_factor >= settings.rough_force_factor;
  if (report.status != SolveStatus::solved && rough) report.status = SolveStatus::solved_inaccurate;
  if (report.status == SolveStatus::solved || report.status == SolveStatus::solved_inaccurate) write_motion(iteration.x(), velocity);
  return report;
}

}  // namespace trilith::solve
