#pragma once
#include <memory>
#include <optional>
#include <string>

#include "dynamics/simulator.h"
#include "dynamics/terms.h"
#include "io/json.h"
#include "model/model.h"

namespace trilith::results {

/// What `trilith inspect` found.
struct InspectAnswer {
  std::string input;                     ///< file as the caller named it
  std::string options;                   ///< what the caller set above the file, in words; empty: nothing
  std::vector<Posed> X_WB;               ///< poses of bodies at the state, or in the default pose
  std::optional<dynamics::Terms> terms;  ///< with --state
  bool derivatives = false;
  /// With --state: springs, dampers, actuators, contacts and constraints, updated there.
  std::shared_ptr<const dynamics::Simulator> simulator;
  std::vector<Warning> warnings;  ///< of the state and of the terms, beside those of the model
};

/// The JSON result (schema trilith.inspect/1). Keys: docs/conventions.md.
io::Json inspect_json(const model::Model& model, const InspectAnswer& answer);

/// For people: tables of bodies, joints and actuators, then the terms in short.
std::string inspect_text(const model::Model& model, const InspectAnswer& answer);

}  // namespace trilith::results
