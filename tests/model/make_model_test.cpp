#include "model/make_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/model_input.h"

namespace trilith::model {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(MakeModelTest, CoordinatesAreLaidOutInTheOrderOfJoints) {
  ModelInput input = empty_world();
  const auto base = add_body(input, "base", 0, {1, 2, 3});
  const auto arm = add_body(input, "arm", base);
  const auto tool = add_body(input, "tool", arm);
  const auto hand = add_body(input, "hand", base);
  input.bodies[base].pose.R = {{0, -1, 0, 1, 0, 0, 0, 0, 1}};
  add_joint(input, "root", base, JointKind::free);
  add_joint(input, "ball", arm, JointKind::ball);
  add_joint(input, "slide", hand, JointKind::slide).reference = 0.25;
  add_joint(input, "hinge", hand).spring_reference = -0.5;
  const Model model = made(std::move(input));
  EXPECT_EQ(model.sizes.nq, 7 + 4 + 1 + 1);
  EXPECT_EQ(model.sizes.nv, 6 + 3 + 1 + 1);
  EXPECT_EQ(model.joints[2].q, 11);
  EXPECT_EQ(model.joints[2].v, 9);
  const double half = std::sqrt(0.5);
  const std::vector<double> q{1, 2, 3, half, 0, 0, half, 1, 0, 0, 0, 0.25, 0};
  ASSERT_EQ(model.qpos0.size(), q.size());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(model.qpos0[i], q[i], 1e-15);
  EXPECT_EQ(model.spring_qpos[11], 0);
  EXPECT_EQ(model.spring_qpos[12], -0.5);
  EXPECT_EQ(model.spring_qpos[0], 1);
  EXPECT_EQ(model.bodies[hand].first_v, 9);
  EXPECT_EQ(model.bodies[hand].v_count, 2);
  EXPECT_EQ(model.bodies[tool].weld, arm);
  EXPECT_EQ(model.bodies[tool].root, base);
  EXPECT_EQ(model.bodies[tool].joint_count, 0);
  EXPECT_EQ(model.mass, 4);
}

TEST(MakeModelTest, BodiesMustBeListedDepthFirst) {
  ModelInput input = two_links();
  add_body(input, "apart", 0);
  add_body(input, "late", 1);
  expect_refused(std::move(input), "depth first", "late");
}

TEST(MakeModelTest, AFreeJointIsAloneOnAChildOfTheWorld) {
  ModelInput deep = two_links();
  deep.joints[1].kind = JointKind::free;
  expect_refused(std::move(deep), "must be a child of the world", "elbow");
  ModelInput shared = empty_world();
  const auto body = add_body(shared, "b");
  add_joint(shared, "first", body, JointKind::slide);
  add_joint(shared, "second", body, JointKind::free);
  EXPECT_NE(refused(std::move(shared))[0].what.find("only joint"), std::string::npos);
}

TEST(MakeModelTest, ABallIsNotFollowedByATurn) {
  ModelInput input = empty_world();
  const auto body = add_body(input, "b");
  add_joint(input, "ball", body, JointKind::ball);
  add_joint(input, "hinge", body);
  expect_refused(std::move(input), "turns after a ball", "hinge");
}

TEST(MakeModelTest, AxesAreMadeUnitAndMustHaveALength) {
  ModelInput input = two_links();
  input.joints[0].axis = {3, 0, 4};
  EXPECT_NEAR(made(input).joints[0].axis.z, 0.8, 1e-15);
  input.joints[0].axis = {0, 0, 0};
  expect_refused(std::move(input), "has no length", "shoulder");
}

TEST(MakeModelTest, InvertedRangesAreRefusedAndEmptyOnesTold) {
  ModelInput input = two_links();
  input.joints[1].range = Range{0, 0};
  expect_told(made(input), "has no width");
  input.joints[1].range = Range{2, 1};
  expect_refused(std::move(input), "must not be above", "elbow");
}

TEST(MakeModelTest, NamesOfOneKindAreUniqueAndBothPlacesAreTold) {
  ModelInput input = two_links();
  input.joints[1].name = "shoulder";
  expect_refused(std::move(input), "first is at model.xml:/shoulder", "elbow");
}

TEST(MakeModelTest, AMissingReferenceNamesTheNearest) {
  ModelInput input = two_links();
  Actuator motor;
  motor.name = "m";
  motor.target.name = "elbov";
  input.actuators.push_back(motor);
  expect_refused(std::move(input), "did you mean \"elbow\"?");
}

TEST(MakeModelTest, AWeldToItselfIsRefused) {
  ModelInput input = two_links();
  Equality weld;
  weld.kind = EqualityKind::weld;
  weld.a.name = weld.b.name = "upper";
  input.equalities.push_back(weld);
  expect_refused(std::move(input), "to itself");
}

TEST(MakeModelTest, MocapBodiesAreFixedChildrenOfTheWorld) {
  ModelInput input = empty_world();
  input.bodies[add_body(input, "target")].mocap = true;
  const Model model = made(input);
  EXPECT_EQ(model.sizes.nmocap, 1);
  EXPECT_EQ(model.bodies[1].mocap_index, 0);
  EXPECT_EQ(model.bodies[1].weld, 1);
  add_joint(input, "j", 1);
  expect_refused(std::move(input), "without joints", "target");
}

TEST(MakeModelTest, AFloatingBaseGetsAFreeJointAndBareLeavesOutDamping) {
  ModelInput input = two_links();
  input.joints.erase(input.joints.begin());
  input.joints[0].damping = input.joints[0].armature = input.joints[0].friction_loss = 1;
  ModelOptions options;
  options.floating_base = options.bare = true;
  const Model model = made(std::move(input), options);
  EXPECT_EQ(model.sizes.nq, 8);
  EXPECT_EQ(model.joints[0].kind, JointKind::free);
  EXPECT_EQ(model.joints[1].q, 7);
  EXPECT_EQ(model.joints[1].damping + model.joints[1].armature + model.joints[1].friction_loss, 0);
}

TEST(MakeModelTest, TimeStepsMustBePositiveAndShort) {
  ModelInput input = two_links();
  for (const double bad : {0.0, -0.01, 1e9, nan}) {
    input.options.timestep = bad;
    expect_refused(input, "timestep");
  }
  input.options.timestep = 0.1;
  expect_told(made(std::move(input)), "is long");
}

TEST(MakeModelTest, NumbersThatAreNotFiniteAreRefused) {
  ModelInput input = two_links();
  input.options.gravity.z = nan;
  expect_refused(std::move(input), "gravity");
  input = two_links();
  input.bodies[1].pose.p.x = 1e308;
  expect_refused(std::move(input), "position of body \"upper\"");
  input = two_links();
  input.joints[0].damping = nan;
  expect_refused(std::move(input), "damping");
}

TEST(MakeModelTest, AllProblemsComeAtOnce) {
  ModelInput input = two_links();
  input.joints[0].axis = {0, 0, 0};
  input.joints[1].range = Range{1, -1};
  input.bodies[2].inertial->mass = -1;
  EXPECT_GE(refused(std::move(input)).size(), 3U);
}

TEST(MakeModelTest, ShapesNeedSizesAndNonnegativeFriction) {
  ModelInput input = two_links();
  add_geom(input, "ball", 1, GeomKind::sphere, {0, 0, 0});
  expect_refused(input, "must be above 0", "ball");
  input.geoms[0].size.x = 0.1;
  input.geoms[0].friction[0] = -1;
  expect_refused(input, "friction", "ball");
  input.geoms[0].friction[0] = 50;
  expect_told(made(input), "is above 10");
  input.geoms[0].friction[0] = 1;
  input.geoms[0].size.x = 60;
  expect_told(made(input), "in metres?");
  input.geoms[0].kind = GeomKind::plane;
  expect_refused(std::move(input), "must not move");
}

TEST(MakeModelTest, ActivationsSensorsAndKeyframesAreLaidOut) {
  ModelInput input = two_links();
  for (const auto activation : {Activation::none, Activation::filter, Activation::none, Activation::integrator}) {
    Actuator motor;
    motor.target.name = "elbow";
    motor.activation = activation;
    input.actuators.push_back(motor);
  }
  const auto add_sensor = [&](SensorKind kind, ElementKind object_kind, std::string object) {
    Sensor sensor;
    sensor.kind = kind;
    sensor.object_kind = object_kind;
    sensor.object.name = std::move(object);
    input.sensors.push_back(sensor);
  };
  add_sensor(SensorKind::frame_quaternion, ElementKind::body, "lower");
  add_sensor(SensorKind::joint_position, ElementKind::joint, "elbow");
  add_sensor(SensorKind::clock, ElementKind::none, "");
  Keyframe key;
  key.q = {0, 0};
  input.keyframes.push_back(key);
  const Model model = made(input);
  EXPECT_EQ(model.actuators[1].act, 0);
  EXPECT_EQ(model.actuators[2].act, -1);
  EXPECT_EQ(model.actuators[3].act, 1);
  EXPECT_EQ(model.sizes.na, 2);
  EXPECT_EQ(model.sizes.nsensordata, 6);
  EXPECT_EQ(model.sensors[1].first, 4);
  input.keyframes[0].q = {0, 0, 0};
  expect_refused(input, "needs 2 numbers, got 3");
  input.keyframes.clear();
  add_sensor(SensorKind::ball_quaternion, ElementKind::joint, "elbow");
  expect_refused(std::move(input), "must be attached to a ball joint");
}

TEST(MakeModelTest, AKeyframeWithoutARotationIsRefused) {
  ModelInput input = two_links();
  input.joints[1].kind = JointKind::ball;
  Keyframe key;
  key.name = "start";
  key.q = {0, 0.1, 0, 0, 0};
  input.keyframes.push_back(key);
  made(input);
  input.keyframes[0].q = {0.1, 0, 0, 0, 0};
  expect_refused(input, "qpos of key \"start\": the quaternion of joint \"elbow\" is 0 0 0 0");
}

TEST(MakeModelTest, SoftLawsOutOfRangeAreToldAndCounted) {
  ModelInput input = two_links();
  input.joints[0].limit_law.solimp = {0, 1, 0.001, 0.5, 2};
  input.joints[1].limit_law.solimp = {0.9, 0.95, -0.001, 1, 0.5};
  const Model model = made(input);
  EXPECT_EQ(std::ranges::count_if(model.warnings, [](const Warning& w) { return w.what.starts_with("solimp of limits of joint"); }), 4);
  for (Joint& joint : input.joints) joint.friction_law.solimp = {0, 1, -1, 0, 0};
  const Model worse = made(input);
  EXPECT_NE(worse.warnings.back().what.find("7 more soft laws with numbers out of range"), std::string::npos) << worse.warnings.back().what;
}

TEST(MakeModelTest, ChainsTooDeepForTheMassMatrixAreRefusedByItsSize) {
  ModelInput input = two_links();
  ModelLimits limits;
  limits.most_mass_entries = 3;
  EXPECT_TRUE(make_model(input, {}, limits).ok());
  limits.most_mass_entries = 2;
  const Result<Model> refused = make_model(input, {}, limits);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.errors().front().what.find("has 3 entries, beyond the limit of 2: the longest chain of joints has 2"),
            std::string::npos)
      << refused.errors().front().what;
}

