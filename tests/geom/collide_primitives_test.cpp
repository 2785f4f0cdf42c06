// Closed forms, symmetry and the cases that rounding likes to break. Cross-checks with other engines: collide_mujoco_test.cpp.
#include <gtest/gtest.h>

#include <array>

#include "geom/collide.h"
#include "geom/posed_shape.h"
#include "support/allocation.h"

namespace trilith {
namespace {

using geom::ContactPoint;
using geom::Shape;
using geom::ShapeKind;
using test::contacts;
using test::PosedShape;

Shape sphere(double r) { return {ShapeKind::sphere, {r, 0, 0}, nullptr, nullptr}; }
Shape capsule(double r, double half) { return {ShapeKind::capsule, {r, half, 0}, nullptr, nullptr}; }
Shape cylinder(double r, double half) { return {ShapeKind::cylinder, {r, half, 0}, nullptr, nullptr}; }
Shape box(double x, double y, double z) { return {ShapeKind::box, {x, y, z}, nullptr, nullptr}; }
Shape plane() { return {ShapeKind::plane, {}, nullptr, nullptr}; }
PosedShape at(const Shape& shape, const Vec3d& p, const Mat3d& R = identity3<double>()) { return {shape, {R, p}}; }

constexpr double pi = 3.14159265358979323846;
const Mat3d z_to_x = {{0, 0, 1, 0, 1, 0, -1, 0, 0}};

TEST(CollideTest, SpheresMeetBetweenTheirCentres) {
  const auto found = contacts(at(sphere(0.3), {1, 0, 0}), at(sphere(0.2), {1, 0.4, 0}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].distance, -0.1, 1e-15);
  EXPECT_NEAR(found[0].position.y, 0.25, 1e-15);
  EXPECT_NEAR(found[0].normal.y, 1, 1e-15);
}

TEST(CollideTest, ConcentricShapesHaveAUnitNormal) {
  const std::array<Shape, 4> shapes = {sphere(0.1), capsule(0.1, 0.2), cylinder(0.1, 0.2), box(0.1, 0.1, 0.1)};
  for (const Shape& shape : shapes) {
    const auto found = contacts(at(sphere(0.1), {0, 0, 0}), at(shape, {0, 0, 0}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].distance, -0.2, 1e-15);
    EXPECT_NEAR(norm(found[0].normal), 1, 1e-15);
    EXPECT_TRUE(shape.kind != ShapeKind::capsule || std::abs(found[0].normal.z) < 1e-15);  // across the axis, not along it
  }
}

TEST(CollideTest, CrossingCapsuleAxesPartAtRightAngles) {
  const auto found = contacts(at(capsule(0.1, 0.5), {0, 0, 0}), at(capsule(0.1, 0.5), {0, 0, 0}, z_to_x));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(std::abs(found[0].normal.y), 1, 1e-15);
}

TEST(CollideTest, SphereLeavesABoxByTheNearestFace) {
  const auto found = contacts(at(sphere(0.1), {0.25, 0, 0}), at(box(0.3, 0.3, 0.3), {0, 0, 0}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].distance, -0.15, 1e-15);
  EXPECT_NEAR(found[0].normal.x, -1, 1e-15);
}

TEST(CollideTest, ALongCapsuleThroughABoxIsNotMissed) {
  test::Random random(8);
  for (int i = 0; i < 2000; ++i) {
    const Mat3d R = test::random_rotation(random);
    const Vec3d inside{random.uniform(-0.09, 0.09), random.uniform(-0.19, 0.19), random.uniform(-0.29, 0.29)};
    const PosedShape rod = at(capsule(0.001, random.uniform(0.3, 30)), inside, R);
    EXPECT_FALSE(contacts(rod, at(box(0.1, 0.2, 0.3), {0, 0, 0})).empty());
  }
}

TEST(CollideTest, ParallelCapsulesTouchAtTwoPointsWhateverTheRounding) {
  test::Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Mat3d R = test::random_rotation(random);
    const Vec3d p = random.gauss_vector();
    // exactly touching: 0 in exact arithmetic, rounding in any frame
    const PosedShape a = at(capsule(0.1, 0.5), p, R), b = at(capsule(0.1, 0.5), p + R * Vec3d{0.2, 0, 0.25}, R);
    const auto found = contacts(a, b);
    ASSERT_EQ(found.size(), 2U);
    for (const auto& c : found) {
      EXPECT_EQ(c.distance, 0);
      EXPECT_LT(norm(c.normal - R * Vec3d{1, 0, 0}), 1e-12);
    }
    EXPECT_NEAR(norm(found[0].position - found[1].position), 0.75, 1e-12);
  }
}

TEST(CollideTest, NearlyParallelCapsulesKeepTheirDistance) {
  for (const double angle : {0.0, 1e-18, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 2e-6, 1e-5, 1e-3}) {
    const auto found = contacts(at(capsule(0.1, 0.5), {0, 0, 0}), at(capsule(0.1, 0.5), {0, 0.19, 0}, test::turned(angle, 0)));
    ASSERT_FALSE(found.empty()) << angle;
    EXPECT_NEAR(test::least_distance(found), -0.01 - 0.5 * angle, 1e-7) << angle;
  }
}

// A defect of MuJoCo 3.12.1: rounding residue of a flat cylinder became a direction, and a contact as deep as the radius.
TEST(CollideTest, FlatCylinderStandsOnThreePointsWhateverTheRounding) {
  test::Random random(3);
  for (int i = 0; i < 20000; ++i) {
    Posed X{test::turned(0, random.uniform(-pi, pi)), {random.uniform(-1, 1), random.uniform(-1, 1), 0.03 - 1e-4}};
    for (double& entry : X.R.m) entry += 4e-16 * random.uniform(-1, 1);
    const auto found = contacts(at(plane(), {0, 0, 0}), {cylinder(0.1, 0.03), X});
    ASSERT_EQ(found.size(), 3U);
    for (const auto& c : found) {
      ASSERT_NEAR(c.distance, -1e-4, 1e-12);
      ASSERT_NEAR(norm(Vec3d{c.position.x - X.p.x, c.position.y - X.p.y, 0}), 0.1, 1e-12);
    }
  }
}

TEST(CollideTest, TiltedCylinderIsAsDeepAsItsRimAtEveryTilt) {
  for (const double tilt : {1e-16, 1e-14, 1e-13, 0.9e-12, 1.1e-12, 1e-11, 1e-9, 1e-6, 1e-3, 0.3, 1.5}) {
    const double lowest = 0.1 * std::sin(tilt) + 0.03 * std::cos(tilt);
    const auto found = contacts(at(plane(), {0, 0, 0}), at(cylinder(0.1, 0.03), {0, 0, 0}, test::turned(tilt, 0.7)));
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(found[0].distance, -lowest, 2e-13) << tilt;
    EXPECT_NEAR(found[0].position.z, -0.5 * lowest, 2e-13) << tilt;
  }
}

TEST(CollideTest, BoxOnBoxHasTheFourCornersOfTheSmallerFace) {
  const auto found = contacts(at(box(1, 1, 0.1), {0, 0, 0}), at(box(0.2, 0.3, 0.1), {0.1, 0, 0.199}, test::turned(0, 0.4)));
  ASSERT_EQ(found.size(), 4U);
  for (const auto& c : found) {
    EXPECT_NEAR(c.distance, -0.001, 1e-15);
    EXPECT_NEAR(c.normal.z, 1, 1e-15);
    EXPECT_NEAR(norm(Vec3d{c.position.x - 0.1, c.position.y, 0}), std::sqrt(0.13), 1e-12);
  }
}

TEST(CollideTest, TurnedSquaresMeetInAnOctagon) {
  const auto found = contacts(at(box(0.1, 0.1, 0.1), {0, 0, 0}), at(box(0.1, 0.1, 0.1), {0, 0, 0.2}, test::turned(0, pi / 4)));
  ASSERT_EQ(found.size(), 8U);
  for (const auto& c : found) EXPECT_EQ(c.distance, 0);
}

TEST(CollideTest, CrossedEdgesMeetInOnePoint) {
  const Mat3d up = {{1, 0, 0, 0, std::sqrt(0.5), -std::sqrt(0.5), 0, std::sqrt(0.5), std::sqrt(0.5)}};  // an edge along x on top
  const double reach = 0.1 * std::sqrt(2.0);
  const auto found =
      contacts(at(box(0.5, 0.1, 0.1), {0, 0, 0}, up), at(box(0.5, 0.1, 0.1), {0, 0, 2 * reach - 0.01}, test::turned(0, pi / 2) * up));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].distance, -0.01, 1e-12);
  EXPECT_LT(norm(found[0].position - Vec3d{0, 0, reach - 0.005}), 1e-12);
}

