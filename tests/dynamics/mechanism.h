#pragma once
#include "dynamics/models.h"
#include "dynamics/stages.h"
#include "multibody/kinematics.h"
#include "support/random.h"

/// A free base with two arms (ball, hinge; hinge, slide), tendons of every kind and an actuator for every transmission.
namespace trilith::test {

inline Inertiad some_inertia(double mass, const Vec3d& com) { return {mass, com, {{0.02, 0.001, 0, 0.001, 0.03, 0.002, 0, 0.002, 0.025}}}; }

inline model::Reference named(const std::string& name) { return {name, -1}; }

inline model::Actuator& add_actuator(ModelSketch& sketch, model::Transmission kind, const std::string& target, std::array<double, 6> gear) {
  model::Actuator actuator;
  actuator.name = "a" + std::to_string(sketch.input().actuators.size());
  actuator.transmission = kind;
  actuator.target = named(target);
  actuator.gear = gear;
  sketch.input().actuators.push_back(actuator);
  return sketch.input().actuators.back();
}

inline void add_tendons(ModelSketch& sketch) {
  using Kind = model::PathPoint::Kind;
  model::Geom ball;
  ball.name = "ball", ball.body = 2, ball.size = {0.06, 0, 0}, ball.pose.p = {0.05, 0, -0.1}, ball.mass = 0,
  ball.contype = ball.conaffinity = 0;
  sketch.input().geoms.push_back(ball);
  model::Tendon fixed, straight, wrapped;
  fixed.name = "fixed", straight.name = "straight", wrapped.name = "wrapped";
  fixed.terms = {{named("j2"), 0.5}, {named("j4"), -2}};
  fixed.stiffness = 3, fixed.damping = 0.2, fixed.spring_length = model::Range{0.1, 0.2};
  straight.path = {{Kind::site, named("on_base"), {}, 1},
                   {Kind::site, named("on_hand"), {}, 1},
                   {Kind::pulley, {}, {}, 2},
                   {Kind::site, named("on_ground"), {}, 1},
                   {Kind::site, named("on_foot"), {}, 1}};
  straight.stiffness = 5, straight.damping = 0.3;
  wrapped.path = {{Kind::site, named("on_base"), {}, 1}, {Kind::wrap, named("ball"), {}, 1}, {Kind::site, named("on_hand"), {}, 1}};
  wrapped.damping = 0.4;
  sketch.input().tendons = {fixed, straight, wrapped};
}

inline void add_actuators(ModelSketch& sketch) {
  using model::Transmission;
  add_actuator(sketch, Transmission::joint, "j2", {3, 0, 0, 0, 0, 0});
  add_actuator(sketch, Transmission::joint, "j1", {0.5, 1, -0.3, 0, 0, 0});
  add_actuator(sketch, Transmission::joint_in_parent, "j1", {0.5, 1, -0.3, 0, 0, 0});
  add_actuator(sketch, Transmission::joint, "j0", {1, 2, 3, 4, 5, 6});
  add_actuator(sketch, Transmission::joint_in_parent, "j0", {1, 2, 3, 4, 5, 6});
  add_actuator(sketch, Transmission::tendon, "wrapped", {2, 0, 0, 0, 0, 0});
  add_actuator(sketch, Transmission::site, "on_hand", {1, 0, 2, 0, 1, 0});
  add_actuator(sketch, Transmission::site, "on_hand", {0, 0, 0, 1, 0, 0}).second_site = named("on_foot");
  model::Actuator& crank = add_actuator(sketch, Transmission::slider_crank, "on_hand", {1.5, 0, 0, 0, 0, 0});
  crank.second_site = named("on_foot");
  crank.crank_length = 2;
  for (model::Actuator& a : sketch.input().actuators) {
    a.gain = model::GainKind::affine, a.gain_parameters = {2, 0.1, -0.3};
    a.bias = model::BiasKind::affine, a.bias_parameters = {0.1, -1, -0.5};
  }
}

inline ModelSketch mechanism() {
  ModelSketch sketch;
  sketch.add_body(0, {identity3<double>(), {0, 0, 1}}, some_inertia(3, {0.01, 0.02, 0}));
  sketch.add_joint(model::JointKind::free);
  sketch.add_body(1, {identity3<double>(), {0.1, 0, 0.2}}, some_inertia(1, {0, 0, -0.1}));
  sketch.add_joint(model::JointKind::ball).stiffness = 4;
  sketch.add_body(2, {identity3<double>(), {0, 0, -0.3}}, some_inertia(0.5, {0, 0.05, -0.1}));
  sketch.add_joint(model::JointKind::hinge, {0, 1, 0}, {0, 0, 0.02}).damping = 0.3;
  sketch.add_body(1, {identity3<double>(), {-0.1, 0, -0.2}}, some_inertia(1.2, {0.1, 0, 0}));
  sketch.add_joint(model::JointKind::hinge, {1, 0, 0}).armature = 0.05;
  sketch.add_body(4, {identity3<double>(), {0.2, 0, 0}}, some_inertia(0.7, {0, 0, 0.1}));
  model::Joint& slide = sketch.add_joint(model::JointKind::slide, {0.6, 0, 0.8});
  slide.stiffness = 20, slide.damping = 1;
  sketch.add_site("on_ground", 0, {1, 0, 0});
  sketch.add_site("on_base", 1, {0.1, 0.1, 0.3});
  sketch.add_site("on_hand", 3, {0.02, 0.05, -0.2});
  sketch.add_site("on_foot", 5, {0.1, 0.05, 0});
  add_tendons(sketch);
  add_actuators(sketch);
  return sketch;
}

/// Anywhere, at any speed.
inline void shake(dynamics::State& state, const dynamics::System& system, Random& random) {
  std::vector<double> move(state.v.size());
  for (double& x : move) x = random.uniform(-0.7, 0.7);
  multibody::integrate<double>(system.tree, state.q, move, 1, 1, state.q);
  for (double& x : state.v) x = random.gauss();
  for (double& x : state.ctrl) x = random.gauss();
}

}  // namespace trilith::test
