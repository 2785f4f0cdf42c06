// Motions with a known reading: a sliding box, a tipping stack, a four-hinge arch.
#include "statics/collapse.h"

#include <cmath>

#include "assemblies.h"

namespace trilith::statics {
namespace {

using test::assemble;
using Kind = MovingJoint::Kind;

CheckResult fall_of(model::AssemblyInput input, double friction, model::Assembly& assembly) {
  input.friction = friction;
  input.density = 2400;
  assembly = assemble(std::move(input));
  CheckResult result = test::judge(assembly);
  EXPECT_EQ(result.verdict, Verdict::falls);
  return result;
}

TEST(CollapseTest, ABoxOnASteepSlopeSlidesDownIt) {
  model::Assembly assembly;
  const CheckResult result = fall_of(model::generate_incline({.angle = 0.6, .height = 0.2}), 0.3, assembly);
  ASSERT_EQ(result.collapse.groups.size(), 1u);
  EXPECT_EQ(result.collapse.groups[0].blocks.size(), 1u);
  EXPECT_NEAR(result.collapse.groups[0].power, 1, 1e-12);
  ASSERT_EQ(result.collapse.joints.size(), 1u);
  const MovingJoint& joint = result.collapse.joints[0];
  EXPECT_EQ(joint.kind, Kind::slides);
  EXPECT_NEAR(joint.speed, 1, 0.2);
  // the upper block slides against the lower one, down the slope
  const model::Interface& face = assembly.interfaces[0];
  const Vec3d slip = assembly.blocks[face.b].fixed ? -1.0 * joint.direction : joint.direction;
  EXPECT_NEAR(slip.z, -std::sin(0.6), 0.05);
}

TEST(CollapseTest, ATippingStackTurnsAboutTheEdgeItStandsOn) {
  model::Assembly assembly;
  const CheckResult result = fall_of(model::generate_stack({.count = 3, .offset = 0.4}), 0.84, assembly);
  ASSERT_FALSE(result.collapse.joints.empty());
  // b2 and b3 have their centre at .6 + .4 beyond b1's middle: they tip as one about the edge of b1 at x = .4 + 1
  ASSERT_EQ(result.collapse.groups.size(), 1u);
  EXPECT_EQ(result.collapse.groups[0].blocks, (std::vector<std::uint32_t>{2, 3}));
  ASSERT_EQ(result.collapse.joints.size(), 1u);
  const MovingJoint& joint = result.collapse.joints[0];
  EXPECT_EQ(joint.kind, Kind::turns);
  EXPECT_NEAR(norm(joint.to - joint.from), 1, 1e-9);
  EXPECT_NEAR(joint.from.x, 1, 1e-9);
  EXPECT_NEAR(joint.to.x, 1, 1e-9);
  EXPECT_NEAR(joint.from.z, 1, 1e-9);
}

TEST(CollapseTest, AThinArchTurnsAboutHinges) {
  model::Assembly assembly;
  const CheckResult result = fall_of(model::generate_arch({.count = 16, .thickness_ratio = 0.09}), 0.84, assembly);
  std::size_t hinges = 0;
  for (const MovingJoint& joint : result.collapse.joints) hinges += joint.kind == Kind::turns ? 1 : 0;
  EXPECT_GE(hinges, 4u);  // fewer than four hinges in a plane arch do not move
  double lifted = 0, fallen = 0;
  for (const MovingGroup& group : result.collapse.groups) (group.power > 0 ? fallen : lifted) += group.power;
  EXPECT_NEAR(fallen, 1, 1e-9);
  EXPECT_LT(lifted, 0);
  EXPECT_GT(fallen + lifted, 0);
}

TEST(CollapseTest, NothingThatMovesIsNoCollapse) {
  const model::Assembly assembly = assemble(model::generate_stack({.count = 2}));
  const std::vector<certify::Velocity> still(assembly.blocks.size());
  EXPECT_TRUE(describe_collapse(assembly, still).groups.empty());
}

}  // namespace
}  // namespace trilith::statics
