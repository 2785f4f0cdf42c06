// Reactions of supports that may move, with closed forms. Equation: (LIM-8)
#include "statics/settlement.h"

#include "boxes.h"

namespace trilith::statics {
namespace {

using test::assemble;
using test::box;
using test::boxes;

void expect_range(const Settlement& s, double low, double high, double weight) {
  ASSERT_TRUE(s.decided) << s.reason;
  ASSERT_TRUE(s.stands);
  ASSERT_TRUE(s.low && s.high && s.none_below && s.none_above);
  const double room = 1e-6 * weight;
  EXPECT_NEAR(*s.low, low, room);
  EXPECT_NEAR(*s.high, high, room);
  EXPECT_LE(*s.none_below, *s.low + room);
  EXPECT_GE(*s.none_below, low - room);
  EXPECT_GE(*s.none_above, *s.high - room);
  EXPECT_LE(*s.none_above, high + room);
  EXPECT_TRUE(s.follows);
}

model::Assembly column() {
  return assemble(boxes({box("floor", {-5, -5, -1}, {5, 5, 0}, true), box("column", {0, 0, 0}, {1, 1, 2})}, 0.8));
}

/// A beam of 6 m and 60 kN on three posts of 1 m.
model::Assembly beam_on_three() {
  return assemble(boxes({box("left", {0, 0, -1}, {1, 1, 0}, true), box("middle", {2.5, 0, -1}, {3.5, 1, 0}, true),
                         box("right", {5, 0, -1}, {6, 1, 0}, true), box("beam", {0, 0, 0}, {6, 1, 1})},
                        0.8));
}

TEST(SettlementTest, AColumnPushesItsFloorByItsWeightAndNotSideways) {
  const model::Assembly assembly = column();
  expect_range(find_settlement(assembly, 0, {0, 0, -3}, {}), 20000, 20000, 20000);
  expect_range(find_settlement(assembly, 0, {0, 0, 1}, {}), -20000, -20000, 20000);
  expect_range(find_settlement(assembly, 0, {1, 2, 0}, {}), 0, 0, 20000);
}

// the program comes to a standstill, or leaves one factor without a state: verdicts from the push that is there close in
TEST(SettlementTest, AStackOfTwoPushesItsBaseByItsWeightAndNotSideways) {
  const model::Assembly assembly = assemble(model::generate_stack({.count = 2}));
  std::uint32_t base = 0;
  while (!assembly.blocks[base].fixed) ++base;
  double weight = 0;
  for (const model::Block& block : assembly.blocks) weight += block.fixed ? 0 : block.mass * 9.80665;
  for (const auto& [way, push] : {std::pair<Vec3d, double>{{0, 0, -1}, weight}, {{1, 0, 0}, 0}}) {
    const Settlement s = find_settlement(assembly, base, way, {});
    ASSERT_TRUE(s.decided) << s.reason;
    ASSERT_TRUE(s.low && s.high);
    EXPECT_NEAR(*s.low, push, 2e-6 * weight);
    EXPECT_NEAR(*s.high, push, 2e-6 * weight);
  }
}

TEST(SettlementTest, ABeamOnThreePostsNeedsNoneOfThem) {
  const model::Assembly assembly = beam_on_three();
  // about the far end of the right post: 60 kN * 3 m / 5 m at the inner edge of the left one
  expect_range(find_settlement(assembly, 0, {0, 0, -1}, {}), 0, 36000, 60000);
  expect_range(find_settlement(assembly, 1, {0, 0, -1}, {}), 0, 60000, 60000);
}

TEST(SettlementTest, APostThatGivesWayAloneTakesNothingAlong) {
  const Settlement s = find_settlement(beam_on_three(), 1, {0, 0, -1}, {});
  ASSERT_EQ(s.collapse.groups.size(), 1U);
  EXPECT_EQ(s.collapse.groups[0].blocks, std::vector<std::uint32_t>{1});
}

TEST(SettlementTest, ABeamFollowsOneOfTwoPosts) {
  const model::Assembly assembly = assemble(
      boxes({box("left", {0, 0, -1}, {1, 1, 0}, true), box("right", {5, 0, -1}, {6, 1, 0}, true), box("beam", {0, 0, 0}, {6, 1, 1})}, 0.8));
  // least: right post pressed at its inner edge, left at its outer one, 60 kN * (5 - 3) / 5; most: 60 kN * 3 / 5
  const Settlement s = find_settlement(assembly, 0, {0, 0, -1}, {});
  expect_range(s, 24000, 36000, 60000);
  EXPECT_EQ(s.collapse.groups.size(), 2U);
}

TEST(SettlementTest, AnArchThrustsBetweenItsLeastAndItsMost) {
  const model::Assembly assembly = assemble(model::generate_arch({}));
  std::uint32_t right = 0;
  while (assembly.blocks[right].id != "right") ++right;
  const Settlement out = find_settlement(assembly, right, {1, 0, 0}, {}), in = find_settlement(assembly, right, {-1, 0, 0}, {});
  ASSERT_TRUE(out.decided && in.decided) << out.reason << in.reason;
  ASSERT_TRUE(out.low && out.high && in.low && in.high);
  EXPECT_GT(*out.low, 0);
  EXPECT_LT(*out.low, *out.high);
  EXPECT_NEAR(*out.low, -*in.high, 0.01);
  EXPECT_NEAR(*out.high, -*in.low, 0.01);
  // either way it goes with hinges: three where it spreads
  EXPECT_EQ(out.collapse.joints.size(), 3U);
  for (const MovingJoint& joint : out.collapse.joints) EXPECT_EQ(joint.kind, MovingJoint::Kind::turns);
}

TEST(SettlementTest, ASqueezedBarLocksOneWay) {
  const model::Assembly assembly = assemble(model::generate_h_model({}));
  std::uint32_t left = 0;
  while (assembly.blocks[left].id != "left") ++left;
  const Settlement away = find_settlement(assembly, left, {-1, 0, 0}, {}), against = find_settlement(assembly, left, {1, 0, 0}, {});
  ASSERT_TRUE(away.decided && against.decided) << away.reason << against.reason;
  EXPECT_TRUE(away.follows);
  EXPECT_TRUE(away.low && !away.high);
  EXPECT_FALSE(against.follows);
  EXPECT_TRUE(!against.low && against.high);
}

TEST(SettlementTest, WhatFallsHasNoReaction) {
  const model::Assembly assembly = assemble(boxes({box("low", {0, 0, 0}, {1, 1, 1}, true), box("up", {0.6, 0, 1}, {1.6, 1, 2})}, 0.9));
  const Settlement s = find_settlement(assembly, 0, {0, 0, -1}, {});
  EXPECT_TRUE(s.decided) << s.reason;
  EXPECT_FALSE(s.stands);
  EXPECT_FALSE(s.low || s.high || s.follows);
}

}  // namespace
}  // namespace trilith::statics
