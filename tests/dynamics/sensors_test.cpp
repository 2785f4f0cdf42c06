#include "dynamics/sensors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/mechanism.h"
#include "support/allocation.h"

namespace trilith::dynamics {
namespace {

using model::ElementKind;
using model::SensorKind;
using test::ModelSketch;

model::Sensor& add_sensor(ModelSketch& sketch, SensorKind kind, ElementKind object_kind, const std::string& object) {
  model::Sensor sensor;
  sensor.name = "s" + std::to_string(sketch.input().sensors.size());
  sensor.kind = kind;
  sensor.object_kind = object_kind;
  sensor.object = test::named(object);
  sketch.input().sensors.push_back(sensor);
  return sketch.input().sensors.back();
}

std::vector<double> reading(const Simulator& simulator, std::size_t i) {
  const model::Sensor& s = simulator.system().model->sensors[i];
  const auto first = simulator.workspace().sensors.begin() + s.first;
  return {first, first + s.dimension};
}

TEST(SensorsTest, AnAccelerometerAtRestFeelsTheGround) {
  ModelSketch sketch = test::oscillator(1, 0, 0);
  sketch.options().gravity = {0, 0, -9.81};
  sketch.add_site("imu", 1, {0.1, 0, 0});
  add_sensor(sketch, SensorKind::accelerometer, ElementKind::site, "imu");
  add_sensor(sketch, SensorKind::clock, ElementKind::none, "");
  Simulator simulator(sketch.system());
  simulator.state().time = 3;
  (void)simulator.update();
  EXPECT_NEAR(reading(simulator, 0)[2], 9.81, 1e-12);
  EXPECT_EQ(reading(simulator, 1)[0], 3);
}

TEST(SensorsTest, InFreeFallAnAccelerometerFeelsOnlyTheTurning) {
  ModelSketch sketch = test::free_body();
  sketch.input().bodies[1].inertial = Inertiad{1, {}, 0.1 * identity3<double>()};
  sketch.add_site("imu", 1, {0.2, 0, 0});
  add_sensor(sketch, SensorKind::accelerometer, ElementKind::site, "imu");
  add_sensor(sketch, SensorKind::gyro, ElementKind::site, "imu");
  add_sensor(sketch, SensorKind::velocimeter, ElementKind::site, "imu");
  Simulator simulator(sketch.system());
  simulator.state().v = {0, 0, 0, 0, 0, 5};
  (void)simulator.update();
  EXPECT_NEAR(reading(simulator, 0)[0], -0.2 * 25, 1e-12);
  EXPECT_NEAR(reading(simulator, 0)[2], 0, 1e-12);
  EXPECT_NEAR(reading(simulator, 1)[2], 5, 1e-12);
  EXPECT_NEAR(reading(simulator, 2)[1], 1, 1e-12);
}

TEST(SensorsTest, AForceSensorCarriesWhatHangsBelow) {
  // a chain of two at rest on slides along x: the upper one carries both weights
  ModelSketch sketch;
  sketch.add_body(0, identity_pose<double>(), test::some_inertia(2, {0, 0, 0}));
  sketch.add_joint(model::JointKind::slide, {1, 0, 0});
  sketch.add_body(1, {identity3<double>(), {0.5, 0, 0}}, test::some_inertia(3, {0, 0, 0}));
  sketch.add_site("root", 1, {0, 0, 0});
  sketch.add_site("tip", 2, {0, 0, 0});
  add_sensor(sketch, SensorKind::force, ElementKind::site, "root");
  add_sensor(sketch, SensorKind::torque, ElementKind::site, "root");
  add_sensor(sketch, SensorKind::force, ElementKind::site, "tip");
  Simulator simulator(sketch.system());
  (void)simulator.update();
  EXPECT_NEAR(reading(simulator, 0)[2], 5 * 9.81, 1e-12);
  EXPECT_NEAR(reading(simulator, 1)[1], -0.5 * 3 * 9.81, 1e-12);
  EXPECT_NEAR(reading(simulator, 2)[2], 3 * 9.81, 1e-12);
}

TEST(SensorsTest, VelocitiesAndAccelerationsAreTheRatesOfPositions) {
  ModelSketch sketch = test::mechanism();
  sketch.options().integrator = model::Integrator::rk4;
  sketch.options().timestep = 1e-4;
  for (const SensorKind kind : {SensorKind::frame_position, SensorKind::frame_linear_velocity, SensorKind::frame_linear_acceleration})
    add_sensor(sketch, kind, ElementKind::site, "on_hand");
  for (const SensorKind kind : {SensorKind::frame_position, SensorKind::frame_linear_velocity}) {
    model::Sensor& relative = add_sensor(sketch, kind, ElementKind::site, "on_hand");
    relative.reference_kind = ElementKind::site;
    relative.reference = test::named("on_foot");
  }
  add_sensor(sketch, SensorKind::subtree_com, ElementKind::body, "b2");
  add_sensor(sketch, SensorKind::subtree_linear_velocity, ElementKind::body, "b2");
  test::Random random(7);
  Simulator simulator(sketch.system());
  test::shake(simulator.state(), simulator.system(), random);
  std::vector<std::vector<double>> before(7), now(7), after(7);
  const auto read_all = [&](std::vector<std::vector<double>>& into) {
    (void)simulator.update();
    for (std::size_t i = 0; i < 7; ++i) into[i] = reading(simulator, i);
  };
  read_all(before), test::run_steps(simulator, 1), read_all(now), test::run_steps(simulator, 1), read_all(after);
  const auto rate = [&](std::size_t i, std::size_t c) { return (after[i][c] - before[i][c]) / 2e-4; };
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(now[1][c], rate(0, c), 1e-4);
    EXPECT_NEAR(now[2][c] - (c == 2 ? 9.81 : 0), rate(1, c), 1e-2);
    EXPECT_NEAR(now[4][c], rate(3, c), 1e-4);
    EXPECT_NEAR(now[6][c], rate(5, c), 1e-4);
  }
}

TEST(SensorsTest, MomentumOfAFreeSubtreeStays) {
  ModelSketch sketch = test::mechanism();
  sketch.options().gravity = {};
  sketch.options().integrator = model::Integrator::rk4;
  sketch.options().timestep = 1e-3;
  sketch.input().tendons[1].path.resize(2);  // nothing on the ground
  sketch.input().actuators.clear();
  for (model::Joint& joint : sketch.input().joints) joint.armature = 0;
  add_sensor(sketch, SensorKind::subtree_angular_momentum, ElementKind::body, "b1");
  add_sensor(sketch, SensorKind::subtree_linear_velocity, ElementKind::body, "b1");
  test::Random random(8);
  Simulator simulator(sketch.system());
  test::shake(simulator.state(), simulator.system(), random);
  (void)simulator.update();
  const std::vector<double> spin = reading(simulator, 0), drift = reading(simulator, 1);
  test::run_steps(simulator, 200);
  (void)simulator.update();
  for (std::size_t c = 0; c < 3; ++c) {
    // turns are averaged in body axes, which is of second order (DYN-23)
    EXPECT_NEAR(reading(simulator, 0)[c], spin[c], 1e-6);
    EXPECT_NEAR(reading(simulator, 1)[c], drift[c], 1e-6);
  }
}

TEST(SensorsTest, ARangefinderSeesTheNearestShapeOfOtherBodies) {
  ModelSketch sketch = test::free_body();
  model::Geom wall;
  wall.name = "wall", wall.body = 0, wall.kind = model::GeomKind::box, wall.size = {0.1, 1, 1}, wall.pose.p = {3, 0, 1};
  wall.contype = wall.conaffinity = 0;
  sketch.input().geoms.push_back(wall);
  model::Geom skin = wall;
  skin.name = "skin", skin.body = 1, skin.kind = model::GeomKind::sphere, skin.size = {0.3, 0, 0}, skin.pose.p = {};
  sketch.input().geoms.push_back(skin);
  sketch.add_site("eye", 1, {}).pose.R = {{0, 0, 1, 0, 1, 0, -1, 0, 0}};  // z looks along x
  add_sensor(sketch, SensorKind::rangefinder, ElementKind::site, "eye");
  add_sensor(sketch, SensorKind::rangefinder, ElementKind::site, "eye").cutoff = 2;
  Simulator simulator(sketch.system());
  (void)simulator.update();
  EXPECT_NEAR(reading(simulator, 0)[0], 2.9, 1e-12);
  EXPECT_EQ(reading(simulator, 1)[0], 2);
}

TEST(SensorsTest, ReadingThemAllocatesNothing) {
  ModelSketch sketch = test::mechanism();
  add_sensor(sketch, SensorKind::force, ElementKind::site, "on_hand");
  add_sensor(sketch, SensorKind::subtree_angular_momentum, ElementKind::body, "b1");
  Simulator simulator(sketch.system());
  (void)simulator.update();
  Workspace w(simulator.system());
  EXPECT_TRUE(update_smooth(simulator.system(), simulator.state(), w));
  w.a = w.a_smooth;
  const test::AllocationCount count;
  measure_sensors(simulator.system(), simulator.state(), simulator.constraints(), w);
  EXPECT_EQ(count.delta(), 0);
  EXPECT_EQ(w.sensors, simulator.workspace().sensors);
}

}  // namespace
}  // namespace trilith::dynamics
