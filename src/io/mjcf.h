#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "trilith/result.h"

namespace trilith::io {

struct MjcfOptions {
  std::vector<std::string> allowed_folders;  ///< files are also read from here, beside the folder of the model
};

/// Reads an MJCF file (MuJoCo's XML, version 3 as its documentation says it) with what it includes and the meshes and height fields that it
/// names; none of them outside the folder of `path`. Classes, units, orientations, frames and copies (`replicate`) are resolved; bodies,
/// joints, shapes and sites are in MuJoCo's order. References stay names and nothing is checked but the form: that is `make_model`. What is
/// left out is one warning each, or one a kind where it has no part in the motion; what cannot be left out is refused (docs: README of this
/// folder). Errors are "arm.xml:12:7:/mujoco/worldbody/body/geom/@size".
Result<model::ModelInput> load_mjcf(const std::string& path, const MjcfOptions& options = {});

/// The same from a text. It may name no other files.
Result<model::ModelInput> parse_mjcf(std::string_view text, const std::string& source);

/// Largest number of bodies, joints, shapes and sites of one model.
inline constexpr std::size_t mjcf_element_limit = 200'000;

}  // namespace trilith::io
