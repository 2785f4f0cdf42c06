// Analytic answers of the whole check: rows, rungs, verifier.
#include <algorithm>

#include "assemblies.h"

namespace trilith {
namespace {

using test::assemble;
using test::judge;

model::AssemblyInput with_friction(model::AssemblyInput input, double friction) {
  input.friction = friction;
  input.density = 2400;
  return input;
}

TEST(CheckTest, ABlockOnTheGroundStandsAndItsForcesCarryItsWeight) {
  const model::Assembly assembly = assemble(with_friction(model::generate_stack({.count = 1}), 0.5));
  const statics::CheckResult result = judge(assembly);
  ASSERT_EQ(result.verdict, Verdict::stands);
  EXPECT_EQ(result.method, "ls");
  EXPECT_TRUE(result.verification.accepted);
  const std::vector<Vec3d> reactions = statics::support_reactions(assembly, result);
  EXPECT_NEAR(reactions[0].z, -2400 * 9.80665, 1e-6);
  EXPECT_NEAR(reactions[0].x, 0, 1e-8);
}

TEST(CheckTest, ABlockSlidesExactlyWhenTheSlopePassesTheFrictionAngle) {
  for (const double friction : {0.3, 0.84}) {
    const double limit = std::atan(friction);
    EXPECT_EQ(judge(assemble(with_friction(model::generate_incline({.angle = 0.999 * limit, .height = 0.2}), friction))).verdict,
              Verdict::stands);
    EXPECT_EQ(judge(assemble(with_friction(model::generate_incline({.angle = 1.001 * limit, .height = 0.2}), friction))).verdict,
              Verdict::falls);
  }
}

TEST(CheckTest, AStackStandsWhileItsCentreOfMassIsOverEveryJoint) {
  // three blocks of length 1 shifted by s: the two upper ones have their centre 1.5 s beyond the lowest one's
  EXPECT_EQ(judge(assemble(with_friction(model::generate_stack({.count = 3, .offset = 0.3}), 0.8))).verdict, Verdict::stands);
  EXPECT_EQ(judge(assemble(with_friction(model::generate_stack({.count = 3, .offset = 0.34}), 0.8))).verdict, Verdict::falls);
}

TEST(CheckTest, WallsAndPortalsStandByTheClosedForm) {
  for (const int size : {2, 5, 9}) {
    const statics::CheckResult result = judge(assemble(with_friction(model::generate_wall({.columns = size, .rows = size}), 0.6)));
    EXPECT_EQ(result.verdict, Verdict::stands);
    EXPECT_EQ(result.method, "ls");
  }
  EXPECT_EQ(judge(assemble(with_friction(model::generate_portal({.drums = 4}), 0.6))).verdict, Verdict::stands);
}

TEST(CheckTest, AFloatingBlockFallsAndIsNamed) {
  model::AssemblyInput input = with_friction(model::generate_stack({.count = 2}), 0.6);
  model::BlockInput lost = input.blocks.back();
  lost.id = "lost";
  for (Vec3d& v : lost.mesh.vertices) v.z += 5;
  input.blocks.push_back(lost);
  const model::Assembly assembly = assemble(std::move(input));
  const statics::CheckResult result = judge(assembly);
  ASSERT_EQ(result.verdict, Verdict::falls);
  EXPECT_EQ(result.method, "connectivity");
  ASSERT_EQ(result.unsupported.size(), 1u);
  EXPECT_EQ(assembly.blocks[result.unsupported[0][0]].id, "lost");
  EXPECT_LT(result.velocities.back().linear.z, 0);
  EXPECT_EQ(result.velocities[1].linear.z, 0);
}

TEST(CheckTest, OnlySupportsStand) {
  model::AssemblyInput input = with_friction(model::generate_stack({.count = 2}), 0.6);
  for (model::BlockInput& block : input.blocks) block.fixed = true;
  const statics::CheckResult result = judge(assemble(std::move(input)));
  EXPECT_EQ(result.verdict, Verdict::stands);
  EXPECT_EQ(result.method, "connectivity");
}

TEST(CheckTest, FrictionlessStacksStandAndSlopesDoNot) {
  EXPECT_EQ(judge(assemble(with_friction(model::generate_stack({.count = 3}), 0))).verdict, Verdict::stands);
  EXPECT_EQ(judge(assemble(with_friction(model::generate_incline({.angle = 0.01}), 0))).verdict, Verdict::falls);
}

TEST(CheckTest, AnArchWellAboveItsLeastThicknessStandsByProjections) {
  const statics::CheckResult result = judge(assemble(with_friction(model::generate_arch({.count = 16, .thickness_ratio = 0.25}), 0.84)));
  EXPECT_EQ(result.verdict, Verdict::stands);
  EXPECT_EQ(result.method, "projections");
}

TEST(CheckTest, AThinArchFallsByAMotionOfTheInteriorPoint) {
  const statics::CheckResult result = judge(assemble(with_friction(model::generate_arch({.count = 16, .thickness_ratio = 0.09}), 0.84)));
  EXPECT_EQ(result.verdict, Verdict::falls);
  EXPECT_EQ(result.method, "ipm");
  EXPECT_GE(result.verification.force_factor, 1e6);
  EXPECT_TRUE(result.forces.empty());
  EXPECT_FALSE(result.velocities.empty());
}

TEST(CheckTest, WhatARungDoesNotDecideIsUndecidedWithAReason) {
  const model::Assembly assembly = assemble(with_friction(model::generate_arch({.count = 16, .thickness_ratio = 0.09}), 0.84));
  for (const auto solver : {statics::SolverChoice::ls, statics::SolverChoice::projections}) {
    const statics::CheckResult result = judge(assembly, solver);
    EXPECT_EQ(result.verdict, Verdict::undecided);
    EXPECT_EQ(result.method, "none");
    ASSERT_EQ(result.rungs.size(), 2u);
    for (const solve::RungReport& rung : result.rungs) EXPECT_FALSE(rung.reason.empty());
    EXPECT_TRUE(result.forces.empty() && result.velocities.empty());
  }
}

TEST(CheckTest, TheLadderAsksEachRungInItsOrder) {
  const statics::CheckResult result = judge(assemble(with_friction(model::generate_arch({.thickness_ratio = 0.05}), 0.84)));
  std::vector<std::string_view> names;
  for (const solve::RungReport& rung : result.rungs) names.push_back(rung.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"connectivity", "ls", "projections", "ipm"}));
  EXPECT_EQ(result.rungs[2].iterations, statics::CheckSettings{}.quick_projections);
  EXPECT_EQ(result.verdict, Verdict::falls);
}

