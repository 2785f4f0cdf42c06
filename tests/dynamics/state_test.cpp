#include "dynamics/state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/mechanism.h"

namespace trilith::dynamics {
namespace {

using test::ModelSketch;

TEST(StateTest, AKeyframeReplacesWhatItGivesAndNothingElse) {
  ModelSketch sketch = test::mechanism();
  model::Keyframe key;
  key.name = "start";
  key.time = 3;
  key.q = {1, 2, 3, 2, 0, 0, 0, 1, 0, 0, 0, 0.1, 0.2, 0.3};
  key.ctrl.assign(sketch.input().actuators.size(), 0.5);
  sketch.input().keyframes.push_back(key);
  const auto model = sketch.model();
  State state = make_state(*model);
  state.v[0] = 7;
  apply_keyframe(*model, model->keyframes[0], state);
  EXPECT_EQ(state.time, 3);
  EXPECT_EQ(state.q[0], 1);
  EXPECT_EQ(state.q[3], 1);  // the quaternion has length 1
  EXPECT_EQ(state.ctrl[2], 0.5);
  EXPECT_EQ(state.v[0], 0);
}

TEST(StateTest, AMocapBodyStandsWhereTheStatePutsIt) {
  ModelSketch sketch = test::pendulum(1, 1);
  sketch.add_body(0, {identity3<double>(), {0, 0, 2}}, {0, {}, diagonal3(Vec3d{})});
  sketch.input().bodies.back().mocap = true;
  sketch.add_body(2, {identity3<double>(), {0.5, 0, 0}}, {0, {}, diagonal3(Vec3d{})});
  sketch.add_site("bob", 1, {0, 0, -1});
  sketch.add_site("hand", 3, {0, 0, 0});
  model::Tendon cord;
  cord.name = "cord";
  cord.path = {{model::PathPoint::Kind::site, test::named("bob"), {}, 1}, {model::PathPoint::Kind::site, test::named("hand"), {}, 1}};
  sketch.input().tendons.push_back(cord);
  Simulator simulator(sketch.system());
  (void)simulator.update();
  EXPECT_NEAR(simulator.workspace().tendon_length[0], std::sqrt(9 + 0.25), 1e-14);
  simulator.state().mocap_position = {0, 1, 0};
  simulator.state().mocap_quaternion = {0, 0, 0, 1};  // half a turn about z
  (void)simulator.update();
  EXPECT_NEAR(norm(simulator.workspace().X_WB[3].p - Vec3d{-0.5, 1, 0}), 0, 1e-14);
  EXPECT_NEAR(simulator.workspace().tendon_length[0], std::sqrt(0.25 + 1 + 1), 1e-14);
}

TEST(StateTest, JointsOnAMocapBodyAreRefusedByName) {
  ModelSketch sketch;
  sketch.add_body(0, identity_pose<double>(), {0, {}, diagonal3(Vec3d{})});
  sketch.input().bodies.back().mocap = true;
  sketch.add_body(1, identity_pose<double>(), test::some_inertia(1, {}));
  sketch.add_joint(model::JointKind::hinge);
  const auto model = sketch.model();
  const auto made = make_system(model, model->options);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.errors()[0].what.find("\"b2\""), std::string::npos);
}

TEST(StateTest, ATendonArmatureAcrossBranchesIsRefusedByName) {
  ModelSketch sketch = test::mechanism();
  sketch.input().tendons[0].armature = 1;
  const auto model = sketch.model();
  const auto made = make_system(model, model->options);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.errors()[0].what.find("\"fixed\""), std::string::npos);
}

}  // namespace
}  // namespace trilith::dynamics
