#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "cli/watchdog.h"
#include "dynamics/constraint_settings.h"
#include "dynamics/run.h"
#include "io/file.h"
#include "io/load_model.h"
#include "results/record.h"
#include "results/simulate_json.h"
#include "results/state_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"MODEL", "MJCF or URDF"}};
constexpr Option own_options[] = {
    {"--time", "T", "simulate so many seconds (1)"},
    {"--steps", "N", "simulate so many steps"},
    {"--state", "FILE", "start: JSON with qpos, qvel, ctrl, act, time, ...", false, true},
    {"--keyframe", "N", "start: the model's keyframe of this number"},
    {"--controls", "FILE", "JSON lines, one array of controls per step; the last one is held", false, true},
    {"--record", "FILE", "write the states as JSON lines; trilith replay runs them again"},
    {"--every", "K", "record every K-th step (1), the first and the last always"},
    {"--batch", "N", "simulate N copies side by side, for timing"},
    {"--package", "FOLDER", "where package:// names of URDF files are looked for", true},
    {"--time-limit", "S", "give up after this many seconds: exit 2"},
};

constexpr int most_steps = 2'000'000'000;
constexpr int most_copies = 1'000'000;

struct Request {
  std::string path;
  dynamics::RunOverrides overrides;
  model::ModelOptions model_options;
  std::vector<std::string> packages;
  std::optional<double> time, time_limit;
  std::optional<int> steps, keyframe;
  std::optional<std::string> state, controls, record;
  int every = 1, batch = 1, threads = 1;
};

std::optional<Request> read_request(Arguments& arguments) {
  Request r;
  r.path = arguments.positional(0);
  r.overrides = read_run_overrides(arguments);
  r.model_options = read_model_options(arguments);
  r.packages = arguments.texts("--package");
  r.time = arguments.number("--time");
  r.steps = arguments.integer("--steps", 0, most_steps);
  if (r.time && r.steps) arguments.refuse("--steps", "cannot go with --time");
  if (r.time && !(*r.time >= 0)) arguments.refuse("--time", "must be 0 or more seconds");
  r.keyframe = arguments.integer("--keyframe", 0, most_steps);
  r.state = arguments.text("--state");
  if (r.state && r.keyframe) arguments.refuse("--keyframe", "cannot go with --state");
  r.controls = arguments.text("--controls");
  r.record = arguments.text("--record");
  r.every = arguments.integer("--every", 1, most_steps).value_or(1);
  r.batch = arguments.integer("--batch", 1, most_copies).value_or(1);
  r.threads = read_threads(arguments);
  r.time_limit = read_time_limit(arguments);
  if (arguments.failed()) return std::nullopt;
  return r;
}

/// One array of nu numbers per line.
Result<std::vector<std::vector<double>>> read_controls(const std::string& path, std::int32_t count) {
  const auto text = io::read_file(path);
  if (!text) return text.errors();
  std::vector<std::vector<double>> rows;
  std::string_view rest = text.value();
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    const std::string_view words = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::string place = path + ":" + std::to_string(line);
    const auto json = io::parse_json(words, place);
    if (!json) return json.errors();
    std::vector<double>& row = rows.emplace_back();
    if (json.value().array() == nullptr) return Error{"needs an array of controls", place};
    for (const io::Json& entry : *json.value().array()) {
      if (entry.number() == nullptr) return Error{"controls are numbers", place};
      row.push_back(*entry.number());
    }
    if (row.size() != static_cast<std::size_t>(count))
      return Error{"needs " + std::to_string(count) + " controls, got " + std::to_string(row.size()), place};
  }
  if (rows.empty()) return Error{"holds no controls: expected an array a line", path};
  return rows;
}

/// Everything that a run needs, made from a request or from a record.
struct Prepared {
  std::shared_ptr<const dynamics::System> system;
  dynamics::RunOptions options;
  std::vector<Warning> warnings;
};

Result<Prepared> prepare(const Request& request) {
  auto loaded = io::load_model(request.path, load_options(request.packages), request.model_options);
  if (!loaded) return loaded.errors();
  auto model = std::make_shared<const model::Model>(std::move(loaded).value());
  const auto options = dynamics::resolve_run_options(model->options, request.overrides);
  if (!options) return options.errors();
  Prepared prepared;
  prepared.options = options.value();
  prepared.warnings = model->warnings;
  prepared.warnings.insert(prepared.warnings.end(), prepared.options.warnings.begin(), prepared.options.warnings.end());
  const auto made = dynamics::make_system(model, prepared.options.simulation, dynamics::constraint_settings(prepared.options));
  if (!made) return made.errors();
  prepared.system = made.value().system;
  prepared.warnings.insert(prepared.warnings.end(), made.value().warnings.begin(), made.value().warnings.end());
  return prepared;
}

