#include "io/urdf.h"
#include "model/make_model.h"

// Bytes through the URDF reader and then through make_model. No crash, no hang, no leak, no file opened, no number that is not finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trilith;
  io::UrdfOptions options;
  options.keep_going_without_meshes = size % 2 == 0;
  auto input = io::parse_urdf({reinterpret_cast<const char*>(data), size}, "fuzz.urdf", options);
  if (!input) return input.errors().empty() ? __builtin_trap(), 0 : 0;
  model::ModelOptions choices;
  choices.balance_inertia = size % 3 == 0;
  choices.floating_base = size % 5 == 0;
  choices.clamp_initial = size % 7 == 0;
  const auto made = model::make_model(std::move(input).value(), choices);
  if (!made) return made.errors().empty() ? __builtin_trap(), 0 : 0;
  const model::Model& model = made.value();
  if (!(model.mass - model.mass == 0)) __builtin_trap();
  for (const double q : model.default_qpos)
    if (!(q - q == 0)) __builtin_trap();
  return 0;
}
