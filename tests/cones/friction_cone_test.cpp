#include "cones/friction_cone.h"

#include "cones/set_checker.h"

namespace trilith::test {
namespace {

using cones::Contact3;
using cones::FrictionCone;

TEST(FrictionConeTest, HoldsTheContractOfASet) { SetChecker<FrictionFamily<3>>(10).check_all(); }
TEST(FrictionConeTest, HoldsTheContractInThePlane) { SetChecker<FrictionFamily<2>>(11, 2000).check_scalars(); }
TEST(FrictionConeTest, HoldsTheContractWithFiveTangents) { SetChecker<FrictionFamily<6>>(12, 2000).check_scalars(); }

// |t| = 5, mu = 1: the foot lies half way, on the generator through (1, .6, .8).
TEST(FrictionConeTest, ProjectsToTheKnownFoot) {
  const Contact3<double> p = cones::project(Contact3<double>{1, 3, 4}, 1.0);
  EXPECT_DOUBLE_EQ(p.n, 3);
  EXPECT_DOUBLE_EQ(p.t1, 1.8);
  EXPECT_DOUBLE_EQ(p.t2, 2.4);
}

// f = p + q with p in K, q in the polar of K, p orthogonal to q (Moreau), tested on the definitions.
TEST(FrictionConeTest, ProjectionIsMoreau) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double mu = random.scale(1e-2, 1e2);
    const Contact3<double> f = {random.gauss(), random.gauss(), random.gauss()};
    const Contact3<double> p = cones::project(f, mu), q = {f.n - p.n, f.t1 - p.t1, f.t2 - p.t2};
    EXPECT_LE(std::hypot(p.t1, p.t2), mu * p.n + 1e-13 * (1 + mu));
    EXPECT_LE(mu * std::hypot(q.t1, q.t2), -q.n + 1e-13 * (1 + mu));
    EXPECT_NEAR(p.n * q.n + p.t1 * q.t1 + p.t2 * q.t2, 0, 1e-13);
  }
}

// A contact without friction is the ray n >= 0; a tension gives nothing; 0 stays 0; the edge belongs to the cone.
TEST(FrictionConeTest, DegenerateForcesHaveTheirOnlyAnswer) {
  const Contact3<double> push = cones::project(Contact3<double>{2, 5, 0}, 0.0);
  EXPECT_EQ(push.n, 2);
  EXPECT_EQ(push.t1, 0);
  const Contact3<double> pull = cones::project(Contact3<double>{-2, 0, 0}, 0.0);
  EXPECT_EQ(pull.n, 0);
  const Contact3<double> nothing = cones::project(Contact3<double>{0, 0, 0}, 0.5);
  EXPECT_EQ(nothing.n, 0);
  EXPECT_EQ(nothing.t1, 0);
  const Contact3<double> edge = cones::project(Contact3<double>{2, 0, 1}, 0.5);
  EXPECT_EQ(edge.n, 2);
  EXPECT_EQ(edge.t2, 1);
  const Contact3<double> sideways = cones::project(Contact3<double>{0, 1, 0}, 1e-12);
  EXPECT_NEAR(sideways.n, 1e-12, 1e-26);
}

// With mu from 1e-9 to 1e9 the foot stays on the cone to rounding.
TEST(FrictionConeTest, ExtremeFrictionStaysExact) {
  Random random(2);
  for (const double mu : {1e-9, 1e-6, 1e6, 1e9}) {
    for (int i = 0; i < 1000; ++i) {
      const Contact3<double> f = {random.gauss(), random.gauss(), random.gauss()}, p = cones::project(f, mu);
      EXPECT_GE(p.n, 0);
      EXPECT_LE(std::hypot(p.t1, p.t2), mu * p.n * (1 + 1e-15));
    }
  }
}

// In the metric diag(R0, R1, R1) the cone is that of mu sqrt(R1/R0) in scaled variables.
TEST(FrictionConeTest, WeightedProjectionIsTheEuclideanOneOfAnotherCone) {
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const double mu = random.scale(0.1, 10), R0 = random.scale(0.01, 100), R1 = random.scale(0.01, 100);
    const Point<3> v = {{random.gauss(), random.gauss(), random.gauss()}};
    const Point<3> p = FrictionCone<double>{mu}.projection(v, {{R0, R1, R1}}).point;
    const double a = std::sqrt(R0), b = std::sqrt(R1);
    const Contact3<double> q = cones::project(Contact3<double>{a * v[0], b * v[1], b * v[2]}, mu * b / a);
    const double size = std::max(a, b) * cones::norm(v);
    EXPECT_NEAR(a * p[0], q.n, 1e-14 * size);
    EXPECT_NEAR(b * p[1], q.t1, 1e-14 * size);
    EXPECT_NEAR(b * p[2], q.t2, 1e-14 * size);
  }
}

// Tangents of different weight: the scalar equation meets the closed form where the weights meet.
TEST(FrictionConeTest, UnevenWeightsMeetTheClosedForm) {
  Random random(4);
  for (int i = 0; i < 5000; ++i) {
    const FrictionCone<double> cone = {random.scale(0.1, 10)};
    const Point<3> v = {{random.gauss(), random.gauss(), random.gauss()}};
    const double R0 = random.scale(0.1, 10), R1 = random.scale(0.1, 10);
    const auto even = cone.projection(v, {{R0, R1, R1}}), uneven = cone.projection(v, {{R0, R1, R1 * (1 + 1e-15)}});
    EXPECT_LE(cones::norm(even.point - uneven.point), 1e-13);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(even.slope.m[r][c], uneven.slope.m[r][c], 1e-11 / std::min(R0, R1));
  }
}

// Inside, far from the edges, the barrier is -weight log(n^2 - |t|^2 / mu^2).
TEST(FrictionConeTest, BarrierIsLogDet) {
  const FrictionCone<double> cone = {0.5};
  const Point<3> v = {{4, 0.6, 0.8}};
  const auto e = cone.barrier(v, {0.1, 0.5});
  EXPECT_NEAR(e.value, -0.1 * std::log(16 - 1 / 0.25), 1e-15);
  EXPECT_NEAR(e.gradient[0], -0.1 * 2 * 4 / 12, 1e-15);
  EXPECT_NEAR(e.gradient[1], 0.1 * 2 * 0.6 / 0.25 / 12, 1e-15);
}

}  // namespace
}  // namespace trilith::test
