#include <gtest/gtest.h>

#include "certify/structures.h"
#include "certify/verify.h"

namespace trilith::test {
namespace {

using certify::Verification;
using certify::verify_force_state;
using certify::verify_force_state_exact;
using certify::VerifySettings;

/// Both verifiers accept, and say the same.
void expect_stands(Structure s, const char* what) {
  const auto problem = s.problem();
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_force_state_exact(problem, s.forces, {}) : verify_force_state(problem, s.forces, {});
    EXPECT_TRUE(v.accepted) << what << (exact ? " exact: " : " double: ") << v.statement;
    EXPECT_EQ(v.verdict, Verdict::stands);
    EXPECT_TRUE(v.broken.empty());
    EXPECT_LE(v.residual, 1e-8);
  }
}

TEST(ForceStateTest, BlockOnGroundStands) { expect_stands(block_on_ground(), "block"); }
TEST(ForceStateTest, StackStands) { expect_stands(stack_of_two(), "stack"); }
TEST(ForceStateTest, WallStands) { expect_stands(wall(5, 6), "wall"); }
// n cubes need half their weight in friction at the ends and the bending moment within the section: press >= n^2 / 4 at least
TEST(ForceStateTest, PressedRowStands) { expect_stands(pressed_row(4, 5, .84), "row"); }

TEST(ForceStateTest, ExactResidualOfAnExactStateIsZero) {
  Structure s = block_on_ground();
  s.gravity = {0, 0, -8};
  s.forces.assign(4, {0, 0, 2000});
  const Verification v = verify_force_state_exact(s.problem(), s.forces, {});
  EXPECT_TRUE(v.accepted);
  EXPECT_EQ(v.residual, 0);
  EXPECT_EQ(v.unbalanced_N, 0);
}

TEST(ForceStateTest, APebbleBesideACliffMustBalanceToo) {
  // a cube of 1 m and one of .1 mm, 1e-12 of its weight: no force at all under the pebble is far below 1e-8 of the mean weight
  Structure s = block_on_ground();
  const std::uint32_t pebble = s.add_box("pebble", {3, 0, 0}, {3.0001, 1e-4, 1e-4});
  s.patches.push_back({0, pebble, {{3, 0, 0}, {3.0001, 0, 0}, {3.0001, 1e-4, 0}, {3, 1e-4, 0}}});
  s.forces.resize(8, {0, 0, 0});
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_force_state_exact(s.problem(), s.forces, {}) : verify_force_state(s.problem(), s.forces, {});
    EXPECT_FALSE(v.accepted);
    ASSERT_EQ(v.broken.size(), 1u);
    EXPECT_EQ(v.broken[0].where, "block pebble");
  }
  const double quarter = 1e-12 * 1000 * 9.80665 / 4;
  for (std::size_t i = 4; i < 8; ++i) s.forces[i] = {0, 0, quarter};
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_force_state_exact(s.problem(), s.forces, {}) : verify_force_state(s.problem(), s.forces, {});
    EXPECT_TRUE(v.accepted) << v.statement;
  }
}

TEST(ForceStateTest, WithoutGravityTheLoadsAreTheScale) {
  // a block pressed down by 8,000 N and a second one beside it that nothing acts on: the scale is 4,000 N
  Structure s = block_on_ground();
  s.gravity = {0, 0, 0};
  const std::uint32_t idle = s.add_box("idle", {3, 0, 0}, {4, 1, 1});
  s.add_bed(0, idle, {3, 4, 0, 1}, 0, {});
  const certify::Load load{1, {0, 0, -8000}, {}, true};
  certify::StaticProblem problem = s.problem();
  problem.loads = {&load, 1};
  for (const double over : {8e-6, 8e-5}) {  // 2e-9 and 2e-8 of the scale
    s.forces.assign(8, {0, 0, 0});
    for (std::size_t i = 0; i < 4; ++i) s.forces[i].z = 2000 + over / 4;
    for (const bool exact : {false, true}) {
      const Verification v = exact ? verify_force_state_exact(problem, s.forces, {}) : verify_force_state(problem, s.forces, {});
      EXPECT_EQ(v.accepted, over < 4e-5) << v.statement;
      EXPECT_NEAR(v.residual, over / 4000, 1e-12);
      EXPECT_NE(v.statement.find("scale of the loads"), std::string::npos) << v.statement;
    }
  }
}

