#pragma once
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"

namespace trilith::test {

struct Generated {
  std::string name;
  model::AssemblyInput input;
};

/// Every kind with its defaults, and variants that take other paths through the generators.
inline std::vector<Generated> generated() {
  return {{"wall", model::generate_wall({})},
          {"published wall 1", model::generate_published_wall({1})},
          {"published wall 2", model::generate_published_wall({2})},
          {"published wall 3", model::generate_published_wall({3})},
          {"opening under a lintel", model::generate_opening({})},
          {"opening under a flat arch", model::generate_opening({.top = model::OpeningOptions::Top::arch})},
          {"door without a lintel", model::generate_opening({.columns = 7, .sill_rows = 0, .top = model::OpeningOptions::Top::none})},
          {"polygonal wall", model::generate_polygonal_wall({})},
          {"regular polygonal wall", model::generate_polygonal_wall({.jitter = 0})},
          {"rubble", model::generate_rubble({})},
          {"wild rubble", model::generate_rubble({.layers = 2, .jitter = 0.35, .size_spread = 0.3, .seed = 7})},
          {"portal", model::generate_portal({})},
          {"portico", model::generate_portico({})},
          {"portico of one column", model::generate_portico({.columns = 1})},
          {"stack", model::generate_stack({})},
          {"tilted stack", model::generate_tilted_stack({})},
          {"overhang", model::generate_overhang({})},
          {"corbel", model::generate_corbel({})},
          {"corbelled arch", model::generate_corbel({.span = 0.96})},
          {"incline", model::generate_incline({})},
          {"h model", model::generate_h_model({})},
          {"h model on free posts", model::generate_h_model({.free_posts = true})},
          {"wedge", model::generate_wedge({})},
          {"keystone", model::generate_wedge({.angle = -0.2})},
          {"arch", model::generate_arch({})},
          {"pointed arch", model::generate_pointed_arch({})},
          {"round pointed arch", model::generate_pointed_arch({.radius = 1})},
          {"jack arch", model::generate_jack_arch({})},
          {"barrel vault", model::generate_barrel_vault({})},
          {"barrel vault in stack bond", model::generate_barrel_vault({.bond = model::Bond::stack})},
          {"cross vault", model::generate_cross_vault({})},
          {"dome", model::generate_dome({})},
          {"dome in stack bond with a keystone", model::generate_dome({.keystone = true, .bond = model::Bond::stack})},
          {"closed dome", model::generate_dome({.springing = 1.2, .keystone = true})}};
}

/// A line that tells of lost contact. Stones of a regular bond do meet in edges and points, which is said in one line and is no loss.
inline bool is_loss(const Warning& warning) { return warning.what.find("edge or a point only") == std::string::npos; }

inline model::Assembly assembled(model::AssemblyInput input) {
  if (!input.friction) input.friction = 0.7;
  input.density = 2000;
  auto result = model::make_assembly(std::move(input), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors()[0].where + ": " + result.errors()[0].what);
  if (!result.ok()) return {};
  model::Assembly assembly = std::move(result).value();
  EXPECT_TRUE(assembly.warnings.empty()) << assembly.warnings[0].what;
  model::find_interfaces(assembly, {}, 1);
  for (const Warning& warning : assembly.warnings) EXPECT_FALSE(is_loss(warning)) << warning.what << " " << warning.where;
  return assembly;
}

}  // namespace trilith::test
