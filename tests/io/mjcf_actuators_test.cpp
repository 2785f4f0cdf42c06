#include <gtest/gtest.h>

#include "mjcf_support.h"

// actuators, tendons, contact pairs, equalities, sensors, keyframes, options

namespace trilith::io {
namespace {

using model::Activation;
using model::BiasKind;
using model::GainKind;

/// A world with two joints, two sites and a sphere, and `sections` behind it.
std::string machine(const std::string& sections) {
  return file(
      "<worldbody><site name='s0'/><body name='a'><joint name='j' range='-90 90'/><geom name='g' size='.1'/><site name='s1'/>"
      "<body name='b'><joint name='k'/><geom name='h' size='.1'/><site name='s2'/></body></body></worldbody>" +
      sections);
}
model::Actuator actuator(const std::string& text) { return read_good(machine("<actuator>" + text + "</actuator>")).actuators.at(0); }
void refused_actuator(const std::string& text, const std::string& what) {
  expect_refused(machine("<actuator>" + text + "</actuator>"), what);
}

TEST(MjcfActuatorsTest, ShortFormsSetGainAndBias) {
  const model::Actuator motor = actuator("<motor name='m' joint='j' gear='2' ctrlrange='-1 1' forcerange='-3 4' group='2'/>");
  EXPECT_EQ(motor.gain_parameters[0], 1);
  EXPECT_EQ(motor.bias, BiasKind::none);
  EXPECT_EQ(motor.gear, (std::array<double, 6>{2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(motor.control_range->lower, -1);
  EXPECT_EQ(motor.force_range->upper, 4);
  EXPECT_EQ(motor.group, 2);
  const model::Actuator position = actuator("<position joint='j' kp='10' kv='2' timeconst='.1'/>");
  EXPECT_EQ(position.gain_parameters[0], 10);
  EXPECT_EQ(position.bias_parameters, (std::array<double, 3>{0, -10, -2}));
  EXPECT_EQ(position.activation, Activation::filter_exact);
  EXPECT_EQ(position.activation_parameters[0], .1);
  const model::Actuator velocity = actuator("<velocity joint='j' kv='3'/>");
  EXPECT_EQ(velocity.gain_parameters[0], 3);
  EXPECT_EQ(velocity.bias_parameters, (std::array<double, 3>{0, 0, -3}));
  const model::Actuator integrated = actuator("<intvelocity joint='j' kp='4' dampratio='.7' actrange='-1 2'/>");
  EXPECT_EQ(integrated.activation, Activation::integrator);
  EXPECT_EQ(*integrated.damping_ratio, .7);
  EXPECT_EQ(integrated.bias_parameters, (std::array<double, 3>{0, -4, 0}));
  EXPECT_EQ(integrated.activation_range->upper, 2);
  const model::Actuator damper = actuator("<damper joint='j' kv='5' ctrlrange='0 2'/>");
  EXPECT_EQ(damper.gain, GainKind::affine);
  EXPECT_EQ(damper.gain_parameters, (std::array<double, 3>{0, 0, -5}));
  const model::Actuator cylinder = actuator("<cylinder joint='j' timeconst='.2' diameter='2' bias='1 2 3'/>");
  EXPECT_EQ(cylinder.activation, Activation::filter);
  EXPECT_NEAR(cylinder.gain_parameters[0], 3.14159265358979, 1e-13);
  EXPECT_EQ(cylinder.bias_parameters, (std::array<double, 3>{1, 2, 3}));
}

TEST(MjcfActuatorsTest, GeneralSaysEverythingItself) {
  const model::Actuator a = actuator(
      "<general joint='j' dyntype='filter' dynprm='.5' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='4 5 6 0 0' "
      "actearly='true' "
      "actdim='1' actrange='-1 1'/>");
  EXPECT_EQ(a.activation, Activation::filter);
  EXPECT_EQ(a.gain_parameters, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(a.bias_parameters, (std::array<double, 3>{4, 5, 6}));
  EXPECT_TRUE(a.early);
  EXPECT_FALSE(a.damping_ratio);
  // a servo written out: a positive third bias is a ratio
  EXPECT_EQ(*actuator("<general joint='j' gainprm='9' biastype='affine' biasprm='0 -9 .5'/>").damping_ratio, .5);
  refused_actuator("<general joint='j' gaintype='muscle'/>", "\"muscle\", which is not supported; there are fixed or affine");
  refused_actuator("<general joint='j' dyntype='user'/>", "\"user\", which is not supported");
  refused_actuator("<general joint='j' dyntype='filtre'/>", "did you mean \"filter\"?");
  refused_actuator("<general joint='j' actdim='2'/>", "one activation");
  refused_actuator("<general joint='j' actrange='0 1'/>", "the actuator has none");
  refused_actuator("<general body='a'/>", "body is not supported");
}

TEST(MjcfActuatorsTest, ItActsInOnePlace) {
  const model::Actuator parent = actuator("<motor jointinparent='j'/>");
  EXPECT_EQ(parent.transmission, model::Transmission::joint_in_parent);
  const model::Actuator site = actuator("<motor site='s1' refsite='s0' gear='1 2 3 4 5 6'/>");
  EXPECT_EQ(site.transmission, model::Transmission::site);
  EXPECT_EQ(site.second_site.name, "s0");
  EXPECT_EQ(site.gear[5], 6);
  const model::Actuator crank = actuator("<motor cranksite='s1' slidersite='s0' cranklength='2'/>");
  EXPECT_EQ(crank.transmission, model::Transmission::slider_crank);
  EXPECT_EQ(crank.target.name, "s1");
  EXPECT_EQ(crank.second_site.name, "s0");
  EXPECT_EQ(crank.crank_length, 2);
  refused_actuator("<motor/>", "acts nowhere");
  refused_actuator("<motor joint='j' site='s1'/>", "stands beside joint");
  refused_actuator("<motor joint='j' refsite='s0'/>", "belongs to a site");
  refused_actuator("<motor cranksite='s1' cranklength='1'/>", "needs the attribute slidersite");
  refused_actuator("<motor cranksite='s1' slidersite='s0'/>", "positive cranklength");
}

TEST(MjcfActuatorsTest, RangesAreTakenOverFromTheTarget) {
  const model::Actuator position = actuator("<position joint='j' inheritrange='.5'/>");
  EXPECT_NEAR(position.control_range->lower, -0.7853981633974483, 1e-14);
  const model::Actuator integrated = actuator("<intvelocity joint='j' inheritrange='1'/>");
  EXPECT_FALSE(integrated.control_range);
  EXPECT_NEAR(integrated.activation_range->upper, 1.5707963267948966, 1e-14);
  refused_actuator("<position joint='k' inheritrange='1'/>", "needs a joint or tendon with a range");
  refused_actuator("<position joint='j' inheritrange='1' ctrlrange='0 1'/>", "stands beside ctrlrange");
  refused_actuator("<position joint='j' kv='1' dampratio='1'/>", "stands beside kv");
  refused_actuator("<position joint='j' kp='-1'/>", "kp must not be negative");
  refused_actuator("<damper joint='j' kv='1'/>", "is limited but has no ctrlrange");
  refused_actuator("<motor joint='j' ctrllimited='true'/>", "is limited but has no ctrlrange");
}

TEST(MjcfActuatorsTest, ClassesReachActuatorsOfEveryKind) {
  const model::ModelInput m = read_good(machine(
      "<default><motor gear='3' ctrlrange='-1 1'/><default class='soft'><position kp='7'/></default></default><actuator><motor joint='j'/>"
      "<position class='soft' joint='j'/></actuator>"));
  EXPECT_EQ(m.actuators[0].gear[0], 3);
  EXPECT_EQ(m.actuators[1].gear[0], 3);
  EXPECT_EQ(m.actuators[1].gain_parameters[0], 7);
  EXPECT_EQ(m.actuators[1].control_range->upper, 1);
}

TEST(MjcfTendonsTest, PathsAndTermsKeepTheirOrder) {
  const model::ModelInput m = read_good(machine(
      "<tendon><spatial name='t' range='0 1' stiffness='2' damping='3' frictionloss='.1' margin='.2' springlength='.5' armature='.1' "
      "actuatorfrcrange='-1 1'><site site='s0'/><geom geom='g' sidesite='s2'/><site site='s1'/><pulley divisor='2'/><site site='s0'/><site "
      "site='s2'/></spatial><fixed><joint joint='j' coef='2'/><joint joint='k' coef='-1'/></fixed></tendon>"));
  const model::Tendon& t = m.tendons[0];
  ASSERT_EQ(t.path.size(), 6U);
  EXPECT_EQ(t.path[1].kind, model::PathPoint::Kind::wrap);
  EXPECT_EQ(t.path[1].side_site.name, "s2");
  EXPECT_EQ(t.path[3].divisor, 2);
  EXPECT_EQ(t.range->upper, 1);
  EXPECT_EQ(t.spring_length->upper, .5);
  EXPECT_EQ(t.stiffness, 2);
  EXPECT_EQ(t.armature, .1);
  EXPECT_EQ(t.force_range->lower, -1);
  ASSERT_EQ(m.tendons[1].terms.size(), 2U);
  EXPECT_EQ(m.tendons[1].terms[1].coefficient, -1);
  EXPECT_FALSE(m.tendons[1].spring_length);
}

TEST(MjcfTendonsTest, PathsThatCannotBeAreRefused) {
  const auto refused = [](const std::string& path, const std::string& what) {
    expect_refused(machine("<tendon><spatial>" + path + "</spatial></tendon>"), what);
  };
  const std::string a = "<site site='s0'/>", b = "<site site='s1'/>", wrap = "<geom geom='g'/>", pulley = "<pulley divisor='2'/>";
  refused(a, "at least two points");
  refused(a + a, "that follows again");
  refused(a + wrap, "does not stand between two sites");
  refused(a + b + pulley, "pulley behind a pulley or at the end");
  refused(a + b + pulley + pulley + a + b, "pulley behind a pulley");
  refused(a + b + pulley + a, "without a neighbour");
  refused(a + b + "<pulley divisor='0'/>" + a + b, "divisor must be positive");
  expect_refused(machine("<tendon><fixed/></tendon>"), "needs at least one joint");
  expect_refused(machine("<tendon><fixed springlength='2 1'><joint joint='j' coef='1'/></fixed></tendon>"), "wrong order");
  expect_refused(machine("<tendon><fixed damping='-2'><joint joint='j' coef='1'/></fixed></tendon>"), "must not be negative");
}

TEST(MjcfContactTest, PairsSayEverythingThemselves) {
  const model::ModelInput m =
      read_good(machine("<default><pair friction='.5' gap='.01'/></default><contact><pair geom1='g' geom2='h' solreffriction='.1' "
                        "margin='.2'/><exclude body1='a' "
                        "body2='b'/></contact>"));
  const model::ContactPair& p = m.pairs[0];
  EXPECT_EQ(*p.condim, 3);
  EXPECT_EQ(*p.friction, (std::array<double, 5>{.5, 1, .005, .0001, .0001}));
  EXPECT_EQ(*p.friction_solref, (std::array<double, 2>{.1, 0}));
  EXPECT_EQ(*p.margin, .2);
  EXPECT_EQ(*p.gap, .01);
  EXPECT_EQ(m.excludes[0].b.name, "b");
  expect_refused(machine("<contact><pair geom1='g'/></contact>"), "needs the attribute geom2");
  expect_refused(machine("<contact><pair geom1='g' geom2='h' condim='2'/></contact>"), "allowed are 1, 3, 4 and 6");
}

TEST(MjcfEqualityTest, ConnectWeldJointAndTendon) {
  const model::ModelInput m = read_good(machine(
      "<equality><connect body1='a' anchor='1 2 3' active='false' solref='.05'/><connect site1='s0' site2='s1'/><weld body1='a' body2='b' "
      "relpose='1 0 0 0 0 0 2' anchor='.1 0 0' torquescale='3'/><weld body1='a' relpose='0 0 0 0 0 0 0'/><joint joint1='j' joint2='k' "
      "polycoef='.1 2'/></equality>"));
  ASSERT_EQ(m.equalities.size(), 5U);
  expect_vector(m.equalities[0].anchor, {1, 2, 3});
  EXPECT_FALSE(m.equalities[0].active);
  EXPECT_EQ(m.equalities[0].law.solref, (std::array<double, 2>{.05, 1}));
  EXPECT_TRUE(m.equalities[0].b.name.empty());
  EXPECT_TRUE(m.equalities[1].on_sites);
  ASSERT_TRUE(m.equalities[2].relative_pose);
  EXPECT_NEAR(m.equalities[2].relative_pose->R.m[0], -1, 1e-15);
  EXPECT_EQ(m.equalities[2].torque_scale, 3);
  EXPECT_FALSE(m.equalities[3].relative_pose);
  EXPECT_EQ(m.equalities[4].polynomial, (std::array<double, 5>{.1, 2, 0, 0, 0}));
  expect_refused(machine("<equality><connect body1='a'/></equality>"), "needs the attribute anchor");
  expect_refused(machine("<equality><weld site1='s0'/></equality>"), "needs the attribute site2");
  expect_refused(machine("<equality><weld site1='s0' body1='a'/></equality>"), "two of one kind");
  expect_refused(machine("<equality><joint/></equality>"), "needs the attribute joint1");
}

TEST(MjcfSensorsTest, ObjectsAreNamedByKind) {
  const model::ModelInput m = read_good(machine(
      "<sensor><gyro name='imu' site='s1' cutoff='3'/><framelinvel objtype='xbody' objname='a' reftype='geom' refname='g'/><subtreecom "
      "body='a'/><clock/><jointpos joint='j'/></sensor>"));
  EXPECT_EQ(m.sensors[0].kind, model::SensorKind::gyro);
  EXPECT_EQ(m.sensors[0].object_kind, model::ElementKind::site);
  EXPECT_EQ(m.sensors[0].cutoff, 3);
  EXPECT_EQ(m.sensors[1].object_kind, model::ElementKind::body_frame);
  EXPECT_EQ(m.sensors[1].reference_kind, model::ElementKind::geom);
  EXPECT_EQ(m.sensors[2].object_kind, model::ElementKind::body);
  EXPECT_EQ(m.sensors[3].kind, model::SensorKind::clock);
  expect_refused(machine("<sensor><gyro/></sensor>"), "needs the attribute site");
  expect_refused(machine("<sensor><framepos objtype='joint' objname='j'/></sensor>"), "allowed are body, xbody");
  expect_refused(machine("<sensor><framepos objtype='body' objname='a' reftype='body'/></sensor>"), "needs the attribute refname");
  expect_refused(machine("<sensor><framequat objtype='body' objname='a' cutoff='1'/></sensor>"), "which is not cut");
  EXPECT_EQ(count_told(read_good(machine("<sensor><framepos objtype='camera' objname='c'/></sensor>")), "measures at a camera"), 1U);
}

TEST(MjcfKeyframeTest, ListsAreKeptAsTheyAre) {
  const model::ModelInput m = read_good(
      machine("<keyframe><key name='k' time='2' qpos='1 2' qvel='3 4' act='5' ctrl='6' mpos='1 2 3' mquat='1 0 0 0'/><key/></keyframe>"));
  EXPECT_EQ(m.keyframes[0].q, (std::vector<double>{1, 2}));
  EXPECT_EQ(m.keyframes[0].mocap_quaternion.size(), 4U);
  EXPECT_EQ(m.keyframes[0].time, 2);
  EXPECT_TRUE(m.keyframes[1].q.empty());
  expect_refused(machine("<keyframe><key qpos='1 x'/></keyframe>"), "\"x\", which is no number");
}

TEST(MjcfOptionsTest, EveryOptionHasItsField) {
  const model::SimulationOptions o =
      read_good(
          file(
              "<option timestep='.01' gravity='1 2 3' wind='4 5 6' magnetic='7 8 9' density='1.2' viscosity='.1' integrator='implicitfast' "
              "cone='elliptic' solver='CG' iterations='7' ls_iterations='8' noslip_iterations='9' tolerance='1e-5' ls_tolerance='.1' "
              "noslip_tolerance='1e-4' impratio='10' o_margin='.3' o_solref='.1 2' o_solimp='.5' o_friction='.2'><flag contact='disable' "
              "override='enable' spring='disable' damper='disable' eulerdamp='disable'/></option>"))
          .options;
  EXPECT_EQ(o.timestep, .01);
  expect_vector(o.gravity, {1, 2, 3});
  expect_vector(o.wind, {4, 5, 6});
  expect_vector(o.magnetic, {7, 8, 9});
  EXPECT_EQ(o.medium_density, 1.2);
  EXPECT_EQ(o.medium_viscosity, .1);
  EXPECT_EQ(o.integrator, model::Integrator::implicit_fast);
  EXPECT_EQ(o.cone, model::FrictionCone::elliptic);
  EXPECT_EQ(o.solver, model::ContactSolver::cg);
  EXPECT_EQ(o.iterations, 7);
  EXPECT_EQ(o.ls_iterations, 8);
  EXPECT_EQ(o.noslip_iterations, 9);
  EXPECT_EQ(*o.impratio, 10);
  EXPECT_EQ(o.override_margin, .3);
  EXPECT_EQ(o.override_law.solimp[0], .5);
  EXPECT_EQ(o.override_friction[0], .2);
  EXPECT_FALSE(o.contacts);
  EXPECT_TRUE(o.override_contact);
  EXPECT_FALSE(o.passive_forces);
  EXPECT_FALSE(o.damp_in_euler);
  EXPECT_TRUE(o.limits);
  EXPECT_FALSE(read_good(file("")).options.impratio);
}

TEST(MjcfOptionsTest, WhatIsOtherwiseIsToldOrRefused) {
  EXPECT_EQ(count_told(read_good(file("<option solver='PGS'/>")), "Newton's method"), 1U);
  EXPECT_EQ(count_told(read_good(file("<option collision='predefined'/>")), "collision=\"predefined\""), 1U);
  EXPECT_EQ(read_good(file("<option collision='all' apirate='100' mpr_iterations='50' jacobian='sparse'/>")).warnings.size(), 0U);
  expect_refused(file("<option><flag spring='disable'/></option>"), "only one of springs and dampers");
  expect_refused(file("<option iterations='-1'/>"), "must not be negative");
  expect_refused(file("<option impratio='0'/>"), "must be positive");
  expect_refused(file("<option integrator='euler'/>"), "did you mean \"Euler\"?");
}

}  // namespace
}  // namespace trilith::io
