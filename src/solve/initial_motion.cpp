// The motion nearest to free fall, by the conic iteration with the mass matrix as its quadratic (IPM-1), (RBE-15).
#include "solve/initial_motion.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/lanes.h"

namespace trilith::solve {
namespace {

struct Measure {
  double gap = std::numeric_limits<double>::infinity(), force_factor = 0;
};

/// Relative gap of the energy 1/2 x'P x - b'x, and how strictly the motion -x is a collapse.
Measure measure(const ForceProblem& problem, const SelfDual& iteration, const SelfDual::Step& step, const ConicView& view,
                const InteriorPointKernel& kernel) {
  double power = 0;
  for (std::size_t i = 0; i < problem.load.size(); ++i) power += problem.load[i] * iteration.x()[i];
  if (!(power > 0)) return {};
  Measure found;
  const double kinetic = 0.5 * step.curvature / iteration.tau();
  found.gap = abs(2 * kinetic - power) / kinetic;
  const double violation = kernel.motion_violation(view, iteration.velocity().data());
  found.force_factor = violation > 0 ? power / (violation * problem.rows.blocks()) : std::numeric_limits<double>::infinity();
  return found;
}

}  // namespace

InitialMotionReport find_initial_motion(const ForceProblem& problem, WeightedSystem& system, const InitialMotionSettings& settings,
                                        const Deadline& deadline, std::span<double> velocity) {
  TRI_CHECK(problem.load.size() == velocity.size() && system.rows() == problem.rows.size());
  std::fill(velocity.begin(), velocity.end(), 0.0);
  std::vector<double> mu(problem.rows.groups().size() * rows::patch_lanes);
  write_reduced_mu(problem.rows, settings.margin, mu);
  const ConicView view{problem.rows.groups().data(), problem.rows.slots().data(), static_cast<int>(problem.rows.groups().size()),
                       mu.data()};
  const InteriorPointKernel& kernel = interior_point_kernel_of(active_isa());
  const ConicProblem embedding{view, problem.rows.points(), problem.load};
  SelfDual iteration(problem.rows.size(), system.unknowns(), settings.steps);
  iteration.start(embedding, {});

  InitialMotionReport report;
  report.status = SolveStatus::iteration_limit;
  for (int k = 0; k < settings.iteration_limit; ++k) {
    if (deadline.passed()) return report.status = SolveStatus::time_limit, report;
    SelfDual::Step step;
    iteration.evaluate(embedding, system, step);
    const Measure found = measure(problem, iteration, step, view, kernel);
    report.gap = found.gap;
    report.force_factor = found.force_factor;
    if (found.gap <= settings.gap && found.force_factor >= settings.least_force_factor) {
      report.status = SolveStatus::solved;
      double scale = 0;
      for (const double v : iteration.x()) scale = max(scale, abs(v));
      for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = -iteration.x()[i] / scale;
      return report;
    }
    if (!step.finite() || !iteration.factor(system).finite) return report.status = SolveStatus::numerical_failure, report;
    ++report.factorizations;
    iteration.solve_predictor(embedding, system, step);
    iteration.predict(embedding, system, step);
    iteration.combine(embedding, system, step);
    if (!(step.length >= settings.smallest_step)) return report.status = SolveStatus::stalled, report;
    iteration.advance(embedding, step);
  }
  return report;
}

}  // namespace trilith::solve
