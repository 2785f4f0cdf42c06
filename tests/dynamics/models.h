#pragma once
#include <cstdio>
#include <memory>

#include "dynamics/simulator.h"
#include "model/make_model.h"

/// Small models, written in code, for the tests of this folder.
namespace trilith::test {

/// A model under construction: bodies on joints, with inertias given outright.
class ModelSketch {
 public:
  ModelSketch() {
    input_.source = "sketch";
    input_.format = "mjcf";
    input_.bodies.emplace_back();
    input_.bodies[0].name = "world";
  }
  /// A body at `pose` in its parent; returns its index. Joints are added with `add_joint` before the next body.
  std::int32_t add_body(std::int32_t parent, const Posed& pose, const Inertiad& inertia) {
    model::Body body;
    body.name = "b" + std::to_string(input_.bodies.size());
    body.parent = parent;
    body.pose = pose;
    body.inertial = inertia;
    input_.bodies.push_back(body);
    return static_cast<std::int32_t>(input_.bodies.size()) - 1;
  }
  model::Joint& add_joint(model::JointKind kind, const Vec3d& axis = {0, 0, 1}, const Vec3d& anchor = {}) {
    model::Joint joint;
    joint.name = "j" + std::to_string(input_.joints.size());
    joint.body = static_cast<std::int32_t>(input_.bodies.size()) - 1;
    joint.kind = kind;
    joint.axis = axis;
    joint.anchor = anchor;
    input_.joints.push_back(joint);
    return input_.joints.back();
  }
  model::Site& add_site(const std::string& name, std::int32_t body, const Vec3d& p) {
    model::Site site;
    site.name = name;
    site.body = body;
    site.pose.p = p;
    input_.sites.push_back(site);
    return input_.sites.back();
  }
  model::ModelInput& input() { return input_; }
  model::SimulationOptions& options() { return input_.options; }

  std::shared_ptr<const model::Model> model() const {
    auto made = model::make_model(input_);
    if (!made)
      for (const Error& error : made.errors()) std::fprintf(stderr, "sketch: %s: %s\n", error.where.c_str(), error.what.c_str());
    return std::make_shared<const model::Model>(std::move(made).value());
  }
  std::shared_ptr<const dynamics::System> system() const {
    const auto made = model();
    return dynamics::make_system(made, made->options).value().system;
  }

 private:
  model::ModelInput input_;
};

/// A point mass of `mass` at the end of a light rod of `length` [m] that hangs from a hinge about y.
inline ModelSketch pendulum(double mass, double length) {
  ModelSketch sketch;
  sketch.add_body(0, identity_pose<double>(), {mass, {0, 0, -length}, 1e-9 * identity3<double>()});
  sketch.add_joint(model::JointKind::hinge, {0, 1, 0});
  return sketch;
}

/// A mass on a slide along x, with spring [N/m] and damper [N s/m]; no gravity.
inline ModelSketch oscillator(double mass, double stiffness, double damping) {
  ModelSketch sketch;
  sketch.options().gravity = {};
  sketch.add_body(0, identity_pose<double>(), {mass, {}, mass * 0.01 * identity3<double>()});
  model::Joint& joint = sketch.add_joint(model::JointKind::slide, {1, 0, 0});
  joint.stiffness = stiffness;
  joint.damping = damping;
  return sketch;
}

/// A free body with three different moments of inertia and its centre away from its frame's origin.
inline ModelSketch free_body() {
  ModelSketch sketch;
  const Mat3d inertia{{0.02, 0.001, -0.002, 0.001, 0.03, 0.0005, -0.002, 0.0005, 0.045}};
  sketch.add_body(0, {identity3<double>(), {0, 0, 1}}, {1.5, {0.05, -0.02, 0.03}, inertia});
  sketch.add_joint(model::JointKind::free);
  return sketch;
}

inline void run_steps(dynamics::Simulator& simulator, int steps) {
  for (int i = 0; i < steps; ++i)
    if (simulator.step().status != dynamics::StepStatus::done) return;
}

}  // namespace trilith::test
