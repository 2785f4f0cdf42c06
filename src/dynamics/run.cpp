#include "dynamics/run.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "dynamics/stages.h"

namespace trilith::dynamics {
namespace {

/// Steps between looks at the clock: without contacts a step may take less than a microsecond, with many it may take a second.
std::int64_t deadline_interval(const System& system) { return system.constraints->touches.pairs().empty() ? 64 : 1; }

RunStatus run_status_of(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return RunStatus::done;
    case StepStatus::diverged:
      return RunStatus::diverged;
    case StepStatus::singular:
      return RunStatus::singular;
    case StepStatus::unsolved:
      return RunStatus::unsolved;
  }
  return RunStatus::done;
}

/// Energy at the present state; the workspace is brought up to it.
double energy_of(Simulator& simulator) {
  (void)simulator.update();
  return kinetic_energy(simulator.system(), simulator.state(), simulator.workspace()) +
         potential_energy(simulator.system(), simulator.state(), simulator.workspace());
}

double limit_violation(const System& system, const State& state) {
  double worst = 0;
  for (const model::Joint& joint : system.model->joints) {
    if (!joint.range || (joint.kind != model::JointKind::hinge && joint.kind != model::JointKind::slide)) continue;
    const double q = state.q[static_cast<std::size_t>(joint.q)];
    worst = std::max({worst, joint.range->lower - q, q - joint.range->upper});
  }
  return worst;
}

/// What the constraints of the step that was taken say.
void measure_step(const Simulator& simulator, const ConstraintReport& step, Telemetry& telemetry) {
  const ConstraintSoftness softness = simulator.constraints().measure();
  telemetry.penetration = std::max(telemetry.penetration, softness.penetration);
  telemetry.equality_residual = std::max(telemetry.equality_residual, softness.equality_residual);
  telemetry.creep = std::max(telemetry.creep, softness.creep);
  const double h = simulator.system().options.timestep;
  if (step.descent.gap_bound > 0) telemetry.gap_bound = std::max(telemetry.gap_bound, h * h * step.descent.gap_bound);
  telemetry.latch_gap = std::max(telemetry.latch_gap, step.latch_gap);
  telemetry.iterations += step.descent.iterations + step.no_slip.iterations;
  telemetry.touches += static_cast<std::int64_t>(step.touches);
  telemetry.unfinished += step.has(SolveStatus::iteration_limit) ? 1 : 0;
  telemetry.overfull += step.touches_full || step.rows_left_out > 0 ? 1 : 0;
}

std::string quoted_body(const model::Model& model, std::int32_t body) {
  const std::string& name = model.bodies[static_cast<std::size_t>(body)].name;
  return "body " + (name.empty() ? "number " + std::to_string(body) : "\"" + name + "\"");
}

}  // namespace

std::string_view name(RunStatus status) noexcept {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::singular:
      return "singular";
    case RunStatus::unsolved:
      return "unsolved";
    case RunStatus::time_limit:
      return "time_limit";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

RunReport run(Simulator& simulator, const RunPlan& plan) {
  RunReport report;
  const auto take_control = [&](std::int64_t step) {
    if (plan.controls.empty()) return;
    const auto row = std::min(static_cast<std::size_t>(step), plan.controls.size() - 1);
    TRI_CHECK(plan.controls[row].size() == simulator.state().ctrl.size());
    std::ranges::copy(plan.controls[row], simulator.state().ctrl.begin());
  };
  const auto record = [&](std::int64_t step) {
    report.telemetry.limit_violation = std::max(report.telemetry.limit_violation, limit_violation(simulator.system(), simulator.state()));
    if (plan.record) plan.record(step, simulator.state());
  };
  take_control(0);
  report.telemetry.energy_start = energy_of(simulator);
  record(0);
  const std::int64_t look = deadline_interval(simulator.system());
  const double start = wall_seconds();
  while (report.steps < plan.steps) {
    if (report.steps % look == 0 && plan.deadline.passed()) {
      report.status = interrupt_requested() ? RunStatus::interrupted : RunStatus::time_limit;
      break;
    }
    take_control(report.steps);
    report.last = simulator.step();
    report.status = run_status_of(report.last.status);
    if (report.status != RunStatus::done) break;
    ++report.steps;
    measure_step(simulator, report.last.constraints, report.telemetry);
    if (report.steps % plan.every == 0 && report.steps != plan.steps) record(report.steps);
  }
  report.seconds = wall_seconds() - start;
  if (report.steps > 0) record(report.steps);
  report.telemetry.energy_end = energy_of(simulator);
  return report;
}

std::string describe_end(const Simulator& simulator, const RunReport& report) {
  const model::Model& model = *simulator.system().model;
  const std::string when = " at t = " + format_quantity(simulator.state().time, "s");
  switch (report.status) {
    case RunStatus::done:
      return "";
    case RunStatus::time_limit:
      return "the time limit came" + when;
    case RunStatus::interrupted:
      return "interrupted" + when;
    case RunStatus::singular:
      return "the mass matrix cannot be factored" + when + ": something without mass or armature moves";
    case RunStatus::unsolved:
      return "the accelerations under constraints cannot be solved for" + when + ": masses or stiffnesses are too far apart";
    case RunStatus::diverged:
      break;
  }
  const std::string bound = " is not finite or beyond " + format_double(simulator.system().settings.divergence);
  if (report.last.part == DivergedPart::control) return "diverged" + when + ": control " + std::to_string(report.last.index) + bound;
  const std::string part = report.last.part == DivergedPart::position   ? "position"
                           : report.last.part == DivergedPart::velocity ? "velocity"
                                                                        : "acceleration";
  return "diverged" + when + ": the " + part + " of " + quoted_body(model, body_of_dof(model, report.last.index)) + bound;
}

}  // namespace trilith::dynamics