TEST(MakeModelTest, OptionsAreToldWhereTheyStand) {
  ModelInput input = two_links();
  input.options.timestep = 2;
  input.option_places = {{"timestep", "arm.xml:3:9 /mujoco/option"}};
  const Result<Model> refused = make_model(input);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().where, "arm.xml:3:9 /mujoco/option");
}

TEST(MakeModelTest, TendonsWrapBetweenSitesOnly) {
  ModelInput input = two_links();
  add_geom(input, "pulley", 1, GeomKind::cylinder, {0.1, 0.1, 0});
  for (const auto body : {1, 2}) {
    Site site;
    site.name = "s" + std::to_string(body);
    site.body = body;
    input.sites.push_back(site);
  }
  Tendon tendon;
  tendon.name = "t";
  const auto point = [](PathPoint::Kind kind, std::string name) { return PathPoint{kind, {std::move(name)}, {}, 1}; };
  using Kind = PathPoint::Kind;
  tendon.path = {point(Kind::site, "s1"), point(Kind::wrap, "pulley"), point(Kind::site, "s2")};
  input.tendons = {tendon};
  EXPECT_EQ(made(input).tendons[0].path[1].element.index, 0);
  std::swap(input.tendons[0].path[0], input.tendons[0].path[1]);
  EXPECT_NE(refused(input)[0].what.find("between two sites"), std::string::npos);
  input.tendons[0].path = {point(Kind::site, "s1"), point(Kind::site, "s1")};
  EXPECT_NE(refused(input)[0].what.find("follows itself"), std::string::npos);
  input.tendons[0].path = {point(Kind::site, "s1"), point(Kind::pulley, ""), point(Kind::site, "s2")};
  EXPECT_NE(refused(input)[0].what.find("stands alone"), std::string::npos);
}

