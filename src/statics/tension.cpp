// Least tension that lets an assembly stand. Equations: (RBE-16)
#include "statics/tension.h"

#include <algorithm>

#include "base/lanes.h"
#include "constraints/contact_rows.h"
#include "solve/body_graph.h"
#include "solve/bordered_cones.h"
#include "solve/bordered_system.h"
#include "solve/connectivity.h"
#include "solve/self_dual.h"

namespace trilith::statics {
namespace {

constexpr int lanes = rows::patch_lanes;

std::vector<double> friction_of(const rows::PatchRows& rows) {
  std::vector<double> mu;
  for (const rows::PatchGroup& group : rows.groups()) mu.insert(mu.end(), group.mu, group.mu + lanes);
  return mu;
}

/// A n, the wrench of a unit push at every contact point.
std::vector<double> unit_push(const rows::PatchRows& rows, const solve::BodyGraph& system) {
  std::vector<double> push(rows.size(), 0.0), wrench(static_cast<std::size_t>(system.unknowns()));
  for (std::size_t slot = 0; slot < rows.slots().size(); ++slot)
    for (int lane = 0; lane < lanes; ++lane) push[slot * rows::slot_rows + static_cast<std::size_t>(lane)] = rows.slots()[slot].used[lane];
  system.apply_transposed(push, wrench);
  return wrench;
}

/// Ends at a small misfit, or at a motion that no pull resists: there the dual has no upper bound.
class TensionWatcher final : public solve::ConicWatcher {
 public:
  TensionWatcher(const solve::ConicProblem& problem, solve::BorderedSystem& system, solve::SelfDual& iteration,
                 const TensionSettings& settings)
      : problem_(problem), system_(system), iteration_(iteration), settings_(settings), y_(problem.load.size()) {}

  SolveStatus evaluated(int, const solve::SelfDual::Step& step) noexcept override {
    const solve::ConicMisfit misfit = solve::measure_misfit(iteration_, step, problem_);
    if (misfit.solution <= settings_.tolerance) return SolveStatus::solved;
    return misfit.unbounded <= settings_.ray_tolerance ? SolveStatus::primal_infeasible : SolveStatus::not_run;
  }
  SolveStatus factored(int k, const solve::SelfDual::Step&, const linalg::FactorReport& factor) noexcept override {
    if (k > 0 || factor.dropped_pivots == 0) return SolveStatus::not_run;
    return iteration_.find_free_fall(problem_, system_, y_) > settings_.ray_tolerance ? SolveStatus::primal_infeasible
                                                                                      : SolveStatus::not_run;
  }

 private:
  const solve::ConicProblem& problem_;
  solve::BorderedSystem& system_;
  solve::SelfDual& iteration_;
  const TensionSettings& settings_;
  std::vector<double> y_;
};

/// Joints with f_n = g_n - t < 0 somewhere.
void list_joints(const model::Assembly& assembly, const constraints::ContactRows& contacts, const solve::SelfDual& iteration, double t,
                 const TensionSettings& settings, TensionReport& report) {
  std::vector<double> force(iteration.force().begin(), iteration.force().end() - rows::slot_rows);
  for (double& f : force) f /= iteration.tau();
  std::vector<Vec3d> points(static_cast<std::size_t>(contacts.first_vertex.back()));
  constraints::write_forces(contacts, force, points);
  for (std::uint32_t i = 0; i < assembly.interfaces.size(); ++i) {
    double pull = 0;
    for (int k = contacts.first_vertex[i]; k < contacts.first_vertex[i + 1]; ++k)
      pull = std::max(pull, t * contacts.weight_N - points[static_cast<std::size_t>(k)].x);
    const bool free = !assembly.blocks[assembly.interfaces[i].a].fixed || !assembly.blocks[assembly.interfaces[i].b].fixed;
    if (free && pull > settings.shown * report.value_N) report.joints.push_back({i, pull});
  }
  std::sort(report.joints.begin(), report.joints.end(), [](const TensionReport::Joint& a, const TensionReport::Joint& b) {
    return a.tension_N > b.tension_N || (a.tension_N == b.tension_N && a.interface < b.interface);
  });
}

}  // namespace

TensionReport find_tension(const model::Assembly& assembly, const TensionSettings& settings, const Deadline& deadline) {
  TensionReport report;
  const constraints::ContactRows contacts = constraints::make_contact_rows(assembly);
  if (contacts.block_of_body.empty()) {
    report.status = SolveStatus::solved;
    return report;
  }
  if (!solve::find_floating(contacts.rows).supported()) {
    report.status = SolveStatus::primal_infeasible;  // no joint to pull at
    return report;
  }
  solve::BodyGraphSettings near_limits;
  near_limits.factor.pivot_tolerance = settings.pivot_tolerance;
  solve::BodyGraph base(contacts.rows, near_limits);
  std::vector<double> row = unit_push(contacts.rows, base);
  for (double& v : row) v = -v;
  solve::BorderedSystem system(base, std::move(row));
  const solve::BorderedCones cones(contacts.rows, friction_of(contacts.rows));
  std::vector<double> offset(system.rows(), 0.0);
  offset[system.border()] = 1;
  const solve::ConicProblem problem{cones.view(), cones.points(), contacts.load, offset};
  solve::SelfDual iteration(system.rows(), system.unknowns(), {});
  iteration.start(problem, {});
  TensionWatcher watcher(problem, system, iteration, settings);
  report.status = solve::run_conic(problem, system, {.iteration_limit = settings.iteration_limit}, deadline, iteration, watcher).status;
  if (report.status != SolveStatus::solved) return report;
  const double t = iteration.z()[system.border()] / iteration.tau();
  report.value_N = t * contacts.weight_N;
  list_joints(assembly, contacts, iteration, t, settings, report);
  return report;
}

}  // namespace trilith::statics