TEST(ForceStateTest, LoadsBeyondAHundredTimesTheWeightAreTheScale) {
  // the block weighs 8,000 N: up to a load of 8e5 N it is the scale, then a hundredth of the load
  Structure s = block_on_ground();
  s.gravity = {0, 0, -8};
  certify::Load load{1, {0, 0, -4e5}, {}, true};
  certify::StaticProblem problem = s.problem();
  problem.loads = {&load, 1};
  for (const auto& [push, scale] : {std::pair{4e5, 8e3}, {8e6, 8e4}, {8e12, 8e10}}) {
    load.force.z = -push;
    const double over = 4e-9 * scale;
    s.forces.assign(4, {0, 0, 2000 + push / 4 + over / 4});
    for (const bool exact : {false, true}) {
      const Verification v = exact ? verify_force_state_exact(problem, s.forces, {}) : verify_force_state(problem, s.forces, {});
      EXPECT_EQ(v.accepted, over <= 8) << push << ": " << v.statement;  // 1e-3 of its own weight is 8 N
      EXPECT_NEAR(v.residual, 4e-9, 1e-10) << push;
    }
  }
}

TEST(ForceStateTest, ResidualIsTheImbalanceOverTheMeanWeight) {
  Structure s = stack_of_two();
  s.gravity = {0, 0, -8};
  s.forces.assign(8, {0, 0, 2000});
  for (int i = 0; i < 4; ++i) s.forces[std::size_t(i)].z = 4000;
  s.forces[4].z += 8e-6;  // 1e-9 of the mean weight; the moment about the middle is smaller
  for (const bool exact : {false, true}) {
    const Verification v = exact ? verify_force_state_exact(s.problem(), s.forces, {}) : verify_force_state(s.problem(), s.forces, {});
    EXPECT_TRUE(v.accepted);
    EXPECT_NEAR(v.residual, 1e-9, 1e-13);
    EXPECT_NEAR(v.unbalanced_N, 8e-6, 1e-9);
  }
  EXPECT_NE(verify_force_state_exact(s.problem(), s.forces, {}).statement.find("worst unbalanced force 8e-6 N on block "),
            std::string::npos);
}

TEST(ForceStateTest, MomentIsMeasuredOverTheMeanBlockSize) {
  Structure s = block_on_ground();
  s.gravity = {0, 0, -8};
  s.forces.assign(4, {0, 0, 2000});
  s.forces[0].z += 4e-5;  // a couple: 4e-5 N over 1 m, moment 4e-5 N m, no force
  s.forces[1].z -= 4e-5;
  const Verification v = verify_force_state_exact(s.problem(), s.forces, {});
  EXPECT_TRUE(v.accepted);
  EXPECT_NEAR(v.residual, 5e-9, 1e-15);
  EXPECT_NE(v.statement.find("moment"), std::string::npos);
  s.forces[0].z += 8e-5;
  s.forces[1].z -= 8e-5;
  EXPECT_FALSE(verify_force_state_exact(s.problem(), s.forces, {}).accepted);
}

TEST(ForceStateTest, SlopeIsDecidedAtTheFrictionAngle) {
  for (const double mu : {.1, .5, .84}) {
    expect_stands(block_on_slope(mu * (1 - 1e-13), mu), "below the angle");
    Structure above = block_on_slope(mu * (1 + 1e-13), mu);
    const auto problem = above.problem();
    for (const bool exact : {false, true}) {
      const Verification v = exact ? verify_force_state_exact(problem, above.forces, {}) : verify_force_state(problem, above.forces, {});
      EXPECT_FALSE(v.accepted) << "mu " << mu;
      ASSERT_FALSE(v.broken.empty());
      EXPECT_NE(v.broken[0].what.find("outside the friction cone"), std::string::npos) << v.broken[0].what;
      EXPECT_EQ(v.broken[0].where, "interface 0 (ground - block), vertex 0");
    }
  }
}

