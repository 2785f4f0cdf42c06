#include "model/shape_inertia.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "linalg/symmetric_eigen.h"
#include "model/generate.h"

namespace trilith::model {
namespace {

constexpr double pi = std::numbers::pi;

Geom shape(GeomKind kind, Vec3d size, bool shell = false) {
  Geom geom;
  geom.kind = kind;
  geom.size = size;
  geom.shell = shell;
  return geom;
}

struct Revolved {
  double extent = 0, along = 0, across = 0;
};

/// Plain sums over a profile r(z), z from -top to top: disks for a solid, rings for a shell (lids are not part of it).
Revolved revolve(const std::function<double(double)>& radius, double top, bool shell) {
  const int steps = 400000;
  const double dz = 2 * top / steps;
  Revolved sum;
  for (int i = 0; i < steps; ++i) {
    const double z0 = -top + i * dz, z = z0 + dz / 2, r = radius(z);
    const double ring = 2 * pi * r * std::hypot(dz, radius(z0 + dz) - radius(z0)), disk = pi * r * r * dz;
    const double part = shell ? ring : disk, square = shell ? r * r : r * r / 2;
    sum.extent += part;
    sum.along += part * square;
    sum.across += part * (square / 2 + z * z);
  }
  sum.along /= sum.extent;
  sum.across /= sum.extent;
  return sum;
}

double circle(double r, double z) { return std::sqrt(std::max(0.0, r * r - z * z)); }

void expect_near(const ShapeInertia& got, const Revolved& want, double tolerance) {
  EXPECT_NEAR(got.extent / want.extent, 1, tolerance);
  EXPECT_NEAR(got.unit.about_com.m[0] / want.across, 1, tolerance);
  EXPECT_NEAR(got.unit.about_com.m[4] / want.across, 1, tolerance);
  EXPECT_NEAR(got.unit.about_com.m[8] / want.along, 1, tolerance);
}

TEST(ShapeInertiaTest, RoundShapesAgreeWithSumsOfDisksAndRings) {
  const double r = 0.3, half = 0.7;
  for (const bool shell : {false, true}) {
    expect_near(shape_inertia(shape(GeomKind::sphere, {r, 0, 0}, shell), nullptr),
                revolve([&](double z) { return circle(r, z); }, r, shell), 1e-5);
    const auto capsule = [&](double z) { return std::abs(z) <= half ? r : circle(r, std::abs(z) - half); };
    expect_near(shape_inertia(shape(GeomKind::capsule, {r, half, 0}, shell), nullptr), revolve(capsule, half + r, shell), 1e-5);
  }
  expect_near(shape_inertia(shape(GeomKind::cylinder, {r, half, 0}), nullptr), revolve([&](double) { return r; }, half, false), 1e-9);
  expect_near(shape_inertia(shape(GeomKind::ellipsoid, {r, r, half}), nullptr),
              revolve([&](double z) { return r * circle(1, z / half); }, half, false), 1e-6);
}

TEST(ShapeInertiaTest, AClosedCylinderShellIsATubeWithTwoLids) {
  const double r = 0.3, half = 0.7;
  Revolved want = revolve([&](double) { return r; }, half, true);
  const double tube = want.extent, lids = 2 * pi * r * r;
  want.extent = tube + lids;
  want.along = (tube * want.along + lids * r * r / 2) / want.extent;
  want.across = (tube * want.across + lids * (r * r / 4 + half * half)) / want.extent;
  expect_near(shape_inertia(shape(GeomKind::cylinder, {r, half, 0}, true), nullptr), want, 1e-8);
}

TEST(ShapeInertiaTest, BoxesAgreeWithTheirMeshes) {
  const Vec3d s{0.2, 0.5, 0.9};
  MeshAsset mesh;
  mesh.mesh = make_box(-s, s);
  for (const bool shell : {false, true}) {
    mesh.inertia = shell ? MeshAsset::Inertia::shell : MeshAsset::Inertia::exact;
    std::string why;
    const auto want = mesh_inertia(mesh, why);
    ASSERT_TRUE(want) << why;
    const ShapeInertia got = shape_inertia(shape(GeomKind::box, s, shell), nullptr);
    EXPECT_NEAR(got.extent, want->extent, 1e-14);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(got.unit.about_com.m[i], want->unit.about_com.m[i], 1e-15);
  }
}

TEST(ShapeInertiaTest, TheLayerOfAnEllipsoidGrowsWithAllSemiAxes) {
  const double r = 0.3;
  const ShapeInertia ball = shape_inertia(shape(GeomKind::ellipsoid, {r, r, r}, true), nullptr);
  EXPECT_NEAR(ball.extent, 4 * pi * r * r, 1e-12);
  EXPECT_NEAR(ball.unit.about_com.m[0], 2.0 / 3 * r * r, 1e-5 * r * r);
  // limit of a thin layer: d(V I) / dV with V = 4/3 pi abc, I_x = (b^2 + c^2) / 5
  const Vec3d s{0.2, 0.5, 0.9};
  const ShapeInertia egg = shape_inertia(shape(GeomKind::ellipsoid, s, true), nullptr);
  const double growth = 1 / s.x + 1 / s.y + 1 / s.z;
  const double want = (s.y * s.y + s.z * s.z) / 5 + 2 * (s.y + s.z) / (5 * growth);
  EXPECT_NEAR(egg.unit.about_com.m[0] / want, 1, 1e-5);
}

TEST(ShapeInertiaTest, PlanesHaveNoMassAndHeightFieldsThatOfTheirBox) {
  EXPECT_EQ(shape_inertia(shape(GeomKind::plane, {1, 1, 1}), nullptr).extent, 0);
  HeightFieldAsset field;
  field.size = {1, 2, 0.4, 0.1};
  EXPECT_NEAR(shape_inertia(shape(GeomKind::hfield, {0, 0, 0}), &field).extent, 8 * 1 * 2 * 0.15, 1e-14);
}

geom::Mesh tetrahedron(const Vec3d& shift) {
  geom::Mesh mesh;
  mesh.vertices = {shift, shift + Vec3d{1, 0, 0}, shift + Vec3d{0, 1, 0}, shift + Vec3d{0, 0, 1}};
  for (const auto& face : {std::array<std::uint32_t, 3>{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}) mesh.add_face(face);
  return mesh;
}

TEST(MeshInertiaTest, ATetrahedronHasItsTextbookInertiaByEveryVolumeRule) {
  for (const auto rule : {MeshAsset::Inertia::legacy, MeshAsset::Inertia::exact, MeshAsset::Inertia::convex}) {
    std::string why;
    const auto got = mesh_inertia({"t", tetrahedron({3, -2, 7}), rule, ""}, why);
    ASSERT_TRUE(got) << why;
    EXPECT_NEAR(got->extent, 1.0 / 6, 1e-13);
    EXPECT_NEAR(got->unit.com.x, 3.25, 1e-13);
    EXPECT_NEAR(got->unit.com.y, -1.75, 1e-13);
    // about the centre: 3/40 on the diagonal, 1/80 beside it
    EXPECT_NEAR(got->unit.about_com.m[0], 3.0 / 40, 1e-12);
    EXPECT_NEAR(got->unit.about_com.m[1], 1.0 / 80, 1e-12);
  }
}

TEST(MeshInertiaTest, AnInwardMeshHasNoExactVolumeButALegacyOne) {
  geom::Mesh mesh = tetrahedron({0, 0, 0});
  for (std::size_t i = 0; i < mesh.face_vertex.size(); i += 3) std::swap(mesh.face_vertex[i], mesh.face_vertex[i + 1]);
  std::string why;
  EXPECT_FALSE(mesh_inertia({"t", mesh, MeshAsset::Inertia::exact, ""}, why));
  EXPECT_NE(why.find("wind inwards"), std::string::npos);
  EXPECT_TRUE(mesh_inertia({"t", mesh, MeshAsset::Inertia::legacy, ""}, why));
}

TEST(MeshInertiaTest, TheHullFillsANotchThatExactLeavesOut) {
  // an L from three unit cubes
  geom::Mesh mesh;
  const std::array<std::array<double, 2>, 6> outline{{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}};
  for (const double z : {0.0, 1.0})
    for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], z});
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.add_face(std::array{a, b, c});
    mesh.add_face(std::array{a, c, d});
  };
  quad(3, 2, 1, 0), quad(5, 4, 3, 0), quad(6, 7, 8, 9), quad(6, 9, 10, 11);
  for (std::uint32_t i = 0; i < 6; ++i) quad(i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i);
  std::string why;
  const auto exact = mesh_inertia({"l", mesh, MeshAsset::Inertia::exact, ""}, why);
  ASSERT_TRUE(exact) << why;
  EXPECT_NEAR(exact->extent, 3, 1e-13);
  EXPECT_NEAR(exact->unit.com.x, 5.0 / 6, 1e-13);
  EXPECT_NEAR(mesh_inertia({"l", mesh, MeshAsset::Inertia::convex, ""}, why)->extent, 3.5, 1e-6);
}

}  // namespace
}  // namespace trilith::model
