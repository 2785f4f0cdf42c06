#include "cones/elliptic.h"

#include "cones/set_checker.h"

namespace trilith::test {
namespace {

using cones::Elliptic;

TEST(EllipticTest, HoldsTheContractForCondim3) { SetChecker<EllipticFamily<3>>(20).check_all(); }
TEST(EllipticTest, HoldsTheContractForCondim4) { SetChecker<EllipticFamily<4>>(21, 2000).check_scalars(); }
TEST(EllipticTest, HoldsTheContractForCondim6) { SetChecker<EllipticFamily<6>>(22, 2000).check_all(); }

// Equal coefficients: the friction cone.
TEST(EllipticTest, EqualCoefficientsAreTheFrictionCone) {
  Random random(23);
  for (int i = 0; i < 10000; ++i) {
    const double mu = random.scale(1e-2, 1e2);
    const Point<3> v = {{random.gauss(), random.gauss(), random.gauss()}};
    const Point<3> p = Elliptic<double, 3>{{{mu, mu}}}.project(v), q = cones::FrictionCone<double>{mu}.project(v);
    EXPECT_LE(cones::norm(p - q), 4e-15 * cones::norm(v));
  }
}

// A coefficient of 0 locks its tangent and leaves the cone of the others.
TEST(EllipticTest, AZeroCoefficientLocksItsTangent) {
  const Point<4> p = Elliptic<double, 4>{{{0.5, 0.5, 0}}}.project({{2, 3, 4, 7}});
  const Point<3> q = cones::FrictionCone<double>{0.5}.project({{2, 3, 4}});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[i], q[i], 1e-15);
  EXPECT_EQ(p[3], 0);
  const Point<3> locked = Elliptic<double, 3>{{{0, 0}}}.project({{2, 3, 4}});
  EXPECT_EQ(locked[0], 2);
  EXPECT_EQ(locked[1], 0);
}

// Coefficients and weights twelve decades apart: the Newton iteration ends by itself, on the cone, with the optimality condition met.
TEST(EllipticTest, ExtremeRatiosConverge) {
  Random random(24);
  for (int i = 0; i < 20000; ++i) {
    Elliptic<double, 6> set;
    Point<6> v, R, pull;
    double squares = 0, least_mu = infinity, most_mu = 0, polar = 0;
    for (int j = 0; j < 5; ++j) {
      set.mu[j] = random.scale(1e-3, 1e3);
      least_mu = std::min(least_mu, set.mu[j]);
      most_mu = std::max(most_mu, set.mu[j]);
    }
    for (int j = 0; j < 6; ++j) v[j] = random.gauss(), R[j] = random.scale(1e-3, 1e3);
    const Point<6> p = set.projection(v, R).point;
    double scale = 0;
    for (int j = 0; j < 6; ++j) pull[j] = R[j] * (v[j] - p[j]), scale += R[j] * std::abs(v[j]);
    for (int j = 0; j < 5; ++j) squares += std::pow(p[j + 1] / set.mu[j], 2), polar += std::pow(pull[j + 1] * set.mu[j], 2);
    EXPECT_LE((std::sqrt(squares) - p[0]) / std::sqrt(1 + 1 / (least_mu * least_mu)), 1e-14 * cones::norm(v));
    EXPECT_LE((std::sqrt(polar) + pull[0]) / std::sqrt(1 + most_mu * most_mu), 1e-13 * scale);
    EXPECT_NEAR(cones::dot(p, pull), 0, 1e-12 * scale * cones::norm(v));
  }
}

// The contact metric has a closed form; the general projection agrees.
TEST(EllipticTest, ContactMetricMeetsTheGeneralProjection) {
  Random random(25);
  for (int i = 0; i < 10000; ++i) {
    const Elliptic<double, 6> set = {
        {{random.scale(0.1, 2), random.scale(0.1, 2), random.scale(1e-3, 0.1), random.scale(1e-4, 0.1), 0.01}}};
    const double R0 = random.scale(1e-3, 1), R1 = R0 / random.scale(0.1, 100);
    const Point<6> R = contact_weights(set.mu, R0, R1);
    Point<6> v;
    for (int j = 0; j < 6; ++j) v[j] = random.gauss() * (j == 0 ? 1 : set.mu[j - 1]);
    const auto closed = set.contact_projection(v, R0, R1), general = set.projection(v, R);
    for (int r = 0; r < 6; ++r) {
      EXPECT_NEAR(closed.point[r], general.point[r], 1e-13 * cones::norm(v));
      for (int c = 0; c < 6; ++c) EXPECT_NEAR(closed.slope.m[r][c], general.slope.m[r][c], 1e-11 / std::sqrt(R[r] * R[c]));
    }
  }
}

}  // namespace
}  // namespace trilith::test