TEST(CollideTest, StackedBoxesThatJustTouchDoSoInEveryFrame) {
  test::Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const Mat3d R = test::random_rotation(random);
    const Vec3d p = 3.0 * random.gauss_vector();
    const auto found = contacts(at(box(0.1, 0.1, 0.1), p, R), at(box(0.1, 0.1, 0.1), p + R * Vec3d{0, 0, 0.2}, R));
    ASSERT_EQ(found.size(), 4U);
    for (const auto& c : found) ASSERT_EQ(c.distance, 0);
  }
}

TEST(CollideTest, TooLittleRoomIsSaid) {
  const PosedShape a = at(plane(), {0, 0, 0}), b = at(box(0.1, 0.1, 0.1), {0, 0, 0.05});
  std::array<ContactPoint, 3> few;
  const auto found = geom::collide(a.shape, a.X, b.shape, b.X, 0, few);
  EXPECT_EQ(found.count, 3);
  EXPECT_TRUE(found.full);
  std::array<ContactPoint, 4> enough;
  EXPECT_FALSE(geom::collide(a.shape, a.X, b.shape, b.X, 0, enough).full);
}

struct KindPair {
  ShapeKind a, b;
};

class EveryPairTest : public testing::TestWithParam<KindPair> {
 protected:
  /// Shapes in random places, in contact more often than not.
  std::pair<PosedShape, PosedShape> draw(test::Random& random) const {
    const auto [a, b] = GetParam();
    return {{{a, test::random_size(random), nullptr, nullptr}, {test::random_rotation(random), {0.5, 0.2, 0.1}}},
            {{b, test::random_size(random), nullptr, nullptr},
             {test::random_rotation(random), Vec3d{0.5, 0.2, 0.1} + 0.25 * random.gauss_vector()}}};
  }
};

