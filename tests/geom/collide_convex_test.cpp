// Contacts of convex shapes without a formula of their own: bounds from many directions, closed forms, hard cases.
#include <gtest/gtest.h>

#include <array>

#include "geom/convex_mesh.h"
#include "geom/convex_pair.h"
#include "geom/posed_shape.h"
#include "support/allocation.h"

namespace trilith {
namespace {

using geom::ContactPoint;
using geom::ConvexMesh;
using geom::Shape;
using geom::ShapeKind;
using test::contacts;
using test::PosedShape;

constexpr double pi = 3.14159265358979323846;

/// Random polyhedra with few and with many corners; the same ones for the whole program.
const std::vector<ConvexMesh>& meshes() {
  static const std::vector<ConvexMesh> made = [] {
    test::Random random(11);
    std::vector<ConvexMesh> list;
    for (const int corners : {4, 8, 20, 60, 300}) {
      std::vector<Vec3d> points;
      for (int i = 0; i < corners; ++i) {
        const Vec3d d = random.direction();
        points.push_back({0.05 + 0.25 * d.x, 0.2 * d.y, 0.15 * d.z});
      }
      list.push_back(*geom::make_convex_mesh(points));
    }
    return list;
  }();
  return made;
}

ConvexMesh box_mesh(const Vec3d& half) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
  return *geom::make_convex_mesh(corners);
}

PosedShape draw(ShapeKind kind, test::Random& random, double reach) {
  const Shape shape{kind, test::random_size(random), kind == ShapeKind::mesh ? &meshes()[random.index(meshes().size())] : nullptr, nullptr};
  return {shape, {test::random_rotation(random), reach * random.gauss_vector()}};
}

/// Furthest extent along d of a shape, from its definition and without any search.
double extent(const PosedShape& s, const Vec3d& d) {
  const Vec3d n = transpose_times(s.X.R, d), z = s.shape.size;
  const double at = dot(s.X.p, d), aside = std::sqrt(n.x * n.x + n.y * n.y);
  switch (s.shape.kind) {
    case ShapeKind::sphere:
      return at + z.x;
    case ShapeKind::capsule:
      return at + z.x + z.y * std::abs(n.z);
    case ShapeKind::ellipsoid:
      return at + std::sqrt(z.x * z.x * n.x * n.x + z.y * z.y * n.y * n.y + z.z * z.z * n.z * n.z);
    case ShapeKind::cylinder:
      return at + z.x * aside + z.y * std::abs(n.z);
    case ShapeKind::box:
      return at + z.x * std::abs(n.x) + z.y * std::abs(n.y) + z.z * std::abs(n.z);
    default: {
      double most = -1e300;
      for (const Vec3d& p : s.shape.mesh->vertices()) most = std::max(most, dot(p, n));
      return at + most;
    }
  }
}
/// Distance of the shapes along d: no larger than their distance (apart) or minus their depth (overlapping), whatever d is.
double separation(const PosedShape& a, const PosedShape& b, const Vec3d& d) { return -extent(b, -d) - extent(a, d); }

/// The largest separation over `directions` random directions, and then near the best of them.
double swept_separation(const PosedShape& a, const PosedShape& b, int directions, test::Random& random) {
  double best = -1e300, reach = 0.1;
  Vec3d at{0, 0, 1};
  for (int i = 0; i < directions; ++i) {
    const Vec3d d = random.direction();
    const double found = separation(a, b, d);
    if (found > best) best = found, at = d;
  }
  for (int i = 0; i < 600; ++i) {
    const Vec3d d = unit(at + reach * random.gauss_vector());
    const double found = separation(a, b, d);
    if (found > best) {
      best = found, at = d;
    } else {
      reach *= 0.98;
    }
  }
  return best;
}

struct KindPair {
  ShapeKind a, b;
};
constexpr const char* kind_names[] = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};

class EveryConvexPairTest : public testing::TestWithParam<KindPair> {};

