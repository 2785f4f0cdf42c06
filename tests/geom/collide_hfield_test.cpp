// Contacts with terrain: beside planes, beside triangles taken one by one, and where cells must not show.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "geom/convex_mesh.h"
#include "geom/height_grid.h"
#include "geom/posed_shape.h"

namespace trilith {
namespace {

using geom::ContactPoint;
using geom::HeightGrid;
using geom::Shape;
using geom::ShapeKind;
using test::PosedShape;

HeightGrid make_grid(int rows, int columns, const std::function<double(double, double)>& height) {
  std::vector<double> z;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) z.push_back(height(-1 + 2.0 * c / (columns - 1), -1 + 2.0 * r / (rows - 1)));
  return {rows, columns, 1, 1, 0.5, z};
}
Shape terrain(const HeightGrid& grid) { return {ShapeKind::hfield, {}, nullptr, &grid}; }

std::vector<ContactPoint> many_contacts(const PosedShape& a, const PosedShape& b, double margin = 0) {
  std::vector<ContactPoint> out(2000);
  const auto found = geom::collide(a.shape, a.X, b.shape, b.X, margin, out);
  EXPECT_FALSE(found.full);
  out.resize(static_cast<std::size_t>(found.count));
  return out;
}

TEST(CollideHfieldTest, AFlatTiltedFieldIsAPlane) {
  const HeightGrid grid = make_grid(9, 13, [](double x, double y) { return 0.3 + 0.2 * x - 0.1 * y; });
  std::vector<Vec3d> points;
  test::Random random(41);
  for (int i = 0; i < 40; ++i) points.push_back(0.2 * random.direction());
  const geom::ConvexMesh mesh = *geom::make_convex_mesh(points);
  const Vec3d up = unit(Vec3d{-0.2, 0.1, 1}), along = unit(cross(Vec3d{0, 1, 0}, up));
  const Posed X_HP{from_columns(along, cross(up, along), up), {0, 0, 0.3}};
  constexpr ShapeKind kinds[] = {ShapeKind::sphere,   ShapeKind::capsule, ShapeKind::ellipsoid,
                                 ShapeKind::cylinder, ShapeKind::box,     ShapeKind::mesh};
  for (int i = 0; i < 600; ++i) {
    const Shape shape{kinds[i % 6], test::random_size(random), &mesh, nullptr};
    const Posed X_WH{test::random_rotation(random), random.gauss_vector()};
    const Posed X_HB{test::random_rotation(random),
                     Vec3d{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.3} + random.uniform(0, 0.5) * up};
    const PosedShape b{shape, X_WH * X_HB};
    const auto on_plane = test::contacts({{ShapeKind::plane, {}, nullptr, nullptr}, X_WH * X_HP}, b, 0.01);
    const auto on_field = many_contacts({terrain(grid), X_WH}, b, 0.01);
    ASSERT_EQ(on_plane.empty(), on_field.empty());
    if (on_plane.empty()) continue;
    EXPECT_NEAR(test::least_distance(on_plane), test::least_distance(on_field), 1e-5) << "kind " << i % 6;
    for (const auto& c : on_field) ASSERT_LT(norm(c.normal - X_WH.R * up), 1e-4) << "kind " << i % 6;
  }
}

TEST(CollideHfieldTest, ABoxOnAFlatFieldIsHeldAtItsCorners) {
  const HeightGrid grid = make_grid(11, 11, [](double, double) { return 0.2; });
  const PosedShape box{{ShapeKind::box, {0.33, 0.27, 0.1}, nullptr, nullptr}, {test::turned(0, 0.3), {0.05, 0.02, 0.2 + 0.099}}};
  const auto found = many_contacts({terrain(grid), identity_pose<double>()}, box);
  for (const double x : {-0.33, 0.33}) {
    for (const double y : {-0.27, 0.27}) {
      const Vec3d corner = transform_point(box.X, {x, y, -0.1});
      double nearest = 1;
      for (const auto& c : found) nearest = std::min(nearest, norm(c.position - corner - Vec3d{0, 0, 0.0005}));
      EXPECT_LT(nearest, 1e-9);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].distance, -0.001, 1e-12);
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT(norm(found[i].position - found[j].position), 1e-9);
  }
}

