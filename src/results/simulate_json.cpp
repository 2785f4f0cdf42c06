#include "results/simulate_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "results/state_json.h"

namespace trilith::results {
namespace {

using io::Json;

constexpr std::size_t most_shown = 12;  // coordinates in the text; the JSON has all of them

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json telemetry_json(const dynamics::RunReport& report, bool constraints, bool exact) {
  const dynamics::Telemetry& t = report.telemetry;
  // without constraints nothing penetrates, creeps or is solved for: there is nothing to measure
  const double steps = std::max<double>(1, static_cast<double>(report.steps));
  return Json::Object{{"penetration_max_m", constraints ? Json(t.penetration) : Json()},
                      {"limit_violation_max", t.limit_violation},
                      {"equality_residual_max", constraints ? Json(t.equality_residual) : Json()},
                      {"creep_m_s", constraints ? Json(t.creep) : Json()},
                      {"gap_bound_J", constraints ? Json(t.gap_bound) : Json()},
                      {"latch_gap_N", constraints && exact ? Json(t.latch_gap) : Json()},
                      {"iterations_mean", static_cast<double>(t.iterations) / steps},
                      {"contacts_mean", static_cast<double>(t.touches) / steps},
                      {"unfinished_solves", static_cast<double>(t.unfinished)},
                      {"steps_without_room", static_cast<double>(t.overfull)},
                      {"energy_start_J", t.energy_start},
                      {"energy_end_J", t.energy_end}};
}

/// The last step by both laws.
Json resolutions_json(const std::optional<dynamics::ResolutionDifference>& d) {
  if (!d) return {};
  return Json::Object{{"normal_force_N", d->normal_force},
                      {"normal_force_convex_N", d->normal_force_convex},
                      {"friction_N", d->friction},
                      {"friction_convex_N", d->friction_convex},
                      {"lift_m_s2", d->lift}};
}

Json sensors_json(const model::Model& model, std::span<const double> data) {
  Json json = Json::Object{};
  for (std::size_t i = 0; i < model.sensors.size(); ++i) {
    const model::Sensor& sensor = model.sensors[i];
    const auto first = static_cast<std::size_t>(sensor.first), count = static_cast<std::size_t>(sensor.dimension);
    json.set(sensor.name.empty() ? "sensor " + std::to_string(i) : sensor.name, numbers_json(data.subspan(first, count)));
  }
  return json;
}

}  // namespace

Json run_options_json(const dynamics::RunOptions& o) {
  using dynamics::name;
  const model::SimulationOptions& s = o.simulation;
  return Json::Object{{"timestep", s.timestep},
                      {"integrator", name(s.integrator)},
                      {"solver", name(s.solver)},
                      {"cone", name(s.cone)},
                      {"contact", name(o.contact)},
                      {"impratio", o.impratio},
                      {"iterations", s.iterations},
                      {"tolerance", s.tolerance},
                      {"ls_iterations", s.ls_iterations},
                      {"ls_tolerance", s.ls_tolerance},
                      {"noslip_iterations", s.noslip_iterations},
                      {"torsional", o.torsional},
                      {"rolling", o.rolling},
                      {"timeconst", or_null(o.time_constant)},
                      {"max_contacts", or_null(o.max_contacts)},
                      {"stop", name(o.stop)},
                      {"sparse", name(o.sparse)},
                      {"mujoco", o.mujoco},
                      {"constraints", s.constraints},
                      {"limits", s.limits},
                      {"gravity", Json::Array{s.gravity.x, s.gravity.y, s.gravity.z}}};
}

Json simulate_json(const SimulateAnswer& answer, const dynamics::Simulator& simulator) {
  const model::Model& model = *simulator.system().model;
  const dynamics::State& state = simulator.state();
  Json::Array warnings;
  for (const Warning& warning : answer.warnings) warnings.push_back(Json::Object{{"what", warning.what}, {"where", warning.where}});
  Json final = Json::Object{{"qpos", numbers_json(state.q)}, {"qvel", numbers_json(state.v)}, {"act", numbers_json(state.act)}};
  if (!model.sensors.empty()) final.set("sensors", sensors_json(model, simulator.workspace().sensors));
  return Json::Object{{"schema", "trilith.simulate/1"},
                      {"engine", TRILITH_VERSION},
                      {"input", answer.input},
                      {"input_sha256", model.sha256},
                      {"settings", run_options_json(answer.options)},
                      {"status", name(answer.report.status)},
                      {"reason", answer.reason.empty() ? Json() : Json(answer.reason)},
                      {"steps", static_cast<double>(answer.report.steps)},
                      {"time", state.time},
                      {"batch", answer.batch},
                      {"final", std::move(final)},
                      {"telemetry", telemetry_json(answer.report, simulator.system().options.constraints,
                                                   answer.options.contact == dynamics::ContactResolution::signorini)},
                      {"last_step_by_both_laws", resolutions_json(answer.convex)},
                      {"steps_per_second", answer.steps_per_second},
                      {"warnings", std::move(warnings)}};
}

std::string simulate_text(const SimulateAnswer& answer, const dynamics::Simulator& simulator) {
  const dynamics::State& state = simulator.state();
  std::string text = fmt::format("{}: {} after {} steps, t = {}\n", escape(answer.input), name(answer.report.status), answer.report.steps,
                                 format_quantity(state.time, "s"));
  if (!answer.reason.empty()) text += fmt::format("  {}\n", answer.reason);
  text += fmt::format("  integrator {}, time step {}; {:.4g} steps per second\n", dynamics::name(answer.options.simulation.integrator),
                      format_quantity(answer.options.simulation.timestep, "s"), answer.steps_per_second);
  text += fmt::format("  energy {} at the start, {} at the end\n", format_quantity(answer.report.telemetry.energy_start, "J"),
                      format_quantity(answer.report.telemetry.energy_end, "J"));
  if (answer.report.telemetry.limit_violation > 0)
    text += fmt::format("  a joint was outside its range by {}\n", format_quantity(answer.report.telemetry.limit_violation, "rad or m"));
  text += "  qpos";
  for (std::size_t i = 0; i < state.q.size() && i < most_shown; ++i) text += fmt::format(" {:.6g}", state.q[i]);
  if (state.q.size() > most_shown) text += fmt::format(" ... and {} more (--json FILE has all)", state.q.size() - most_shown);
  return text + "\n";
}

}  // namespace trilith::results
