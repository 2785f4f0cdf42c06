#include "geom/patches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using Kind = DoubtfulContact::Kind;
using test::Random;

PatchSearch search(const Mesh& a, const Mesh& b, const ContactSettings& settings = {}) {
  return find_patches(make_contact_solid(a, settings), make_contact_solid(b, settings), settings);
}

double total_area(const PatchSearch& found) {
  return std::accumulate(found.patches.begin(), found.patches.end(), 0.0, [](double sum, const ContactPatch& p) { return sum + p.area; });
}

/// What every patch promises.
void expect_well_formed(const PatchSearch& found) {
  for (const ContactPatch& patch : found.patches) {
    EXPECT_GE(patch.polygon.size(), 3U);
    EXPECT_NEAR(norm(patch.normal), 1, 1e-14);
    EXPECT_NEAR(norm(patch.t1), 1, 1e-14);
    EXPECT_NEAR(dot(patch.normal, patch.t1), 0, 1e-14);
    const Vec3d area = area_vector(patch.polygon);
    EXPECT_GT(dot(unit(area), patch.normal), 1 - 1e-9);
    EXPECT_NEAR(norm(area), patch.area, 1e-9 * patch.area);
  }
}

const Mesh ground = test::box({-2, -2, -1}, {2, 2, 0});

TEST(PatchesTest, BoxOnABoxTouchesInItsBase) {
  const PatchSearch found = search(ground, test::box({0, 0, 0}, {1, 0.5, 2}));
  ASSERT_EQ(found.patches.size(), 1U);
  expect_well_formed(found);
  EXPECT_DOUBLE_EQ(found.patches[0].area, 0.5);
  test::expect_near(found.patches[0].normal, {0, 0, 1}, 0);
  test::expect_near(found.patches[0].t1, {1, 0, 0}, 0);  // first edge of the ground's top
  EXPECT_EQ(found.patches[0].polygon.size(), 4U);
  EXPECT_TRUE(found.doubts.empty());
}

TEST(PatchesTest, NormalPointsFromAIntoB) {
  const PatchSearch found = search(test::box({0, 0, 0}, {1, 0.5, 2}), ground);
  ASSERT_EQ(found.patches.size(), 1U);
  test::expect_near(found.patches[0].normal, {0, 0, -1}, 0);
  expect_well_formed(found);
}

TEST(PatchesTest, CornersKeepTheCoordinatesOfTheFile) {
  const Mesh block = test::box({0.1, 0.2, 0}, {0.7, 0.9, 2});
  const PatchSearch found = search(ground, block);
  ASSERT_EQ(found.patches.size(), 1U);
  for (const Vec3d& p : found.patches[0].polygon)
    EXPECT_TRUE(std::ranges::any_of(block.vertices, [&p](const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; }));
}

TEST(PatchesTest, TriangulatedFacesGiveOnePolygon) {
  const PatchSearch found = search(test::triangulated(ground), test::triangulated(test::box({-0.3, 0, 0}, {1, 1, 1})));
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_EQ(found.patches[0].polygon.size(), 4U);
  EXPECT_NEAR(found.patches[0].area, 1.3, 1e-14);
}

TEST(PatchesTest, SteppedStonesTouchInThreeFaces) {
  const auto stepped = [](const std::vector<Vec3d>& profile) {
    std::vector<Vec3d> flat;
    flat.reserve(profile.size());
    for (const Vec3d& p : profile) flat.push_back({p.x, p.z, 0});
    Mesh mesh = test::prism(flat, 0, 1);  // profile in x-z, laid into x-y: turn it up
    for (Vec3d& p : mesh.vertices) p = {p.x, 1 - p.z, p.y};
    return mesh;
  };
  const Mesh lower = stepped({{0, 0, 0}, {2, 0, 0}, {2, 0, 1}, {1, 0, 1}, {1, 0, 2}, {0, 0, 2}});
  const Mesh upper = stepped({{2, 0, 1}, {2, 0, 3}, {0, 0, 3}, {0, 0, 2}, {1, 0, 2}, {1, 0, 1}});
  const PatchSearch found = search(lower, upper);
  ASSERT_EQ(found.patches.size(), 3U);
  for (const ContactPatch& patch : found.patches) EXPECT_NEAR(patch.area, 1, 1e-14);
  expect_well_formed(found);
}

