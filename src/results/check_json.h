#pragma once
#include <span>

#include "io/json.h"
#include "model/assembly.h"
#include "statics/check.h"

namespace trilith::results {

/// Times of a whole check, seconds of wall time.
struct CheckTimes {
  double read = 0, interfaces = 0, solve = 0, verify = 0;
};

/// What decided the answer besides the assembly: echoed in every file that the program writes.
struct CheckEcho {
  std::string solver = "auto";
  double tolerance = 0;     ///< 0: the default of each rung
  double time_limit_s = 0;  ///< 0: none
};

/// The JSON result of `trilith check` (DESIGN section 6; schema trilith.check/1).
io::Json check_json(const model::Assembly& assembly, const statics::CheckResult& result, const CheckTimes& times, const CheckEcho& echo);

/// The settings that a reader needs to repeat the check: friction, density, gravity, unit, supports added, tolerances.
/// Null: not known, because the answer came before the file was read.
io::Json settings_json(const model::Assembly& assembly, const CheckEcho& echo);

/// How it falls: {bodies [{id, velocity, piece, piece_power}], joints}; only ratios of velocities matter. Null where it does not fall by a
/// motion.
io::Json collapse_json(const model::Assembly& assembly, const statics::CheckResult& result);
/// Bodies with their velocities, and joints, of a collapse: only ratios of velocities matter. `motion`: per block. Null where nothing
/// moves.
io::Json collapse_json(const model::Assembly& assembly, const statics::Collapse& collapse, std::span<const certify::Velocity> motion);

/// Warnings as [{what, where}].
io::Json warnings_json(const std::vector<Warning>& warnings);

}  // namespace trilith::results
