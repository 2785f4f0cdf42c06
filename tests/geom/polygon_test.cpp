#include "geom/polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geom/shapes.h"
#include "support/random.h"

namespace trilith::geom {
namespace {

using test::Random;
using Polygon = std::vector<Vec2>;

const Polygon unit_square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
const Polygon l_shape{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

double triangle_area(const Vec2& a, const Vec2& b, const Vec2& c) { return 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)); }

/// A convex polygon: the hull of random points.
Polygon random_convex(Random& random, int points) {
  Polygon cloud;
  for (int i = 0; i < points; ++i) cloud.push_back({random.uniform(-1, 1), random.uniform(-1, 1)});
  return convex_hull(cloud);
}

TEST(PolygonTest, AreaVectorPointsUpForACounterClockwiseSquare) {
  const std::vector<Vec3d> square{{0, 0, 5}, {2, 0, 5}, {2, 3, 5}, {0, 3, 5}};
  test::expect_near(area_vector(square), {0, 0, 6}, 0);
  test::expect_near(polygon_centroid(std::span<const Vec3d>(square)), {1, 1.5, 5}, 1e-15);
}

TEST(PolygonTest, AreaVectorIsTheSameFarFromTheOrigin) {
  const Vec3d far{1e7, -3e6, 4e5};
  std::vector<Vec3d> polygon{{0, 0, 0}, {0.25, 0, 0}, {0.25, 0.5, 0}, {0, 0.5, 0}};
  for (Vec3d& p : polygon) p = p + far;
  EXPECT_NEAR(polygon_area(polygon), 0.125, 1e-15);
}

TEST(PolygonTest, ConcavePolygonHasItsSignedAreaAndCentroid) {
  EXPECT_DOUBLE_EQ(signed_area(l_shape), 3);
  const Vec2 c = polygon_centroid(l_shape);
  EXPECT_NEAR(c.x, 5.0 / 6, 1e-15);
  EXPECT_NEAR(c.y, 5.0 / 6, 1e-15);
  const std::vector<Vec3d> in_space{{1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 1, 0}};  // starts at the notch
  test::expect_near(polygon_centroid(std::span<const Vec3d>(in_space)), {5.0 / 6, 5.0 / 6, 0}, 1e-15);
}

TEST(PolygonTest, FrameIsRightHandedAndRoundTrips) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d normal = random.direction(), hint = i % 5 == 0 ? normal : random.direction();
    const PlaneFrame frame = make_plane_frame(random.gauss_vector(), normal, hint);
    test::expect_near(cross(frame.normal, frame.t1), frame.t2, 1e-15);
    EXPECT_NEAR(norm(frame.t1), 1, 1e-15);
    EXPECT_NEAR(dot(frame.t1, frame.normal), 0, 1e-15);
    const Vec2 q{random.gauss(), random.gauss()};
    const Vec2 back = frame.to_plane(frame.to_space(q));
    EXPECT_NEAR(back.x, q.x, 1e-14);
    EXPECT_NEAR(back.y, q.y, 1e-14);
    EXPECT_NEAR(frame.height(frame.to_space(q) + 0.7 * normal), 0.7, 1e-14);
  }
}

