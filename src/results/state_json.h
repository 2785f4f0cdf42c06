#pragma once
#include "dynamics/state.h"
#include "io/json.h"

namespace trilith::results {

/// Every vector of a state under the names of the program's files: time, qpos, qvel, act, ctrl, qacc_warmstart, mocap_pos, mocap_quat,
/// qfrc_applied, xfrc_applied (per body force and moment about its centre of mass). The last two only where they are not zero.
io::Json state_json(const model::Model& model, const dynamics::State& state);

/// Takes what `json` has over `state`; what it leaves out (or gives as null) stays. Unknown keys are warnings (`tau` and `a` are of
/// `inspect` and are not read here); wrong lengths and numbers that are not finite are errors. `where`: the file, for messages. Quaternions
/// are scaled to length 1, with a warning where that changes them.
Result<std::vector<Warning>> read_state(const io::Json& json, const std::string& where, const model::Model& model, dynamics::State& state);

/// [x, ...]
io::Json numbers_json(std::span<const double> x);

}  // namespace trilith::results
