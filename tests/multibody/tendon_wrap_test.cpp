#include "multibody/tendon_wrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace trilith::multibody {
namespace {

const Posed at_origin = identity_pose<double>();

double length_of(const Wrap& wrap, const Vec3d& p0, const Vec3d& p1) { return norm(wrap.first - p0) + wrap.arc + norm(p1 - wrap.second); }

TEST(TendonWrapTest, AStringThatMissesTheShapeIsStraight) {
  EXPECT_FALSE(wrap_around({WrapShape::sphere, at_origin, 1}, {-2, 1.5, 0}, {2, 1.5, 0}, nullptr));
  EXPECT_FALSE(wrap_around({WrapShape::cylinder, at_origin, 1}, {-2, 1.5, 3}, {2, 1.5, 0}, nullptr));
}

TEST(TendonWrapTest, AStringOverASphereIsTwoTangentsAndAnArc) {
  // tangents of length sqrt(4 - 1) from (-2, 0) and (2, 0), an arc of pi - 2 * acos(1 / 2)
  const Vec3d p0{-2, 0, 0}, p1{2, 0, 0}, side{0, 2, 0};
  const auto wrap = wrap_around({WrapShape::cylinder, at_origin, 1}, p0, p1, &side);
  ASSERT_TRUE(wrap);
  EXPECT_NEAR(length_of(*wrap, p0, p1), 2 * std::sqrt(3.0) + (std::acos(-1.0) - 2 * std::acos(0.5)), 1e-14);
  EXPECT_GT(wrap->first.y, 0);
  EXPECT_NEAR(dot(wrap->first - p0, wrap->first), 0, 1e-14);
}

TEST(TendonWrapTest, TheSideChoosesTheWay) {
  const Vec3d p0{-2, 0.1, 0}, p1{2, 0.1, 0}, below{0, -3, 0};
  const auto free = wrap_around({WrapShape::cylinder, at_origin, 1}, p0, p1, nullptr);
  const auto forced = wrap_around({WrapShape::cylinder, at_origin, 1}, p0, p1, &below);
  ASSERT_TRUE(free && forced);
  EXPECT_GT(free->first.y, 0);
  EXPECT_LT(forced->first.y, 0);
  EXPECT_GT(length_of(*forced, p0, p1), length_of(*free, p0, p1));
}

TEST(TendonWrapTest, OnASphereNoOtherWayAroundIsShorter) {
  test::Random random(5);
  int wrapped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d p0 = random.uniform(1.1, 3) * random.direction(), p1 = random.uniform(1.1, 3) * random.direction();
    const auto wrap = wrap_around({WrapShape::sphere, at_origin, 1}, p0, p1, nullptr);
    if (!wrap) continue;
    ++wrapped;
    const double length = length_of(*wrap, p0, p1);
    // the shortest way over the surface through any pair of points nearby
    for (int k = 0; k < 20; ++k) {
      const Vec3d a = unit(wrap->first + 0.05 * random.gauss_vector()), b = unit(wrap->second + 0.05 * random.gauss_vector());
      const auto sees = [](const Vec3d& p, const Vec3d& on) { return dot(p, on) >= 1; };
      if (!sees(p0, a) || !sees(p1, b)) continue;
      EXPECT_GE(norm(a - p0) + std::atan2(norm(cross(a, b)), dot(a, b)) + norm(p1 - b), length - 1e-12);
    }
  }
  EXPECT_GT(wrapped, 40);
}

TEST(TendonWrapTest, AHelixRisesEvenly) {
  const Vec3d p0{-2, 0, 0}, p1{2, 0, 3}, side{0, 1, 0};
  const auto flat = wrap_around({WrapShape::cylinder, at_origin, 1}, p0, {2, 0, 0}, &side);
  const auto wrap = wrap_around({WrapShape::cylinder, at_origin, 1}, p0, p1, &side);
  ASSERT_TRUE(flat && wrap);
  const double plane = length_of(*flat, p0, {2, 0, 0});
  EXPECT_NEAR(length_of(*wrap, p0, p1), std::sqrt(plane * plane + 9), 1e-13);
}

TEST(TendonWrapTest, FromInsideTheStringIsReflectedAtOnePoint) {
  // the angles at both sides of the touching point are equal
  const Vec3d p0{-2, 1, 0}, p1{2.5, 1.2, 0}, inside{0, 0.1, 0};
  const auto wrap = wrap_around({WrapShape::cylinder, at_origin, 0.5}, p0, p1, &inside);
  ASSERT_TRUE(wrap);
  EXPECT_EQ(wrap->arc, 0);
  EXPECT_NEAR(norm(wrap->first), 0.5, 1e-12);
  const Vec3d n = unit(wrap->first), a = unit(p0 - wrap->first), b = unit(p1 - wrap->first);
  EXPECT_NEAR(dot(n, a), dot(n, b), 1e-6);
}

TEST(TendonWrapTest, MovesWithTheShape) {
  test::Random random(6);
  const Posed X = make_pose(normalized(Quaterniond{0.3, 0.5, -0.2, 0.7}), Vec3d{0.4, -1, 2});
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d p0 = 2.0 * random.direction(), p1 = 2.0 * random.direction(), side = random.direction();
    for (const WrapShape shape : {WrapShape::sphere, WrapShape::cylinder}) {
      const auto here = wrap_around({shape, at_origin, 0.9}, p0, p1, &side);
      const Vec3d side_there = transform_point(X, side);
      const auto there = wrap_around({shape, X, 0.9}, transform_point(X, p0), transform_point(X, p1), &side_there);
      ASSERT_EQ(here.has_value(), there.has_value());
      if (!here) continue;
      EXPECT_NEAR(norm(transform_point(X, here->first) - there->first), 0, 1e-9);
      EXPECT_NEAR(here->arc, there->arc, 1e-9);
    }
  }
}

}  // namespace
}  // namespace trilith::multibody
