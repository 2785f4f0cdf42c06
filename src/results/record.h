#pragma once
#include <string>
#include <vector>

#include "dynamics/run.h"
#include "dynamics/run_options.h"
#include "io/json.h"

/// Recorded runs: JSON lines. The first line is the start (step 0) and carries, beside `step`, `time`, `qpos`, `qvel`, all that decides the
/// run: `schema` (trilith.record/1), `engine`, `input`, `input_sha256`, `settings`, `state` (complete) and `controls`. Every further line
/// has `step`, `time`, `qpos`, `qvel`. Numbers read back to the same doubles.
namespace trilith::results {

inline constexpr std::string_view record_schema = "trilith.record/1";

/// What decides a run besides the model.
struct RecordHeader {
  std::string input;   ///< the model's file as the caller named it
  std::string sha256;  ///< of the model
  std::string engine;  ///< version that wrote the record
  dynamics::RunOverrides overrides;
  model::ModelOptions model_options;
  std::int64_t steps = 0, every = 1;
  std::vector<std::vector<double>> controls;
};

/// One recorded state.
struct RecordLine {
  std::int64_t step = 0;
  double time = 0;
  std::vector<double> q, v;
};

struct Record {
  RecordHeader header;
  io::Json state;  ///< at the start, for `read_state`
  std::vector<RecordLine> lines;
};

/// The lines of a record, each with its newline.
std::string first_line(const RecordHeader& header, const model::Model& model, const dynamics::State& state);
std::string next_line(std::int64_t step, const dynamics::State& state);

/// Reads a record; every line must be whole.
Result<Record> read_record(std::string_view text, const std::string& where);

/// First difference between a recorded run and another one.
struct RecordDifference {
  std::int64_t step = 0;
  std::string key;  ///< "time", "qpos", "qvel", or "step" where the line itself is missing
  std::size_t index = 0;
  double recorded = 0, computed = 0;
};
/// Nothing where the state has the recorded line's bits.
std::optional<RecordDifference> compare_line(const RecordLine& line, const dynamics::State& state);

/// What the options say, as an object: `settings` of records and of results. Only what was said.
io::Json overrides_json(const dynamics::RunOverrides& overrides, const model::ModelOptions& options);

}  // namespace trilith::results