TEST(PatchesTest, ConcaveFaceOnAPlateIsTwoConvexPolygons) {
  const Mesh l = test::prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 0, 1);
  const PatchSearch found = search(ground, l);
  EXPECT_EQ(found.patches.size(), 2U);
  EXPECT_NEAR(total_area(found), 3, 1e-13);
  expect_well_formed(found);
}

TEST(PatchesTest, OverlapOfTwoConcaveFacesMergesWhereItIsConvex) {
  // two L shapes, turned by half a turn, overlap in a rectangle that crosses the cuts of both
  const std::vector<Vec3d> l{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  std::vector<Vec3d> turned;
  turned.reserve(l.size());
  for (const Vec3d& p : l) turned.push_back({2 - p.x, 1 - p.y, 0});
  const PatchSearch found = search(test::prism(l, -1, 0), test::prism(turned, 0, 1));
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_EQ(found.patches[0].polygon.size(), 4U);
  EXPECT_NEAR(found.patches[0].area, 2, 1e-13);
}

/// A square ring stone: 3 x 3 with a 1 x 1 hole, standing on z = 0.
Mesh ring_stone() {
  Mesh mesh;
  for (const double z : {0.0, 1.0})
    for (const auto& [low, high] : {std::pair{-1.5, 1.5}, {-0.5, 0.5}})
      for (const Vec3d& p : {Vec3d{low, low, z}, Vec3d{high, low, z}, Vec3d{high, high, z}, Vec3d{low, high, z}})
        mesh.vertices.push_back(p);
  const auto add = [&mesh](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    const std::uint32_t face[4] = {a, b, c, d};
    mesh.add_face(face);
  };
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    add(i, 4 + i, 4 + j, j);            // bottom
    add(8 + i, 8 + j, 12 + j, 12 + i);  // top
    add(i, j, 8 + j, 8 + i);            // outside
    add(4 + j, 4 + i, 12 + i, 12 + j);  // hole
  }
  return mesh;
}

TEST(PatchesTest, RingStoneOnAPlateLeavesItsHoleOut) {
  for (const Mesh& ring : {ring_stone(), test::triangulated(ring_stone())}) {
    const PatchSearch found = search(ground, ring);
    EXPECT_NEAR(total_area(found), 8, 1e-12);
    EXPECT_EQ(found.patches.size(), 4U);
    expect_well_formed(found);
    for (const ContactPatch& patch : found.patches) {
      const Vec3d middle = polygon_centroid(patch.polygon);
      EXPECT_GT(std::max(std::abs(middle.x), std::abs(middle.y)), 0.5);
    }
  }
}

TEST(PatchesTest, PlateOverTheHoleOfARingTouchesItsRimOnly) {
  // the plate overhangs the hole by .2 on each side: a frame of 1.4^2 - 1
  const PatchSearch found = search(ring_stone(), test::box({-0.7, -0.7, 1}, {0.7, 0.7, 2}));
  EXPECT_NEAR(total_area(found), 0.96, 1e-12);
  EXPECT_EQ(found.patches.size(), 4U);
}