TEST(ForceStateTest, ForceExactlyOnTheConeIsInsideForTheExactVerifier) {
  // mu = 3/4: the force (-3, 0, 4) lies exactly on the cone, slope 3-4-5
  Structure s = block_on_ground();
  s.patches[0].mu = .75;
  s.gravity = {3, 0, -4};
  const auto force = [](double n) { return V{-.75 * n, 0, n}; };
  s.forces = {force(250), force(1750), force(1750), force(250)};
  EXPECT_TRUE(verify_force_state_exact(s.problem(), s.forces, {}).accepted);
  EXPECT_EQ(verify_force_state_exact(s.problem(), s.forces, {}).residual, 0);
  // the double verifier is not certain there, and says no
  EXPECT_FALSE(verify_force_state(s.problem(), s.forces, {}).accepted);
  s.patches[0].mu = .75 * (1 + 1e-14);
  EXPECT_TRUE(verify_force_state(s.problem(), s.forces, {}).accepted);
}

TEST(ForceStateTest, FrictionlessContactCountsTheNormalPart) {
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    Structure s = block_on_ground();
    s.patches[0].mu = 0;
    s = rotated(s, random_rotation(random));  // rounded world axes: f is parallel to n only up to rounding
    expect_stands(s, "frictionless");
    s.forces[2] = add(s.forces[2], scaled(50, s.bodies[1].vertices[1].x > 0 ? outer(s.patches[0].normal, {1, 0, 0})
                                                                            : outer(s.patches[0].normal, {0, 1, 0})));
    expect_stands(s, "the tangential part does not count");
  }
  Structure slope = block_on_slope(1e-3, 0);
  EXPECT_FALSE(verify_force_state_exact(slope.problem(), slope.forces, {}).accepted);
  EXPECT_FALSE(verify_force_state(slope.problem(), slope.forces, {}).accepted);
}

TEST(ForceStateTest, SmoothAndRoughContactsOfOneBodyAddUp) {
  Structure s = pressed_row(1, 5, .84);
  // the floor carries the cube; the sides press without friction, with normals of length 3
  s.add_box("floor", {-1, 0, -1}, {2, 1, 0}, true);
  const V quarter{0, 0, 1000 * 9.80665 / 4};
  for (PatchData& p : s.patches) {
    p.mu = 0;
    p.normal = {3, 0, 0};
  }
  s.forces.assign(8, {7000.125, 0, 0});
  s.add_bed(3, 1, {0, 1, 0, 1}, 0, {quarter, quarter, quarter, quarter});
  expect_stands(s, "mixed");
}

TEST(ForceStateTest, ZeroForceIsInsideEveryCone) {
  Structure s = wall(3, 3);
  for (PatchData& p : s.patches) p.mu = 1e-3;
  expect_stands(s, "head joints carry nothing");
}

TEST(ForceStateTest, NormalMayHaveAnyLength) {
  for (const double length : {1e-150, 1e-3, 7.0, 1e150}) {
    Structure s = block_on_slope(.5, .6);
    for (PatchData& p : s.patches) p.normal = scaled(length, p.normal);
    expect_stands(s, "normal length");
  }
}

TEST(ForceStateTest, AllSupportsStand) {
  Structure s = block_on_ground();
  s.bodies[1].fixed = true;
  expect_stands(s, "all fixed");
}

TEST(ForceStateTest, FlatSupportIsAllowed) {
  Structure s = block_on_ground();
  for (V& p : s.bodies[0].vertices) p.z = 0;
  expect_stands(s, "flat ground");
  for (V& p : s.bodies[1].vertices) p.z = 0;
  EXPECT_EQ(verify_force_state(s.problem(), s.forces, {}).broken[0].where, "block block");
  EXPECT_EQ(verify_force_state_exact(s.problem(), s.forces, {}).broken[0].what, "volume is not > 0");
}

