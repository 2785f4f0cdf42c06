#include "geom/planes_bend.h"

#include <gtest/gtest.h>

#include "geom/curves.h"
#include "geom/mass_properties.h"

namespace trilith::geom {
namespace {

PlanarRegions regions_of(const Mesh& mesh) { return find_planar_regions(mesh, longest_side(bounding_box(mesh)), {}); }

/// Bends of the facets of the cylinder x^2 + z^2 = 1 of arch_block, in file order.
std::vector<Bend> arc_bends(const Mesh& mesh) {
  std::vector<Bend> bends;
  for (const PlanarRegion& region : regions_of(mesh).regions) {
    const Vec3d middle = 0.5 * (region.box.lower + region.box.upper);
    if (middle.x * middle.x + middle.z * middle.z > 0.9 && abs(region.frame.normal.y) < 0.5 && abs(middle.z) < 1)
      bends.push_back(region.bend);
  }
  return bends;
}

TEST(BendTest, FacetOfAnArcKnowsItsSagitta) {
  for (const int count : {8, 16, 50}) {
    const double turn = 1.2 / count, sagitta = 1 - std::cos(turn / 2);  // L^2 / (8 R) to the first order
    for (const bool hollow : {false, true}) {
      const std::vector<Bend> bends = arc_bends(test::arch_block(1, test::steps(0.6, count), hollow));
      ASSERT_EQ(bends.size(), static_cast<std::size_t>(count));
      for (const Bend& bend : bends) {  // those at the rim too
        EXPECT_NEAR(bend.rise(), (hollow ? -1 : 1) * sagitta, 0.01 * sagitta);
        EXPECT_EQ(hollow ? bend.high : bend.low, 0);
        EXPECT_NEAR(bend.lean, std::tan(turn / 2), 0.01 * turn);
      }
    }
  }
}

TEST(BendTest, QuadOfASphereRisesByBothItsCurvatures) {
  const auto sphere = [](double x, double y) { return std::sqrt(100 - (x - 0.5) * (x - 0.5) - (y - 0.5) * (y - 0.5)) - 10; };
  for (const PlanarRegion& region : regions_of(test::triangulated(test::cushion(sphere, 5, 5, false))).regions) {
    if (!(region.frame.normal.z > 0.9)) continue;
    EXPECT_NEAR(region.bend.rise(), 0.2 * 0.2 * 2 / (8 * 10), 0.3 * 0.001);
    EXPECT_GE(region.bend.low, -1e-5);
  }
}

TEST(BendTest, PlaneFacesAndCornersDoNotBend) {
  for (const PlanarRegion& region : regions_of(test::triangulated(test::box({0, 0, 0}, {1, 2, 3}))).regions)
    EXPECT_FALSE(region.bend.curved());
  std::vector<Vec3d> octagon;
  for (int i = 0; i < 8; ++i) octagon.push_back({std::cos(i * M_PI / 4), std::sin(i * M_PI / 4), 0});
  for (const PlanarRegion& region : regions_of(test::prism(octagon, 0, 1)).regions) EXPECT_FALSE(region.bend.curved());
}

TEST(BendTest, FacetsTooCoarseForACurveAreFlat) {
  // 3 facets over 40 degrees of a radius as large as the block: each hides more than the limit
  for (const Bend& bend : arc_bends(test::arch_block(1, test::steps(0.5, 3), false))) EXPECT_FALSE(bend.curved());
}

TEST(BendTest, BendsScaleWithTheBlockAndDoNotTurnWithIt) {
  test::Random random(3);
  const Mesh block = test::arch_block(1, test::steps(0.6, 11, 0.2, 4), false);
  const PlanarRegions still = regions_of(block);
  for (int i = 0; i < 20; ++i) {
    const test::Motion motion = test::random_motion(random, 10, random.scale(1e-3, 1e3));
    const PlanarRegions moved = regions_of(test::moved(block, motion));
    ASSERT_EQ(moved.regions.size(), still.regions.size());
    for (std::size_t k = 0; k < still.regions.size(); ++k) {
      EXPECT_NEAR(moved.regions[k].bend.high, motion.scale * still.regions[k].bend.high, 1e-10 * motion.scale);
      EXPECT_NEAR(moved.regions[k].bend.lean, still.regions[k].bend.lean, 1e-10);
    }
  }
}

}  // namespace
}  // namespace trilith::geom