TEST_P(EveryConvexPairTest, NoDirectionPartsTheShapesBetterThanTheContactSays) {
  test::Random random(12);
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 120; ++i) {
    const PosedShape a = draw(GetParam().a, random, 0), b = draw(GetParam().b, random, 0.25);
    geom::ConvexPair pair{geom::make_core(a.shape), geom::make_core(b.shape), inverse(a.X) * b.X};
    const geom::Gap gap = geom::measure_gap(pair, 100);
    const Vec3d normal = a.X.R * gap.normal;
    (gap.distance > 0 ? apart : overlapping) += 1;
    ASSERT_NEAR(norm(normal), 1, 1e-12);
    ASSERT_NEAR(separation(a, b, normal), gap.distance, gap.limit ? 1e-5 : 1e-8);
    const double swept = swept_separation(a, b, i < 3 ? 20000 : 500, random);
    ASSERT_LT(swept, gap.distance + (gap.limit ? 1e-5 : 1e-8));
    // the nearest points are where they should be
    const Vec3d on_a = gap.on_a + pair.A.radius * gap.normal, on_b = gap.on_b - pair.B.radius * gap.normal;
    ASSERT_LT(norm(on_b - on_a - gap.distance * gap.normal), 1e-5);
  }
  EXPECT_GT(apart, 10);
  EXPECT_GT(overlapping, 5);
}

TEST_P(EveryConvexPairTest, ContactsLieBetweenTheSurfacesAndNoneIsDeeperThanTheShapes) {
  test::Random random(13);
  for (int i = 0; i < 1500; ++i) {
    const PosedShape a = draw(GetParam().a, random, 0), b = draw(GetParam().b, random, 0.2);
    const double margin = random.coin() ? 0 : 0.03;
    const auto found = contacts(a, b, margin), swapped = contacts(b, a, margin);
    ASSERT_EQ(found.empty(), swapped.empty());
    if (found.empty()) continue;
    const double along = separation(a, b, found[0].normal);
    double deepest = 1;
    for (const ContactPoint& c : found) {
      ASSERT_LE(c.distance, margin);
      ASSERT_GE(c.distance, along - 1e-5);
      ASSERT_LT(norm(c.normal - found[0].normal), 1e-15);
      // half the overlap (or the gap) on either side of the position, along the normal
      ASSERT_LE(dot(c.position, c.normal), extent(a, c.normal) + 0.5 * std::max(c.distance, 0.0) + 1e-5);
      ASSERT_LE(-dot(c.position, c.normal), extent(b, -c.normal) + 0.5 * std::max(c.distance, 0.0) + 1e-5);
      deepest = std::min(deepest, c.distance);
    }
    // the normal may give way to that of a face, by 5 % of the depth
    ASSERT_LT(std::abs(test::least_distance(swapped) - deepest), 0.05 * std::abs(deepest) + 1e-5);
  }
}

TEST_P(EveryConvexPairTest, MovingBothMovesTheContacts) {
  test::Random random(14);
  int moved_differently = 0;
  for (int i = 0; i < 500; ++i) {
    const PosedShape a = draw(GetParam().a, random, 0), b = draw(GetParam().b, random, 0.2);
    const Posed X{test::random_rotation(random), random.gauss_vector()};
    const auto one = contacts(a, b, 0.01), two = contacts({a.shape, X * a.X}, {b.shape, X * b.X}, 0.01);
    ASSERT_EQ(one.empty(), two.empty());
    if (one.empty()) continue;
    ASSERT_NEAR(test::least_distance(one), test::least_distance(two), 2e-5);
    moved_differently += test::distance_difference(test::distances(one), test::distances(two)) < 1e-5 ? 0 : 1;
  }
  EXPECT_LE(moved_differently, 5);  // two ways out that are as short but for rounding
}

TEST_P(EveryConvexPairTest, DoesNotAllocate) {
  test::Random random(15);
  const PosedShape a = draw(GetParam().a, random, 0), b = draw(GetParam().b, random, 0.05);
  std::array<ContactPoint, geom::most_pair_contacts> out;
  const test::AllocationCount heap;
  for (int i = 0; i < 10; ++i) (void)geom::collide(a.shape, a.X, b.shape, b.X, 1, out);
  EXPECT_EQ(heap.delta(), 0);
}

