#pragma once
#include <initializer_list>
#include <utility>

#include "assemblies.h"
#include "model/generate.h"

/// Assemblies of a few boxes whose limits are known in closed form.
namespace trilith::test {

inline model::BlockInput box(const char* id, const Vec3d& low, const Vec3d& high, bool fixed = false) {
  model::BlockInput block;
  block.id = id;
  block.mesh = model::make_box(low, high);
  block.fixed = fixed;
  return block;
}

/// Gravity 10 m/s^2 and density 1000 kg/m^3: a cubic metre weighs 10 kN.
inline model::AssemblyInput boxes(std::initializer_list<model::BlockInput> blocks, double friction) {
  model::AssemblyInput input;
  input.source = "boxes";
  input.gravity = Vec3d{0, 0, -10};
  input.density = 1000;
  input.friction = friction;
  input.blocks = blocks;
  return input;
}

}  // namespace trilith::test
