#include <gtest/gtest.h>

#include "certify/structures.h"
#include "certify/verify.h"

/// Polygons of a certificate must lie on faces of both bodies.
namespace trilith::test {
namespace {

using certify::Broken;

std::vector<Broken> misplaced(Structure s) { return certify::find_misplaced_patches(s.problem(), 1e-4, 10); }

TEST(PatchesTest, PolygonsOfValidStructuresLieOnFaces) {
  Random random(8);
  for (const Structure& s : {block_on_ground(), stack_of_two(), wall(4, 4), pressed_row(3, 4, .8), block_over_edge(.3)}) {
    EXPECT_TRUE(misplaced(s).empty());
    EXPECT_TRUE(misplaced(mirrored(s)).empty());
    for (const double size : {1e-3, 1.0, 1e3}) {
      Structure moved = translated(rotated(resized(s, size), random_rotation(random)), scaled(size, {1e5, -1e5, 2e5}));
      const auto broken = misplaced(moved);
      EXPECT_TRUE(broken.empty()) << broken[0].what << " " << broken[0].where;
    }
  }
}

TEST(PatchesTest, FloatingPolygonIsCaught) {
  Structure s = stack_of_two();
  for (V& p : s.patches[1].polygon) p.z += .5;  // inside the upper block
  const auto broken = misplaced(s);
  ASSERT_EQ(broken.size(), 8u);
  EXPECT_EQ(broken[0].what, "vertex does not lie on a face of block lower that faces the other block");
  EXPECT_EQ(broken[0].where, "interface 1 (lower - upper), vertex 0");
}

TEST(PatchesTest, DistanceIsComparedWithTheSmallerBlock) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    Structure near = block_on_ground(), far = block_on_ground();
    for (V& p : near.patches[0].polygon) p.z += .99e-4;
    for (V& p : far.patches[0].polygon) p.z += 1.01e-4;
    EXPECT_TRUE(misplaced(resized(near, size)).empty());
    EXPECT_EQ(misplaced(resized(far, size)).size(), 8u);  // of both: 4 vertices each
  }
}

TEST(PatchesTest, VertexBesideTheFaceIsCaught) {
  // on the ground's face, in the plane of the block's face, but outside of it
  Structure s = block_on_ground();
  s.patches[0].polygon[1].x = 1.01;
  const auto broken = misplaced(s);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].what, "vertex does not lie on a face of block block that faces the other block");
  s.patches[0].polygon[1].x = 1.00005;
  EXPECT_TRUE(misplaced(s).empty());
}

TEST(PatchesTest, WrongSideIsCaught) {
  Structure s = block_on_ground();
  s.patches[0].normal = {0, 0, -1};
  EXPECT_FALSE(misplaced(s).empty());
  s = block_on_ground();
  std::swap(s.patches[0].a, s.patches[0].b);
  EXPECT_FALSE(misplaced(s).empty());
  s.patches[0].normal = {0, 0, -1};  // swapped and turned: the same contact
  EXPECT_TRUE(misplaced(s).empty());
  // the top face of the block faces no ground
  s = block_on_ground();
  for (V& p : s.patches[0].polygon) p.z = 1;
  EXPECT_FALSE(misplaced(s).empty());
}

TEST(PatchesTest, TiltedNormalIsCaught) {
  Structure s = block_on_ground();
  s.patches[0].normal = {0, 1e-6, 1};
  EXPECT_TRUE(misplaced(s).empty());
  s.patches[0].normal = {0, 1e-3, 1};  // the polygon is not perpendicular to it
  EXPECT_FALSE(misplaced(s).empty());
  // a tiny polygon hides its tilt, but the faces do not
  for (V& p : s.patches[0].polygon) p = add({.5, .5, 0}, scaled(1e-3, p));
  s.patches[0].normal = {0, 1e-2, 1};
  const auto broken = misplaced(s);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].what, "normal is not that of a face of either block");
}

TEST(PatchesTest, LargeBodyOfSmallFacesGivesNoRoomToTilt) {
  // a terrain of 100 m whose face below the block is 1 m small: flat within 1e-4 of 100 m whatever the normal, but the polygon tells
  Structure s = block_on_ground();
  BodyData& ground = s.bodies[0];
  ground.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {100, 100, -1}};
  ground.face_start = {0, 4};
  ground.face_vertex = {0, 1, 2, 3};
  EXPECT_TRUE(misplaced(s).empty());
  s.patches[0].normal = {0, 5e-3, 1};
  const auto broken = misplaced(s);
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken[0].what, "vertex is not in the plane of its polygon");
}

