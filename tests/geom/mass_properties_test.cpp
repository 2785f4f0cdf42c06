#include "geom/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using test::Random;

TEST(MassPropertiesTest, BoxHasItsClosedForm) {
  const MassProperties m = measure_mass_properties(test::box({1, 2, 3}, {3, 5, 7}));  // 2 x 3 x 4
  EXPECT_NEAR(m.volume, 24, 1e-13);
  test::expect_near(m.com, {2, 3.5, 5}, 1e-14);
  EXPECT_NEAR(m.inertia.m[0], 24.0 / 12 * (9 + 16), 1e-12);
  EXPECT_NEAR(m.inertia.m[4], 24.0 / 12 * (4 + 16), 1e-12);
  EXPECT_NEAR(m.inertia.m[8], 24.0 / 12 * (4 + 9), 1e-12);
  for (const int i : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(m.inertia.m[i], 0, 1e-12);
}

TEST(MassPropertiesTest, TetrahedronHasItsClosedForm) {
  const Mesh tetra = test::make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  const MassProperties m = measure_mass_properties(tetra);
  EXPECT_NEAR(m.volume, 1.0 / 6, 1e-16);
  test::expect_near(m.com, {0.25, 0.25, 0.25}, 1e-15);
  // second moment 1/60 about the corner less 1/6 * 1/16; product 1/120 less 1/96
  const double second = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96;
  EXPECT_NEAR(m.inertia.m[0], 2 * second, 1e-16);
  EXPECT_NEAR(m.inertia.m[1], -product, 1e-16);
}

TEST(MassPropertiesTest, WedgeOfUsersHasItsVolumeAndCentre) {
  // a 2 x 1 block whose top slopes from 1 to 2
  Mesh wedge = test::box({0, 0, 0}, {2, 1, 1});
  wedge.vertices[5].z = wedge.vertices[6].z = 2;
  const MassProperties m = measure_mass_properties(wedge);
  EXPECT_NEAR(m.volume, 3, 1e-14);
  test::expect_near(m.com, {10.0 / 9, 0.5, 7.0 / 9}, 1e-14);
}

TEST(MassPropertiesTest, ConcaveFaceIsTheSignedFan) {
  // an L-shaped prism whose n-gons start at a corner from which the fan folds over
  const std::vector<Vec3d> l{{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}};
  const MassProperties m = measure_mass_properties(test::prism(l, 0, 1));
  EXPECT_NEAR(m.volume, 3, 1e-14);
  test::expect_near(m.com, {5.0 / 6, 5.0 / 6, 0.5}, 1e-14);
}

TEST(MassPropertiesTest, MapCoordinatesLoseNothing) {
  const Vec3d far{502345.257, 5301234.518, 431.129};
  const MassProperties m = measure_mass_properties(test::box(far, far + Vec3d{1, 1, 1}));
  EXPECT_NEAR(m.volume, 1, 5e-9);  // the corners themselves are rounded to 1e-9 there
  test::expect_near(m.com, far + Vec3d{0.5, 0.5, 0.5}, 2e-9);
}

TEST(MassPropertiesTest, TurnsWithTheBody) {
  Random random(4);
  Mesh wedge = test::box({0, 0, 0}, {2, 1, 1});
  wedge.vertices[5].z = wedge.vertices[6].z = 2;
  const MassProperties still = measure_mass_properties(wedge);
  for (int i = 0; i < 50; ++i) {
    const test::Motion motion = test::random_motion(random, 10, random.scale(1e-3, 1e3));
    const MassProperties m = measure_mass_properties(test::moved(wedge, motion));
    const double s = motion.scale;
    EXPECT_NEAR(m.volume, 3 * s * s * s, 1e-10 * s * s * s + 1e-12);
    test::expect_near(m.com, motion(still.com), 1e-12 * (s + 10));
    // trace is invariant
    const double trace = still.inertia.m[0] + still.inertia.m[4] + still.inertia.m[8];
    EXPECT_NEAR((m.inertia.m[0] + m.inertia.m[4] + m.inertia.m[8]) / (s * s * s * s * s), trace, 1e-7 * trace);
  }
}

TEST(MassPropertiesTest, InwardFacesGiveANegativeVolume) {
  Mesh inward = test::box({0, 0, 0}, {1, 1, 1});
  for (std::size_t f = 0; f < inward.face_count(); ++f)
    std::reverse(inward.face_vertex.begin() + inward.face_start[f], inward.face_vertex.begin() + inward.face_start[f + 1]);
  EXPECT_NEAR(measure_volume(inward), -1, 1e-15);
}

TEST(MassPropertiesTest, FlatSheetTakesTheMeanOfItsVertices) {
  const Mesh sheet = test::make_mesh({{0, 0, 1}, {2, 0, 1}, {2, 2, 1}}, {{0, 1, 2}});
  const MassProperties m = measure_mass_properties(sheet);
  EXPECT_EQ(m.volume, 0);
  test::expect_near(m.com, {4.0 / 3, 2.0 / 3, 1}, 1e-15);
}

}  // namespace
}  // namespace trilith::geom
