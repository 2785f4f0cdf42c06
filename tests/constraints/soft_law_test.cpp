#include "constraints/soft_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "constraints/touch_finder.h"
#include "support/random.h"

namespace trilith::constraints {
namespace {

TEST(SoftLawTest, SpringAndDamperAreThoseOfTheTimeConstant) {
  const SoftLaw law = make_soft_law({{0.05, 0.7}, {0.9, 0.95, 0.001, 0.5, 2}}, {0});
  EXPECT_DOUBLE_EQ(law.stiffness, 1 / (0.95 * 0.95 * 0.05 * 0.05 * 0.7 * 0.7));
  EXPECT_DOUBLE_EQ(law.damping, 2 / (0.95 * 0.05));
  EXPECT_DOUBLE_EQ(make_soft_law({{0.001, 1}, {}}, {0.004}).damping, make_soft_law({{0.004, 1}, {}}, {0}).damping);
}

TEST(SoftLawTest, NegativeNumbersAreStiffnessAndDamping) {
  const SoftLaw law = make_soft_law({{-500, -20}, {0.9, 0.8, 0.001, 0.5, 2}}, {1});
  EXPECT_DOUBLE_EQ(law.stiffness, 500 / 0.64);
  EXPECT_DOUBLE_EQ(law.damping, 20 / 0.8);
  const SoftLaw mixed = make_soft_law({{0.1, -1}, {}}, {0}), usual = make_soft_law({{0.02, 1}, {}}, {0});
  EXPECT_EQ(mixed.stiffness, usual.stiffness);
  EXPECT_EQ(mixed.damping, usual.damping);
}

TEST(SoftLawTest, ImpedanceRisesFromTheMarginToTheWidth) {
  const SoftLaw law = make_soft_law({{0.02, 1}, {0.2, 0.9, 0.01, 0.3, 3}}, {0});
  EXPECT_DOUBLE_EQ(impedance(law, 0), 0.2);
  EXPECT_DOUBLE_EQ(impedance(law, 0.02), 0.9);
  EXPECT_NEAR(impedance(law, 0.003), 0.2 + 0.7 * 0.3, 1e-15);  // the two curves meet on the diagonal
  EXPECT_NEAR(impedance(law, 0.0015), 0.2 + 0.7 * std::pow(0.15, 3) / (0.3 * 0.3), 1e-15);
  EXPECT_NEAR(impedance(law, 0.008), 0.2 + 0.7 * (1 - std::pow(0.2, 3) / (0.7 * 0.7)), 1e-15);
  double last = 0;
  for (double r = 0; r < 0.012; r += 1e-5) {
    EXPECT_GE(impedance(law, r), last);
    last = impedance(law, r);
  }
}

TEST(SoftLawTest, ImpedanceIsClampedAndEqualEndsAreOneNumber) {
  EXPECT_EQ(impedance(make_soft_law({{0.02, 1}, {0, 2, 0.01, 0.5, 1}}, {0}), 0), least_impedance);
  EXPECT_EQ(impedance(make_soft_law({{0.02, 1}, {0, 2, 0.01, 0.5, 1}}, {0}), 1), largest_impedance);
  EXPECT_NEAR(impedance(make_soft_law({{0.02, 1}, {0, 1, 0.01, 0.5, 1}}, {0}), 0.0025), 0.25, 1e-3);
  EXPECT_EQ(impedance(make_soft_law({{0.02, 1}, {0.7, 0.7, 0.01, 0.5, 2}}, {0}), 0.3), 0.7);
  EXPECT_NEAR(impedance(make_soft_law({{0.02, 1}, {0.6, 0.8, 0, 0.5, 2}}, {0}), 0.3), 0.7, 1e-15);
}

TEST(SoftLawTest, RegularizationIsNeverZero) {
  EXPECT_EQ(regularization(0.9, 0), least_regularization);
  EXPECT_DOUBLE_EQ(regularization(0.8, 3), 0.25 * 3);
}

TEST(SoftLawTest, LawsAreMixedAsSpringsOnlyWhereBothAre) {
  const model::Softness a{{0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}}, b{{0.04, 0.5}, {0.5, 0.6, 0.003, 0.5, 2}}, direct{{-100, -5}, {}};
  const model::Softness half = mix(a, b, 0.25);
  EXPECT_DOUBLE_EQ(half.solref[0], 0.035);
  EXPECT_DOUBLE_EQ(half.solimp[2], 0.0025);
  EXPECT_EQ(mix(a, direct, 0.5).solref[0], -100);
  EXPECT_EQ(mix(a, direct, 0.5).solref[1], -5);
}

TEST(TouchFrameTest, FrameIsRightHandedAndTakesTheWantedTangent) {
  test::Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3d n = random.direction(), wanted = random.coin() ? random.direction() : Vec3d{};
    const Mat3d f = make_touch_frame(n, wanted);
    const Mat3d unity = f * transpose(f);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(unity.m[k], k % 4 == 0 ? 1 : 0, 1e-14);
    EXPECT_NEAR(determinant(f), 1, 1e-14);
    EXPECT_NEAR(norm(row(f, 0) - n), 0, 1e-15);
    EXPECT_GE(dot(row(f, 1), wanted), 0);
  }
}

model::Model two_balls() {
  model::Model model;
  model.bodies.resize(3);
  for (std::int32_t i = 1; i < 3; ++i) {
    model.bodies[static_cast<std::size_t>(i)].weld = i;
    model::Geom& geom = model.geoms.emplace_back();
    geom.body = i;
    geom.size = {0.1, 0, 0};
  }
  return model;
}

TEST(TouchFinderTest, PriorityDecidesAloneElseTheLargerWins) {
  model::Model model = two_balls();
  model.geoms[0].friction = {0.4, 0.01, 0.002};
  model.geoms[0].condim = 1;
  model.geoms[0].margin = 0.01, model.geoms[1].margin = 0.02;
  TouchPair pair = mix_pair(model, 0, 1);
  EXPECT_EQ(pair.condim, 3);
  EXPECT_EQ(pair.friction[0], 1);
  EXPECT_EQ(pair.friction[2], 0.01);
  EXPECT_DOUBLE_EQ(pair.margin, 0.03);
  model.geoms[0].priority = 1;
  pair = mix_pair(model, 0, 1);
  EXPECT_EQ(pair.condim, 1);
  EXPECT_EQ(pair.friction[0], 0.4);
}

TEST(TouchFinderTest, MasksParentsAndExclusionsFilterPairs) {
  std::vector<Warning> warnings;
  model::Model model = two_balls();
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.bodies[2].parent = 1;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model.options.filter_parent = false;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.geoms[0].contype = 2, model.geoms[0].conaffinity = 4;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model.geoms[1].conaffinity = 2;
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 1U);
  model.excludes.push_back({{"", 2}, {"", 1}, ""});
  EXPECT_EQ(TouchFinder(model, 3, warnings).pairs().size(), 0U);
  model::ContactPair& given = model.pairs.emplace_back();
  given.a.index = 0, given.b.index = 1, given.condim = 6;
  const TouchFinder finder(model, 3, warnings);
  ASSERT_EQ(finder.pairs().size(), 1U);  // a named pair asks nobody
  EXPECT_EQ(finder.pairs()[0].condim, 6);
}

TEST(TouchFinderTest, ContactsActBelowTheMarginAndFullIsTold) {
  std::vector<Warning> warnings;
  const model::Model model = two_balls();
  const TouchFinder finder(model, 3, warnings);
  std::vector<Posed> X_WB(3, identity_pose<double>()), X_WG(2, identity_pose<double>());
  X_WB[2].p = {0, 0, 0.19};
  std::vector<Touch> touches(1);
  bool full = false;
  ASSERT_EQ(finder.find(X_WB, X_WG, touches, full), 1U);
  EXPECT_FALSE(full);
  EXPECT_NEAR(touches[0].distance, -0.01, 1e-15);
  EXPECT_NEAR(touches[0].frame.m[2], 1, 1e-15);
  EXPECT_EQ(finder.find(X_WB, X_WG, std::span(touches).first(0), full), 0U);
  EXPECT_TRUE(full);
  X_WB[2].p = {0, 0, 0.21};
  EXPECT_EQ(finder.find(X_WB, X_WG, touches, full), 0U);
}

}  // namespace
}  // namespace trilith::constraints
