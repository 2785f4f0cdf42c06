#include <gtest/gtest.h>

#include "certify/structures.h"
#include "certify/verify.h"

namespace trilith::test {
namespace {

using certify::Verification;
using certify::verify_collapse;
using certify::verify_collapse_exact;

void expect_falls(Structure s, const char* what) {
  const auto problem = s.problem();
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_collapse_exact(problem, s.velocities, {}) : verify_collapse(problem, s.velocities, {});
    EXPECT_TRUE(v.accepted) << what << (exact ? " exact: " : " double: ") << v.statement;
    EXPECT_EQ(v.verdict, Verdict::falls);
    EXPECT_GE(v.force_factor, 1e6);
    EXPECT_NE(v.statement.find("no equilibrium exists"), std::string::npos);
  }
}

TEST(CollapseTest, FloatingBlockFalls) { expect_falls(floating_block(), "floating"); }
TEST(CollapseTest, BlockOverTheEdgeFalls) {
  expect_falls(block_over_edge(.25), "edge");
  expect_falls(block_over_edge(.499), "edge near the middle");
}
TEST(CollapseTest, BlockOnSteepSlopeSlides) {
  expect_falls(sliding_block(.9, .84), "slope");
  expect_falls(sliding_block(.84 * (1 + 1e-6), .84), "slope just above the angle");
}

TEST(CollapseTest, NothingResistsMeansAnInfiniteFactor) {
  Structure s = floating_block();
  EXPECT_TRUE(std::isinf(verify_collapse_exact(s.problem(), s.velocities, {}).force_factor));
  Structure edge = block_over_edge(.25);
  const Verification v = verify_collapse_exact(edge.problem(), edge.velocities, {});
  EXPECT_TRUE(std::isinf(v.force_factor));
  EXPECT_EQ(v.statement, "no equilibrium exists, however large the contact forces");
}

TEST(CollapseTest, FactorIsPowerOverViolationAndWeight) {
  // straight down into the ground at speed 1: power = weight, violation 1, so X = 1
  Structure s = block_on_ground();
  s.velocities[1].linear = {0, 0, -1};
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_collapse_exact(s.problem(), s.velocities, {}) : verify_collapse(s.problem(), s.velocities, {});
    EXPECT_FALSE(v.accepted);
    EXPECT_NEAR(v.force_factor, 1, 1e-12);
    ASSERT_EQ(v.broken.size(), 4u);
    EXPECT_EQ(v.broken[0].where, "interface 0 (ground - block), vertex 0");
    EXPECT_NE(v.broken[0].what.find("contact resists"), std::string::npos);
  }
  // sliding without lifting on a slope of tangent t: power m g sin, violation mu
  Structure slope = block_on_slope(.9, .84);
  slope.velocities[1].linear = {1, 0, 0};
  const double sine = .9 / std::sqrt(1 + .9 * .9);
  EXPECT_NEAR(verify_collapse_exact(slope.problem(), slope.velocities, {}).force_factor, sine / .84, 1e-12);
  EXPECT_NEAR(verify_collapse(slope.problem(), slope.velocities, {}).force_factor, sine / .84, 1e-12);
}

TEST(CollapseTest, ViolationBelowTheGateIsAccepted) {
  Structure s = sliding_block(.9, .84);
  const double power = .9 - .84;  // over cosine: (tangent - mu) per unit of slip
  const double cosine = 1 / std::sqrt(1 + .81);
  for (const double factor : {2e6, 5e5}) {
    const double violation = power * cosine / factor;
    s.velocities[1].linear = {1, 0, .84 - violation};
    const bool passes = factor > 1e6;
    EXPECT_EQ(verify_collapse(s.problem(), s.velocities, {}).accepted, passes) << factor;
    const Verification v = verify_collapse_exact(s.problem(), s.velocities, {});
    EXPECT_EQ(v.accepted, passes) << factor;
    EXPECT_NEAR(v.force_factor / factor, 1, 1e-4);
  }
}

TEST(CollapseTest, StableBlockHasNoCollapse) {
  Structure slope = sliding_block(.8, .84);  // lifting costs more than the slope gives
  EXPECT_EQ(verify_collapse_exact(slope.problem(), slope.velocities, {}).broken[0].what.substr(0, 20), "gravity does no work");
  EXPECT_EQ(verify_collapse(slope.problem(), slope.velocities, {}).broken[0].where, "assembly");
  Structure edge = block_over_edge(.5001);
  EXPECT_FALSE(verify_collapse_exact(edge.problem(), edge.velocities, {}).accepted);
}

TEST(CollapseTest, SpeedHasNoScale) {
  for (const double speed : {1e-20, 1e-3, 1e12}) {
    Structure s = block_over_edge(.25);
    s.velocities[1] = {scaled(speed, s.velocities[1].linear), scaled(speed, s.velocities[1].angular)};
    expect_falls(s, "speed");
  }
}

TEST(CollapseTest, NoFreeBlockCannotFall) {
  Structure s = floating_block();
  s.bodies[1].fixed = true;
  s.velocities[1] = {};
  EXPECT_FALSE(verify_collapse(s.problem(), s.velocities, {}).accepted);
  EXPECT_FALSE(verify_collapse_exact(s.problem(), s.velocities, {}).accepted);
}

TEST(CollapseTest, FrictionlessContactOnlyOpens) {
  Structure s = block_on_slope(.1, 0);
  s.velocities[1].linear = {1, 0, 0};  // slides along without lifting
  EXPECT_TRUE(verify_collapse_exact(s.problem(), s.velocities, {}).accepted);
  EXPECT_TRUE(verify_collapse(s.problem(), s.velocities, {}).accepted);
}

}  // namespace
}  // namespace trilith::test
