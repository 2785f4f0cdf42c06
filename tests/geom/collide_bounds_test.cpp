#include "geom/collide_bounds.h"

#include <gtest/gtest.h>

#include "geom/box_tree.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"
#include "posed_shape.h"

namespace trilith::geom {
namespace {

constexpr int kinds = 8;

struct Assets {
  std::optional<ConvexMesh> mesh;
  HeightGrid grid{3, 4, 0.4, 0.3, 0.1, {0, 0.05, 0.1, 0, 0.02, 0.1, 0, 0.04, 0, 0, 0.03, 0.1}};
};

Assets make_assets(test::Random& random) {
  Assets assets;
  std::vector<Vec3d> points;
  for (int i = 0; i < 30; ++i) points.push_back(Vec3d{0.1, 0, 0.05} + 0.2 * random.direction());
  assets.mesh = make_convex_mesh(points);
  return assets;
}

test::PosedShape draw(ShapeKind kind, const Assets& assets, test::Random& random) {
  const Shape shape{kind, test::random_size(random), &*assets.mesh, &assets.grid};
  const Mat3d R = random.coin() ? test::random_rotation(random) : Mat3d{{0, 1, 0, 0, 0, 1, 1, 0, 0}};
  return {shape, {R, 0.3 * random.gauss_vector()}};
}

TEST(CollideBoundsTest, ShapesInContactHaveBoxesThatTouch) {
  test::Random random(71);
  const Assets assets = make_assets(random);
  int touching = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto a = draw(static_cast<ShapeKind>(random.index(kinds)), assets, random);
    const auto b = draw(static_cast<ShapeKind>(random.index(kinds)), assets, random);
    const double margin = random.coin() ? 0 : 0.05;
    if (test::contacts(a, b, margin).empty()) continue;
    ++touching;
    const Aabb one = grow(bounding_box(a.shape, a.X), 0.5 * margin), two = grow(bounding_box(b.shape, b.X), 0.5 * margin);
    ASSERT_TRUE(boxes_touch(one, two)) << static_cast<int>(a.shape.kind) << " " << static_cast<int>(b.shape.kind);
  }
  EXPECT_GT(touching, 5000);
}

// A probe that just touches the shape from each side of the world's axes: the box reaches as far as the shape, and hardly further.
TEST(CollideBoundsTest, BoxesAreTight) {
  test::Random random(72);
  const Assets assets = make_assets(random);
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::ellipsoid, ShapeKind::cylinder, ShapeKind::box, ShapeKind::mesh})
    for (int trial = 0; trial < 50; ++trial) {
      const auto shape = draw(kind, assets, random);
      const Aabb box = bounding_box(shape.shape, shape.X);
      // wall: everything below the upper side along z, seen from above
      const test::PosedShape lid{{ShapeKind::plane, {}, nullptr, nullptr}, {{{1, 0, 0, 0, -1, 0, 0, 0, -1}}, {0, 0, box.upper.z}}};
      double nearest = 1;
      for (const ContactPoint& c : test::contacts(lid, shape, 1)) nearest = std::min(nearest, c.distance);
      EXPECT_GE(nearest, 0);
      EXPECT_LE(nearest, kind == ShapeKind::mesh ? 0.2 : 1e-8);  // of a mesh the box of its own frame is taken
    }
}

TEST(CollideBoundsTest, AFlatFloorEndsAtItsSurface) {
  const Shape plane{ShapeKind::plane, {}, nullptr, nullptr};
  const Aabb flat = bounding_box(plane, {identity_pose<double>().R, {1, 2, 3}});
  EXPECT_NEAR(flat.upper.z, 3, 1e-8);
  EXPECT_TRUE(std::isinf(flat.lower.z) && std::isinf(flat.upper.x));
  const Aabb slope = bounding_box(plane, {test::turned(0.3, 0), {1, 2, 3}});
  EXPECT_TRUE(std::isinf(slope.upper.z));
}

}  // namespace
}  // namespace trilith::geom
