// The judge of the penalty program on points with closed-form answers, and on points that are a little wrong.
#include "certify/penalty_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "certify/structures.h"

namespace trilith::test {
namespace {

using certify::PenaltyForce;
using certify::PenaltyProgram;
using certify::PenaltyVerification;

constexpr double weight = 1000 * 9.80665;
const V along_x[] = {{1, 0, 0}};

/// A cube on a ground: the even share is the minimum, its multipliers lift the cube by a quarter of the weight.
struct Point {
  Structure structure = block_on_ground();
  std::vector<PenaltyForce> forces = std::vector<PenaltyForce>(4, {weight / 4, 0, 0, 0});
  std::vector<certify::Velocity> multipliers = {{}, {{0, 0, weight / 4}, {}}};
  std::vector<certify::Load> loads{};
  int faces = 8;
  bool around = false, split = false;

  PenaltyProgram program() {
    PenaltyProgram program;
    program.statics = structure.problem();
    program.statics.loads = loads;
    program.t1 = along_x;
    program.faces = faces;
    program.around = around;
    program.split = split;
    program.pulling = 1000;
    return program;
  }
  PenaltyVerification judge() { return verify_penalty_point(program(), forces, multipliers, {}); }
};

TEST(PenaltyProgramTest, TheEvenShareIsProvedInEveryConeAndForm) {
  for (const int faces : {0, 3, 8})
    for (const bool around : {false, true})
      for (const bool split : {false, true}) {
        Point point;
        point.faces = faces;
        point.around = around;
        point.split = split;
        const PenaltyVerification v = point.judge();
        EXPECT_TRUE(v.accepted) << v.statement;
        EXPECT_LE(v.gap, 1e-12);
        EXPECT_LE(v.imbalance, 1e-12);
      }
}

TEST(PenaltyProgramTest, ABalancedPointThatCostsMoreIsRefusedByAtLeastItsExcess) {
  for (const double uneven : {1e-2, 1e-1, 0.5}) {
    Point point;
    for (std::size_t k = 0; k < 4; ++k) point.forces[k].pressing *= k % 2 == 0 ? 1 + uneven : 1 - uneven;
    const PenaltyVerification v = point.judge();
    EXPECT_FALSE(v.accepted);
    EXPECT_LE(v.imbalance, 1e-12);
    // it costs 1 + uneven^2 times the least
    EXPECT_GE(v.gap, uneven * uneven / (1 + uneven * uneven));
  }
}

TEST(PenaltyProgramTest, WrongMultipliersProveNothing) {
  for (const double factor : {0.0, -1.0, 0.999, 1.001, 1e300}) {
    Point point;
    point.multipliers[1].linear.z *= factor;
    EXPECT_FALSE(point.judge().accepted) << factor;
  }
}

TEST(PenaltyProgramTest, WhatPullsOrLeavesItsConeOrTheBalanceIsRefused) {
  Point pulls;
  pulls.forces[0] = {0, weight / 4, 0, 0};
  EXPECT_FALSE(pulls.judge().accepted);
  Point slides;
  for (std::size_t k = 0; k < 4; ++k) slides.forces[k].t1 = (k % 2 == 0 ? 0.9 : -0.9) * weight / 4;
  const PenaltyVerification outside = slides.judge();
  ASSERT_FALSE(outside.broken.empty());
  EXPECT_EQ(outside.broken[0].what, "force outside its cone");
  Point light;
  for (PenaltyForce& f : light.forces) f.pressing *= 1 - 1e-7;
  const PenaltyVerification unbalanced = light.judge();
  ASSERT_FALSE(unbalanced.accepted);
  EXPECT_EQ(unbalanced.broken[0].where, "block block");
}

TEST(PenaltyProgramTest, NoNumberIsNoProof) {
  const double none = std::numeric_limits<double>::quiet_NaN(), huge = std::numeric_limits<double>::max();
  for (const double value : {none, HUGE_VAL, huge}) {
    Point force, motion, turn;
    force.forces[1].t2 = value;
    motion.multipliers[1].linear.x = value;
    turn.multipliers[1].angular.y = value;
    for (Point* point : {&force, &motion, &turn}) EXPECT_FALSE(point->judge().accepted) << value;
    Structure s = block_on_ground();
    Point ray;
    ray.multipliers[1] = {{0, 0, -1}, {value, 0, 0}};
    EXPECT_FALSE(verify_penalty_ray(ray.program(), ray.multipliers, {}).accepted) << value;
  }
}

TEST(PenaltyProgramTest, ARayCountsTheLoads) {
  Point lifted;
  lifted.multipliers[1] = {{0, 0, 1}, {}};
  EXPECT_FALSE(verify_penalty_ray(lifted.program(), lifted.multipliers, {}).accepted);
  lifted.loads = {{1, {0, 0, 1.01 * weight}, {}, true}};
  EXPECT_TRUE(verify_penalty_ray(lifted.program(), lifted.multipliers, {}).accepted);
  lifted.loads[0].force.z = 0.99 * weight;
  EXPECT_FALSE(verify_penalty_ray(lifted.program(), lifted.multipliers, {}).accepted);
  // joints that may pull hold it
  lifted.loads[0].force.z = 1.01 * weight;
  lifted.split = true;
  EXPECT_FALSE(verify_penalty_ray(lifted.program(), lifted.multipliers, {}).accepted);
}

TEST(PenaltyProgramTest, APyramidInTheConeIsLeftBeforeTheConeIs) {
  // along the middle of a face the inner pyramid of four reaches mu / sqrt 2
  Point push;
  push.faces = 4;
  push.structure.patches[0].mu = 0.5;
  push.multipliers[1] = {{1, 0, 0.4}, {}};
  push.loads = {{1, {0.45 * weight, 0, 0}, {}, true}};
  EXPECT_TRUE(verify_penalty_ray(push.program(), push.multipliers, {}).accepted);
  push.faces = 0;
  EXPECT_FALSE(verify_penalty_ray(push.program(), push.multipliers, {}).accepted);
}

}  // namespace
}  // namespace trilith::test