INSTANTIATE_TEST_SUITE_P(Collide, EveryConvexPairTest,
                         testing::Values(KindPair{ShapeKind::sphere, ShapeKind::ellipsoid}, KindPair{ShapeKind::sphere, ShapeKind::mesh},
                                         KindPair{ShapeKind::capsule, ShapeKind::ellipsoid},
                                         KindPair{ShapeKind::capsule, ShapeKind::cylinder}, KindPair{ShapeKind::capsule, ShapeKind::mesh},
                                         KindPair{ShapeKind::ellipsoid, ShapeKind::ellipsoid},
                                         KindPair{ShapeKind::ellipsoid, ShapeKind::cylinder},
                                         KindPair{ShapeKind::ellipsoid, ShapeKind::box}, KindPair{ShapeKind::ellipsoid, ShapeKind::mesh},
                                         KindPair{ShapeKind::cylinder, ShapeKind::cylinder}, KindPair{ShapeKind::cylinder, ShapeKind::box},
                                         KindPair{ShapeKind::cylinder, ShapeKind::mesh}, KindPair{ShapeKind::box, ShapeKind::mesh},
                                         KindPair{ShapeKind::mesh, ShapeKind::mesh}),
                         [](const auto& one) {
                           return std::string(kind_names[static_cast<int>(one.param.a)]) + "_" + kind_names[static_cast<int>(one.param.b)];
                         });

PosedShape at(const Shape& shape, const Vec3d& p, const Mat3d& R = identity3<double>()) { return {shape, {R, p}}; }
Shape mesh_shape(const ConvexMesh& mesh) { return {ShapeKind::mesh, {}, &mesh, nullptr}; }

TEST(CollideConvexTest, RoundEllipsoidsAreSpheres) {
  test::Random random(16);
  for (int i = 0; i < 500; ++i) {
    const double r = random.uniform(0.1, 0.3), s = random.uniform(0.1, 0.3);
    const Vec3d p = 0.3 * random.gauss_vector();
    const auto round = contacts(at({ShapeKind::ellipsoid, {r, r, r}, nullptr, nullptr}, {0, 0, 0}, test::random_rotation(random)),
                                at({ShapeKind::ellipsoid, {s, s, s}, nullptr, nullptr}, p, test::random_rotation(random)), 10);
    ASSERT_EQ(round.size(), 1U);
    ASSERT_NEAR(round[0].distance, norm(p) - r - s, 1e-9);
    ASSERT_LT(norm(round[0].normal - unit(p)), 1e-5);
  }
}

TEST(CollideConvexTest, AMeshOfABoxTouchesAsTheBoxDoes) {
  test::Random random(17);
  int touching = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3d half = test::random_size(random), other = test::random_size(random);
    const ConvexMesh mesh = box_mesh(half);
    const Posed A{test::random_rotation(random), {0, 0, 0}}, B{test::random_rotation(random), 0.3 * random.gauss_vector()};
    const auto as_box = contacts({{ShapeKind::box, half, nullptr, nullptr}, A}, {{ShapeKind::box, other, nullptr, nullptr}, B});
    const auto as_mesh = contacts({mesh_shape(mesh), A}, {{ShapeKind::box, other, nullptr, nullptr}, B});
    ASSERT_EQ(as_box.empty(), as_mesh.empty());
    if (as_box.empty()) continue;
    ++touching;
    ASSERT_NEAR(test::least_distance(as_box), test::least_distance(as_mesh), 0.05 * std::abs(test::least_distance(as_box)) + 1e-12);
    if (as_box.size() > 4 || norm(as_box[0].normal - as_mesh[0].normal) > 1e-9) continue;
    ASSERT_LT(test::distance_difference(test::distances(as_box), test::distances(as_mesh)), 1e-9);
  }
  EXPECT_GT(touching, 1000);
}

TEST(CollideConvexTest, MeshesStackedInAnyFrameTouchAtTheirFourCorners) {
  const ConvexMesh mesh = box_mesh({0.1, 0.2, 0.05});
  test::Random random(18);
  for (int i = 0; i < 1000; ++i) {
    const Mat3d R = test::random_rotation(random);
    const Vec3d p = random.gauss_vector();
    const auto found = contacts(at(mesh_shape(mesh), p, R), at(mesh_shape(mesh), p + R * Vec3d{0, 0, 0.1}, R));
    ASSERT_EQ(found.size(), 4U);
    for (const auto& c : found) ASSERT_EQ(c.distance, 0);
  }
}

