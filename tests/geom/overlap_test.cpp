// Solids that share space. (GEO-14)
#include "geom/overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using Kind = DoubtfulContact::Kind;
using test::box;
using test::Random;

constexpr double deep = 2e-4;

std::optional<DoubtfulContact> overlap(const Mesh& a, const Mesh& b) {
  const ContactSettings settings;
  return find_overlap(make_contact_solid(a, settings), make_contact_solid(b, settings), deep);
}

PatchSearch search(const Mesh& a, const Mesh& b) {
  const ContactSettings settings;
  return find_patches(make_contact_solid(a, settings), make_contact_solid(b, settings), settings);
}

/// A profile in x-z, counter-clockwise seen from -y, 1 deep in y.
Mesh profile(const std::vector<Vec3d>& corners) {
  Mesh mesh = test::prism(corners, 0, 1);
  for (Vec3d& p : mesh.vertices) p = {p.x, 1 - p.z, p.y};
  return mesh;
}

/// Smallest depth over all separating directions of two boxes that were moved: negative where they are apart.
double separation_depth(const Mesh& a, const Mesh& b) {
  std::vector<Vec3d> directions;
  const auto edges = [](const Mesh& m) {
    return std::vector<Vec3d>{unit(m.vertices[1] - m.vertices[0]), unit(m.vertices[3] - m.vertices[0]),
                              unit(m.vertices[4] - m.vertices[0])};
  };
  for (const Vec3d& u : edges(a)) directions.push_back(u);
  for (const Vec3d& v : edges(b)) directions.push_back(v);
  for (const Vec3d& u : edges(a))
    for (const Vec3d& v : edges(b))
      if (norm(cross(u, v)) > 1e-3) directions.push_back(unit(cross(u, v)));
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3d& n : directions) {
    const auto extent = [&n](const Mesh& m) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Vec3d& p : m.vertices) {
        low = std::min(low, dot(p, n));
        high = std::max(high, dot(p, n));
      }
      return std::pair(low, high);
    };
    const auto [low_a, high_a] = extent(a);
    const auto [low_b, high_b] = extent(b);
    least = std::min({least, high_a - low_b, high_b - low_a});
  }
  return least;
}

void expect_patch_and_overlap(const Mesh& a, const Mesh& b, double depth) {
  for (const bool swapped : {false, true}) {
    const PatchSearch found = swapped ? search(b, a) : search(a, b);
    EXPECT_FALSE(found.patches.empty());
    ASSERT_EQ(found.doubts.size(), 1U);
    EXPECT_EQ(found.doubts[0].kind, Kind::overlap);
    EXPECT_TRUE(found.doubts[0].polygon.empty());
    EXPECT_NEAR(found.doubts[0].gap, -depth, 0.2 * depth);
  }
}

TEST(OverlapTest, StoneOnALedgeRunsIntoTheWallBehindIt) {
  const Mesh ledge = profile({{-1, -.5, 0}, {.1, -.5, 0}, {.1, 0, 0}, {0, 0, 0}, {0, 2, 0}, {-1, 2, 0}});
  for (const double depth : {5e-4, 1e-3, 5e-2}) expect_patch_and_overlap(ledge, box({-depth, .2, 0}, {.5, .8, 1}), depth);
  const PatchSearch beside = search(ledge, box({1e-3, .2, 0}, {.5, .8, 1}));
  EXPECT_EQ(beside.patches.size(), 1U);
  EXPECT_TRUE(beside.doubts.empty());
}

TEST(OverlapTest, StoneOnAFloorRunsIntoItsWall) {
  const Mesh wall = profile({{-1, -.5, 0}, {3, -.5, 0}, {3, 0, 0}, {0, 0, 0}, {0, 2, 0}, {-1, 2, 0}});
  expect_patch_and_overlap(wall, box({-.05, .2, 0}, {.3, .8, 1}), .05);
  // as deep as the wall: no corner of either is inside the other
  EXPECT_TRUE(overlap(wall, box({-1, 0, .5}, {.3, 1, 1})).has_value());
}

