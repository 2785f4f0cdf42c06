#include "geom/ray.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/fixed.h"
#include "support/random.h"

namespace trilith::geom {
namespace {

TEST(RayTest, APlaneIsSeenFromAboveAndWithinItsSize) {
  EXPECT_DOUBLE_EQ(ray_plane(0, 0, {5, 5, 2}, {0, 0, -1}), 2);
  EXPECT_EQ(ray_plane(0, 0, {0, 0, -2}, {0, 0, 1}), -1);
  EXPECT_EQ(ray_plane(1, 1, {5, 0, 2}, {0, 0, -1}), -1);
}

TEST(RayTest, ABoxIsMetAtItsFacesFromOutsideAndInside) {
  EXPECT_DOUBLE_EQ(ray_box({1, 2, 3}, {-5, 0, 0}, {1, 0, 0}), 4);
  EXPECT_DOUBLE_EQ(ray_box({1, 2, 3}, {0, 0, 0}, {0, 1, 0}), 2);
  EXPECT_EQ(ray_box({1, 2, 3}, {-5, 2.5, 0}, {1, 0, 0}), -1);
}

TEST(RayTest, ARoundCapReachesBeyondTheCylinder) {
  EXPECT_DOUBLE_EQ(ray_capsule(0.5, 1, {0, 0, 4}, {0, 0, -1}), 2.5);
  EXPECT_DOUBLE_EQ(ray_cylinder(0.5, 1, {0, 0, 4}, {0, 0, -1}), 3);
  EXPECT_DOUBLE_EQ(ray_capsule(0.5, 1, {3, 0, 0.9}, {-1, 0, 0}), 2.5);
}

/// True surface distance functions, 0 on the surface.
double outside_ellipsoid(const Vec3d& s, const Vec3d& p) { return norm(Vec3d{p.x / s.x, p.y / s.y, p.z / s.z}) - 1; }

TEST(RayTest, WhatIsMetLiesOnTheSurfaceAndNothingLiesBefore) {
  test::Random random(9);
  const Vec3d s{0.7, 1.1, 0.4};
  int met = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3d p = 3.0 * random.direction(), d = unit(0.5 * random.gauss_vector() - p);
    const double x = ray_ellipsoid(s, p, d);
    if (x < 0) {
      for (double t = 0; t < 6; t += 0.01) EXPECT_GT(outside_ellipsoid(s, p + t * d), 0);
      continue;
    }
    ++met;
    EXPECT_NEAR(outside_ellipsoid(s, p + x * d), 0, 1e-12);
    for (double t = 0; t < x - 0.01; t += 0.01) EXPECT_GT(outside_ellipsoid(s, p + t * d), 0);
  }
  EXPECT_GT(met, 50);
}

TEST(RayTest, AMeshOfABoxIsTheBox) {
  Mesh mesh;
  const Vec3d h{1, 2, 3};
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back({(i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z});
  const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : faces) mesh.add_face(face);
  test::Random random(10);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d p = 5.0 * random.direction(), d = unit(random.gauss_vector() - p);
    EXPECT_NEAR(ray_mesh(mesh, p, d), ray_box(h, p, d), 1e-10);
  }
}

TEST(RayTest, AHeightFieldIsMetOnItsSlope) {
  const std::vector<float> heights{0, 1, 0, 1};
  EXPECT_NEAR(ray_height_field(2, 2, {1, 1, 2, 0.1}, heights, {0, 0, 5}, {0, 0, -1}), 4, 1e-12);
  EXPECT_EQ(ray_height_field(2, 2, {1, 1, 2, 0.1}, heights, {2, 0, 5}, {0, 0, -1}), -1);
}

}  // namespace
}  // namespace trilith::geom
