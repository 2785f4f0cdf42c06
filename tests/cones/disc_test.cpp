#include "cones/disc.h"

#include "cones/set_checker.h"

namespace trilith::test {
namespace {

using cones::Disc;

TEST(DiscTest, HoldsTheContractOnALine) { SetChecker<DiscFamily<1>>(30).check_scalars(); }
TEST(DiscTest, HoldsTheContractInThePlane) { SetChecker<DiscFamily<2>>(31).check_all(); }
TEST(DiscTest, HoldsTheContractInSpace) { SetChecker<DiscFamily<3>>(32, 2000).check_scalars(); }

TEST(EllipseTest, HoldsTheContract) { SetChecker<EllipseFamily>(34).check_all(); }

// Equal axes are a disc of their size.
TEST(EllipseTest, EqualAxesAreADisc) {
  Random random(35);
  for (int i = 0; i < 2000; ++i) {
    const double radius = random.scale(0.1, 10), mu = random.scale(0.1, 10);
    const Point<2> x = {{5 * random.gauss(), 5 * random.gauss()}}, R = {{random.scale(0.1, 10), random.scale(0.1, 10)}};
    const auto a = cones::Ellipse<double, 2>{radius, {{mu, mu}}}.projection(x, R), b = Disc<double, 2>{radius * mu}.projection(x, R);
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(a.point[j], b.point[j], 1e-12 * radius * mu);
      EXPECT_NEAR(a.slope.m[0][j], b.slope.m[0][j], 1e-12 * (1 / R[0] + 1 / R[1]));
    }
  }
}

TEST(DiscTest, ShortensAVectorAndKeepsItsDirection) {
  const Point<2> p = Disc<double, 2>{2.5}.project({{3, 4}});
  EXPECT_DOUBLE_EQ(p[0], 1.5);
  EXPECT_DOUBLE_EQ(p[1], 2.0);
}

// Radius 0 leaves one point, whatever the weights.
TEST(DiscTest, RadiusZeroIsAPoint) {
  const auto p = Disc<double, 2>{0}.projection({{3, 4}}, {{1, 7}});
  EXPECT_EQ(p.point[0], 0);
  EXPECT_EQ(p.point[1], 0);
  EXPECT_EQ(p.slope.m[0][0], 0);
}

// In one dimension a disc is a box.
TEST(DiscTest, OneDimensionIsABox) {
  Random random(33);
  for (int i = 0; i < 2000; ++i) {
    const double radius = random.scale(0.1, 10), R = random.scale(0.1, 10);
    const Point<1> x = {{5 * random.gauss()}}, lambda = {{random.gauss()}};
    const auto a = respond(Disc<double, 1>{radius}, x, {{R}}, lambda), b = respond(cones::Box<double>{-radius, radius}, x, {{R}}, lambda);
    EXPECT_NEAR(a.force[0], b.force[0], 1e-15 * radius);
    EXPECT_NEAR(a.value, b.value, 1e-14 * (1 + std::abs(b.value)));
    EXPECT_NEAR(a.hessian.m[0][0], b.hessian.m[0][0], 1e-15 / R);
  }
}

}  // namespace
}  // namespace trilith::test
