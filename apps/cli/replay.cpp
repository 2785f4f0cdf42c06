#include <filesystem>
#include <memory>

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
#include "results/replay_json.h"
#include "results/state_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"RECORD", "JSON lines that trilith simulate --record wrote"}};
constexpr Option own_options[] = {
    {"--model", "FILE", "the model, where it has moved (else as the record names it, also beside the record)", false, true},
    {"--package", "FOLDER", "where package:// names of URDF files are looked for", true},
    {"--time-limit", "S", "give up after this many seconds: exit 2"},
};

/// The model's file: as asked for, as the record names it, or of that name in the record's folder.
std::string find_model(const Arguments& arguments, const std::string& record_path, const std::string& named) {
  if (const auto given = arguments.text("--model")) return *given;
  std::error_code none;
  if (std::filesystem::exists(named, none)) return named;
  const std::filesystem::path beside = std::filesystem::path(record_path).parent_path() / std::filesystem::path(named).filename();
  return std::filesystem::exists(beside, none) ? beside.string() : named;
}

Result<std::unique_ptr<dynamics::Simulator>> prepare(const results::Record& record, const std::string& model_path,
                                                     const std::vector<std::string>& packages, const std::string& where) {
  auto loaded = io::load_model(model_path, load_options(packages), record.header.model_options);
  if (!loaded) return loaded.errors();
  auto model = std::make_shared<const model::Model>(std::move(loaded).value());
  if (model->sha256 != record.header.sha256)
    return Error{"is not the model of the record: its SHA-256 is " + model->sha256 + ", the record's " + record.header.sha256, model_path};
  const auto options = dynamics::resolve_run_options(model->options, record.header.overrides);
  if (!options) return options.errors();
  const auto made = dynamics::make_system(model, options.value().simulation, dynamics::constraint_settings(options.value()));
  if (!made) return made.errors();
  auto simulator = std::make_unique<dynamics::Simulator>(made.value().system);
  const auto told = results::read_state(record.state, where, *model, simulator->state());
  if (!told) return told.errors();
  for (const std::vector<double>& row : record.header.controls)
    if (row.size() != simulator->state().ctrl.size()) return Error{"a row of controls has the wrong length", where};
  return simulator;
}

Exit exit_of(const results::ReplayAnswer& answer) {
  if (answer.difference) return Exit::no;
  if (answer.report.status == dynamics::RunStatus::interrupted) return Exit::interrupted;
  return answer.report.status == dynamics::RunStatus::time_limit ? Exit::undecided : Exit::yes;
}

}  // namespace

Exit replay(std::span<char*> words) {
  auto parsed = parse_arguments(
      {"replay", "Runs a record again and compares every state, bit for bit.", positionals, own_options, "trilith replay run.jsonl"},
      words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const auto time_limit = read_time_limit(arguments);
  (void)read_threads(arguments);
  if (arguments.failed()) return Exit::usage;

  const std::string& path = arguments.positional(0);
  const auto text = io::read_file(path);
  if (!text) return report_errors(text.errors());
  const auto record = results::read_record(text.value(), path);
  if (!record) return report_errors(record.errors());
  const results::RecordHeader& header = record.value().header;
  auto simulator = prepare(record.value(), find_model(arguments, path, header.input), arguments.texts("--package"), path);
  if (!simulator) return report_errors(simulator.errors());

  results::ReplayAnswer answer;
  answer.record = path;
  if (header.engine != TRILITH_VERSION)
    answer.warnings.push_back({"was written by version " + header.engine + ", this is " TRILITH_VERSION, path});
  const std::vector<results::RecordLine>& lines = record.value().lines;
  dynamics::RunPlan plan{header.steps, header.controls, time_limit ? Deadline::after(*time_limit) : Deadline{}, header.every, nullptr};
  plan.record = [&](std::int64_t step, const dynamics::State& state) {
    if (answer.difference) return;
    if (answer.compared >= lines.size() || lines[answer.compared].step != step) {
      answer.difference = results::RecordDifference{step, "step", 0, 0, 0};
      return;
    }
    answer.difference = results::compare_line(lines[answer.compared++], state);
  };
  answer.report = dynamics::run(*simulator.value(), plan);
  const bool whole = answer.report.status != dynamics::RunStatus::time_limit && answer.report.status != dynamics::RunStatus::interrupted;
  if (whole && !answer.difference && answer.compared < lines.size())
    answer.difference = results::RecordDifference{lines[answer.compared].step, "step", 0, 0, 0};
  report_warnings(answer.warnings);
  return write_result(arguments, results::replay_json(answer), results::replay_text(answer), exit_of(answer));
}

}  // namespace trilith::cli
