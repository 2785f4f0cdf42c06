#include "geom/height_field.h"

#include "shapes.h"

namespace trilith {
namespace {

using geom::HeightField;
using geom::PlaneFrame;
using geom::Vec2;

constexpr PlaneFrame ground{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

TEST(HeightFieldTest, ABoxHasItsUndersideAndItsTopUpToItsRim) {
  const HeightField field(test::box({0, 0, 1}, {2, 1, 3}), ground);
  for (const Vec2 at : {Vec2{1, 0.5}, Vec2{0, 0}, Vec2{2, 1}, Vec2{1, 0}}) {
    EXPECT_EQ(field.lowest(at).value_or(-1), 1);
    EXPECT_EQ(field.highest(at).value_or(-1), 3);
  }
  for (const Vec2 at : {Vec2{-0.001, 0.5}, Vec2{2.001, 0.5}, Vec2{1, 1.001}}) EXPECT_FALSE(field.lowest(at));
}

TEST(HeightFieldTest, ASlopeIsReadWhereItIsAskedFor) {
  test::Random random(2);
  const HeightField field(test::triangulated(test::make_mesh({{0, 0, 0}, {4, 0, 2}, {4, 4, 2}, {0, 4, 0}}, {{0, 1, 2, 3}})), ground);
  for (int i = 0; i < 200; ++i) {
    const Vec2 at{random.uniform(0, 4), random.uniform(0, 4)};
    EXPECT_NEAR(field.highest(at).value_or(-1), at.x / 2, 1e-12);
  }
}

TEST(HeightFieldTest, AnyPlaneSeesTheSame) {
  test::Random random(4);
  const test::Motion motion = test::random_motion(random, 10);
  const PlaneFrame plane{motion({0, 0, 0}), motion.z, motion.x, motion.y};
  const HeightField field(test::moved(test::box({0, 0, 1}, {2, 1, 3}), motion), plane);
  EXPECT_NEAR(field.lowest({0.3, 0.7}).value_or(-1), 1, 1e-12);
  EXPECT_NEAR(field.highest({2, 1}).value_or(-1), 3, 1e-12);  // its rim, within rounding
}

TEST(HeightFieldTest, CrossingsOfAnOutlineWithAnEdgeAreFound) {
  const HeightField field(test::box({0, 0, 0}, {4, 4, 1}), ground);
  const std::vector<Vec2> outline{{3, 1}, {5, 1}, {5, 2}, {3, 2}};
  std::vector<Vec2> crossings;
  field.append_crossings(outline, crossings);
  int low = 0, high = 0;
  for (const Vec2& at : crossings) {
    low += at.x == 4 && at.y == 1;
    high += at.x == 4 && at.y == 2;
  }
  EXPECT_GT(low, 0);
  EXPECT_GT(high, 0);
}

TEST(RectangleTest, ATurnedRectangleIsItsOwnSmallestOne) {
  test::Random random(6);
  for (int i = 0; i < 50; ++i) {
    const double angle = random.uniform(0, 6), c = std::cos(angle), s = std::sin(angle), length = random.uniform(1.1, 3);
    std::vector<Vec2> corners;
    for (const auto& [x, y] : {std::pair(0.0, 0.0), std::pair(length, 0.0), std::pair(length, 1.0), std::pair(0.0, 1.0)})
      corners.push_back({5 + c * x - s * y, -3 + s * x + c * y});
    const geom::Rectangle box = geom::smallest_rectangle(geom::convex_hull(corners));
    EXPECT_NEAR(box.length, length, 1e-12);
    EXPECT_NEAR(box.width, 1, 1e-12);
    EXPECT_NEAR(std::abs(box.axis.x * c + box.axis.y * s), 1, 1e-12);
    EXPECT_NEAR(box.middle.x, 5 + c * length / 2 - s / 2, 1e-12);
  }
}

TEST(RectangleTest, DistanceInsideIsSigned) {
  const std::vector<Vec2> square{{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  EXPECT_DOUBLE_EQ(geom::distance_inside(square, {1, 1}), 1);
  EXPECT_DOUBLE_EQ(geom::distance_inside(square, {1.75, 1}), 0.25);
  EXPECT_DOUBLE_EQ(geom::distance_inside(square, {2, 1}), 0);
  EXPECT_DOUBLE_EQ(geom::distance_inside(square, {2.5, 1}), -0.5);
}

}  // namespace
}  // namespace trilith
