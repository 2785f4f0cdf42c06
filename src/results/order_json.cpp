#include "results/order_json.h"

#include <fmt/format.h>

#include "base/text.h"
#include "results/check_text.h"

namespace trilith::results {
namespace {

using io::Json;

constexpr std::size_t steps_shown = 40;  // a longer order is cut short in the text; the JSON has all of it

const std::string& id_of(const model::Assembly& assembly, std::uint32_t block) { return assembly.blocks[block].id; }

Json ids_json(const model::Assembly& assembly, const std::vector<std::uint32_t>& blocks) {
  Json::Array ids;
  for (const std::uint32_t block : blocks) ids.emplace_back(id_of(assembly, block));
  return ids;
}

Json steps_json(const model::Assembly& assembly, const statics::OrderResult& result) {
  Json::Array rows;
  for (const statics::OrderStep& step : result.steps) {
    Json::Object row{{"id", id_of(assembly, step.block)},
                     {"verdict", name(step.verdict)},
                     {"margin", step.margin && step.margin->value ? Json(*step.margin->value) : Json()},
                     {"props", ids_json(assembly, step.props)}};
    if (step.margin && !step.margin->value) row.emplace_back("margin_reason", step.margin->why_none);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json props_json(const model::Assembly& assembly, const statics::OrderResult& result) {
  Json::Array rows;
  for (const statics::Prop& prop : result.props)
    rows.push_back(Json::Object{{"id", id_of(assembly, prop.block)}, {"from_step", prop.from}, {"until_step", prop.until}});
  return rows;
}

Json failure_json(const model::Assembly& assembly, const statics::OrderResult& result) {
  if (!result.failure) return {};
  const statics::OrderFailure& failure = *result.failure;
  Json::Array loose;
  for (const auto& group : failure.result.unsupported)
    for (const std::uint32_t block : group) loose.emplace_back(failure.state.blocks[block].id);
  return Json::Object{{"step", failure.step},
                      {"id", id_of(assembly, failure.block)},
                      {"collapse", collapse_json(failure.state, failure.result)},
                      {"unsupported", std::move(loose)},
                      {"statement", failure.result.verification.statement}};
}

std::string_view outcome_name(statics::OrderOutcome outcome) {
  switch (outcome) {
    case statics::OrderOutcome::stands:
      return "stands";
    case statics::OrderOutcome::with_props:
      return "with_props";
    case statics::OrderOutcome::falls:
      return "falls";
    case statics::OrderOutcome::incomplete:
      return "incomplete";
    case statics::OrderOutcome::undecided:
      return "undecided";
  }
  return "undecided";
}

std::string steps_text(const model::Assembly& assembly, const statics::OrderResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.steps.size() && i < steps_shown; ++i) {
    const statics::OrderStep& step = result.steps[i];
    text += fmt::format("  {:>4}  {:<16} {}", i + 1, escape(id_of(assembly, step.block)), name(step.verdict));
    if (step.margin && step.margin->value) text += fmt::format(", takes {:.4g} of its weight sideways", *step.margin->value);
    if (step.margin && !step.margin->value) text += ", " + escape(step.margin->why_none);
    for (std::size_t k = 0; k < step.props.size(); ++k) text += (k == 0 ? ", held: " : ", ") + escape(id_of(assembly, step.props[k]));
    text += "\n";
  }
  if (result.steps.size() > steps_shown)
    text += fmt::format("  and {} more steps (--json lists them)\n", result.steps.size() - steps_shown);
  return text;
}

std::string props_text(const model::Assembly& assembly, const statics::OrderResult& result) {
  std::string text;
  for (const statics::Prop& prop : result.props) {
    const std::string from = escape(id_of(assembly, prop.block));
    text += prop.until > static_cast<int>(result.steps.size())
                ? fmt::format("  hold {} from step {} on\n", from, prop.from)
                : fmt::format("  hold {} from step {} until step {} ({}) is done\n", from, prop.from, prop.until,
                              escape(id_of(assembly, result.steps[static_cast<std::size_t>(prop.until) - 1].block)));
  }
  return text;
}

std::string failure_text(const model::Assembly& assembly, const statics::OrderResult& result, bool given) {
  if (!result.failure) return "";
  return fmt::format("{} step {}, {}:\n{}", given ? "The first state that falls:" : "Without props the furthest way ends at",
                     result.failure->step, escape(id_of(assembly, result.failure->block)),
                     fall_text(result.failure->state, result.failure->result));
}

}  // namespace

io::Json order_json(const model::Assembly& assembly, const statics::OrderResult& result, bool given, const CheckEcho& echo,
                    const std::vector<Warning>& warnings) {
  std::vector<std::uint32_t> order;
  for (const statics::OrderStep& step : result.steps) order.push_back(step.block);
  return Json::Object{{"schema", "trilith.order/1"},
                      {"engine", TRILITH_VERSION},
                      {"input", assembly.source},
                      {"input_sha256", assembly.sha256.empty() ? Json() : Json(assembly.sha256)},
                      {"settings", settings_json(assembly, echo)},
                      {"outcome", outcome_name(result.outcome)},
                      {"given", given},
                      {"order", ids_json(assembly, order)},
                      {"steps", steps_json(assembly, result)},
                      {"props", props_json(assembly, result)},
                      {"fewest_props", result.fewest_props},
                      {"first_failure", failure_json(assembly, result)},
                      {"reason", result.reason},
                      {"status", name(result.status)},
                      {"checks", result.checks},
                      {"time_s", result.seconds},
                      {"warnings", warnings_json(warnings)}};
}

std::string order_text(const model::Assembly& assembly, const statics::OrderResult& result, bool given) {
  std::string text = fmt::format("{}: {}.\n", escape(assembly.source), escape(result.reason));
  text += steps_text(assembly, result);
  text += props_text(assembly, result);
  text += failure_text(assembly, result, given);
  if (!result.props.empty()) text += "  A prop is taken to hold its block in every way, like a support.\n";
  return text + fmt::format("  {} checks in {:.4f} s.\n", result.checks, result.seconds);
}

}  // namespace trilith::results