TEST(PatchesTest, OneFaceMayBeTiltedWithinTheSlope) {
  // the block rests with its lower face turned by .01 about its edge; a narrow polygon along that edge
  Structure s = block_on_ground();
  Structure block = block_on_ground();
  block = rotated(block, {std::cos(.005), 0, -std::sin(.005), 0});
  s.bodies[1] = block.bodies[1];
  s.patches[0].polygon = {{0, 0, 0}, {5e-3, 0, 0}, {5e-3, 1, 0}, {0, 1, 0}};
  EXPECT_TRUE(misplaced(s).empty());
  s.patches[0].polygon = {{0, 0, 0}, {.5, 0, 0}, {.5, 1, 0}, {0, 1, 0}};  // the gap opens
  EXPECT_FALSE(misplaced(s).empty());
}

TEST(PatchesTest, NotchOfAConcaveFaceIsNoFace) {
  // a U-shaped support seen from above; its upper face is one concave polygon with the notch 1 < x < 2, y > 1
  const std::vector<V> outline{{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  for (std::size_t first = 0; first < outline.size(); ++first) {
    Structure s;
    BodyData u{"U", true};
    for (const double z : {-1.0, 0.0})
      for (std::size_t i = 0; i < 8; ++i) u.vertices.push_back(add(outline[(first + i) % 8], {0, 0, z}));
    const auto face = [&](const std::vector<std::uint32_t>& corners) {
      u.face_vertex.insert(u.face_vertex.end(), corners.begin(), corners.end());
      u.face_start.push_back(std::uint32_t(u.face_vertex.size()));
    };
    face({0, 7, 6, 5, 4, 3, 2, 1});
    face({8, 9, 10, 11, 12, 13, 14, 15});
    for (std::uint32_t i = 0; i < 8; ++i) face({i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8});
    s.bodies.push_back(u);
    s.add_box("block", {0, 0, 0}, {3, 2, 1});
    const auto at = [&](double x, double y) {
      s.patches = {{0, 1, {{x, y, 0}, {x + 1e-3, y, 0}, {x, y + 1e-3, 0}}}};
      return misplaced(s).empty();
    };
    for (const auto& [x, y] :
         {std::pair{.5, .5}, {.5, 1.9}, {2.5, 1.5}, {1.5, .9}, {1.0, 1.0}, {.9985, 1.5}, {0.0, 0.0}, {2.998, 1.998}, {2.0, 1.2}})
      EXPECT_TRUE(at(x, y)) << x << " " << y << " from corner " << first;
    for (const auto& [x, y] : {std::pair{1.5, 1.5}, {1.2, 1.9}, {1.9, 1.1}, {1.5, 1.002}, {1.002, 1.9}, {-.01, 0.}, {3.01, 1.0}})
      EXPECT_FALSE(at(x, y)) << x << " " << y << " from corner " << first;
  }
}

TEST(PatchesTest, PolygonMaySpanSeveralCoplanarFaces) {
  Structure s = block_on_ground();
  // split every quad of the block into triangles
  BodyData& b = s.bodies[1];
  const auto start = b.face_start, vertex = b.face_vertex;
  b.face_start = {0};
  b.face_vertex.clear();
  for (std::size_t f = 0; f + 1 < start.size(); ++f)
    for (std::uint32_t k = 2; k < start[f + 1] - start[f]; ++k) {
      for (const std::uint32_t corner : {0u, k - 1, k}) b.face_vertex.push_back(vertex[start[f] + corner]);
      b.face_start.push_back(std::uint32_t(b.face_vertex.size()));
    }
  EXPECT_TRUE(misplaced(s).empty());
}

TEST(PatchesTest, WarpedFacesAreKnownToTheirWarp) {
  // two blocks share a warped quad and cut it along different diagonals: the patch lies on a piece of the lower one
  const double lift = 1e-2;
  Structure s;
  s.add_box("lower", {0, 0, -1}, {1, 1, 0}, true);
  s.add_box("upper", {0, 0, 0}, {1, 1, 1});
  s.bodies[0].vertices[7].z = lift;
  s.bodies[1].vertices[3].z = lift;
  const auto face = s.bodies[1].face_vertex.begin();
  std::rotate(face, face + 1, face + 4);
  // lower top: corners 4, 5, 7, 6, so its diagonal runs from (0, 0) to (1, 1); half way up there it stands lift / 2 off the upper one's
  s.patches = {{0, 1, {{0, 0, 0}, {1, 0, 0}, {.5, .5, lift / 2}}, {0, -lift, 1}}};
  EXPECT_TRUE(misplaced(s).empty());
  for (V& p : s.patches[0].polygon) p.z += 3 * lift;
  EXPECT_EQ(misplaced(s).size(), 6u);
  // flat faces have no such room
  s = block_on_ground();
  s.patches[0].polygon[2].z = lift / 2;
  EXPECT_FALSE(misplaced(s).empty());
}

TEST(PatchesTest, BrokenProblemIsNamed) {
  Structure s = block_on_ground();
  s.patches[0].b = 7;
  EXPECT_EQ(misplaced(s).size(), 1u);
}

}  // namespace
}  // namespace trilith::test