TEST(ForceStateTest, ConcaveFaceCountsWithItsSign) {
  // an L-shaped prism: fan triangles of the L from the corner next to the notch overlap with opposite signs
  Structure s;
  s.add_box("ground", {-1, -1, -1}, {3, 3, 0}, true);
  const std::vector<V> outline{{1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 1, 0}};  // area 3, from the notch
  BodyData body{"L"};
  for (const double z : {0.0, 1.0})
    for (const V& p : outline) body.vertices.push_back({p.x, p.y, z});
  const auto face = [&](std::vector<std::uint32_t> corners) {
    body.face_vertex.insert(body.face_vertex.end(), corners.begin(), corners.end());
    body.face_start.push_back(std::uint32_t(body.face_vertex.size()));
  };
  face({1, 0, 5, 4, 3, 2});  // starts beside the notch
  face({7, 8, 9, 10, 11, 6});
  for (std::uint32_t i = 0; i < 6; ++i) face({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  s.bodies.push_back(body);
  s.gravity = {0, 0, -10};
  // centre of mass of the L: (5/6, 5/6); forces at (0, 0), (2, 0), (0, 2) in the ratio that puts their centre there
  const double weight = 3 * 1000 * 10;
  s.patches.push_back({0, 1, {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}});
  s.forces = {{0, 0, weight / 6}, {0, 0, weight * 5 / 12}, {0, 0, weight * 5 / 12}};
  expect_stands(s, "L");
  EXPECT_TRUE(certify::find_misplaced_patches(s.problem(), 1e-4, 10).empty());
  // (1.5, 1.5) lies in the box of the L and in fan triangles of some start corners, but not on the L
  s.patches[0].polygon[1] = {1.5, 1.5, 0};
  EXPECT_EQ(certify::find_misplaced_patches(s.problem(), 1e-4, 10).size(), 1u);
}

TEST(ForceStateTest, SiteCoordinatesDoNotSpoilTheProof) {
  for (const double far : {1e6, 1e7}) {
    Structure s = translated(wall(4, 5), {far, -far, far});  // integers stay exact
    const Verification v = verify_force_state(s.problem(), s.forces, {});
    EXPECT_TRUE(v.accepted) << v.statement;
    EXPECT_LE(v.residual, 1e-12);
  }
}

TEST(ForceStateTest, BrokenConditionsAreListedUpToTheLimit) {
  Structure s = wall(5, 5);
  for (V& f : s.forces) f = scaled(-1, f);
  const Verification v = verify_force_state(s.problem(), s.forces, {});
  EXPECT_FALSE(v.accepted);
  EXPECT_EQ(v.broken.size(), 10u);
  VerifySettings few;
  few.most_broken = 2;
  EXPECT_EQ(verify_force_state_exact(s.problem(), s.forces, few).broken.size(), 2u);
  few.most_broken = 0;
  EXPECT_FALSE(verify_force_state(s.problem(), s.forces, few).accepted);
  EXPECT_FALSE(verify_force_state_exact(s.problem(), s.forces, few).accepted);
}

TEST(ForceStateTest, TinyAndHugeForcesKeepTheirCone) {
  // far below the weight nothing is lost of the balance, but the cone still decides
  for (const double tiny : {1e-30, 1e-170, 1e-310}) {
    Structure s = wall(2, 1);
    s.forces[0] = {tiny, 0, 0};
    EXPECT_TRUE(verify_force_state(s.problem(), s.forces, {}).accepted) << tiny;
    EXPECT_TRUE(verify_force_state_exact(s.problem(), s.forces, {}).accepted) << tiny;
    s.forces[0] = {tiny, 0, tiny};
    EXPECT_FALSE(verify_force_state(s.problem(), s.forces, {}).accepted) << tiny;
    EXPECT_FALSE(verify_force_state_exact(s.problem(), s.forces, {}).accepted) << tiny;
  }
  Structure s = block_on_ground();
  s.forces[0].z = 1e300;
  EXPECT_FALSE(verify_force_state(s.problem(), s.forces, {}).accepted);
  EXPECT_FALSE(verify_force_state_exact(s.problem(), s.forces, {}).accepted);
}

}  // namespace
}  // namespace trilith::test
