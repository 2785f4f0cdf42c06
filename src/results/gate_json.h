#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/json.h"
#include "statics/gate.h"

namespace trilith::results {

/// A seat that was asked for, and what came of it.
struct RatedSeat {
  std::string id;
  statics::SeatReport report;
};

/// The answer of `trilith gate`: the first seat is what the gate says; with candidates they are ranked.
struct GateAnswer {
  std::string stone, support;  ///< as the caller named them
  std::string sha256;          ///< of the stone's file
  std::vector<RatedSeat> seats;
  bool candidates = false;                    ///< the seats came from the caller
  std::optional<statics::SeatReport> placed;  ///< by the placing rule, over or under the first seat; none: no face to rest on
  std::vector<Warning> warnings;
};

/// The JSON result of `trilith gate` (schema trilith.gate/1).
io::Json gate_json(const statics::GateScene& scene, const GateAnswer& answer);
/// The same for people.
std::string gate_text(const statics::GateScene& scene, const GateAnswer& answer);

}  // namespace trilith::results
