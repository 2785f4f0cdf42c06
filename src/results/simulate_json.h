#pragma once
#include <string>

#include "dynamics/run.h"
#include "dynamics/run_options.h"
#include "io/json.h"

namespace trilith::results {

/// The answer of `trilith simulate`. With a batch the state and telemetry are those of the first environment.
struct SimulateAnswer {
  std::string input;  ///< as the caller named it
  dynamics::RunOptions options;
  dynamics::RunReport report;
  double steps_per_second = 0;  ///< of all environments together
  int batch = 1;
  std::string reason;  ///< why the run ended early; empty where it did not
  std::vector<Warning> warnings;
  std::optional<dynamics::ResolutionDifference> convex = {};  ///< of the last step, by exact friction
};

/// Settings in force, as an object.
io::Json run_options_json(const dynamics::RunOptions& options);

/// The JSON result of `trilith simulate` (schema trilith.simulate/1). What constraints would measure is null.
io::Json simulate_json(const SimulateAnswer& answer, const dynamics::Simulator& simulator);
/// The same for people.
std::string simulate_text(const SimulateAnswer& answer, const dynamics::Simulator& simulator);

}  // namespace trilith::results