TEST(PatchesTest, UShapedStoneTouchesInItsThreeBars) {
  const Mesh u = test::prism({{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 0, 1);
  const PatchSearch found = search(test::box({-1, -1, -1}, {4, 4, 0}), u);
  EXPECT_NEAR(total_area(found), 5, 1e-12);
  EXPECT_EQ(found.patches.size(), 3U);
  // a plate across the notch touches the two legs; no overlapping pieces
  const PatchSearch bridge = search(u, test::box({0.5, 1.25, 1}, {2.5, 1.75, 2}));
  EXPECT_NEAR(total_area(bridge), 0.5, 1e-12);
  EXPECT_EQ(bridge.patches.size(), 2U);
}

TEST(PatchesTest, APlateOnASmallerTableTouchesTheWholeTable) {
  const PatchSearch found = search(test::box({0, 0, -1}, {1, 1, 0}), test::box({-5, -5, 0}, {5, 5, 0.1}));
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_NEAR(found.patches[0].area, 1, 1e-12);
}

TEST(PatchesTest, TheToleranceIsThatOfTheSmallerBlock) {
  // a stone of .1 on a slab of 100: open by 1e-6 it touches, by 1e-5 it is told, by 1e-3 it is far
  const Mesh slab = test::box({-50, -50, -1}, {50, 50, 0});
  const auto stone = [&](double gap) { return search(slab, test::box({0, 0, gap}, {0.1, 0.1, 0.1 + gap})); };
  EXPECT_EQ(stone(1e-6).patches.size(), 1U);
  EXPECT_EQ(stone(1e-5).doubts.size(), 1U);
  EXPECT_TRUE(stone(1e-5).patches.empty());
  EXPECT_TRUE(stone(1e-3).patches.empty() && stone(1e-3).doubts.empty());
}

TEST(PatchesTest, TJunctionsBetweenBlocksGiveEachItsPart) {
  // one long block over two shorter ones whose tops are split at other places
  const PatchSearch left = search(test::triangulated(test::box({0, 0, 0}, {1, 1, 1})), test::triangulated(test::box({0, 0, 1}, {2, 1, 2})));
  const PatchSearch right =
      search(test::triangulated(test::box({1, 0, 0}, {2, 1, 1})), test::triangulated(test::box({0, 0, 1}, {2, 1, 2})));
  ASSERT_EQ(left.patches.size(), 1U);
  ASSERT_EQ(right.patches.size(), 1U);
  EXPECT_EQ(left.patches[0].polygon.size(), 4U);
  EXPECT_NEAR(left.patches[0].area, 1, 1e-14);
  EXPECT_NEAR(right.patches[0].area, 1, 1e-14);
}

TEST(PatchesTest, DoubtfulJointsKeepTheirPolygon) {
  const PatchSearch open = search(ground, test::box({0, 0, 1e-4}, {1, 1, 1}));
  ASSERT_EQ(open.doubts.size(), 1U);
  EXPECT_NEAR(polygon_area(open.doubts[0].polygon), 1, 1e-12);
  test::expect_near(open.doubts[0].normal, {0, 0, 1}, 0);
  EXPECT_GT(dot(area_vector(open.doubts[0].polygon), open.doubts[0].normal), 0);
}

TEST(PatchesTest, GapsAreUsedToldOrIgnoredByTheirSize) {
  const ContactSettings settings;
  const auto lifted = [](double gap) { return test::box({0, 0, gap}, {1, 1, 1 + gap}); };
  const double tolerance = settings.gap_tolerance;
  EXPECT_EQ(search(ground, lifted(0.9 * tolerance)).patches.size(), 1U);
  EXPECT_EQ(search(ground, lifted(-0.9 * tolerance)).patches.size(), 1U);

  const PatchSearch near = search(ground, lifted(5 * tolerance));
  EXPECT_TRUE(near.patches.empty());
  ASSERT_EQ(near.doubts.size(), 1U);
  EXPECT_EQ(near.doubts[0].kind, Kind::gap);
  EXPECT_NEAR(near.doubts[0].gap, 5 * tolerance, 1e-12);
  EXPECT_NEAR(near.doubts[0].area, 1, 1e-12);

  const PatchSearch far = search(ground, lifted(20 * tolerance));
  EXPECT_TRUE(far.patches.empty() && far.doubts.empty());
}

TEST(PatchesTest, OverlapIsToldWithItsDepth) {
  for (const double depth : {1e-4, 1e-2, 0.3}) {
    const PatchSearch found = search(ground, test::box({0, 0, -depth}, {1, 1, 1 - depth}));
    EXPECT_TRUE(found.patches.empty());
    ASSERT_GE(found.doubts.size(), 1U) << depth;
    EXPECT_EQ(found.doubts[0].kind, Kind::overlap);
    EXPECT_NEAR(found.doubts[0].gap, -depth, 1e-9);
  }
}

TEST(PatchesTest, ABlockThatPiercesAnotherIsToldAsOverlap) {
  Random random(12);
  int told = 0;
  for (int i = 0; i < 30; ++i) {
    const Mesh spike = test::moved(test::box({-0.2, -0.2, -0.2}, {0.2, 0.2, 1}), test::random_motion(random, 0.0));
    const PatchSearch found = search(ground, spike);
    EXPECT_TRUE(found.patches.empty());
    told += !found.doubts.empty() && found.doubts[0].kind == Kind::overlap && found.doubts[0].gap < -0.05 ? 1 : 0;
  }
  EXPECT_EQ(told, 30);
}

TEST(PatchesTest, EdgeAndPointTouchesAreNoContact) {
  const double h = std::sqrt(0.5);
  // a cube on its edge and on its corner
  const Mesh on_edge = test::make_mesh({{0, 0, 0}, {h, 0, h}, {0, 0, 2 * h}, {-h, 0, h}, {0, 1, 0}, {h, 1, h}, {0, 1, 2 * h}, {-h, 1, h}},
                                       {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}});
  const Mesh tetra = test::make_mesh({{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {-1, -1, 1}}, {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
  for (const Mesh& mesh : {on_edge, tetra}) {
    const PatchSearch found = search(ground, mesh);
    EXPECT_TRUE(found.patches.empty());
    ASSERT_EQ(found.doubts.size(), 1U);
    EXPECT_EQ(found.doubts[0].kind, Kind::edge_or_point);
    EXPECT_NEAR(found.doubts[0].gap, 0, 1e-15);
    EXPECT_NEAR(found.doubts[0].at.z, 0, 1e-15);
  }
  // two boxes corner to corner in plan, and two crossing edges in the air
  const PatchSearch beside = search(test::box({0, 0, 0}, {1, 1, 1}), test::box({1, 1, 0}, {2, 2, 1}));
  ASSERT_EQ(beside.doubts.size(), 1U);
  EXPECT_EQ(beside.doubts[0].kind, Kind::edge_or_point);
  const Mesh ridge = test::make_mesh({{-2, -1, -1}, {-2, 1, -1}, {-2, 0, 0}, {2, -1, -1}, {2, 1, -1}, {2, 0, 0}},
                                     {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}});
  Mesh keel = ridge;
  for (Vec3d& p : keel.vertices) p = {p.y, p.x, -p.z};
  const PatchSearch crossing = search(ridge, keel);
  ASSERT_EQ(crossing.doubts.size(), 1U);
  EXPECT_EQ(crossing.doubts[0].kind, Kind::edge_or_point);
  test::expect_near(crossing.doubts[0].at, {0, 0, 0}, 1e-15);
}

TEST(PatchesTest, TinyContactIsDroppedAndTold) {
  // corners overlap by 6e-5 x 6e-5 of a unit block
  const PatchSearch found = search(test::box({0, 0, -1}, {1, 1, 0}), test::box({1 - 6e-5, 1 - 6e-5, 0}, {2, 2, 1}));
  EXPECT_TRUE(found.patches.empty());
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_EQ(found.doubts[0].kind, Kind::small);
  EXPECT_NEAR(found.doubts[0].area, 3.6e-9, 1e-12);
}

TEST(PatchesTest, TiltedBlockOpensLikeAJoint) {
  // standing on one edge with the base 1 degree open: no contact, and told
  Mesh block = test::box({0, 0, 0}, {1, 1, 1});
  const double angle = M_PI / 180;
  for (Vec3d& p : block.vertices) p = {p.x * std::cos(angle) - p.z * std::sin(angle), p.y, p.x * std::sin(angle) + p.z * std::cos(angle)};
  const PatchSearch found = search(ground, block);
  EXPECT_TRUE(found.patches.empty());
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_EQ(found.doubts[0].kind, Kind::gap);
  EXPECT_NEAR(found.doubts[0].gap, std::sin(angle), 1e-12);
}

TEST(PatchesTest, FacesThatCrossAreOpenThoughTheirMiddleIsFree) {
  // turned by 1e-4 about a line near one side: closed and overlapping by less than what is worth a bond there, open at the other
  Mesh block = test::box({-0.5, 0, 0}, {1, 1, 1});
  const double angle = 1e-4;
  for (Vec3d& p : block.vertices) p = {p.x * std::cos(angle) - p.z * std::sin(angle), p.y, p.x * std::sin(angle) + p.z * std::cos(angle)};
  const PatchSearch found = search(ground, block);
  EXPECT_TRUE(found.patches.empty());
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_EQ(found.doubts[0].kind, Kind::gap);
  EXPECT_NEAR(found.doubts[0].gap, angle, 1e-9);
  EXPECT_NEAR(polygon_area(found.doubts[0].polygon), 1.5, 1e-6);
}

TEST(PatchesTest, WarpedFacesTouchTriangleByTriangle) {
  // two stones share a warped quad, listed from corners whose fans cut it along the same or along the other diagonal
  Mesh lower = test::box({0, 0, -1}, {1, 1, 0}), upper = test::box({0, 0, 0}, {1, 1, 1});
  lower.vertices[6].z = upper.vertices[2].z = 0.03;
  Mesh other = upper;
  std::rotate(other.face_vertex.begin(), other.face_vertex.begin() + 1, other.face_vertex.begin() + 4);
  for (const Mesh& top : {upper, other}) {
    const PatchSearch found = search(lower, top);
    EXPECT_NEAR(total_area(found), 1, 2e-3);
    EXPECT_GE(found.patches.size(), 2U);
    expect_well_formed(found);
    for (const ContactPatch& patch : found.patches) EXPECT_GT(patch.warp, 0.01);
  }
}

TEST(PatchesTest, TheSameContactAnywhereAndAtAnySize) {
  Random random(13);
  const Mesh block = test::box({0.25, 0.5, 0}, {1.5, 1, 2});
  for (int i = 0; i < 200; ++i) {
    const double scale = random.scale(1e-3, 1e3);
    const test::Motion motion = test::random_motion(random, i % 2 == 0 ? 10 * scale : 1e6, i % 2 == 0 ? scale : 1);
    const PatchSearch found = search(test::moved(ground, motion), test::moved(block, motion));
    ASSERT_EQ(found.patches.size(), 1U);
    expect_well_formed(found);
    EXPECT_EQ(found.patches[0].polygon.size(), 4U);
    const double expected = 0.625 * motion.scale * motion.scale;
    EXPECT_NEAR(found.patches[0].area, expected, (i % 2 == 0 ? 1e-12 : 1e-9) * expected);
    test::expect_near(found.patches[0].normal, motion.z, i % 2 == 0 ? 1e-13 : 1e-9);
  }
}

TEST(PatchesTest, NoiseKeepsOneContactWithItsArea) {
  Random random(14);
  for (int i = 0; i < 300; ++i) {
    Mesh a = test::box({0, 0, -1}, {1, 1, 0}), b = test::box({0, 0, 0}, {1, 1, 1});  // equal faces: the worst case for clipping
    for (Vec3d& p : a.vertices) p = p + 1e-6 * random.direction();
    for (Vec3d& p : b.vertices) p = p + 1e-6 * random.direction();
    const PatchSearch found = search(a, b);
    ASSERT_EQ(found.patches.size(), 1U);
    EXPECT_EQ(found.patches[0].polygon.size(), 4U);
    EXPECT_NEAR(found.patches[0].area, 1, 1e-5);
    EXPECT_LE(found.patches[0].gap, 5e-6);
  }
}

TEST(PatchesTest, SwappedBlocksGiveTheSameAreasTheOtherWay) {
  Random random(15);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
    const Mesh block = test::triangulated(test::box({x, y, 0}, {x + 1, y + 2, 1}));
    const PatchSearch one = search(ground, block), two = search(block, ground);
    ASSERT_EQ(one.patches.size(), two.patches.size());
    EXPECT_NEAR(total_area(one), total_area(two), 1e-12);
    const double w = std::max(0.0, std::min(x + 1, 2.0) - std::max(x, -2.0)), d = std::max(0.0, std::min(y + 2, 2.0) - std::max(y, -2.0));
    EXPECT_NEAR(total_area(one), w * d, 1e-12);
  }
}

}  // namespace
}  // namespace trilith::geom
