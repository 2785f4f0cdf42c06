#include <cmath>
#include <numbers>

#include "linalg/symmetric_eigen.h"
#include "model/generate.h"
#include "model/model_input.h"

namespace trilith::model {
namespace {

constexpr double pi = std::numbers::pi;

/// A free body whose inertia comes from shapes.
ModelInput shaped() {
  ModelInput input = empty_world();
  const auto body = add_body(input, "b");
  input.bodies[body].inertial.reset();
  add_joint(input, "root", body, JointKind::free);
  return input;
}

TEST(WeighBodiesTest, MassIsDensityTimesVolumeAndAGivenMassWins) {
  ModelInput input = shaped();
  add_geom(input, "ball", 1, GeomKind::sphere, {0.1, 0, 0}).density = 500;
  const double volume = 4.0 / 3 * pi * 1e-3;
  EXPECT_NEAR(made(input).bodies[1].inertia.mass, 500 * volume, 1e-14);
  input.geoms[0].mass = 3;
  const Inertiad inertia = made(std::move(input)).bodies[1].inertia;
  EXPECT_EQ(inertia.mass, 3);
  EXPECT_NEAR(inertia.about_com.m[0], 0.4 * 3 * 0.01, 1e-16);
}

TEST(WeighBodiesTest, ADumbbellIsTheSumOfItsShapes) {
  ModelInput input = shaped();
  for (const double x : {-0.5, 0.5}) {
    Geom& ball = add_geom(input, x < 0 ? "left" : "right", 1, GeomKind::sphere, {0.1, 0, 0});
    ball.mass = 2;
    ball.pose.p = {x, 0.3, 0};
  }
  const Inertiad inertia = made(std::move(input)).bodies[1].inertia;
  EXPECT_NEAR(inertia.mass, 4, 1e-15);
  EXPECT_NEAR(inertia.com.x, 0, 1e-15);
  EXPECT_NEAR(inertia.com.y, 0.3, 1e-15);
  EXPECT_NEAR(inertia.about_com.m[0], 2 * 0.4 * 2 * 0.01, 1e-15);
  EXPECT_NEAR(inertia.about_com.m[4], 2 * (0.4 * 2 * 0.01 + 2 * 0.25), 1e-15);
}

TEST(WeighBodiesTest, TheFileWinsUnlessShapesAlwaysCountAndGroupsAreSelected) {
  ModelInput input = shaped();
  input.bodies[1].inertial = ball_inertial(7);
  add_geom(input, "in", 1, GeomKind::sphere, {0.1, 0, 0}).mass = 2;
  add_geom(input, "out", 1, GeomKind::sphere, {0.1, 0, 0}).mass = 1;
  input.geoms[1].group = 3;
  EXPECT_EQ(made(input).mass, 7);
  input.inertia_rules.from_shapes = InertiaRules::FromShapes::always;
  EXPECT_NEAR(made(input).mass, 3, 1e-15);
  input.inertia_rules.last_group = 2;
  EXPECT_NEAR(made(input).mass, 2, 1e-15);
  input.bodies[1].inertial.reset();
  input.inertia_rules.from_shapes = InertiaRules::FromShapes::never;
  expect_refused(std::move(input), "moves and has no mass", "/b");
}

TEST(WeighBodiesTest, BrokenTriangleRuleIsToldWithItsExcessAndMendedOnRequest) {
  ModelInput input = shaped();
  input.bodies[1].inertial = Inertiad{0.05, {0, 0, 0}, {{2.4e-6, 0, 0, 0, 3e-7, 0, 0, 0, 9e-7}}};
  expect_refused(input, "by 1.2e-06 kg m^2", "/b");
  ModelOptions options;
  options.balance_inertia = true;
  const Model model = made(input, options);
  expect_told(model, "set to their mean 1.2e-06");
  EXPECT_NEAR(model.bodies[1].inertia.about_com.m[4], 1.2e-6, 1e-20);
  input.bodies[1].inertial->about_com = {{-2e-6, 0, 0, 0, -2e-6, 0, 0, 0, 3e-6}};
  EXPECT_NE(refused(std::move(input), options)[0].what.find("negative moment"), std::string::npos);
}

TEST(WeighBodiesTest, AnIndefiniteTensorIsRefusedWithItsEigenvalues) {
  ModelInput input = shaped();
  input.bodies[1].inertial = Inertiad{1, {0, 0, 0}, {{1, 5, 0, 5, 1, 0, 0, 0, 1}}};
  const auto errors = refused(std::move(input));
  EXPECT_NE(errors[0].what.find("the eigenvalues are 6"), std::string::npos) << errors[0].what;
  EXPECT_NE(errors[0].what.find("-4"), std::string::npos) << errors[0].what;
}

TEST(WeighBodiesTest, AFlatPlateKeepsTheRuleInAnyOrientation) {
  ModelInput input = shaped();
  const Mat3d turn = to_matrix(normalized(Quaterniond{0.3, -0.5, 0.7, 0.2}));
  input.bodies[1].inertial = Inertiad{1, {0, 0, 0}, turn * diagonal3(Vec3d{0.1, 0.2, 0.3}) * transpose(turn)};
  EXPECT_TRUE(made(std::move(input)).warnings.empty());
}

TEST(WeighBodiesTest, WhatMovesNeedsMassAndInertiaButFramesDoNot) {
  ModelInput input = two_links();
  input.bodies[1].inertial.reset();
  expect_refused(input, "moves and has no mass", "upper");
  // mass on a body welded to it is enough
  input.bodies.insert(input.bodies.begin() + 2, Body{});
  input.bodies[2].name = "weight";
  input.bodies[2].parent = 1;
  input.bodies[2].inertial = ball_inertial(2);
  input.bodies[3].parent = 1;
  input.joints[1].body = 3;
  const Model model = made(input);
  EXPECT_EQ(model.bodies[1].inertia.mass, 0);
  EXPECT_EQ(model.mass, 3);
  input.bodies[2].inertial = ball_inertial(2, 0);
  expect_refused(std::move(input), "its inertia is zero", "upper");
}

TEST(WeighBodiesTest, LeastMassesAndTheTotalMassAreApplied) {
  ModelInput input = two_links();
  input.bodies[1].inertial = ball_inertial(1e-6, 1e-9);
  input.inertia_rules.least_mass = 0.5;
  input.inertia_rules.least_inertia = 0.01;
  const Model raised = made(input);
  expect_told(raised, "raised to the least");
  EXPECT_EQ(raised.bodies[1].inertia.mass, 0.5);
  EXPECT_NEAR(raised.bodies[1].inertia.about_com.m[0], 0.01, 1e-17);
  input.inertia_rules.total_mass = 6;
  const Model scaled = made(std::move(input));
  EXPECT_NEAR(scaled.mass, 6, 1e-14);
  EXPECT_NEAR(scaled.bodies[1].inertia.about_com.m[0], 0.04, 1e-15);
}

TEST(WeighBodiesTest, HugeMassRatiosAreTold) {
  ModelInput input = two_links();
  input.bodies[1].inertial = ball_inertial(1e-7);
  expect_told(made(std::move(input)), "masses of moving bodies differ");
}

TEST(WeighBodiesTest, AMeshInMillimetresIsTold) {
  ModelInput input = shaped();
  MeshAsset asset;
  asset.name = "cube";
  asset.mesh = make_box({0, 0, 0}, {200, 200, 200});
  input.meshes.push_back(asset);
  Geom& geom = add_geom(input, "g", 1, GeomKind::mesh, {0, 0, 0});
  geom.asset.name = "cube";
  geom.density = 1e-6;
  expect_told(made(std::move(input)), "is 200 m long: are its lengths in metres?");
}

TEST(WeighBodiesTest, MeshesWeighByTheirRuleAndOpenOnesAreTold) {
  ModelInput input = shaped();
  MeshAsset asset;
  asset.name = "cube";
  asset.mesh = make_box({0, 0, 0}, {0.2, 0.2, 0.2});
  input.meshes.push_back(asset);
  Geom& geom = add_geom(input, "g", 1, GeomKind::mesh, {0, 0, 0});
  geom.asset.name = "cube";
  const Inertiad inertia = made(input).bodies[1].inertia;
  EXPECT_NEAR(inertia.mass, 8, 1e-12);
  EXPECT_NEAR(inertia.com.z, 0.1, 1e-14);
  input.meshes[0].mesh.face_start.pop_back();  // one face less
  input.meshes[0].mesh.face_vertex.resize(input.meshes[0].mesh.face_start.back());
  expect_told(made(input), "is not closed");
  input.meshes[0].inertia = MeshAsset::Inertia::exact;
  EXPECT_NE(refused(input)[0].what.find("is not closed"), std::string::npos);
  input.geoms[0].asset.name = "cub";
  expect_refused(std::move(input), "did you mean \"cube\"?");
}

}  // namespace
}  // namespace trilith::model
