#include "geom/hull.h"

#include <limits>
#include <set>

#include "geom/mass_properties.h"
#include "geom/polygon.h"
#include "shapes.h"

namespace trilith {
namespace {

using geom::make_hull;
using geom::Mesh;

/// No point is more than `tolerance` in front of any face.
void expect_holds_all(const Mesh& hull, const std::vector<Vec3d>& points, double tolerance) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    std::vector<Vec3d> corners;
    for (const std::uint32_t v : hull.face(f)) corners.push_back(hull.vertices[v]);
    const Vec3d normal = unit(geom::area_vector(corners));
    for (const Vec3d& p : points) ASSERT_LE(dot(normal, p - corners[0]), tolerance) << "face " << f;
  }
}

/// Plain reference: a plane through three points with all others on one side is a side of the hull; volume from the origin of the first.
double plain_volume(const std::vector<Vec3d>& p, std::size_t& facets) {
  double volume = 0;
  facets = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 1; j < p.size(); ++j)
      for (std::size_t k = j + 1; k < p.size(); ++k) {
        const Vec3d normal = cross(p[j] - p[i], p[k] - p[i]);
        int front = 0, behind = 0;
        for (std::size_t q = 0; q < p.size(); ++q) {
          if (q == i || q == j || q == k) continue;
          (dot(normal, p[q] - p[i]) > 0 ? front : behind) += 1;
        }
        if (front > 0 && behind > 0) continue;
        ++facets;
        volume += (front > 0 ? -1 : 1) * dot(normal, p[i] - p[0]) / 6;
      }
  return volume;
}

TEST(HullTest, ABoxWithPointsOnAndInsideItIsTheBox) {
  std::vector<Vec3d> points;
  for (int x = 0; x <= 4; ++x)
    for (int y = 0; y <= 4; ++y)
      for (int z = 0; z <= 4; ++z) points.push_back({0.25 * x, 0.5 * y, 0.75 * z});
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 8U);
  ASSERT_EQ(hull->face_count(), 6U);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(hull->face(f).size(), 4U);
  EXPECT_NEAR(geom::measure_volume(*hull), 1 * 2 * 3, 1e-12);
  points.insert(points.end(), points.begin(), points.begin() + 60);  // some twice
  const auto again = make_hull(points);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->face_count(), 6U);
  EXPECT_NEAR(geom::measure_volume(*again), 1 * 2 * 3, 1e-12);
  for (const Vec3d& v : hull->vertices) EXPECT_TRUE((v.x == 0 || v.x == 1) && (v.y == 0 || v.y == 2) && (v.z == 0 || v.z == 3));
}

TEST(HullTest, FacesComeLargestFirst) {
  const auto hull = make_hull(test::box({0, 0, 0}, {3, 2, 1}).vertices);
  ASSERT_TRUE(hull);
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull->face_count(); ++f) {
    std::vector<Vec3d> corners;
    for (const std::uint32_t v : hull->face(f)) corners.push_back(hull->vertices[v]);
    EXPECT_LE(geom::polygon_area(corners), last + 1e-12);
    last = geom::polygon_area(corners);
  }
}

TEST(HullTest, RandomPointsAgreeWithAllPlanesTriedOut) {
  test::Random random(3);
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3d> points;
    for (int i = 0; i < 14; ++i) points.push_back(random.uniform(0.2, 1) * random.direction());
    std::size_t facets = 0;
    const double volume = plain_volume(points, facets);
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->face_count(), facets);
    EXPECT_NEAR(geom::measure_volume(*hull), volume, 1e-12);
    expect_holds_all(*hull, points, 1e-12);
  }
}

TEST(HullTest, PointsOfAGridInAnyPoseKeepVolumeAndFaces) {
  test::Random random(5);
  for (int round = 0; round < 20; ++round) {
    // an octahedron cut from a grid: faces full of coplanar points, edges of collinear ones
    std::vector<Vec3d> points;
    for (int x = -3; x <= 3; ++x)
      for (int y = -3; y <= 3; ++y)
        for (int z = -3; z <= 3; ++z)
          if (std::abs(x) + std::abs(y) + std::abs(z) <= 3) points.push_back({double(x), double(y), double(z)});
    const double scale = std::exp(random.uniform(-8, 8));
    const test::Motion motion = test::random_motion(random, 5 * scale, scale);
    for (Vec3d& p : points) p = motion(p);
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->face_count(), 8U);
    EXPECT_EQ(hull->vertices.size(), 6U);
    EXPECT_NEAR(geom::measure_volume(*hull) / (scale * scale * scale), 36, 1e-6);
    expect_holds_all(*hull, points, 1e-6 * 6 * scale);
  }
}

TEST(HullTest, ARoundCloudOfManyPointsIsClosed) {
  test::Random random(7);
  std::vector<Vec3d> points;
  for (int i = 0; i < 3000; ++i) points.push_back(random.direction());
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 3000U);
  EXPECT_LE(hull->face_count(), 2U * 3000 - 4);  // Euler; a few triangles are in one plane to within the tolerance
  EXPECT_GT(hull->face_count(), 2U * 3000 - 40);
  EXPECT_NEAR(geom::measure_volume(*hull), 4.18879, 0.02);
  expect_holds_all(*hull, points, 4e-6);
}

TEST(HullTest, FlatLineAndPointHaveNone) {
  test::Random random(9);
  const test::Motion motion = test::random_motion(random, 3);
  std::vector<Vec3d> flat, line, point(5, motion({1, 1, 1}));
  for (int i = 0; i < 20; ++i) {
    flat.push_back(motion({random.uniform(-1, 1), random.uniform(-1, 1), 0}));
    line.push_back(motion({random.uniform(-1, 1), 0, 0}));
  }
  for (const auto& points : {flat, line, point, std::vector<Vec3d>{}, std::vector<Vec3d>(3, Vec3d{0, 0, 0})})
    EXPECT_FALSE(make_hull(points));
  const double bad = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const double worse : {bad, infinite}) {
    std::vector<Vec3d> points = test::box({0, 0, 0}, {1, 1, 1}).vertices;
    points[3].y = worse;
    EXPECT_FALSE(make_hull(points));
  }
}

TEST(HullTest, TheSamePointsGiveTheSameBits) {
  test::Random random(11);
  std::vector<Vec3d> points;
  for (int i = 0; i < 200; ++i) points.push_back(random.direction());
  const auto one = make_hull(points), two = make_hull(points);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->face_vertex, two->face_vertex);
}

}  // namespace
}  // namespace trilith
