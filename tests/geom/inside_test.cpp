#include "geom/inside.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geom/curves.h"

namespace trilith::geom {
namespace {

using test::Random;

TEST(InsideTest, WindingIsOneInsideAndZeroOutside) {
  Random random(9);
  const Mesh box = test::box({-1, -2, -3}, {1, 2, 3});
  for (int i = 0; i < 2000; ++i) {
    const Vec3d p{random.uniform(-2, 2), random.uniform(-3, 3), random.uniform(-4, 4)};
    const bool inside = std::abs(p.x) < 1 && std::abs(p.y) < 2 && std::abs(p.z) < 3;
    EXPECT_EQ(winding_number(box, p), inside ? 1 : 0);
  }
}

TEST(InsideTest, ConcavePrismCountsItsNotchAsOutside) {
  const Mesh l = test::prism({{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}}, 0, 1);
  EXPECT_EQ(winding_number(l, {1.5, 1.5, 0.5}), 0);
  EXPECT_EQ(winding_number(l, {0.5, 1.5, 0.5}), 1);
}

TEST(InsideTest, DistanceToATriangleByRegion) {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  EXPECT_DOUBLE_EQ(distance_to_triangle({0.25, 0.25, 2}, a, b, c), 2);
  EXPECT_DOUBLE_EQ(distance_to_triangle({-3, -4, 0}, a, b, c), 5);
  EXPECT_DOUBLE_EQ(distance_to_triangle({0.5, -1, 0}, a, b, c), 1);
  EXPECT_NEAR(distance_to_triangle({1, 1, 0}, a, b, c), std::sqrt(0.5), 1e-15);
}

TEST(InsideTest, DistanceOfSegmentsAgreesWithASearch) {
  Random random(10);
  for (int i = 0; i < 300; ++i) {
    const Segment one{random.gauss_vector(), random.gauss_vector()}, two{random.gauss_vector(), random.gauss_vector()};
    double least = 1e9;
    constexpr int steps = 200;
    for (int s = 0; s <= steps; ++s)
      for (int t = 0; t <= steps; ++t) {
        const Vec3d p = one.from + (double(s) / steps) * (one.to - one.from), q = two.from + (double(t) / steps) * (two.to - two.from);
        least = std::min(least, norm(p - q));
      }
    Vec3d at{};
    const double distance = distance_between_segments(one, two, at);
    EXPECT_LE(distance, least + 1e-12);
    EXPECT_GE(distance, least - 0.05);
  }
}

TEST(InsideTest, NotchOfAConcaveFaceIsNotOnTheSurface) {
  // a U seen from above: the middle of its notch is .5 off its walls, though a fan of its top covers the notch
  const Mesh u = test::prism({{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 0, 1);
  EXPECT_NEAR(distance_to_surface(u, {1.5, 1.75, 1}), 0.5, 1e-15);
  EXPECT_NEAR(Surface(u).distance({1.5, 1.75, 1}), 0.5, 1e-15);
  EXPECT_NEAR(distance_to_surface(u, {0.5, 1.75, 1}), 0, 1e-15);
}

TEST(InsideTest, ManyFacesGiveTheSameAnswersThroughATree) {
  test::Random random(5);
  const auto hill = [](double x, double y) { return 0.2 * std::sin(3 * x) * std::cos(4 * y); };
  const Mesh mesh = test::triangulated(test::cushion(hill, 12, 12, false));
  const Surface surface(mesh);
  int within = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3d p{random.uniform(-0.2, 1.2), random.uniform(-0.2, 1.2), random.uniform(-2.2, 0.5)};
    EXPECT_EQ(surface.winding_number(p), winding_number(mesh, p));
    EXPECT_EQ(surface.distance(p), distance_to_surface(mesh, p));
    const double near = surface.distance(p, 0.05);
    EXPECT_EQ(near <= 0.05, distance_to_surface(mesh, p) <= 0.05);
    within += surface.winding_number(p) == 1 ? 1 : 0;
  }
  EXPECT_GT(within, 500);
}

}  // namespace
}  // namespace trilith::geom
