// Distances and depths beside those of FCL 0.7, whose GJK and EPA share nothing with ours.
#include <gtest/gtest.h>

#ifdef TRILITH_HAVE_FCL
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "geom/convex_mesh.h"
#include "geom/convex_pair.h"
#include "geom/posed_shape.h"
#endif

namespace trilith {
namespace {

#ifdef TRILITH_HAVE_FCL

using geom::ShapeKind;
using test::PosedShape;

std::shared_ptr<fcl::CollisionGeometryd> peer_shape(const geom::Shape& s) {
  const Vec3d& z = s.size;
  switch (s.kind) {
    case ShapeKind::sphere:
      return std::make_shared<fcl::Sphered>(z.x);
    case ShapeKind::capsule:
      return std::make_shared<fcl::Capsuled>(z.x, 2 * z.y);
    case ShapeKind::ellipsoid:
      return std::make_shared<fcl::Ellipsoidd>(z.x, z.y, z.z);
    case ShapeKind::cylinder:
      return std::make_shared<fcl::Cylinderd>(z.x, 2 * z.y);
    case ShapeKind::box:
      return std::make_shared<fcl::Boxd>(2 * z.x, 2 * z.y, 2 * z.z);
    default:
      break;
  }
  const auto corners = std::make_shared<std::vector<fcl::Vector3d>>();
  const auto faces = std::make_shared<std::vector<int>>();
  for (const Vec3d& p : s.mesh->vertices()) corners->push_back({p.x, p.y, p.z});
  for (std::size_t f = 0; f < s.mesh->face_count(); ++f) {
    faces->push_back(static_cast<int>(s.mesh->face(f).size()));
    for (const std::uint32_t v : s.mesh->face(f)) faces->push_back(static_cast<int>(v));
  }
  return std::make_shared<fcl::Convexd>(corners, static_cast<int>(s.mesh->face_count()), faces, true);
}

fcl::CollisionObjectd peer_object(const PosedShape& s) {
  fcl::Transform3d X = fcl::Transform3d::Identity();
  for (int i = 0; i < 9; ++i) X.linear()(i / 3, i % 3) = s.X.R.m[i];
  X.translation() = fcl::Vector3d(s.X.p.x, s.X.p.y, s.X.p.z);
  return {peer_shape(s.shape), X};
}

double peer_distance(const PosedShape& a, const PosedShape& b) {
  const auto one = peer_object(a), two = peer_object(b);
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  return fcl::distance(&one, &two, request, result);
}
double peer_depth(const PosedShape& a, const PosedShape& b) {
  const auto one = peer_object(a), two = peer_object(b);
  fcl::CollisionRequestd request(1, true);
  request.gjk_solver_type = fcl::GST_LIBCCD;
  fcl::CollisionResultd result;
  fcl::collide(&one, &two, request, result);
  return result.numContacts() > 0 ? result.getContact(0).penetration_depth : 0;
}

TEST(CollideFclTest, DistancesAgreeAndNoDepthIsSmallerThanOurs) {
  test::Random random(21);
  std::vector<Vec3d> points;
  for (int i = 0; i < 30; ++i) points.push_back(0.2 * random.direction());
  const geom::ConvexMesh mesh = *geom::make_convex_mesh(points);
  constexpr ShapeKind kinds[] = {ShapeKind::sphere,   ShapeKind::capsule, ShapeKind::ellipsoid,
                                 ShapeKind::cylinder, ShapeKind::box,     ShapeKind::mesh};
  int apart = 0, far_off = 0, overlapping = 0, deeper = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto draw = [&](double reach) {
      const ShapeKind kind = kinds[random.index(6)];
      return PosedShape{{kind, test::random_size(random), &mesh, nullptr}, {test::random_rotation(random), reach * random.gauss_vector()}};
    };
    const PosedShape a = draw(0), b = draw(0.3);
    if (a.shape.kind <= ShapeKind::capsule && b.shape.kind <= ShapeKind::capsule) continue;
    geom::ConvexPair pair{geom::make_core(a.shape), geom::make_core(b.shape), inverse(a.X) * b.X};
    const geom::Gap gap = geom::measure_gap(pair, 100);
    if (gap.distance > 1e-3) {
      ++apart;
      far_off += std::abs(peer_distance(a, b) - gap.distance) < 1e-4 ? 0 : 1;
    } else if (gap.distance < -1e-3) {
      ++overlapping;
      const double depth = peer_depth(a, b);
      EXPECT_GT(depth, -gap.distance - 1e-3) << "a shorter way out than ours";
      deeper += depth > -gap.distance + 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(overlapping, 500);
  EXPECT_LT(far_off, apart / 100);
  EXPECT_LT(deeper, 2 * overlapping / 3);  // its depth is often not the least
}

#else
TEST(CollideFclTest, DistancesAgreeAndNoDepthIsSmallerThanOurs) { GTEST_SKIP() << "FCL is absent"; }
#endif

}  // namespace
}  // namespace trilith
