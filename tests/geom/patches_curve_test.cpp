// Curved joints that two stones mesh each in its own way. (GEO-12)
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geom/curves.h"
#include "geom/patches.h"

namespace trilith::geom {
namespace {

using Kind = DoubtfulContact::Kind;
using test::arch_block;
using test::cushion;
using test::steps;

PatchSearch search(const Mesh& a, const Mesh& b) {
  const ContactSettings settings;
  return find_patches(make_contact_solid(a, settings), make_contact_solid(b, settings), settings);
}

double total_area(const PatchSearch& found) {
  return std::accumulate(found.patches.begin(), found.patches.end(), 0.0, [](double sum, const ContactPatch& p) { return sum + p.area; });
}

/// Doubts that get a line of their own.
auto untold(const PatchSearch& found) {
  return std::ranges::count_if(found.doubts, [](const DoubtfulContact& one) { return !one.told; });
}

double area_of_doubts(const PatchSearch& found, Kind kind) {
  double area = 0;
  for (const DoubtfulContact& one : found.doubts) area += one.kind == kind ? one.area : 0;
  return area;
}

double sagitta(double half, int count) { return 1 - std::cos(half / count); }

TEST(CurvedJointTest, TwoMeshesOfOneArcAreOneJoint) {
  const double half = 0.8;
  for (const auto& [below, above] : {std::pair{12, 17}, {17, 12}, {10, 60}, {60, 10}, {23, 24}}) {
    const PatchSearch found = search(arch_block(1, steps(half, below, 0.2, 3), false), arch_block(1, steps(half, above, 0.2, 5), true));
    EXPECT_NEAR(total_area(found), 2 * half, 5e-3 * 2 * half) << below << " " << above;
    EXPECT_TRUE(found.doubts.empty());
    EXPECT_GT(found.curved.facets, 0U);
    EXPECT_EQ(found.curved.left_out, 0);
    // jitter makes the longest facet 1.4 times the mean, and its sagitta twice
    EXPECT_LE(found.curved.gap, 2.1 * (sagitta(half, below) + sagitta(half, above)));
    for (const ContactPatch& patch : found.patches) EXPECT_LE(patch.gap, found.curved.gap);
  }
}

TEST(CurvedJointTest, TheSameMeshOnBothSidesNeedsNoRoom) {
  const PatchSearch found = search(arch_block(1, steps(0.8, 20), false), arch_block(1, steps(0.8, 20), true));
  EXPECT_EQ(found.patches.size(), 20U);
  EXPECT_EQ(found.curved.facets, 0U);
  EXPECT_NEAR(total_area(found), 20 * 2 * std::sin(0.04), 1e-12);
}

TEST(CurvedJointTest, WhatAJointLeavesOutMightCarryAllTheSame) {
  // one corner of the upper mesh is lifted by a hundredth: the facets beside it are too far away, the joint is one all the same
  Mesh above = test::triangulated(cushion([](double x, double y) { return 0.2 * (x - x * x + y - y * y); }, 14, 14, true));
  const Mesh below = test::triangulated(cushion([](double x, double y) { return 0.2 * (x - x * x + y - y * y); }, 10, 11, false));
  above.vertices[7 * 15 + 7].z += 0.01;
  const PatchSearch found = search(below, above);
  EXPECT_GT(found.curved.facets, 0U);
  EXPECT_GT(found.curved.left_out, 1e-3);
  EXPECT_EQ(untold(found), 0);
  EXPECT_NEAR(area_of_doubts(found, Kind::gap) + area_of_doubts(found, Kind::overlap), found.curved.left_out, 1e-12);
  for (const DoubtfulContact& doubt : found.doubts) EXPECT_GE(doubt.polygon.size(), 3U);
}

TEST(CurvedJointTest, ReallyOpenOrOverlappingArcsStayOpenAndAreTold) {
  const double hidden = sagitta(0.8, 12) + sagitta(0.8, 17);
  for (const double opening : {0.9 * hidden, -0.9 * hidden}) {
    const PatchSearch found = search(arch_block(1, steps(0.8, 12), false), arch_block(1 + opening, steps(0.8, 17), true));
    EXPECT_TRUE(found.patches.empty()) << opening;
    EXPECT_EQ(found.curved.facets, 0U);
    ASSERT_FALSE(found.doubts.empty()) << opening;
    for (const DoubtfulContact& doubt : found.doubts) EXPECT_GE(doubt.polygon.size(), 3U);
  }
}

TEST(CurvedJointTest, ArcsFurtherApartThanTheirMeshesHideAreFarFromEachOther) {
  const double hidden = sagitta(0.8, 12) + sagitta(0.8, 17);
  const PatchSearch found = search(arch_block(1, steps(0.8, 12), false), arch_block(1 + 4 * hidden, steps(0.8, 17), true));
  EXPECT_TRUE(found.patches.empty() && found.doubts.empty());
}

TEST(CurvedJointTest, DomesSaddlesAndWavesAreJointsToo) {
  const auto dome = [](double x, double y) { return std::sqrt(4 - (x - 0.5) * (x - 0.5) - (y - 0.5) * (y - 0.5)) - 2; };
  const auto saddle = [](double x, double y) { return 0.3 * (x - 0.5) * (x - 0.5) - 0.3 * (y - 0.5) * (y - 0.5); };
  const auto wave = [](double x, double) { return 0.1 * std::sin(5 * x); };
  // areas by the integral of sqrt(1 + |grad|^2)
  for (const auto& [height, area] :
       {std::pair<std::function<double(double, double)>, double>{dome, 1.0218}, {saddle, 1.0293}, {wave, 1.0544}})
    for (const auto& [n, m] : {std::pair{10, 13}, {16, 20}}) {
      const PatchSearch found =
          search(test::triangulated(cushion(height, n, n, false)), test::triangulated(cushion(height, m, m + 1, true)));
      EXPECT_NEAR(total_area(found), area, 5e-3) << n;
      EXPECT_EQ(untold(found), 0) << n;
      EXPECT_NEAR(area_of_doubts(found, Kind::gap), found.curved.left_out, 1e-12);
      EXPECT_LT(area_of_doubts(found, Kind::small), 1e-4);
    }
}

TEST(CurvedJointTest, DrumsSideBySideHaveNoCurvedJoint) {
  for (const int count : {24, 40, 60}) {
    std::vector<Vec3d> left, right;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * M_PI * (i + 0.5) / count;
      left.push_back({std::cos(angle), std::sin(angle), 0});
      right.push_back({2 * std::cos(M_PI / count) + std::cos(angle), std::sin(angle), 0});
    }
    const PatchSearch found = search(test::prism(left, 0, 1), test::prism(right, 0, 1));
    ASSERT_EQ(found.patches.size(), 1U);  // the two facets that meet
    EXPECT_NEAR(found.patches[0].area, 2 * std::sin(M_PI / count), 1e-12);
    EXPECT_EQ(found.curved.facets, 0U);
  }
}

TEST(CurvedJointTest, DrumOnAFloorRestsOnOneFacet) {
  std::vector<Vec3d> round;
  for (int i = 0; i < 40; ++i) round.push_back({std::cos(2 * M_PI * (i + 0.5) / 40), std::sin(2 * M_PI * (i + 0.5) / 40), 0});
  const PatchSearch found = search(test::prism(round, 0, 1), test::box({std::cos(M_PI / 40), -3, -3}, {2, 3, 3}));
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_NEAR(found.patches[0].area, 2 * std::sin(M_PI / 40), 1e-12);
}

TEST(CurvedJointTest, TheSameJointAnywhereAndAtAnySize) {
  test::Random random(8);
  const Mesh below = arch_block(1, steps(0.7, 11, 0.2, 3), false), above = arch_block(1, steps(0.7, 16, 0.2, 5), true);
  const PatchSearch still = search(below, above);
  for (int i = 0; i < 20; ++i) {
    const double scale = i % 2 == 0 ? random.scale(1e-3, 1e3) : 1;
    const test::Motion motion = test::random_motion(random, i % 2 == 0 ? 10 * scale : 1e6, scale);
    const PatchSearch found = search(test::moved(below, motion), test::moved(above, motion));
    EXPECT_EQ(found.patches.size(), still.patches.size());
    EXPECT_NEAR(total_area(found), total_area(still) * scale * scale, 1e-6 * scale * scale);
    EXPECT_NEAR(found.curved.gap, still.curved.gap * scale, 1e-6 * scale);
  }
}

TEST(CurvedJointTest, RoundingToSinglePrecisionKeepsTheJoint) {
  Mesh below = arch_block(1, steps(0.7, 11, 0.2, 3), false), above = arch_block(1, steps(0.7, 16, 0.2, 5), true);
  const double area = total_area(search(below, above));
  for (Mesh* mesh : {&below, &above})
    for (Vec3d& p : mesh->vertices) p = {double(float(p.x)), double(float(p.y)), double(float(p.z))};
  EXPECT_NEAR(total_area(search(below, above)), area, 1e-5);
}

}  // namespace
}  // namespace trilith::geom
