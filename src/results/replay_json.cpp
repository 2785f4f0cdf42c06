#include "results/replay_json.h"

#include <fmt/format.h>

#include "base/text.h"

namespace trilith::results {
namespace {

using io::Json;

bool ended_early(const ReplayAnswer& answer) {
  return answer.report.status == dynamics::RunStatus::time_limit || answer.report.status == dynamics::RunStatus::interrupted;
}

}  // namespace

Json replay_json(const ReplayAnswer& answer) {
  Json difference;
  if (const auto& d = answer.difference)
    difference = Json::Object{
        {"step", static_cast<double>(d->step)}, {"key", d->key}, {"index", d->index}, {"recorded", d->recorded}, {"computed", d->computed}};
  Json::Array warnings;
  for (const Warning& warning : answer.warnings) warnings.push_back(Json::Object{{"what", warning.what}, {"where", warning.where}});
  const bool undecided = !answer.difference && ended_early(answer);
  return Json::Object{{"schema", "trilith.replay/1"},
                      {"engine", TRILITH_VERSION},
                      {"record", answer.record},
                      {"status", name(answer.report.status)},
                      {"identical", undecided ? Json() : Json(!answer.difference.has_value())},
                      {"compared", answer.compared},
                      {"steps", static_cast<double>(answer.report.steps)},
                      {"first_difference", std::move(difference)},
                      {"warnings", std::move(warnings)}};
}

std::string replay_text(const ReplayAnswer& answer) {
  const std::string source = escape(answer.record);
  if (const auto& d = answer.difference) {
    if (d->key == "step") return fmt::format("{}: DIFFERS: one of the two has no state at step {}\n", source, d->step);
    return fmt::format("{}: DIFFERS at step {}: {}[{}] was {}, is {}\n", source, d->step, d->key, d->index, format_double(d->recorded),
                       format_double(d->computed));
  }
  if (ended_early(answer))
    return fmt::format("{}: {} after {} steps; the same so far\n", source, name(answer.report.status), answer.report.steps);
  return fmt::format("{}: the same, bit for bit: {} states, {} steps\n", source, answer.compared, answer.report.steps);
}

}  // namespace trilith::results