TEST(DefaultPoseTest, APositionOutsideItsRangeIsToldWithItsDistanceAndMovedOnRequest) {
  ModelInput input = two_links();
  input.joints[0].range = Range{0.3, 1.4};
  const Model told = made(input);
  expect_told(told, "outside its range [0.3, 1.4] by 0.3 rad");
  EXPECT_EQ(told.default_qpos[0], 0);
  ModelOptions options;
  options.clamp_initial = true;
  const Model moved = made(std::move(input), options);
  expect_told(moved, "it starts at 0.3");
  EXPECT_EQ(moved.default_qpos[0], 0.3);
  EXPECT_EQ(moved.qpos0[0], 0) << "the pose of the file is what joints are measured from";
}

TEST(DefaultPoseTest, FollowersStandWhereTheirLeaderPutsThem) {
  ModelInput input = two_links();
  input.joints[0].mimic = Mimic{{"elbow"}, -2, 0.1};
  const Model model = made(input);
  expect_told(model, "its default position is 0.1 rad, not 0");
  EXPECT_EQ(model.default_qpos[0], 0.1);
  input.joints[1].range = Range{1, 2};
  ModelOptions options;
  options.clamp_initial = true;
  EXPECT_NEAR(made(input, options).default_qpos[0], -1.9, 1e-15);
  input.joints[1].mimic = Mimic{{"shoulder"}, 1, 0};
  EXPECT_NE(refused(std::move(input))[0].what.find("in a circle"), std::string::npos);
}

}  // namespace
}  // namespace trilith::model
