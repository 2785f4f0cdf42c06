#include "support/random.h"

#include <gtest/gtest.h>

namespace trilith::test {
namespace {

TEST(RandomTest, UniformHasTheMomentsOfTheInterval) {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = random.uniform(-1, 1);
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.01);
}

TEST(RandomTest, GaussHasUnitVariance) {
  Random random(2);
  double sum = 0, squares = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = random.gauss();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(squares / count, 1, 0.02);
}

TEST(RandomTest, DirectionsHaveLengthOne) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d d = random.direction();
    EXPECT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-14);
  }
}

TEST(RandomTest, SameSeedGivesTheSameNumbers) {
  Random a(4), b(4), other(5);
  EXPECT_EQ(a.uniform(0, 1), b.uniform(0, 1));
  EXPECT_NE(a.uniform(0, 1), other.uniform(0, 1));
}

}  // namespace
}  // namespace trilith::test
