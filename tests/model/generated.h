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
  using namespace model;
  return {{"wall", generate_wall({})},
          {"published wall 1", generate_published_wall({1})},
          {"published wall 2", generate_published_wall({2})},
          {"published wall 3", generate_published_wall({3})},
          {"opening under a lintel", generate_opening({})},
          {"opening under a flat arch", generate_opening({.top = OpeningOptions::Top::arch})},
          {"door without a lintel", generate_opening({.columns = 7, .sill_rows = 0, .top = OpeningOptions::Top::none})},
          {"polygonal wall", generate_polygonal_wall({})},
          {"regular polygonal wall", generate_polygonal_wall({.jitter = 0})},
          {"rubble", generate_rubble({})},
          {"wild rubble", generate_rubble({.layers = 2, .jitter = 0.35, .size_spread = 0.3, .seed = 7})},
          {"portal", generate_portal({})},
          {"portico", generate_portico({})},
          {"portico of one column", generate_portico({.columns = 1})},
          {"stack", generate_stack({})},
          {"tilted stack", generate_tilted_stack({})},
          {"overhang", generate_overhang({})},
          {"corbel", generate_corbel({})},
          {"corbelled arch", generate_corbel({.span = 0.96})},
          {"incline", generate_incline({})},
          {"h model", generate_h_model({})},
          {"h model on free posts", generate_h_model({.free_posts = true})},
          {"wedge", generate_wedge({})},
          {"keystone", generate_wedge({.angle = -0.2})},
          {"arch", generate_arch({})},
          {"pointed arch", generate_pointed_arch({})},
          {"round pointed arch", generate_pointed_arch({.radius = 1})},
          {"jack arch", generate_jack_arch({})},
          {"barrel vault", generate_barrel_vault({})},
          {"barrel vault in stack bond", generate_barrel_vault({.bond = Bond::stack})},
          {"cross vault", generate_cross_vault({})},
          {"dome", generate_dome({})},
          {"dome in stack bond with a keystone", generate_dome({.keystone = true, .bond = Bond::stack})},
          {"closed dome", generate_dome({.springing = 1.2, .keystone = true})}};
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