/// Distance of a point from a triangle, by looking at a fine net of its points.
double net_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  double least = 1e300;
  for (int i = 0; i <= 60; ++i)
    for (int j = 0; i + j <= 60; ++j) least = std::min(least, norm(a + (i / 60.0) * (b - a) + (j / 60.0) * (c - a) - p));
  return least;
}

TEST(CollideHfieldTest, ABallOverHillsTouchesTheNearestTriangle) {
  const HeightGrid grid = make_grid(9, 9, [](double x, double y) { return 0.25 + 0.1 * std::sin(5 * x) * std::cos(4 * y); });
  test::Random random(42);
  for (int i = 0; i < 60; ++i) {
    const Vec3d p{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0.36, 0.5)};
    double least = 1e300;
    for (int r = 0; r < 8; ++r) {
      for (int c = 0; c < 8; ++c) {
        least = std::min(least, net_distance(p, grid.point(r, c), grid.point(r, c + 1), grid.point(r + 1, c + 1)));
        least = std::min(least, net_distance(p, grid.point(r, c), grid.point(r + 1, c + 1), grid.point(r + 1, c)));
      }
    }
    const auto found = many_contacts({terrain(grid), identity_pose<double>()},
                                     {{ShapeKind::sphere, {0.1, 0, 0}, nullptr, nullptr}, {identity3<double>(), p}}, 0.5);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(test::least_distance(found), least - 0.1, 1e-3);
    EXPECT_LT(test::least_distance(found), least - 0.1 + 1e-12);
  }
}

// A shape deep in small cells would leave sideways, through walls that are not there.
TEST(CollideHfieldTest, NoContactPushesThroughTheWallBetweenTwoCells) {
  const HeightGrid grid = make_grid(41, 41, [](double x, double y) { return 0.2 + 0.02 * std::sin(6 * x) * std::cos(5 * y); });
  test::Random random(43);
  constexpr ShapeKind kinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::ellipsoid, ShapeKind::cylinder, ShapeKind::box};
  for (int i = 0; i < 100; ++i) {
    const Shape shape{kinds[i % 5], test::random_size(random), nullptr, nullptr};
    const Posed X{test::random_rotation(random), {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.22}};
    const auto found = many_contacts({terrain(grid), identity_pose<double>()}, {shape, X});
    ASSERT_FALSE(found.empty());
    for (const auto& c : found) ASSERT_GT(c.normal.z, 0.3);
  }
}

TEST(CollideHfieldTest, TheRimHasWallsAndBeyondIsNothing) {
  const HeightGrid grid = make_grid(5, 5, [](double, double) { return 0.5; });
  const auto ball = [&](const Vec3d& p) {
    return many_contacts({{ShapeKind::sphere, {0.1, 0, 0}, nullptr, nullptr}, {identity3<double>(), p}},
                         {terrain(grid), identity_pose<double>()});
  };
  EXPECT_TRUE(ball({1.11, 0, 0.2}).empty());
  EXPECT_TRUE(ball({0, 0, 0.61}).empty());
  EXPECT_TRUE(ball({0, 0, -0.61}).empty());
  EXPECT_TRUE(ball({std::numeric_limits<double>::quiet_NaN(), 0, 0.2}).empty());
  const auto wall = ball({1.09, 0.1, 0.2});
  ASSERT_FALSE(wall.empty());
  EXPECT_NEAR(test::least_distance(wall), -0.01, 1e-9);
  EXPECT_NEAR(wall[0].normal.x, -1, 1e-9);  // out of the ball, which comes first here, into the terrain
}

}  // namespace
}  // namespace trilith