TEST(CollideConvexTest, CylindersRestOnFacesAtFourPointsAndOnTheirSidesAtTwo) {
  const Shape slab{ShapeKind::box, {1, 1, 0.1}, nullptr, nullptr}, can{ShapeKind::cylinder, {0.1, 0.2, 0}, nullptr, nullptr};
  const auto standing = contacts(at(can, {0.3, 0.2, 0.299}, test::turned(0, 0.3)), at(slab, {0, 0, 0}));
  ASSERT_EQ(standing.size(), 4U);
  for (const auto& c : standing) {
    EXPECT_NEAR(c.distance, -0.001, 1e-12);
    EXPECT_NEAR(c.normal.z, -1, 1e-12);
    EXPECT_NEAR(norm(c.position - Vec3d{0.3, 0.2, 0.0995}), 0.1, 1e-12);
  }
  const auto lying = contacts(at(can, {0.3, 0.2, 0.199}, test::turned(pi / 2, 0.3)), at(slab, {0, 0, 0}));
  ASSERT_EQ(lying.size(), 2U);
  EXPECT_NEAR(lying[0].distance, -0.001, 1e-9);
  EXPECT_NEAR(norm(lying[0].position - lying[1].position), 0.4, 1e-9);
  // tilted: the deepest point of the rim, wherever it lies between the corners of the octagon
  for (const double turn : {0.0, 0.2, 0.39, 0.5}) {
    const double tilt = 0.02, lowest = 0.1 * std::sin(tilt) + 0.2 * std::cos(tilt);
    const auto tilted = contacts(at(can, {0, 0, 0.1 + 0.199}, test::turned(tilt, 0) * test::turned(0, turn)), at(slab, {0, 0, 0}));
    EXPECT_NEAR(test::least_distance(tilted), 0.199 - lowest, 1e-9);
  }
}

TEST(CollideConvexTest, CapsulesAndCylindersSideBySideTouchAtTwoPoints) {
  const Shape can{ShapeKind::cylinder, {0.1, 0.2, 0}, nullptr, nullptr}, pill{ShapeKind::capsule, {0.05, 0.3, 0}, nullptr, nullptr};
  for (const double depth : {-0.001, 0.0, 0.001, 0.06}) {
    const auto found = contacts(at(pill, {0, 0, 0.1}), at(can, {0.15 - depth, 0, 0}), 0.002);
    ASSERT_EQ(found.size(), 2U) << depth;
    for (const auto& c : found) EXPECT_NEAR(c.distance, -depth, 1e-7);
    EXPECT_NEAR(norm(found[0].position - found[1].position), 0.4, 1e-6);
  }
  const auto cans = contacts(at(can, {0, 0, 0.1}), at(can, {0.199, 0, 0}));
  ASSERT_EQ(cans.size(), 2U);
  EXPECT_NEAR(norm(cans[0].position - cans[1].position), 0.3, 1e-6);
}

TEST(CollideConvexTest, MeshOnAPlaneStandsOnItsSpreadCorners) {
  std::vector<Vec3d> prism;
  for (int i = 0; i < 40; ++i)
    for (const double z : {-0.1, 0.1}) prism.push_back({0.3 * std::cos(i * pi / 20), 0.3 * std::sin(i * pi / 20), z});
  const ConvexMesh mesh = *geom::make_convex_mesh(prism);
  const Shape floor{ShapeKind::plane, {}, nullptr, nullptr};
  const auto found = contacts(at(floor, {0, 0, 0}), at(mesh_shape(mesh), {0, 0, 0.0999}));
  ASSERT_EQ(found.size(), 4U);
  Vec3d middle{0, 0, 0};
  for (const auto& c : found) {
    EXPECT_NEAR(c.distance, -1e-4, 1e-12);
    middle = middle + 0.25 * c.position;
  }
  EXPECT_LT(norm(Vec3d{middle.x, middle.y, 0}), 0.05);  // they surround the centre
  EXPECT_EQ(contacts(at(floor, {0, 0, 0}), at(mesh_shape(mesh), {0, 0, 0.1001})).size(), 0U);
}

