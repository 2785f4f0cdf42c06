#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "dynamics/simulator.h"
#include "io/load_model.h"
#include "support/json_files.h"

/// Systems with constraints for tests: of recorded runs and of models in text.
namespace trilith::dynamics {

struct Scene {
  std::shared_ptr<const System> system;
  std::shared_ptr<const ConstraintSetup> setup;
};

/// System of a recorded run, solved to the last digits; `change` may change how.
inline Scene make_scene(const std::filesystem::path& shared, const io::Json& dump,
                        const std::function<void(ConstraintSettings&)>& change = {}) {
  const auto path = shared / "models/mjcf/open" / *dump.find("model")->string();
  const auto model = std::make_shared<const model::Model>(io::load_model(path.string()).value());
  model::SimulationOptions options = model->options;
  const io::Json& given = *dump.find("options");
  options.timestep = *given.find("timestep")->number();
  options.impratio = *given.find("impratio")->number();
  options.cone = *given.find("cone")->string() == "elliptic" ? model::FrictionCone::elliptic : model::FrictionCone::pyramidal;
  ConstraintSettings settings = constraint_settings(options);
  settings.descent.tolerance = 1e-14;
  settings.descent.iteration_limit = 200;
  if (change) change(settings);
  Scene run;
  run.system = make_system(model, options, settings).value().system;
  run.setup = run.system->constraints;
  return run;
}

inline State state_of(const System& system, const io::Json& snapshot) {
  State state = make_state(*system.model);
  const auto take = [&](const char* key, std::vector<double>& target) {
    const std::vector<double> given = test::numbers(snapshot.find(key));
    if (given.size() == target.size()) target = given;
  };
  take("qpos", state.q), take("qvel", state.v), take("ctrl", state.ctrl), take("act", state.act), take("qacc_warmstart", state.warm_start);
  return state;
}

/// Of a model in text.
inline std::shared_ptr<const System> system_of(const std::string& xml, model::FrictionCone cone = model::FrictionCone::pyramidal,
                                               const std::function<void(ConstraintSettings&)>& change = {}) {
  const auto folder = std::filesystem::temp_directory_path() / ("trilith_scene_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto path = folder / "model.xml";
  std::ofstream(path) << xml;
  const auto model = std::make_shared<const model::Model>(io::load_model(path.string()).value());
  std::filesystem::remove_all(folder);
  model::SimulationOptions options = model->options;
  options.cone = cone;
  ConstraintSettings settings = constraint_settings(options);
  if (change) change(settings);
  return make_system(model, options, settings).value().system;
}

}  // namespace trilith::dynamics
