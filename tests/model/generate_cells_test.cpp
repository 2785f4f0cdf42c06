#include "model/generate_cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geom/mass_properties.h"
#include "linalg/fixed.h"
#include "model/generate.h"
#include "support/random.h"

namespace trilith::model {
namespace {

ConvexCell cube() { return ConvexCell(make_box({0, 0, 0}, {1, 1, 1})); }

TEST(ConvexCellTest, ACutCornerIsMissingFromTheVolume) {
  ConvexCell cell = cube();
  cell.cut({1, 1, 1}, 2.5, 1e-12);
  EXPECT_NEAR(cell.least_width(), 0.5, 1e-12);  // the sides beside the cut
  geom::Mesh mesh = cell.take();
  EXPECT_NEAR(geom::measure_volume(mesh), 1 - std::pow(0.5, 3) / 6, 1e-14);
  EXPECT_EQ(mesh.face_count(), 7U);
  EXPECT_EQ(mesh.vertices.size(), 10U);
}

TEST(ConvexCellTest, APlaneThroughCornersMakesNoNewOnes) {
  ConvexCell cell = cube();
  cell.cut({1, 1, 0}, 1, 1e-12);
  geom::Mesh mesh = cell.take();
  EXPECT_NEAR(geom::measure_volume(mesh), 0.5, 1e-15);
  EXPECT_EQ(mesh.vertices.size(), 6U);
  EXPECT_EQ(mesh.face_count(), 5U);
}

TEST(ConvexCellTest, APlaneOnAFaceOrOutsideChangesNothing) {
  ConvexCell cell = cube();
  cell.cut({1, 0, 0}, 1, 1e-12);
  cell.cut({0, 0, 1}, 3, 1e-12);
  EXPECT_EQ(cell.take().face_count(), 6U);
}

TEST(ConvexCellTest, CuttingEverythingAwayLeavesNothing) {
  ConvexCell cell = cube();
  cell.cut({1, 0, 0}, -0.5, 1e-12);
  EXPECT_TRUE(cell.empty());
}

TEST(ConvexCellTest, TwoSidesOfARandomPlaneMakeTheWhole) {
  test::Random random(5);
  for (int k = 0; k < 500; ++k) {
    const Vec3d normal{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double offset = dot(normal, Vec3d{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)});
    ConvexCell below = cube(), above = cube();
    below.cut(normal, offset, 1e-12);
    above.cut(-normal, -offset, 1e-12);
    EXPECT_NEAR(geom::measure_volume(below.take()) + geom::measure_volume(above.take()), 1, 1e-13);
  }
}

TEST(CutByBorderTest, HeavierSitesGetMore) {
  const Site left{{0.25, 0.5, 0.5}, 0.1}, right{{0.75, 0.5, 0.5}, 0};
  ConvexCell a = cube(), b = cube();
  cut_by_border(a, left, right, true, 1e-10);
  cut_by_border(b, right, left, false, 1e-10);
  // |x - .25|^2 - .1 = |x - .75|^2 at x = .6
  EXPECT_NEAR(geom::measure_volume(a.take()), 0.6, 1e-14);
  EXPECT_NEAR(geom::measure_volume(b.take()), 0.4, 1e-14);
}

}  // namespace
}  // namespace trilith::model