TEST(OverlapTest, TiltedSideOfAStoneRunsThroughTheWall) {
  const Mesh wall = profile({{-1, -.5, 0}, {3, -.5, 0}, {3, 0, 0}, {0, 0, 0}, {0, 2, 0}, {-1, 2, 0}});
  for (const double lean : {.2, .01}) {
    const PatchSearch found = search(wall, profile({{lean, 0, 0}, {.3, 0, 0}, {.3, 1, 0}, {-lean, 1, 0}}));
    EXPECT_EQ(found.patches.size(), 1U);
    ASSERT_FALSE(found.doubts.empty());  // where the faces are nearly parallel, that they cross is told too
    EXPECT_EQ(found.doubts.back().kind, Kind::overlap);
    EXPECT_LT(found.doubts.back().gap, -.5 * lean);
  }
}

TEST(OverlapTest, BarThroughABlockIsSeenThoughNoCornerIsInside) {
  Random random(3);
  const Mesh bar = box({-3, -.1, -.1}, {3, .1, .1}), block = box({-.5, -.5, -.5}, {.5, .5, .5});
  for (int i = 0; i < 20; ++i) {
    const test::Motion motion = test::random_motion(random, i == 0 ? 0 : 1e3);
    const PatchSearch found = search(test::moved(bar, motion), test::moved(block, motion));
    ASSERT_EQ(found.doubts.size(), 1U);
    EXPECT_EQ(found.doubts[0].kind, Kind::overlap);
    EXPECT_LT(found.doubts[0].gap, -.1);
    EXPECT_GE(found.doubts[0].gap, -.2 - 1e-9);
  }
}

TEST(OverlapTest, SharedSpaceBetweenFlushFacesIsSeen) {
  const Mesh board = box({-3, -.5, 0}, {3, .5, 1});
  EXPECT_TRUE(overlap(board, box({-.5, -3, 0}, {.5, 3, 1})));   // crossed boards of one height: every crossing is at an edge
  EXPECT_TRUE(overlap(board, board));                           // the same stone twice
  EXPECT_TRUE(overlap(board, box({-3, -.5, 0}, {3, .5, .5})));  // its lower half
  EXPECT_TRUE(overlap(board, box({-1, -.5, 0}, {4, .5, 1})));   // pushed along itself
  EXPECT_TRUE(overlap(board, test::triangulated(box({-1, -.2, .2}, {1, .2, .8}))));  // inside
}

TEST(OverlapTest, StonesThatInterlockWithoutSharingSpaceDoNotOverlap) {
  const Mesh lower = profile({{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}});
  Random random(4);
  for (const double room : {0.0, -1e-5, 1e-5})
    for (int i = 0; i < 20; ++i) {
      const test::Motion motion = test::random_motion(random, 10);
      const Mesh key = box({1 + room, 0, 1 + room}, {2 - room, 1, 3});
      EXPECT_FALSE(overlap(test::moved(lower, motion), test::moved(key, motion))) << room;
      EXPECT_FALSE(overlap(test::moved(key, motion), test::moved(test::triangulated(lower), motion))) << room;
    }
}

TEST(OverlapTest, BoxesAnyhowPlacedAgreeWithTheirSeparatingPlanes) {
  Random random(5);
  int apart = 0, together = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto sized = [&] {
      const double x = random.uniform(.1, 1), y = random.uniform(.1, 1), z = random.uniform(.1, 1);
      return test::moved(box({-x, -y, -z}, {x, y, z}), test::random_motion(random, random.uniform(0, 1.5)));
    };
    const Mesh a = sized(), b = i % 2 == 0 ? sized() : test::triangulated(sized());
    const double depth = separation_depth(a, b);
    const auto found = overlap(a, b);
    if (depth < 0) {
      EXPECT_FALSE(found) << i;
      ++apart;
    } else if (depth > 10 * deep) {
      ASSERT_TRUE(found) << i << " " << depth;
      EXPECT_LT(found->gap, -.5 * deep);
      ++together;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(together, 500);
}

TEST(OverlapTest, BoxesThatTouchInAFaceDoNotOverlap) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    const test::Motion motion = test::random_motion(random, 100);
    const Mesh upper = box({random.uniform(-1, 0), random.uniform(-1, 0), 0}, {random.uniform(.1, 1), random.uniform(.1, 1), 1});
    const Mesh lower = box({-1, -1, -1}, {1, 1, 1e-4 * random.uniform(0, 1)});
    EXPECT_FALSE(overlap(test::moved(lower, motion), test::moved(upper, motion)));
  }
}

}  // namespace
}  // namespace trilith::geom
