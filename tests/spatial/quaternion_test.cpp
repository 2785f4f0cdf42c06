#include "spatial/quaternion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace trilith {
namespace {

const double pi = std::acos(-1.0);

Quaterniond random_quaternion(test::Random& random) {
  return normalized(Quaterniond{random.gauss(), random.gauss(), random.gauss(), random.gauss()});
}
double distance(const Vec3d& a, const Vec3d& b) { return norm(a - b); }
double distance(const Quaterniond& a, const Quaterniond& b) {
  return std::hypot(std::hypot(a.w - b.w, a.x - b.x), std::hypot(a.y - b.y, a.z - b.z));
}

TEST(QuaternionTest, AQuarterTurnAboutZTakesXToY) {
  const Quaterniond q = exp_rotation(Vec3d{0, 0, pi / 2});
  EXPECT_LT(distance(rotate(q, Vec3d{1, 0, 0}), Vec3d{0, 1, 0}), 1e-15);
  EXPECT_NEAR(q.w, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(q.z, std::sqrt(0.5), 1e-15);
}

TEST(QuaternionTest, RotatesLikeItsMatrixAndTheProductComposes) {
  test::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Quaterniond q_WA = random_quaternion(random), q_AB = random_quaternion(random);
    const Vec3d v = random.gauss_vector();
    EXPECT_LT(distance(rotate(q_WA, v), to_matrix(q_WA) * v), 1e-14);
    EXPECT_LT(distance(rotate(q_WA * q_AB, v), rotate(q_WA, rotate(q_AB, v))), 1e-14);
    EXPECT_LT(distance(rotate(conjugate(q_WA), rotate(q_WA, v)), v), 1e-14);
    EXPECT_NEAR(determinant(to_matrix(q_WA)), 1, 1e-14);
  }
}

TEST(QuaternionTest, MatrixAndBackIsTheSameRotationWithPositiveW) {
  test::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    Quaterniond q = random_quaternion(random);
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    EXPECT_LT(distance(from_matrix(to_matrix(q)), q), 1e-14);
  }
}

// half turns: w is 0, one form would divide by 0
TEST(QuaternionTest, HalfTurnsAboutEveryAxisAreRead) {
  test::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3d axis = i < 3 ? Vec3d{double(i == 0), double(i == 1), double(i == 2)} : random.direction();
    const Mat3d r = 2.0 * outer(axis, axis) - identity3<double>();
    const Mat3d back = to_matrix(from_matrix(r));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(back.m[k], r.m[k], 1e-14);
  }
}

TEST(QuaternionTest, ExponentialAndLogarithmAreInverse) {
  test::Random random(4);
  for (int i = 0; i < 2000; ++i) {
    // sizes from far below the square root of the smallest number up to half a turn
    const double angle = i % 2 == 0 ? random.uniform(0, pi * (1 - 1e-12)) : random.scale(1e-300, 1);
    const Vec3d r = angle * random.direction();
    EXPECT_LT(distance(log_rotation(exp_rotation(r)), r), 4e-15 * norm(r) + 1e-300) << angle;
  }
  EXPECT_EQ(norm(log_rotation(exp_rotation(Vec3d{0, 0, 0}))), 0);
}

TEST(QuaternionTest, ExponentialAgreesWithTheDefinitionOnBothSidesOfTheSeries) {
  const Vec3d axis{0.6, 0, 0.8};
  for (const double angle : {1e-12, 1.0e-8, 1.4e-8, 1.5e-8, 1.6e-8, 1e-4, 1.0, 3.0, 7.0, 100.0}) {
    const Quaterniond q = exp_rotation(angle * axis);
    EXPECT_NEAR(q.w, std::cos(angle / 2), 1e-15) << angle;
    EXPECT_NEAR(q.x / (0.6 * std::sin(angle / 2)), 1, 1e-14) << angle;
    EXPECT_NEAR(q.z / (0.8 * std::sin(angle / 2)), 1, 1e-14) << angle;
  }
}

TEST(QuaternionTest, LogarithmTakesTheShortWay) {
  const Quaterniond q = exp_rotation(Vec3d{0, 0, 1.5 * pi});
  EXPECT_LT(distance(log_rotation(q), Vec3d{0, 0, -0.5 * pi}), 1e-14);
}

TEST(QuaternionTest, NormalizingZeroGivesTheIdentity) {
  const Quaterniond q = normalized(Quaterniond{0, 0, 0, 0});
  EXPECT_EQ(distance(q, identity_quaternion<double>()), 0);
}

TEST(QuaternionTest, LanesHaveTheBitsOfScalarCode) {
  test::Random random(5);
  Vec3<Double8> r;
  Vec3d single[8];
  for (int i = 0; i < 8; ++i) {
    single[i] = random.scale(1e-12, 10) * random.direction();
    r.x.set(i, single[i].x), r.y.set(i, single[i].y), r.z.set(i, single[i].z);
  }
  const Quaternion<Double8> q = from_matrix(to_matrix(exp_rotation(r)));
  const Vec3<Double8> back = log_rotation(q);
  for (int i = 0; i < 8; ++i) {
    const Quaterniond s = from_matrix(to_matrix(exp_rotation(single[i])));
    EXPECT_EQ(q.w[i], s.w);
    EXPECT_EQ(q.x[i], s.x);
    EXPECT_EQ(q.y[i], s.y);
    EXPECT_EQ(q.z[i], s.z);
    EXPECT_EQ(back.y[i], log_rotation(s).y);
  }
}

}  // namespace
}  // namespace trilith
