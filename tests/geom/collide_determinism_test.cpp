// The same bits for every compiler and instruction set: a constant over contacts of all pairs of kinds. It changes when the collider
// changes its answers on purpose, and then is written down again.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/rng.h"
#include "geom/collide.h"
#include "geom/convex_mesh.h"
#include "geom/height_grid.h"
#include "linalg/fixed.h"

namespace trilith {
namespace {

using geom::Shape;
using geom::ShapeKind;

Vec3d direction(Rng& rng) {  // no libm
  for (;;) {
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1), z = rng.uniform(-1, 1);
    const double square = x * x + y * y + z * z;
    if (square > 0.01 && square < 1) return unit(Vec3d{x, y, z});
  }
}

Posed pose(Rng& rng) {
  const Vec3d x = direction(rng), y = unit(cross(x, direction(rng)));
  const double a = rng.uniform(-0.3, 0.3), b = rng.uniform(-0.3, 0.3), c = rng.uniform(-0.1, 0.4);
  return {from_columns(x, y, cross(x, y)), {a, b, c}};
}

std::uint64_t hash_of_contacts() {
  Rng rng(61);
  std::vector<Vec3d> points;
  for (int i = 0; i < 40; ++i) points.push_back(0.2 * direction(rng));
  const geom::ConvexMesh mesh = *geom::make_convex_mesh(points);
  std::vector<double> heights;
  for (int i = 0; i < 15 * 15; ++i) heights.push_back(rng.uniform(0, 0.05));
  const geom::HeightGrid grid(15, 15, 1, 1, 0.1, heights);
  std::vector<geom::ContactPoint> out(1000);
  Hash64 hash;
  for (int i = 0; i < 4000; ++i) {
    const auto draw = [&](int kind) {
      const double x = rng.uniform(0.05, 0.3), y = rng.uniform(0.05, 0.3), z = rng.uniform(0.05, 0.3);
      return Shape{static_cast<ShapeKind>(kind), {x, y, z}, &mesh, &grid};
    };
    const Shape a = draw(i % 8), b = draw(2 + i / 8 % 6);
    const Posed A = i % 8 < 2 ? identity_pose<double>() : pose(rng), B = pose(rng);
    const auto found = geom::collide(a, A, b, B, 0.01, out);
    for (int k = 0; k < found.count; ++k) {
      const geom::ContactPoint& c = out[static_cast<std::size_t>(k)];
      for (const double value : {c.position.x, c.position.y, c.position.z, c.normal.x, c.normal.y, c.normal.z, c.distance}) hash.add(value);
    }
  }
  return hash.value();
}

TEST(CollideDeterminismTest, ContactsHaveTheSameBitsEverywhere) { EXPECT_EQ(hex(hash_of_contacts()), "0x071eea90acd6018e"); }

}  // namespace
}  // namespace trilith
