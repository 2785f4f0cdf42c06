#include <gtest/gtest.h>

#include <cmath>

#include "spatial/inertia.h"
#include "support/random.h"

// Identities that tie pose, twist, wrench and inertia together.
namespace trilith {
namespace {

class MotionTest : public testing::Test {
 protected:
  Posed pose() {
    const Vec3d p = random_.gauss_vector();
    return make_pose(exp_rotation(random_.gauss_vector()), p);
  }
  Twistd twist() {
    const Vec3d v = random_.gauss_vector();
    return {v, random_.gauss_vector()};
  }
  Wrenchd wrench() {
    const Vec3d f = random_.gauss_vector();
    return {f, random_.gauss_vector()};
  }
  /// A box turned and moved away from the origin.
  Inertiad body() {
    const Posed X = pose();
    return transform(X, box_inertia(random_.uniform(1, 5), Vec3d{random_.uniform(1, 2), random_.uniform(1, 2), random_.uniform(1, 2)}));
  }
  test::Random random_{6};
};

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-13) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST_F(MotionTest, PosesComposeAndInvert) {
  const Posed X_WA = pose(), X_AB = pose();
  const Vec3d p = random_.gauss_vector();
  expect_near(transform_point(X_WA * X_AB, p), transform_point(X_WA, transform_point(X_AB, p)));
  expect_near(transform_point(inverse(X_WA), transform_point(X_WA, p)), p);
  expect_near(inverse_transform_point(X_WA, transform_point(X_WA, p)), p);
  expect_near(transform_point(identity_pose<double>(), p), p, 0);
}

TEST_F(MotionTest, APointOfASpinningBodyMovesAsTheDifferenceQuotientSays) {
  const Twistd v = twist();
  const Vec3d p = random_.gauss_vector();
  constexpr double h = 1e-5;
  const Vec3d ahead = h * v.linear + rotate(exp_rotation(h * v.angular), p);
  const Vec3d behind = -h * v.linear + rotate(exp_rotation(-h * v.angular), p);
  expect_near(shift(v, p).linear, (0.5 / h) * (ahead - behind), 1e-8);
}

TEST_F(MotionTest, AForceHasNoMomentAboutItsOwnPoint) {
  const Vec3d p = random_.gauss_vector(), f = random_.gauss_vector();
  expect_near(shift(force_at(p, f), p).moment, Vec3d{0, 0, 0});
  expect_near(force_at(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}).moment, Vec3d{0, 0, 1}, 0);
}

TEST_F(MotionTest, PowerDoesNotDependOnPointOrAxes) {
  const Twistd v = twist();
  const Wrenchd f = wrench();
  const Vec3d p = random_.gauss_vector();
  const Posed X = pose();
  EXPECT_NEAR(power(shift(f, p), shift(v, p)), power(f, v), 1e-13);
  EXPECT_NEAR(power(transform(X, f), transform(X, v)), power(f, v), 1e-12);
  EXPECT_NEAR(dot(to_vec6(f), to_vec6(v)), power(f, v), 1e-13);
}

TEST_F(MotionTest, TransformsFollowTheProductOfPoses) {
  const Posed X = pose(), Y = pose();
  const Twistd v = twist(), a = transform(X, transform(Y, v)), b = transform(X * Y, v);
  expect_near(a.linear, b.linear, 1e-12);
  expect_near(a.angular, b.angular, 1e-12);
  const Wrenchd f = wrench(), c = transform(X, transform(Y, f)), d = transform(X * Y, f);
  expect_near(c.force, d.force, 1e-12);
  expect_near(c.moment, d.moment, 1e-12);
}

TEST_F(MotionTest, CrossProductsAreDual) {
  const Twistd u = twist(), v = twist();
  const Wrenchd f = wrench();
  EXPECT_NEAR(power(cross(v, f), u), -power(f, cross(v, u)), 1e-13);
  expect_near(cross(v, v).linear, Vec3d{0, 0, 0});
  expect_near(cross(v, v).angular, Vec3d{0, 0, 0});
}

TEST_F(MotionTest, BoxInertiaIsTheTextbookOne) {
  const Inertiad box = box_inertia(12.0, Vec3d{1, 2, 3});
  EXPECT_NEAR(box.about_com.m[0], 4 + 9, 1e-14);
  EXPECT_NEAR(box.about_com.m[4], 1 + 9, 1e-14);
  EXPECT_NEAR(box.about_com.m[8], 1 + 4, 1e-14);
  // about an edge parallel to z: a third of the squared diagonal
  EXPECT_NEAR(inertia_about(box, Vec3d{0.5, 1, 0}).m[8], 12.0 * (1 + 4) / 3, 1e-13);
}

TEST_F(MotionTest, TwoHalvesOfABoxMakeTheBox) {
  const Inertiad half = box_inertia(3.0, Vec3d{1, 2, 4});
  const Posed left{identity3<double>(), {-0.5, 0, 0}}, right{identity3<double>(), {0.5, 0, 0}};
  const Inertiad whole = transform(left, half) + transform(right, half), expected = box_inertia(6.0, Vec3d{2, 2, 4});
  EXPECT_EQ(whole.mass, 6);
  expect_near(whole.com, Vec3d{0, 0, 0});
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(whole.about_com.m[i], expected.about_com.m[i], 1e-13);
}

TEST_F(MotionTest, AddingNothingChangesNothing) {
  const Inertiad a = body(), none{0, {0, 0, 0}, 0.0 * identity3<double>()}, sum = a + none;
  EXPECT_EQ(sum.mass, a.mass);
  expect_near(sum.com, a.com);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(sum.about_com.m[i], a.about_com.m[i], 1e-13);
  EXPECT_EQ((none + none).mass, 0);
  expect_near((none + none).com, none.com, 0);
}

TEST_F(MotionTest, MomentumIsTheMatrixTimesTheMotion) {
  const Inertiad a = body();
  const Twistd v = twist();
  const Vec6d expected = to_mat6(a) * to_vec6(v), h = to_vec6(momentum(a, v));
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(h.v[i], expected.v[i], 1e-11);
  const Mat6d m = to_mat6(a);
  for (int i = 0; i < 36; ++i) EXPECT_NEAR(m.m[i], m.m[6 * (i % 6) + i / 6], 1e-12);
}

TEST_F(MotionTest, EnergyAndMomentumDoNotDependOnTheFrame) {
  const Inertiad a = body();
  const Twistd v = twist();
  const Posed X = pose();
  EXPECT_NEAR(kinetic_energy(transform(X, a), transform(X, v)), kinetic_energy(a, v), 1e-10);
  const Wrenchd there = transform(X, momentum(a, v)), here = momentum(transform(X, a), transform(X, v));
  expect_near(there.force, here.force, 1e-11);
  expect_near(there.moment, here.moment, 1e-11);
  // a body that only translates: half of mass times speed squared
  EXPECT_NEAR(kinetic_energy(a, Twistd{{3, 0, 4}, {0, 0, 0}}), 12.5 * a.mass, 1e-12);
}

}  // namespace
}  // namespace trilith
