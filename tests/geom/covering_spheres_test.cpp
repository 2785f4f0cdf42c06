#include "geom/covering_spheres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/shape_meshes.h"
#include "linalg/fixed.h"
#include "support/random.h"

namespace trilith::geom {
namespace {

struct Shape {
  const char* name;
  Mesh mesh;
};

std::vector<Shape> shapes() {
  double growth = 1;
  std::vector<Shape> all{{"box", make_box_mesh({0.1, 0.05, 0.025})},
                         {"plate", make_box_mesh({0.1, 0.1, 0.001})},
                         {"cylinder", make_cylinder_mesh(0.05, 0.1, 12)}};
  all.push_back({"ellipsoid", make_ellipsoid_mesh({0.1, 0.06, 0.04}, 1, growth)});
  for (Vec3d& p : all[0].mesh.vertices) p = p + Vec3d{3, -2, 1};
  return all;
}

/// A point of a face, chosen evenly within it.
Vec3d point_on(const Mesh& mesh, std::size_t face, test::Random& random) {
  const auto corners = mesh.face(face);
  const std::size_t second = 1 + random.index(corners.size() - 2);
  double a = random.uniform(0, 1), b = random.uniform(0, 1);
  if (a + b > 1) a = 1 - a, b = 1 - b;
  const Vec3d o = mesh.vertices[corners[0]];
  return o + a * (mesh.vertices[corners[second]] - o) + b * (mesh.vertices[corners[second + 1]] - o);
}

bool covered(const std::vector<Sphere>& spheres, const Vec3d& p) {
  return std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& s) { return norm(p - s.center) <= s.radius; });
}

TEST(CoveringSpheresTest, EveryPointOfTheSurfaceLiesInASphere) {
  test::Random random(11);
  for (const Shape& shape : shapes()) {
    const SphereCover cover = cover_mesh(shape.mesh, {.excess = 0.01, .most = 40});
    for (int i = 0; i < 20'000; ++i) {
      const Vec3d p = point_on(shape.mesh, random.index(shape.mesh.face_count()), random);
      ASSERT_TRUE(covered(cover.spheres, p)) << shape.name << " " << p.x << " " << p.y << " " << p.z;
    }
  }
}

TEST(CoveringSpheresTest, NoPointOfASphereIsFurtherOutThanSaid) {
  test::Random random(12);
  for (const Shape& shape : shapes()) {
    const SphereCover cover = cover_mesh(shape.mesh, {.excess = 0.01, .most = 20});
    for (const Sphere& s : cover.spheres)
      for (int i = 0; i < 200; ++i) {
        const Vec3d way = unit(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        const Vec3d p = s.center + s.radius * way;
        const double outside = winding_number(shape.mesh, p) == 0 ? distance_to_surface(shape.mesh, p) : 0;
        ASSERT_LE(outside, cover.excess + 1e-12) << shape.name;
      }
  }
}

TEST(CoveringSpheresTest, AskedExcessIsReachedWhenThereAreEnoughSpheres) {
  const SphereCover cover = cover_mesh(make_box_mesh({0.1, 0.05, 0.025}), {.excess = 0.02, .most = 64});
  EXPECT_TRUE(cover.reached);
  EXPECT_LE(cover.excess, 0.02);
  EXPECT_LT(cover.spheres.size(), 20U);
}

TEST(CoveringSpheresTest, CountIsKeptAndTheExcessIsThenWhatItIs) {
  const SphereCover cover = cover_mesh(make_box_mesh({0.1, 0.1, 0.1}), {.excess = 1e-4, .most = 1});
  ASSERT_EQ(cover.spheres.size(), 1U);
  EXPECT_FALSE(cover.reached);
  EXPECT_NEAR(cover.spheres[0].radius, 0.1 * sqrt(3.0), 1e-6);
  EXPECT_NEAR(cover.excess, 0.1 * (sqrt(3.0) - 1), 1e-6);
}

TEST(CoveringSpheresTest, OpenMeshIsCoveredButNoDepthCounts) {
  Mesh mesh = make_box_mesh({0.1, 0.1, 0.1});
  mesh.face_start.pop_back();
  mesh.face_vertex.resize(mesh.face_start.back());
  const SphereCover cover = cover_mesh(mesh, {.excess = 0.02, .most = 64});
  test::Random random(13);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(covered(cover.spheres, point_on(mesh, random.index(mesh.face_count()), random)));
}

TEST(CoveringSpheresTest, MeshWithoutFacesHasNoSpheres) { EXPECT_TRUE(cover_mesh(Mesh{}).spheres.empty()); }

TEST(CoveringSpheresTest, CapsuleIsARowWithSpacingOfAtMostHalfTheRadius) {
  const SphereCover cover = cover_capsule(0.1, 0.3);
  ASSERT_GE(cover.spheres.size(), 13U);
  EXPECT_EQ(cover.spheres.front().center.z, -0.3);
  EXPECT_NEAR(cover.spheres.back().center.z, 0.3, 1e-15);
  EXPECT_TRUE(cover.reached);
  for (int i = 0; i <= 1000; ++i) EXPECT_TRUE(covered(cover.spheres, {0.1, 0, -0.3 + 0.6 * i / 1000}));
  EXPECT_EQ(cover_capsule(0.1, 0.3, {.excess = 0.02, .spacing = 1e9}).spheres.size(), 6U);
  EXPECT_EQ(cover_capsule(0.1, 0).spheres.size(), 1U);
  EXPECT_EQ(cover_capsule(0.1, 0.3, {.excess = 0}).spheres.size(), 64U);
  EXPECT_EQ(cover_capsule(0.1, 0.3, {.most = 1}).spheres.size(), 1U);
}

TEST(CoveringSpheresTest, SameMeshGivesTheSameSpheres) {
  const Mesh mesh = make_cylinder_mesh(0.05, 0.1, 12);
  const SphereCover a = cover_mesh(mesh), b = cover_mesh(mesh);
  ASSERT_EQ(a.spheres.size(), b.spheres.size());
  for (std::size_t i = 0; i < a.spheres.size(); ++i) EXPECT_EQ(a.spheres[i].radius, b.spheres[i].radius);
}

TEST(ShapeMeshesTest, MeshesContainTheirShapeAndAreNotMuchLarger) {
  EXPECT_NEAR(measure_volume(make_box_mesh({1, 2, 3})), 48, 1e-12);
  const double prism = 12 * 0.25 * 0.26794919243112270 * 2;  // 12 tan(pi / 12) r^2 h
  EXPECT_NEAR(measure_volume(make_cylinder_mesh(0.5, 1, 12)), prism, 1e-12);
  double growth = 1;
  const Mesh ball = make_ellipsoid_mesh({2, 1, 0.5}, 2, growth);
  EXPECT_EQ(ball.face_count(), 320U);
  EXPECT_GT(growth, 1);
  EXPECT_LT(growth, 1.02);
  const double volume = 4.1887902047863905;
  EXPECT_GT(measure_volume(ball), volume);
  EXPECT_LT(measure_volume(ball), volume * 1.05);
}

}  // namespace
}  // namespace trilith::geom