TEST_P(EveryPairTest, SwappingTheShapesTurnsTheNormals) {
  test::Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const auto [a, b] = draw(random);
    const auto one = contacts(a, b, 0.01), two = contacts(b, a, 0.01);
    ASSERT_LT(test::distance_difference(test::distances(one), test::distances(two)), 1e-12);
    for (const auto& c : one) {
      double nearest = 1;
      for (const auto& d : two) nearest = std::min(nearest, norm(c.position - d.position) + norm(c.normal + d.normal));
      ASSERT_LT(nearest, 1e-11);
    }
  }
}

TEST_P(EveryPairTest, MovingBothMovesTheContacts) {
  test::Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const auto [a, b] = draw(random);
    const Posed X{test::random_rotation(random), 2.0 * random.gauss_vector()};
    const auto one = contacts(a, b, 0.01), two = contacts({a.shape, X * a.X}, {b.shape, X * b.X}, 0.01);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      ASSERT_NEAR(one[k].distance, two[k].distance, 1e-12);
      ASSERT_LT(norm(transform_point(X, one[k].position) - two[k].position), 1e-10);
      ASSERT_LT(norm(X.R * one[k].normal - two[k].normal), 1e-10);
    }
  }
}

TEST_P(EveryPairTest, DoesNotAllocate) {
  test::Random random(7);
  const auto [a, b] = draw(random);
  std::array<ContactPoint, geom::most_pair_contacts> out;
  const test::AllocationCount heap;
  for (int i = 0; i < 10; ++i) (void)geom::collide(a.shape, a.X, b.shape, b.X, 1, out);
  EXPECT_EQ(heap.delta(), 0);
}

constexpr const char* kind_names[] = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};

INSTANTIATE_TEST_SUITE_P(Collide, EveryPairTest,
                         testing::Values(KindPair{ShapeKind::plane, ShapeKind::sphere}, KindPair{ShapeKind::plane, ShapeKind::capsule},
                                         KindPair{ShapeKind::plane, ShapeKind::ellipsoid}, KindPair{ShapeKind::plane, ShapeKind::cylinder},
                                         KindPair{ShapeKind::plane, ShapeKind::box}, KindPair{ShapeKind::sphere, ShapeKind::sphere},
                                         KindPair{ShapeKind::sphere, ShapeKind::capsule}, KindPair{ShapeKind::sphere, ShapeKind::cylinder},
                                         KindPair{ShapeKind::sphere, ShapeKind::box}, KindPair{ShapeKind::capsule, ShapeKind::capsule},
                                         KindPair{ShapeKind::capsule, ShapeKind::box}, KindPair{ShapeKind::box, ShapeKind::box}),
                         [](const auto& one) {
                           return std::string(kind_names[static_cast<int>(one.param.a)]) + "_" + kind_names[static_cast<int>(one.param.b)];
                         });

}  // namespace
}  // namespace trilith
