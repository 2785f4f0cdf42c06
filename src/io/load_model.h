#pragma once
#include <string>

#include "io/urdf.h"
#include "model/make_model.h"

namespace trilith::io {

struct LoadOptions {
  UrdfOptions urdf;
  std::vector<std::string> allowed_folders;  ///< an MJCF file may also name files in here
};

/// Reads and makes an articulated model. The root element decides: <mujoco> is MJCF, <robot> is URDF; others are refused by name.
Result<model::Model> load_model(const std::string& path, const LoadOptions& load = {}, const model::ModelOptions& options = {});

}  // namespace trilith::io