TEST(CollideConvexTest, ConcentricAndThinShapesHaveAWayOut) {
  const ConvexMesh needle = box_mesh({1e-4, 1e-4, 1}), plate = box_mesh({1, 1, 1e-5}), cube = box_mesh({0.1, 0.1, 0.1});
  const Shape ball{ShapeKind::ellipsoid, {0.1, 0.2, 0.3}, nullptr, nullptr}, can{ShapeKind::cylinder, {0.1, 0.3, 0}, nullptr, nullptr};
  const std::array<Shape, 5> shapes = {mesh_shape(needle), mesh_shape(plate), mesh_shape(cube), ball, can};
  test::Random random(19);
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const Mat3d& R : {identity3<double>(), test::random_rotation(random)}) {
        const PosedShape one = at(a, {0, 0, 0}), two = at(b, {0, 0, 0}, R);
        const auto found = contacts(one, two);
        ASSERT_FALSE(found.empty());
        const double swept = swept_separation(one, two, 2000, random);
        EXPECT_LT(swept, test::least_distance(found) * 0.95 + 1e-5);
        EXPECT_GT(test::least_distance(found), separation(one, two, found[0].normal) - 1e-5);
      }
    }
  }
}

TEST(CollideConvexTest, ShapesThatAreNowhereHaveNoContacts) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ConvexMesh cube = box_mesh({0.1, 0.1, 0.1});
  for (int a = 0; a < 8; ++a) {
    for (int b = 2; b < 8; ++b) {
      if (a == 1) continue;  // terrain: its own test
      const PosedShape one = at({static_cast<ShapeKind>(a), {0.1, 0.2, 0.3}, &cube, nullptr}, {0, 0, 0});
      PosedShape two = at({static_cast<ShapeKind>(b), {0.1, 0.2, 0.3}, &cube, nullptr}, {nan, 0, 0});
      EXPECT_TRUE(contacts(one, two).empty()) << a << " " << b;
      two.X = {{{nan, nan, nan, nan, nan, nan, nan, nan, nan}}, {nan, nan, nan}};
      EXPECT_TRUE(contacts(one, two).empty()) << a << " " << b;
    }
  }
}

// A touching pair in 1,000 frames: the contact is there in each, and no other distance than rounding allows.
TEST(CollideConvexTest, ExactlyTouchingShapesAreAtDistanceZeroInEveryFrame) {
  const ConvexMesh cube = box_mesh({0.1, 0.1, 0.1});
  const Shape ball{ShapeKind::ellipsoid, {0.1, 0.2, 0.3}, nullptr, nullptr}, can{ShapeKind::cylinder, {0.1, 0.2, 0}, nullptr, nullptr};
  const Shape pill{ShapeKind::capsule, {0.1, 0.1, 0}, nullptr, nullptr};
  struct Case {
    Shape a, b;
    Vec3d p;
  };
  const std::array<Case, 6> cases = {Case{mesh_shape(cube), ball, {0, 0, 0.4}},
                                     Case{mesh_shape(cube), can, {0, 0, 0.3}},
                                     Case{mesh_shape(cube), pill, {0, 0, 0.3}},
                                     Case{ball, ball, {0, 0, 0.6}},
                                     Case{can, ball, {0, 0, 0.5}},
                                     Case{mesh_shape(cube), mesh_shape(cube), {0.2, 0.2, 0.2}}};
  test::Random random(20);
  for (const Case& one : cases) {
    for (int i = 0; i < 200; ++i) {
      const Mat3d R = test::random_rotation(random);
      const auto found = contacts(at(one.a, {0, 0, 0}, R), at(one.b, R * one.p, R), 5e-9);
      ASSERT_FALSE(found.empty()) << "case " << &one - cases.data() << " frame " << i;
      EXPECT_NEAR(test::least_distance(found), 0, 5e-9);
    }
  }
}

}  // namespace
}  // namespace trilith