Result<std::vector<Warning>> set_start(const Request& request, const model::Model& model, dynamics::State& state) {
  if (request.keyframe) {
    if (static_cast<std::size_t>(*request.keyframe) >= model.keyframes.size())
      return Error{
          "the model has " + std::to_string(model.keyframes.size()) + " keyframes, there is no number " + std::to_string(*request.keyframe),
          "--keyframe"};
    dynamics::apply_keyframe(model, model.keyframes[static_cast<std::size_t>(*request.keyframe)], state);
  }
  if (!request.state) return std::vector<Warning>{};
  const auto text = io::read_file(*request.state);
  if (!text) return text.errors();
  const auto json = io::parse_json(text.value(), *request.state);
  if (!json) return json.errors();
  return results::read_state(json.value(), *request.state, model, state);
}

std::int64_t steps_of(const Request& request, double timestep) {
  if (request.steps) return *request.steps;
  const double count = request.time.value_or(1) / timestep;
  return static_cast<std::int64_t>(std::min(count + 0.5, static_cast<double>(most_steps)));
}

/// Runs the copies beyond the first, which are not recorded, and returns the seconds that all took together.
double run_batch(const Prepared& prepared, const dynamics::State& start, const dynamics::RunPlan& plan, int copies, int threads) {
  dynamics::RunPlan quiet = plan;
  quiet.record = nullptr;
  const double begin = wall_seconds();
  parallel_for(copies, threads, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t i = first; i < last; ++i) {
      dynamics::Simulator copy(prepared.system);
      copy.state() = start;
      (void)dynamics::run(copy, quiet);
    }
  });
  return wall_seconds() - begin;
}

Exit exit_of(dynamics::RunStatus status) {
  if (status == dynamics::RunStatus::done) return Exit::yes;
  return status == dynamics::RunStatus::interrupted ? Exit::interrupted : Exit::undecided;
}

Exit run_and_write(const Arguments& arguments, const Request& request, Prepared& prepared, dynamics::Simulator& simulator,
                   const std::vector<std::vector<double>>& controls) {
  const model::Model& model = *prepared.system->model;
  const dynamics::State start = simulator.state();
  std::string recorded;
  const results::RecordHeader header{request.path,          model.sha256,
                                     TRILITH_VERSION,       request.overrides,
                                     request.model_options, steps_of(request, prepared.options.simulation.timestep),
                                     request.every,         controls};
  dynamics::RunPlan plan{header.steps, controls, request.time_limit ? Deadline::after(*request.time_limit) : Deadline{}, request.every,
                         nullptr};
  if (request.record)
    plan.record = [&](std::int64_t step, const dynamics::State& state) {
      recorded += step == 0 ? results::first_line(header, model, state) : results::next_line(step, state);
    };
  results::SimulateAnswer answer{request.path, prepared.options, dynamics::run(simulator, plan), 0, request.batch, "", prepared.warnings};
  if (answer.report.steps > 0) answer.convex = simulator.compare_resolutions();
  double seconds = answer.report.seconds;
  if (request.batch > 1) seconds = run_batch(prepared, start, plan, request.batch, request.threads);
  const double steps = static_cast<double>(answer.report.steps) * request.batch;
  answer.steps_per_second = seconds > 0 ? steps / seconds : 0;
  answer.reason = dynamics::describe_end(simulator, answer.report);
  if (const std::int64_t full = answer.report.telemetry.overfull; full > 0)
    answer.warnings.push_back(
        {fmt::format("contacts were left out in {} of {} steps for want of room: raise --max-contacts", full, answer.report.steps),
         request.path});
  report_warnings(answer.warnings);
  if (!answer.reason.empty()) std::fprintf(stderr, "trilith: %s: %s\n", escape(request.path).c_str(), answer.reason.c_str());
  if (request.record && write_output_file(arguments, *request.record, recorded) != Exit::yes) return Exit::io_failed;
  return write_result(arguments, results::simulate_json(answer, simulator), results::simulate_text(answer, simulator),
                      exit_of(answer.report.status));
}

}  // namespace

Exit simulate(std::span<char*> words) {
  const auto options = with_run_options(own_options);
  auto parsed = parse_arguments({"simulate", "How does it move? Runs a model and records it.", positionals, options,
                                 "trilith simulate arm.xml --time 2 --record run.jsonl --every 10"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const std::optional<Request> request = read_request(arguments);
  if (!request) return Exit::usage;
  if (const Exit unwritable = check_outputs(arguments, {"--json", "--record"}); unwritable != Exit::yes) return unwritable;

  auto prepared = prepare(*request);
  if (!prepared) return report_errors(prepared.errors());
  dynamics::Simulator simulator(prepared.value().system);
  const model::Model& model = *prepared.value().system->model;
  const auto told = set_start(*request, model, simulator.state());
  if (!told) return report_errors(told.errors());
  std::vector<Warning>& warnings = prepared.value().warnings;
  warnings.insert(warnings.end(), told.value().begin(), told.value().end());
  std::vector<std::vector<double>> controls;
  if (request->controls) {
    auto rows = read_controls(*request->controls, model.sizes.nu);
    if (!rows) return report_errors(rows.errors());
    controls = std::move(rows).value();
    if (static_cast<std::int64_t>(controls.size()) < steps_of(*request, prepared.value().options.simulation.timestep))
      warnings.push_back({"has fewer rows than the run has steps: the last one is held", *request->controls});
  }
  return run_and_write(arguments, *request, prepared.value(), simulator, controls);
}

}  // namespace trilith::cli