// 1.3e-6 below its limit, where the iteration itself stalls: a collapse found with a little more friction is one with less.
TEST(CheckTest, AStallNextToTheLimitIsDecidedBesideIt) {
  const model::Assembly assembly = assemble(with_friction(
      model::generate_polygonal_wall({.columns = 4, .rows = 3, .height = 0.37922507698633967, .jitter = 0.433375895642533, .seed = 244311}),
      0.6648380431312046));
  statics::CheckSettings settings;
  const statics::CheckResult result = statics::check(assembly, settings);
  EXPECT_EQ(result.verdict, Verdict::falls);
  EXPECT_TRUE(result.verification.accepted);
  settings.nearby_friction = {};
  const statics::CheckResult without = statics::check(assembly, settings);
  EXPECT_NE(without.verdict, Verdict::stands);
}

TEST(CheckTest, AStackExactlyOnItsEdgeIsNeverSaidToFall) {
  const Verdict verdict = judge(assemble(with_friction(model::generate_stack({.count = 3, .offset = 1.0 / 3}), 0.8))).verdict;
  EXPECT_TRUE(verdict == Verdict::stands || verdict == Verdict::marginal);
}

TEST(CheckTest, WhereNoRungDecidesBothSidesOfTheLimitAreProved) {
  // a long arch, halved down to where doubles end
  const auto arch = [](double thickness) {
    return assemble(with_friction(model::generate_arch({.count = 301, .thickness_ratio = thickness}), 0.84));
  };
  statics::CheckSettings alone;
  alone.limit_shift = 0;
  alone.nearby_friction = {};
  double falls = 0.107, stands = 0.108, open = 0;
  while (open == 0 && stands - falls > 1e-15) {
    const double middle = 0.5 * (falls + stands);
    const Verdict verdict = statics::check(arch(middle), alone).verdict;
    if (verdict == Verdict::undecided) open = middle;
    (verdict == Verdict::falls ? falls : stands) = middle;
  }
  ASSERT_GT(open, 0) << "every arch was decided";
  statics::CheckSettings wide;
  wide.limit_shift = 1e-6;
  wide.nearby_friction = {};
  const statics::CheckResult result = statics::check(arch(open), wide);
  EXPECT_EQ(result.verdict, Verdict::marginal) << result.reason;
  EXPECT_EQ(result.method, "limit");
  EXPECT_TRUE(result.forces_W.empty() && result.velocities.empty());
  EXPECT_FALSE(result.verification.accepted);
  EXPECT_EQ(statics::check(arch(open * (1 + 1e-6)), {}).verdict, Verdict::stands);
  EXPECT_EQ(statics::check(arch(open * (1 - 1e-6)), {}).verdict, Verdict::falls);
}

TEST(CheckTest, APassedDeadlineIsUndecided) {
  statics::CheckSettings settings;
  settings.deadline = Deadline::after(0);
  const statics::CheckResult result = statics::check(assemble(with_friction(model::generate_stack({}), 0.6)), settings);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.status, SolveStatus::time_limit);
}

TEST(CheckTest, UtilizationIsTheRatioOfFrictionUsed) {
  const double angle = 0.3, friction = 0.6;
  const model::Assembly assembly = assemble(with_friction(model::generate_incline({.angle = angle, .height = 0.2}), friction));
  const statics::CheckResult result = judge(assembly);
  ASSERT_EQ(result.verdict, Verdict::stands);
  EXPECT_GE(statics::utilization(assembly, result)[0],
            std::tan(angle) / friction - 1e-9);  // the mean ratio is a lower bound of the largest
}

}  // namespace
}  // namespace trilith
