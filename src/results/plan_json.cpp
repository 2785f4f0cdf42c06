#include "results/plan_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "results/state_json.h"

namespace trilith::results {
namespace {

using io::Json;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// States or inputs, a row per knot.
Json rows_json(const PlanEntryAnswer& e, bool inputs) {
  Json::Array rows;
  const std::size_t nx = size_of(e.sizes.state()), nu = size_of(e.sizes.inputs);
  for (std::size_t k = 0; k + (inputs ? 1 : 0) < size_of(e.knots); ++k)
    rows.push_back(numbers_json(std::span(e.xu).subspan(k * (nx + nu) + (inputs ? nx : 0), inputs ? nu : nx)));
  return rows;
}

Json violations_json(const PlanEntryAnswer& e) {
  Json::Array list;
  for (const control::LimitViolation& v : e.violations)
    list.push_back(Json::Object{{"group", v.group},
                                {"unit", v.unit},
                                {"max", v.max},
                                {"sum", v.sum},
                                {"knot", v.knot < 0 ? Json() : Json(v.knot)},
                                {"row", v.row < 0 ? Json() : Json(v.row)}});
  return list;
}

Json start_json(const PlanEntryAnswer& e) {
  Json::Array list;
  for (const control::StartViolation& v : e.start)
    list.push_back(Json::Object{{"joint", v.joint}, {"quantity", v.quantity}, {"value", v.value}});
  return list;
}

Json gain_json(const PlanEntryAnswer& e) {
  if (e.K0.empty()) return {};
  Json::Array rows;
  const std::size_t columns = e.K0.size() / size_of(e.sizes.inputs);
  for (std::size_t i = 0; i < e.K0.size(); i += columns) rows.push_back(numbers_json(std::span(e.K0).subspan(i, columns)));
  return rows;
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void add_entry(const PlanEntryAnswer& e, Json& json) {
  json.set("status", name(e.status));
  json.set("x", rows_json(e, false)), json.set("u", rows_json(e, true));
  json.set("cost", number_or_null(e.cost)), json.set("iterations", e.iterations), json.set("defect_max", number_or_null(e.defect_max));
  json.set("violations", violations_json(e)), json.set("initial_violation", start_json(e));
  json.set("goal", e.goal_residual ? Json(Json::Object{{"reached", e.goal_reached}, {"residual", *e.goal_residual}}) : Json());
  json.set("clearance_min_dense", Json());
  json.set("K0", gain_json(e)), json.set("V0", e.V0 ? Json(*e.V0) : Json());
}

std::string reason(const PlanEntryAnswer& e) {
  switch (e.status) {
    case control::PlanStatus::solved:
      return "solved";
    case control::PlanStatus::goal_not_reached:
      return fmt::format("the goal is not reached: {:.4g} rad or m are left", e.goal_residual.value_or(0));
    case control::PlanStatus::infeasible:
      return "infeasible";
    case control::PlanStatus::iteration_limit:
      return "not solved: the iterations ended first, or a limit is not kept";
    case control::PlanStatus::time_limit:
      return "not solved: the time was up";
    case control::PlanStatus::numerical_failure:
      return "not solved: the trajectory or its cost is not finite";
  }
  return "";
}

}  // namespace

Json plan_json(const PlanAnswer& answer) {
  Json json = Json::Object{
      {"schema", "trilith.plan-result/1"},
      {"engine", TRILITH_VERSION},
      {"input", answer.input},
      {"input_sha256", answer.input_sha256},
      {"robot_sha256", answer.robot_sha256.empty() ? Json() : Json(answer.robot_sha256)},
      {"settings", Json::Object{{"mechanism", answer.mechanism}, {"max_iterations", answer.most_iterations}, {"dt", answer.dt}}}};
  add_entry(answer.entries.front(), json);
  Json::Array batch;
  for (std::size_t i = 1; answer.batch && i < answer.entries.size(); ++i) {
    Json entry = Json::Object{};
    add_entry(answer.entries[i], entry);
    batch.push_back(std::move(entry));
  }
  json.set("batch", answer.batch ? Json(std::move(batch)) : Json());
  json.set("time_s", answer.time_s);
  Json::Array warnings;
  for (const Warning& w : answer.warnings) warnings.push_back(Json::Object{{"what", w.what}, {"where", w.where}});
  json.set("warnings", std::move(warnings));
  return json;
}

std::string plan_text(const PlanAnswer& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.entries.size(); ++i) {
    const PlanEntryAnswer& e = answer.entries[i];
    text += fmt::format("{}{}: {}.\n", escape(answer.input), i == 0 ? "" : fmt::format(" batch {}", i - 1), reason(e));
    text += fmt::format("  {} iterations, cost {:.8g}, largest defect {:.3g}", e.iterations, e.cost, e.defect_max);
    text += e.goal_residual ? fmt::format(", {:.4g} rad or m from the goal\n", *e.goal_residual) : std::string("\n");
    for (const control::LimitViolation& v : e.violations)
      if (v.max > 0)
        text += fmt::format("  {} is outside its limit by up to {}, at knot {}\n", v.group, format_quantity(v.max, v.unit), v.knot);
    for (const control::StartViolation& v : e.start)
      text += fmt::format("  {} of joint {} starts outside its limit by {:.4g}\n", v.quantity, escape(v.joint), v.value);
  }
  return text + fmt::format("  time {:.4g} s\n", answer.time_s);
}

std::string iteration_table(const control::Statistics& s, int entry, int entries) {
  std::string text = fmt::format("{:>5} {:>14} {:>10} {:>14} {:>10} {:>9} {:>10} {:>7}\n", "iter", "cost", "defect", "merit", "step",
                                 "alpha", "rho", "linsys");
  const int count = s.sqp_iters[size_of(entry)];
  for (int i = 0; i < count; ++i) {
    const std::size_t at = size_of(i) * size_of(entries) + size_of(entry);
    const double length = s.step_size[at];
    text += fmt::format("{:>5} {:>14.7g} {:>10.2e} {:>14.7g} {:>10.2e} {:>9} {:>10.2e} {:>7}\n", i + 1, s.cost[at], s.defect_max[at],
                        s.min_merit[at], s.step_norm[at],
                        length < 0    ? "-"
                        : length == 0 ? "end"
                                      : fmt::format("{:.4g}", length),
                        s.proximal[at], s.pcg_iters[at]);
  }
  return text;
}

}  // namespace trilith::results