TEST(PolygonTest, ConvexityKnowsTheNotchAndTheTolerance) {
  EXPECT_TRUE(is_convex(unit_square, 0));
  EXPECT_FALSE(is_convex(l_shape, 0.1));
  EXPECT_FALSE(is_convex(Polygon{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, 0)) << "clockwise";
  const Polygon dented{{0, 0}, {1, 0}, {1, 1}, {0.5, 1 - 1e-6}, {0, 1}};
  EXPECT_TRUE(is_convex(dented, 1e-5));
  EXPECT_FALSE(is_convex(dented, 1e-7));
  const Polygon star{{0, 0}, {1, 0}, {0.2, 0.6}, {0.5, -0.4}, {0.8, 0.6}};  // winds twice
  EXPECT_FALSE(is_convex(star, 0));
}

TEST(PolygonTest, ContainsIncludesTheBoundary) {
  EXPECT_TRUE(contains(l_shape, {0.5, 1.5}, 0));
  EXPECT_FALSE(contains(l_shape, {1.5, 1.5}, 0));
  EXPECT_TRUE(contains(l_shape, {1.5, 1}, 0));
  EXPECT_TRUE(contains(l_shape, {2.001, 0.5}, 0.01));
  EXPECT_FALSE(contains(l_shape, {2.02, 0.5}, 0.01));
}

TEST(PolygonTest, LeastWidthOfARectangleIsItsShortSide) {
  EXPECT_DOUBLE_EQ(least_width(Polygon{{0, 0}, {5, 0}, {5, 0.25}, {0, 0.25}}), 0.25);
  EXPECT_EQ(least_width(Polygon{{0, 0}, {1, 0}}), 0);
  EXPECT_NEAR(least_width(Polygon{{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}}), std::sqrt(0.75), 1e-15);
}

TEST(PolygonTest, CollinearCornersGoAndRealOnesStay) {
  Polygon polygon{{0, 0}, {0.3, 0}, {0.6, 1e-9}, {1, 0}, {1, 0.5}, {1, 1}, {0, 1}};
  remove_collinear(polygon, 1e-6);
  ASSERT_EQ(polygon.size(), 4U);
  EXPECT_NEAR(signed_area(polygon), 1, 1e-8);
}

TEST(PolygonTest, ManySmallTurnsDoNotAddUp) {
  // a quarter circle whose corners are each within tolerance of their neighbours' line: what is left stays within tolerance of all
  Polygon arc{{0, 0}};
  constexpr int count = 1000;
  for (int i = 0; i <= count; ++i) arc.push_back({std::cos(1.5 * i / count), std::sin(1.5 * i / count)});
  const double before = signed_area(arc);
  Polygon kept = arc;
  remove_collinear(kept, 1e-4);
  EXPECT_LT(kept.size(), 110U);  // 53 chords would do

  EXPECT_NEAR(signed_area(kept), before, 1.5 * 1e-4);
}

TEST(PolygonTest, ClippedSquaresOverlapInASquare) {
  Polygon out;
  clip_convex(unit_square, Polygon{{0.5, 0.5}, {2, 0.5}, {2, 2}, {0.5, 2}}, 1e-12, out);
  EXPECT_EQ(out.size(), 4U);
  EXPECT_DOUBLE_EQ(signed_area(out), 0.25);
  clip_convex(unit_square, Polygon{{2, 2}, {3, 2}, {3, 3}}, 1e-12, out);
  EXPECT_TRUE(out.empty());
}

TEST(PolygonTest, ClippingIsSymmetricAndInsideBoth) {
  Random random(2);
  int met = 0;
  for (int i = 0; i < 3000; ++i) {
    const Polygon a = random_convex(random, 12);
    Polygon b = random_convex(random, 9), ab, ba;
    const Vec2 shift{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
    for (Vec2& p : b) p = {p.x + shift.x, p.y + shift.y};
    clip_convex(a, b, 1e-12, ab);
    clip_convex(b, a, 1e-12, ba);
    EXPECT_NEAR(ab.empty() ? 0 : signed_area(ab), ba.empty() ? 0 : signed_area(ba), 1e-10);
    for (const Vec2& p : ab) EXPECT_TRUE(contains(a, p, 1e-9) && contains(b, p, 1e-9));
    met += ab.empty() ? 0 : 1;
  }
  EXPECT_GT(met, 500);
}

TEST(PolygonTest, ClippedAreaIsThatOfAFineGrid) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Polygon a = random_convex(random, 10), b = random_convex(random, 10);
    Polygon out;
    clip_convex(a, b, 1e-12, out);
    constexpr int cells = 200;
    int inside = 0;
    for (int x = 0; x < cells; ++x)
      for (int y = 0; y < cells; ++y) {
        const Vec2 p{-1 + (2 * x + 1.0) / cells, -1 + (2 * y + 1.0) / cells};
        inside += contains(a, p, 0) && contains(b, p, 0) ? 1 : 0;
      }
    EXPECT_NEAR(signed_area(out), 4.0 * inside / (cells * cells), 0.02);
  }
}

