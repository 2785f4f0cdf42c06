#include "geom/planes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geom/mass_properties.h"
#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using test::Random;

PlanarRegions regions_of(const Mesh& mesh) { return find_planar_regions(mesh, longest_side(bounding_box(mesh)), {}); }

/// Area of all pieces of a region.
double piece_area(const PlanarRegions& all, const PlanarRegion& region) {
  double area = 0;
  for (std::uint32_t i = region.first_piece; i < region.first_piece + region.piece_count; ++i) {
    EXPECT_TRUE(is_convex(all.piece(i), 1e-4));
    area += signed_area(all.piece(i));
  }
  return area;
}

TEST(PlanesTest, BoxHasSixRegionsWithItsOwnCorners) {
  const Mesh box = test::box({0, 0, 0}, {1, 2, 3});
  const PlanarRegions all = regions_of(box);
  ASSERT_EQ(all.regions.size(), 6U);
  for (std::size_t f = 0; f < 6; ++f) {
    const PlanarRegion& region = all.regions[f];
    ASSERT_EQ(region.piece_count, 1U);
    ASSERT_EQ(all.piece(region.first_piece).size(), 4U);
    const auto vertices = all.piece_vertices(region.first_piece);
    EXPECT_TRUE(std::equal(vertices.begin(), vertices.end(), box.face(f).begin()));
    test::expect_near(region.first_edge, unit(box.vertices[box.face(f)[1]] - box.vertices[box.face(f)[0]]), 0);
    EXPECT_EQ(region.deviation, 0);
  }
}

TEST(PlanesTest, TrianglesOfOneFaceAreOneRegion) {
  const PlanarRegions all = regions_of(test::triangulated(test::box({0, 0, 0}, {1, 2, 3})));
  ASSERT_EQ(all.regions.size(), 6U);
  for (const PlanarRegion& region : all.regions) EXPECT_EQ(all.piece(region.first_piece).size(), 4U);
}

TEST(PlanesTest, ConcaveFaceIsCutIntoTwoPieces) {
  const Mesh l = test::prism({{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}}, 0, 1);
  for (const Mesh& mesh : {l, test::prism({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 0, 1)}) {
    const PlanarRegions all = regions_of(mesh);
    ASSERT_EQ(all.regions.size(), 8U);
    for (const std::size_t f : {0U, 1U}) {
      EXPECT_EQ(all.regions[f].piece_count, 2U);
      EXPECT_NEAR(piece_area(all, all.regions[f]), 3, 1e-14);
      EXPECT_NEAR(all.regions[f].area, 3, 1e-14);
    }
  }
}

TEST(PlanesTest, FaceWithAHoleKeepsTheHole) {
  // a square frame: eight quads on top and bottom, walls outside and inside
  Mesh frame;
  const Vec3d ring[8] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}};
  for (const double z : {0.0, 1.0})
    for (const Vec3d& p : ring) frame.vertices.push_back({p.x, p.y, z});
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t n = (i + 1) % 4;
    frame.add_face(std::vector<std::uint32_t>{8 + i, 8 + n, 12 + n, 12 + i});
    frame.add_face(std::vector<std::uint32_t>{4 + i, 4 + n, n, i});
    frame.add_face(std::vector<std::uint32_t>{i, n, 8 + n, 8 + i});
    frame.add_face(std::vector<std::uint32_t>{4 + n, 4 + i, 12 + i, 12 + n});
  }
  ASSERT_NEAR(measure_volume(frame), 8, 1e-13);
  const PlanarRegions all = regions_of(frame);
  ASSERT_EQ(all.regions.size(), 10U);
  int with_hole = 0;
  for (const PlanarRegion& region : all.regions) {
    if (region.piece_count == 1) continue;
    ++with_hole;
    EXPECT_NEAR(piece_area(all, region), 8, 1e-13);
    for (std::uint32_t i = region.first_piece; i < region.first_piece + region.piece_count; ++i)
      EXPECT_FALSE(contains(all.piece(i), region.frame.to_plane({1.5, 1.5, region.frame.origin.z}), 0));
  }
  EXPECT_EQ(with_hole, 2);
}

TEST(PlanesTest, NoiseOfSinglePrecisionStillMerges) {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    Mesh mesh = test::triangulated(test::box({0, 0, 0}, {1, 2, 3}));
    for (Vec3d& p : mesh.vertices) p = p + 1e-6 * random.direction();
    EXPECT_EQ(regions_of(mesh).regions.size(), 6U);
  }
}

TEST(PlanesTest, WarpedQuadBecomesTheTrianglesOfItsFan) {
  Mesh mesh = test::box({0, 0, 0}, {1, 1, 1});
  mesh.vertices[6].z = 1.04;
  const PlanarRegions all = regions_of(mesh);
  ASSERT_EQ(all.regions.size(), 7U);  // the fan of the top; the sides next to the raised corner stay planar
  EXPECT_NEAR(all.worst_warp, 0.02, 1e-3);
  for (const PlanarRegion& region : all.regions)
    if (region.deviation > 0.01) {
      EXPECT_EQ(all.piece(region.first_piece).size(), 3U);
      EXPECT_NEAR(region.deviation, all.worst_warp, 1e-12);
    }
}

TEST(PlanesTest, RegionsDoNotDependOnTheScale) {
  for (const double scale : {1e-3, 1.0, 1e5}) {
    test::Motion motion;
    motion.scale = scale;
    const PlanarRegions all = regions_of(test::moved(test::triangulated(test::box({0, 0, 0}, {1, 2, 3})), motion));
    ASSERT_EQ(all.regions.size(), 6U);
    EXPECT_NEAR(all.regions[0].area, 2 * scale * scale, 1e-12 * scale * scale);
  }
}

TEST(PlanesTest, CollinearCornersAreLeftOut) {
  Mesh mesh = test::prism({{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 0, 1);
  const PlanarRegions all = regions_of(mesh);
  ASSERT_EQ(all.regions.size(), 6U);  // the two halves of the front are one
  for (const PlanarRegion& region : all.regions) EXPECT_EQ(all.piece(region.first_piece).size(), 4U);
}

}  // namespace
}  // namespace trilith::geom
