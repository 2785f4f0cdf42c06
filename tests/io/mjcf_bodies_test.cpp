#include <gtest/gtest.h>

#include "mjcf_support.h"

// bodies, joints, frames, copies and inertias

namespace trilith::io {
namespace {

const double pi = 3.14159265358979323846;

void expect_matrix(const Mat3d& got, const std::array<double, 9>& wanted) {
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(got.m[i], wanted[i], 1e-14) << "entry " << i;
}

TEST(MjcfBodiesTest, EveryFormOfOrientationMeansTheSameTurn) {
  // a quarter turn about x: y to z
  const std::array<double, 9> quarter = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  for (const char* form : {"quat='1 1 0 0'", "axisangle='2 0 0 90'", "xyaxes='1 0 0 0.3 0 2'", "euler='90 0 0'", "zaxis='0 -3 0'"})
    expect_matrix(read_good(world("<body " + std::string(form) + "/>")).bodies[1].pose.R, quarter);
  const model::ModelInput radians =
      read_good("<mujoco><compiler angle='radian'/><worldbody><body axisangle='1 0 0 1.5707963267948966'/></worldbody></mujoco>");
  expect_matrix(radians.bodies[1].pose.R, quarter);
  EXPECT_EQ(count_told(read_good(world("<body quat='1 1 0 0'/>")), "quaternion is not of length 1"), 1U);
  EXPECT_EQ(count_told(read_good(world("<body quat='.7071 .7071 0 0'/>")), "quaternion"), 0U);
}

TEST(MjcfBodiesTest, EulerSequencesTurnAboutMovingAndFixedAxes) {
  const auto turned = [](const std::string& sequence) {
    return read_good("<mujoco><compiler eulerseq='" + sequence + "'/><worldbody><body euler='90 90 0'/></worldbody></mujoco>")
        .bodies[1]
        .pose.R;
  };
  expect_matrix(turned("xyz"), {0, 0, 1, 1, 0, 0, 0, 1, 0});    // Rx Ry
  expect_matrix(turned("XYZ"), {0, 1, 0, 0, 0, -1, -1, 0, 0});  // Ry Rx
  expect_refused("<mujoco><compiler eulerseq='xyw'/></mujoco>", "three of the letters");
}

TEST(MjcfBodiesTest, OrientationsWithoutADirectionAreRefused) {
  expect_refused(world("<body axisangle='0 0 0 90'/>"), "axis without a direction");
  expect_refused(world("<body xyaxes='1 0 0 2 0 0'/>"), "y axis along its x axis");
  expect_refused(world("<body zaxis='0 0 0'/>"), "z axis without a direction");
  expect_refused(world("<body quat='0 0 0 1e-12'/>"), "quaternion without a direction");
  expect_refused(world("<body quat='1 0 0 0' euler='0 0 0'/>"), "stands beside quat");
}

TEST(MjcfBodiesTest, BodiesAreDepthFirstAndTheirElementsStayTogether) {
  const model::ModelInput m = read_good(
      world("<body name='a'><joint name='ja'/><body name='b'><joint name='jb'/><geom name='gb' size='1'/></body><geom name='ga' size='1'/>"
            "<joint name='ja2' type='slide'/></body><body name='c' mocap='true' gravcomp='0.5'/>"));
  ASSERT_EQ(m.bodies.size(), 4U);
  EXPECT_EQ(m.bodies[1].name, "a");
  EXPECT_EQ(m.bodies[2].name, "b");
  EXPECT_EQ(m.bodies[2].parent, 1);
  EXPECT_EQ(m.bodies[3].parent, 0);
  EXPECT_TRUE(m.bodies[3].mocap);
  EXPECT_EQ(m.bodies[3].gravity_compensation, 0.5);
  EXPECT_EQ(m.joints[0].name, "ja");
  EXPECT_EQ(m.joints[1].name, "ja2");
  EXPECT_EQ(m.joints[2].name, "jb");
  EXPECT_EQ(m.geoms[0].name, "ga");
}

TEST(MjcfBodiesTest, TwoWorldsAreOne) {
  const model::ModelInput m = read_good(
      file("<worldbody><geom name='g1' size='1'/><body name='a'><geom name='ga' size='1'/></body></worldbody><worldbody><geom name='g2' "
           "size='1'/></worldbody>"));
  EXPECT_EQ(m.geoms[1].name, "g2");
  EXPECT_EQ(m.geoms[2].name, "ga");
}

TEST(MjcfBodiesTest, JointsAreInRadiansAndMetres) {
  const model::ModelInput m = read_good(
      world("<body><joint type='hinge' axis='0 0 2' pos='1 2 3' range='-180 90' ref='90' springref='-90' stiffness='3' damping='2' "
            "armature='.1' frictionloss='.2' margin='.01' solreflimit='.03' solimplimit='.8 .9' solreffriction='-10 -20' "
            "actuatorfrcrange='-5 6' actuatorgravcomp='true' springdamper='.1 1'/>"
            "<joint type='slide' range='-180 90' ref='90'/></body><body><joint type='ball' range='0 180'/></body>"));
  const model::Joint& hinge = m.joints[0];
  EXPECT_NEAR(hinge.range->lower, -pi, 1e-14);
  EXPECT_NEAR(hinge.range->upper, pi / 2, 1e-14);
  EXPECT_NEAR(hinge.reference, pi / 2, 1e-14);
  EXPECT_NEAR(hinge.spring_reference, -pi / 2, 1e-14);
  expect_vector(hinge.axis, {0, 0, 1});
  expect_vector(hinge.anchor, {1, 2, 3});
  EXPECT_EQ(hinge.stiffness, 3);
  EXPECT_EQ(hinge.damping, 2);
  EXPECT_EQ(hinge.armature, 0.1);
  EXPECT_EQ(hinge.friction_loss, 0.2);
  EXPECT_EQ(hinge.margin, 0.01);
  EXPECT_EQ(hinge.limit_law.solref, (std::array<double, 2>{0.03, 1}));
  EXPECT_EQ(hinge.limit_law.solimp, (std::array<double, 5>{0.8, 0.9, 0.001, 0.5, 2}));
  EXPECT_EQ(hinge.friction_law.solref, (std::array<double, 2>{-10, -20}));
  EXPECT_EQ(hinge.force_range->upper, 6);
  EXPECT_TRUE(hinge.actuator_gravity_compensation);
  EXPECT_EQ((*hinge.spring_damper)[0], 0.1);
  EXPECT_EQ(m.joints[1].range->lower, -180);
  EXPECT_EQ(m.joints[1].reference, 90);
  EXPECT_NEAR(m.joints[2].range->upper, pi, 1e-14);
}

TEST(MjcfBodiesTest, LimitsFollowTheirSwitch) {
  const auto range = [](const std::string& joint) { return read_good(world("<body><joint " + joint + "/></body>")).joints[0].range; };
  EXPECT_TRUE(range("range='1 2'"));
  EXPECT_TRUE(range("range='1 2' limited='auto'"));
  EXPECT_FALSE(range("range='1 2' limited='false'"));
  EXPECT_FALSE(range(""));
  expect_refused(world("<body><joint limited='true'/></body>"), "is limited but has no range");
  expect_refused("<mujoco><compiler autolimits='false'/><worldbody><body><joint range='0 1'/></body></worldbody></mujoco>",
                 "autolimits is off");
  expect_refused(world("<body><joint type='free' range='0 1'/></body>"), "which has no limits");
}

TEST(MjcfBodiesTest, JointsThatCannotBeAreRefused) {
  expect_refused(world("<frame><joint/></frame>"), "stands in the world");
  expect_refused(world("<frame><freejoint/></frame>"), "stands in the world");
  expect_refused(world("<body><joint axis='0 0 0'/></body>"), "axis has no direction");
  expect_refused(world("<body><joint damping='-1'/></body>"), "damping must not be negative");
  expect_refused(world("<body><joint springdamper='1 0'/></body>"), "positive damping ratio");
  expect_refused(world("<body><joint stiffness='1 2'/></body>"), "polynomials are not supported");
  expect_refused(world("<body><joint type='screw'/></body>"), "is \"screw\"; allowed are free, ball, hinge or slide");
  EXPECT_EQ(read_good(world("<body><joint stiffness='1 0 0'/></body>")).joints[0].stiffness, 1);
}

TEST(MjcfBodiesTest, ClassesDoNotReachFreeJoints) {
  const model::ModelInput m =
      read_good(file("<default><joint damping='3' range='1 2'/></default><worldbody><body><freejoint/></body><body><joint "
                     "type='free'/></body></worldbody>"));
  EXPECT_EQ(m.joints[0].damping, 0);
  EXPECT_EQ(m.joints[1].damping, 3);
  EXPECT_FALSE(m.joints[1].range);
}

TEST(MjcfBodiesTest, ChildclassesHoldForWhatHasNoClass) {
  const model::ModelInput m = read_good(
      file("<default><geom size='1'/><default class='a'><geom size='2'/><default class='a1'><geom rgba='1 0 0 1'/></default></default>"
           "<default class='b'><geom size='3'/></default></default>"
           "<worldbody><geom/><body childclass='a'><geom/><geom class='b'/><body><geom class='main'/><geom class='a1'/>"
           "<frame childclass='b'><geom/></frame></body></body></worldbody>"));
  const double sizes[] = {1, 2, 3, 1, 2, 3};
  ASSERT_EQ(m.geoms.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(m.geoms[i].size.x, sizes[i]) << i;
  expect_refused(world("<geom class='mian' size='1'/>"), "unknown class \"mian\" (did you mean \"main\"?)");
  expect_refused(world("<body childclass='none'/>"), "unknown class");
  expect_refused(file("<default class='other'/>"), "the class is \"main\"");
  expect_refused(file("<default><default/></default>"), "needs a class name");
  expect_refused(file("<default><default class='a'/><default class='a'/></default>"), "is a class already, at m.xml:1:18");
}

TEST(MjcfBodiesTest, FramesMoveWhatTheyHold) {
  const model::ModelInput m = read_good(
      world("<body><joint name='free'/><frame pos='1 0 0' euler='0 0 90'><frame pos='0 0 5'><geom size='1' pos='1 0 0'/><site pos='0 1 0'/>"
            "<joint axis='1 0 0' pos='1 0 0'/><body pos='2 0 0'/></frame></frame></body>"));
  expect_vector(m.geoms[0].pose.p, {1, 1, 5});
  expect_vector(m.sites[0].pose.p, {0, 0, 5});
  expect_vector(m.joints[1].axis, {0, 1, 0});
  expect_vector(m.joints[1].anchor, {1, 1, 5});
  expect_vector(m.bodies[2].pose.p, {1, 2, 5});
  expect_matrix(m.bodies[2].pose.R, {0, -1, 0, 1, 0, 0, 0, 0, 1});
}

TEST(MjcfBodiesTest, CopiesStandAndAreNamedAsInMujocosManual) {
  const model::ModelInput m = read_good(
      file("<worldbody><replicate count='2' offset='0 1 0' euler='90 0 0'><replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'>"
           "<site name='Alice' size='.1'/></replicate></replicate></worldbody><sensor><accelerometer name='Bob' site='Alice'/></sensor>"));
  const char* names[] = {"Alice-00", "Alice-10", "Alice-01", "Alice-11"};
  const Vec3d places[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  ASSERT_EQ(m.sites.size(), 4U);
  ASSERT_EQ(m.sensors.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(m.sites[i].name, names[i]);
    expect_vector(m.sites[i].pose.p, places[i]);
    EXPECT_EQ(m.sensors[i].object.name, names[i]);
    EXPECT_EQ(m.sensors[i].name, "Bob" + std::string(names[i] + 5));
  }
  expect_matrix(m.sites[1].pose.R, {0, 0, 1, 0, 1, 0, -1, 0, 0});
  expect_matrix(m.sites[2].pose.R, {1, 0, 0, 0, 0, -1, 0, 1, 0});
}

TEST(MjcfBodiesTest, CopiesOfBodiesCarryTheirActuatorsAndSensors) {
  const model::ModelInput m = read_good(
      file("<worldbody><site name='fixed'/><replicate count='10' offset='1 0 0'><body name='b'><joint name='j'/><geom "
           "size='1'/></body></replicate>"
           "</worldbody><actuator><motor name='m' joint='j'/></actuator><sensor><actuatorfrc actuator='m'/><framepos objtype='site' "
           "objname='fixed' reftype='body' refname='b'/></sensor><contact><exclude body1='b' body2='world'/></contact>"));
  ASSERT_EQ(m.bodies.size(), 11U);
  EXPECT_EQ(m.bodies[10].name, "b09");
  expect_vector(m.bodies[10].pose.p, {9, 0, 0}, 1e-12);
  ASSERT_EQ(m.actuators.size(), 10U);
  EXPECT_EQ(m.actuators[3].name, "m03");
  EXPECT_EQ(m.actuators[3].target.name, "j03");
  ASSERT_EQ(m.sensors.size(), 20U);
  EXPECT_EQ(m.sensors[4].object.name, "m04");
  EXPECT_EQ(m.sensors[14].object.name, "fixed");
  EXPECT_EQ(m.sensors[14].reference.name, "b04");
  EXPECT_EQ(m.excludes[9].a.name, "b09");
  expect_refused(world("<replicate><geom size='1'/></replicate>"), "needs the attribute count");
  expect_refused(world("<replicate count='0'><geom size='1'/></replicate>"), "must be at least 1");
}

TEST(MjcfBodiesTest, InertialsAreTurnedIntoTheBody) {
  const model::ModelInput m =
      read_good(world("<body><inertial pos='1 2 3' mass='4' diaginertia='1 2 2.5' euler='0 0 90'/></body>"
                      "<body><inertial pos='0 0 0' mass='4' fullinertia='1 2 3 .1 .2 .3'/></body>"));
  expect_vector(m.bodies[1].inertial->com, {1, 2, 3});
  EXPECT_EQ(m.bodies[1].inertial->mass, 4);
  expect_matrix(m.bodies[1].inertial->about_com, {2, 0, 0, 0, 1, 0, 0, 0, 2.5});
  expect_matrix(m.bodies[2].inertial->about_com, {1, .1, .2, .1, 2, .3, .2, .3, 3});
  expect_refused(world("<body><inertial pos='0 0 0' diaginertia='1 1 1'/></body>"), "needs the attribute mass");
  expect_refused(world("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/></body>"), "one is enough");
  expect_refused(world("<body><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='1'/></body>"), "second of its body");
}

TEST(MjcfBodiesTest, TheCompilerSaysHowMassesAreFound) {
  const model::ModelInput m = read_good(file(
      "<compiler inertiafromgeom='true' balanceinertia='true' boundmass='.1' boundinertia='.2' settotalmass='3' inertiagrouprange='1 2' "
      "fusestatic='true' alignfree='true' discardvisual='true'/>"));
  EXPECT_EQ(m.inertia_rules.from_shapes, model::InertiaRules::FromShapes::always);
  EXPECT_TRUE(m.inertia_rules.balance);
  EXPECT_EQ(m.inertia_rules.least_mass, 0.1);
  EXPECT_EQ(m.inertia_rules.least_inertia, 0.2);
  EXPECT_EQ(*m.inertia_rules.total_mass, 3);
  EXPECT_EQ(m.inertia_rules.first_group, 1);
  EXPECT_EQ(m.inertia_rules.last_group, 2);
  EXPECT_EQ(m.warnings.size(), 3U);
  expect_refused(file("<compiler coordinate='global'/>"), "local coordinates");
  expect_refused(file("<compiler boundmass='-1'/>"), "must not be negative");
  EXPECT_FALSE(read_good(file("<compiler settotalmass='-1'/>")).inertia_rules.total_mass);
}

}  // namespace
}  // namespace trilith::io