TEST(PolygonTest, ClippingManyCornersKeepsTheCircle) {
  Polygon circle;
  constexpr int count = 720;
  for (int i = 0; i < count; ++i) circle.push_back({std::cos(2 * M_PI * i / count), std::sin(2 * M_PI * i / count)});
  Polygon out;
  clip_convex(circle, circle, 1e-12, out);
  EXPECT_NEAR(signed_area(out), signed_area(circle), 1e-12);
  Polygon shifted = circle;
  for (Vec2& p : shifted) p.x += 1;
  clip_convex(circle, shifted, 1e-12, out);
  EXPECT_NEAR(signed_area(out), 2 * M_PI / 3 - std::sqrt(3) / 2, 1e-4);  // the lens of two unit circles at distance 1
}

TEST(PolygonTest, EarsCoverAConcavePolygon) {
  std::vector<std::uint32_t> triangles;
  triangulate(l_shape, triangles);
  ASSERT_EQ(triangles.size(), 12U);
  double area = 0;
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const double part = triangle_area(l_shape[triangles[i]], l_shape[triangles[i + 1]], l_shape[triangles[i + 2]]);
    EXPECT_GE(part, 0);
    area += part;
  }
  EXPECT_NEAR(area, 3, 1e-15);
}

TEST(PolygonTest, EarsCoverACombWithCollinearCorners) {
  Polygon comb{{0, 0}, {4, 0}, {8, 0}};
  for (int i = 8; i > 0; --i) {
    comb.push_back({double(i), i % 2 == 0 ? 3.0 : 1.0});
    comb.push_back({i - 0.5, i % 2 == 0 ? 3.0 : 1.0});
  }
  comb.push_back({0, 1});
  std::vector<std::uint32_t> triangles;
  triangulate(comb, triangles);
  EXPECT_EQ(triangles.size(), 3 * (comb.size() - 2));
  double area = 0;
  for (std::size_t i = 0; i < triangles.size(); i += 3)
    area += std::abs(triangle_area(comb[triangles[i]], comb[triangles[i + 1]], comb[triangles[i + 2]]));
  EXPECT_NEAR(area, signed_area(comb), 1e-12);
}

TEST(PolygonTest, TrianglesOfAConvexPolygonMergeIntoOne) {
  const Polygon corners{{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 0.5}};
  std::vector<std::vector<std::uint32_t>> parts{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};  // a fan round an inner corner
  merge_convex(corners, 1e-12, parts);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].size(), 4U);
}

TEST(PolygonTest, AnLShapeMergesIntoTwoConvexParts) {
  std::vector<std::uint32_t> triangles;
  triangulate(l_shape, triangles);
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::size_t i = 0; i < triangles.size(); i += 3) parts.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
  merge_convex(l_shape, 1e-12, parts);
  EXPECT_EQ(parts.size(), 2U);
  double area = 0;
  for (const auto& part : parts) {
    Polygon polygon;
    for (const std::uint32_t i : part) polygon.push_back(l_shape[i]);
    EXPECT_TRUE(is_convex(polygon, 1e-12));
    area += signed_area(polygon);
  }
  EXPECT_NEAR(area, 3, 1e-15);
}

TEST(PolygonTest, ARingNeverMergesAcrossItsHole) {
  // eight corners of a square ring, four trapezoids
  const Polygon corners{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 1}, {2, 1}, {2, 2}, {1, 2}};
  std::vector<std::vector<std::uint32_t>> parts{{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  merge_convex(corners, 1e-12, parts);
  EXPECT_EQ(parts.size(), 4U);
}

TEST(PolygonTest, HullDropsInnerAndCollinearPoints) {
  const std::vector<Vec2> hull = convex_hull({{1, 1}, {0, 0}, {2, 0}, {1, 0}, {2, 2}, {0, 2}, {0.5, 1.5}, {0, 0}});
  EXPECT_EQ(hull.size(), 4U);
  EXPECT_DOUBLE_EQ(signed_area(hull), 4);
}

}  // namespace
}  // namespace trilith::geom
