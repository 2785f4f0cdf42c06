// Algebra of the second-order cone for interior points, scalar and in lanes.
#include "cones/jordan.h"

#include <cmath>

#include "gtest/gtest.h"
#include "support/random.h"

namespace trilith {
namespace {

using cones::NesterovTodd;
using test::Random;

constexpr double floor_value = 1e-300;

/// A point strictly inside the cone, of any size.
Vec3d inside(Random& random) {
  const double y = random.gauss(), z = random.gauss(), size = random.scale(1e-3, 1e3);
  return size * Vec3d{std::hypot(y, z) * (1 + random.scale(1e-6, 10)), y, z};
}

double distance(const Vec3d& a, const Vec3d& b) { return norm(a - b); }

TEST(JordanTest, ScalingMapsDualToPrimalAndItsRootSquaresToIt) {
  Random random(1);
  for (int k = 0; k < 5000; ++k) {
    const Vec3d z = inside(random), s = inside(random), x = random.gauss_vector();
    const auto scaling = NesterovTodd<double>::of(z, s, floor_value);
    const double eta = std::sqrt(scaling.eta_squared), size = norm(scaling.apply(s)) + norm(z);
    EXPECT_LE(distance(scaling.apply(s), z), 1e-7 * size);
    const double big = norm(scaling.apply(x)) + scaling.eta_squared * norm(x) * dot(scaling.w, scaling.w);
    EXPECT_LE(distance(scaling.root(scaling.root(x, eta), eta), scaling.apply(x)), 1e-12 * big);
    EXPECT_LE(distance(scaling.inverse_root(scaling.root(x, eta), eta), x), 1e-9 * dot(scaling.w, scaling.w) * norm(x));
  }
}

TEST(JordanTest, UpperTriangleIsTheMatrixThatApplyMultipliesWith) {
  Random random(2);
  const auto scaling = NesterovTodd<double>::of(inside(random), inside(random), floor_value);
  double h[6];
  scaling.upper(h);
  const Vec3d columns[3] = {scaling.apply({1, 0, 0}), scaling.apply({0, 1, 0}), scaling.apply({0, 0, 1})};
  const double expected[6] = {columns[0].x, columns[1].x, columns[2].x, columns[1].y, columns[2].y, columns[2].z};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(h[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
}

TEST(JordanTest, JordanDivisionUndoesTheProductAndTheInverseGivesOne) {
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const Vec3d a{3 + random.uniform(0, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, b = random.gauss_vector();
    EXPECT_LE(distance(cones::jordan_divide(a, cones::jordan_product(a, b), floor_value), b), 1e-12 * (1 + norm(b)));
    EXPECT_LE(distance(cones::jordan_product(a, cones::jordan_inverse(a, floor_value)), {1, 0, 0}), 1e-12);
  }
}

TEST(JordanTest, InverseStepEndsOnTheBoundary) {
  Random random(4);
  int bounded = 0;
  for (int k = 0; k < 5000; ++k) {
    const Vec3d x{2 + random.uniform(0, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, d = random.gauss_vector();
    const double inverse = cones::inverse_step(x, d, floor_value);
    if (inverse <= 0) {
      EXPECT_GE(d.x + 1e-9, std::hypot(d.y, d.z));
      continue;
    }
    ++bounded;
    const Vec3d end = x + (1 / inverse) * d;
    EXPECT_NEAR(end.x, std::hypot(end.y, end.z), 1e-9 * (1 + norm(end)));
    EXPECT_GE(end.x, 0);
  }
  EXPECT_GT(bounded, 3000);
}

TEST(JordanTest, ConeIntervalHoldsExactlyTheScalesThatLieInTheCone) {
  Random random(5);
  int found = 0;
  for (int k = 0; k < 5000; ++k) {
    const Vec3d e = random.gauss_vector(), d = random.gauss_vector();
    const auto interval = cones::cone_interval(e, d);
    for (double t = 0.01; t < 20; t *= 1.3) {
      const Vec3d p = e + t * d;
      const double margin = p.x - std::hypot(p.y, p.z);
      if (std::abs(margin) < 1e-9) continue;
      EXPECT_EQ(margin > 0, t > interval.low && t < interval.high) << k << " t " << t;
      found += margin > 0;
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(JordanTest, LanesHaveTheBitsOfTheScalar) {
  Random random(6);
  Vec3d z[8], s[8], d[8];
  Vec3<Double8> zl, sl, dl;
  for (int i = 0; i < 8; ++i) {
    z[i] = inside(random), s[i] = inside(random), d[i] = random.gauss_vector();
    zl.x.set(i, z[i].x), zl.y.set(i, z[i].y), zl.z.set(i, z[i].z);
    sl.x.set(i, s[i].x), sl.y.set(i, s[i].y), sl.z.set(i, s[i].z);
    dl.x.set(i, d[i].x), dl.y.set(i, d[i].y), dl.z.set(i, d[i].z);
  }
  const auto lanes = NesterovTodd<Double8>::of(zl, sl, Double8(floor_value)).apply(dl);
  const Double8 step = cones::inverse_step(zl, dl, Double8(floor_value));
  const auto interval = cones::cone_interval(dl, zl);
  for (int i = 0; i < 8; ++i) {
    const Vec3d one = NesterovTodd<double>::of(z[i], s[i], floor_value).apply(d[i]);
    EXPECT_EQ(lanes.x[i], one.x);
    EXPECT_EQ(lanes.z[i], one.z);
    EXPECT_EQ(step[i], cones::inverse_step(z[i], d[i], floor_value));
    EXPECT_EQ(interval.low[i], cones::cone_interval(d[i], z[i]).low);
  }
}

}  // namespace
}  // namespace trilith
