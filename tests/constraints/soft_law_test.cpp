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

}  // namespace
}  // namespace trilith::constraints
