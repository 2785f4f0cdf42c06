#include "geom/inside.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geom/shapes.h"

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

}  // namespace
}  // namespace trilith::geom
