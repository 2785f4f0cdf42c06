// Least tension of structures with a closed form.
#include "statics/tension.h"

#include "assemblies.h"

namespace trilith::statics {
namespace {

using test::assemble;

model::Assembly with(model::AssemblyInput input, double friction) {
  input.friction = friction;
  input.density = 2400;
  return assemble(std::move(input));
}

TEST(TensionTest, WhatStandsNeedsNone) {
  const model::Assembly assembly = with(model::generate_stack({.count = 3, .offset = 0.1}), 0.6);
  const TensionReport report = find_tension(assembly, {}, {});
  ASSERT_EQ(report.status, SolveStatus::solved);
  double weight = 0;
  for (const model::Block& block : assembly.blocks) weight += block.fixed ? 0 : block.mass * 9.80665;
  EXPECT_NEAR(report.value_N, 0, 1e-6 * weight);
}

TEST(TensionTest, AnOverhangingBlockIsHeldByThePullOfItsBackEdge) {
  // one block of length 1 shifted by 1/2 + e on another: its contact is 1/2 - e long. About the front edge the weight's moment is W e; with
  // every corner down to -t: the two back corners pull t each at the lever 1/2 - e, so 2 t (1/2 - e) = W e
  const double e = 0.1;
  const model::Assembly assembly = with(model::generate_stack({.count = 2, .offset = 0.5 + e}), 0.6);
  const TensionReport report = find_tension(assembly, {}, {});
  ASSERT_EQ(report.status, SolveStatus::solved);
  double weight = 0;
  for (const model::Block& block : assembly.blocks) weight = block.fixed ? weight : block.mass * 9.80665;
  EXPECT_NEAR(report.value_N, weight * e / (2 * (0.5 - e)), 1e-4 * weight);
  ASSERT_FALSE(report.joints.empty());
  EXPECT_NEAR(report.joints[0].tension_N, report.value_N, 1e-4 * weight);
}

TEST(TensionTest, AFrictionlessSlopeCannotBeHeldByPulling) {
  // tension widens no frictionless cone: |f_t| <= 0 whatever t
  const TensionReport report = find_tension(with(model::generate_incline({.angle = 0.3, .height = 0.2}), 0), {}, {});
  EXPECT_EQ(report.status, SolveStatus::primal_infeasible);
}

TEST(TensionTest, ASteepSlopeNeedsAdhesion) {
  // at 4 corners: W sin = mu (W cos + 4 t)
  const double angle = 0.8, mu = 0.5;
  const model::Assembly assembly = with(model::generate_incline({.angle = angle, .height = 0.2}), mu);
  const TensionReport report = find_tension(assembly, {}, {});
  ASSERT_EQ(report.status, SolveStatus::solved);
  double weight = 0;
  for (const model::Block& block : assembly.blocks) weight = block.fixed ? weight : block.mass * 9.80665;
  EXPECT_NEAR(report.value_N, weight * (std::sin(angle) / mu - std::cos(angle)) / 4, 1e-4 * weight);
}

TEST(TensionTest, AFloatingBlockHasNoJointToPullAt) {
  model::AssemblyInput input = model::generate_stack({.count = 2});
  for (Vec3d& v : input.blocks.back().mesh.vertices) v.z += 5;
  EXPECT_EQ(find_tension(with(std::move(input), 0.6), {}, {}).status, SolveStatus::primal_infeasible);
}

}  // namespace
}  // namespace trilith::statics
