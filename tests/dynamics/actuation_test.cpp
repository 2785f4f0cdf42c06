#include "dynamics/actuation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/mechanism.h"

namespace trilith::dynamics {
namespace {

using test::add_actuator;
using test::ModelSketch;

/// A mass on a slide with one motor.
ModelSketch driven_mass() {
  ModelSketch sketch = test::oscillator(2, 0, 0);
  sketch.options().timestep = 0.01;
  add_actuator(sketch, model::Transmission::joint, "j0", {1, 0, 0, 0, 0, 0});
  return sketch;
}

TEST(ActuationTest, AnExactFilterFollowsTheExponential) {
  ModelSketch sketch = driven_mass();
  model::Actuator& a = sketch.input().actuators[0];
  a.activation = model::Activation::filter_exact;
  a.activation_parameters = {0.05, 0, 0};
  Simulator simulator(sketch.system());
  simulator.state().ctrl[0] = 1;
  test::run_steps(simulator, 20);
  EXPECT_NEAR(simulator.state().act[0], 1 - std::exp(-0.2 / 0.05), 1e-14);
}

TEST(ActuationTest, AFilterIsOneEulerStepAndAnIntegratorSums) {
  ModelSketch sketch = driven_mass();
  sketch.input().actuators[0].activation = model::Activation::filter;
  sketch.input().actuators[0].activation_parameters = {0.05, 0, 0};
  Simulator filter(sketch.system());
  filter.state().ctrl[0] = 1;
  test::run_steps(filter, 3);
  EXPECT_NEAR(filter.state().act[0], 1 - 0.8 * 0.8 * 0.8, 1e-15);
  sketch.input().actuators[0].activation = model::Activation::integrator;
  sketch.input().actuators[0].activation_range = model::Range{0, 0.025};
  Simulator integrator(sketch.system());
  integrator.state().ctrl[0] = 1;
  test::run_steps(integrator, 2);
  EXPECT_NEAR(integrator.state().act[0], 0.02, 1e-15);
  test::run_steps(integrator, 2);
  EXPECT_EQ(integrator.state().act[0], 0.025);
}

TEST(ActuationTest, AnEarlyActivationActsInTheStepThatMakesIt) {
  for (const bool early : {false, true}) {
    ModelSketch sketch = driven_mass();
    sketch.input().actuators[0].activation = model::Activation::integrator;
    sketch.input().actuators[0].early = early;
    Simulator simulator(sketch.system());
    simulator.state().ctrl[0] = 3;
    (void)simulator.update();
    EXPECT_NEAR(simulator.workspace().actuator_force[0], early ? 0.03 : 0, 1e-15);
  }
}

TEST(ActuationTest, ControlsForcesAndJointsHaveTheirBounds) {
  ModelSketch sketch = driven_mass();
  model::Actuator& a = sketch.input().actuators[0];
  a.control_range = model::Range{-1, 1};
  a.gain_parameters = {10, 0, 0};
  Simulator clamped(sketch.system());
  clamped.state().ctrl[0] = 5;
  (void)clamped.update();
  EXPECT_EQ(clamped.workspace().actuator_force[0], 10);
  sketch.options().clamp_controls = false;
  sketch.input().actuators[0].force_range = model::Range{-30, 30};
  sketch.input().joints[0].force_range = model::Range{-20, 20};
  Simulator free(sketch.system());
  free.state().ctrl[0] = 5;
  (void)free.update();
  EXPECT_EQ(free.workspace().actuator_force[0], 30);
  EXPECT_EQ(free.workspace().actuator_torque[0], 20);
}

TEST(ActuationTest, ADampingRatioOfOneSettlesWithoutOvershoot) {
  ModelSketch sketch = driven_mass();
  model::Actuator& a = sketch.input().actuators[0];
  a.gear[0] = 3;
  a.bias = model::BiasKind::affine;
  a.gain_parameters = {50, 0, 0};
  a.bias_parameters = {0, -50, 0};
  a.damping_ratio = 1;
  const auto system = sketch.system();
  // kv = 2 sqrt(kp m) with the mass as the actuator feels it, m / gear^2
  EXPECT_NEAR(system->actuator_bias[0][2], -2 * std::sqrt(50 * 2.0 / 9), 1e-12);
}

TEST(ActuationTest, TendonBoundsAreSharedByItsActuators) {
  ModelSketch sketch = test::mechanism();
  sketch.input().tendons[2].force_range = model::Range{-1, 1};
  add_actuator(sketch, model::Transmission::tendon, "wrapped", {1, 0, 0, 0, 0, 0});
  Simulator simulator(sketch.system());
  simulator.state().ctrl[9] = 40;
  (void)simulator.update();
  EXPECT_NEAR(simulator.workspace().actuator_force[5] + simulator.workspace().actuator_force[9], 1, 1e-12);
}

TEST(ActuationTest, ASetpointOnACircleIsTheNearestOfItsKind) {
  EXPECT_DOUBLE_EQ(nearest_setpoint(7, 0.5, 6), 1);
  EXPECT_DOUBLE_EQ(nearest_setpoint(-5.5, 0.5, 6), 0.5);
  EXPECT_DOUBLE_EQ(nearest_setpoint(2, 100, 0), 2);
}

TEST(ActuationTest, WithoutActuationControlsDoNothing) {
  ModelSketch sketch = driven_mass();
  sketch.options().actuation = false;
  sketch.input().actuators[0].activation = model::Activation::integrator;
  Simulator simulator(sketch.system());
  simulator.state().ctrl[0] = 5;
  simulator.state().act[0] = 2;
  test::run_steps(simulator, 3);
  EXPECT_EQ(simulator.state().v[0], 0);
  EXPECT_EQ(simulator.state().act[0], 2);
}

}  // namespace
}  // namespace trilith::dynamics
