#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../multibody/random_tree.h"
#include "control/robot.h"
#include "support/random.h"

/// Robots and problems for tests of control: made here, no file is read.
namespace trilith::test {

/// A serial arm of `dofs` hinges (every fourth a slide), unlike from joint to joint.
inline multibody::TreeInput serial_arm(int dofs) {
  using multibody::LinkKind;
  const Mat3d turns[3] = {identity3<double>(), {{1, 0, 0, 0, 0, -1, 0, 1, 0}}, {{0, 0, 1, 0, 1, 0, -1, 0, 0}}};
  multibody::TreeInput input;
  for (int i = 0; i < dofs; ++i) {
    Inertiad inertia = box_inertia(4.0 / (1 + i), Vec3d{0.1, 0.12, 0.3});
    inertia.com = {0.01 * i, -0.02, 0.1};
    input.links.push_back({.parent = i - 1,
                           .kind = i % 4 == 3 ? LinkKind::slide : LinkKind::hinge,
                           .X_PJ = {turns[i % 3], {0.02, 0, i == 0 ? 0.3 : 0.2}},
                           .inertia = inertia});
  }
  input.bodies.push_back({dofs - 1, {identity3<double>(), {0, 0.05, 0.15}}});
  return input;
}

inline void add_limits(control::Robot& robot) {
  for (int i = 0; i < robot.dofs(); ++i) {
    robot.dof_names.push_back("j" + std::to_string(i));
    robot.position.lower.push_back(i == 1 ? -control::no_limit : -2.5), robot.position.upper.push_back(2.2);
    robot.velocity.lower.push_back(-5), robot.velocity.upper.push_back(6);
  }
  for (std::size_t i = 0; i < robot.input_names.size(); ++i) robot.effort.lower.push_back(-300), robot.effort.upper.push_back(250);
}

/// A robot with an input for every degree of freedom.
inline std::shared_ptr<control::Robot> robot_of(const multibody::TreeInput& input, bool fixed_base = true) {
  auto robot = std::make_shared<control::Robot>();
  robot->tree = multibody::make_tree(input);
  robot->end_effector = robot->tree.body(0);
  robot->gravity = {0, 0, -9.81};
  robot->fixed_base = fixed_base;
  for (int i = 0; i < robot->dofs(); ++i) robot->input_names.push_back("u" + std::to_string(i));
  add_limits(*robot);
  return robot;
}
inline std::shared_ptr<control::Robot> arm_of(int dofs) { return robot_of(serial_arm(dofs)); }

/// A free body with two hinges on it; only the hinges are driven.
inline std::shared_ptr<control::Robot> floating_robot() {
  multibody::TreeInput input;
  const int base = multibody::add_free_link(input, box_inertia(5.0, Vec3d{0.3, 0.2, 0.1}));
  for (int i = 0; i < 2; ++i) {
    Inertiad inertia = box_inertia(1.0, Vec3d{0.05, 0.05, 0.2});
    inertia.com = {0, 0.02, -0.1};
    input.links.push_back({.parent = i == 0 ? base : base + 1, .X_PJ = {identity3<double>(), {0.1, 0, -0.1}}, .inertia = inertia});
  }
  input.bodies.push_back({base + 2, {identity3<double>(), {0, 0, -0.2}}});
  auto robot = std::make_shared<control::Robot>();
  robot->tree = multibody::make_tree(input);
  robot->end_effector = robot->tree.body(0);
  robot->gravity = {0, 0, -1.62};
  robot->fixed_base = false;
  robot->input_names = {"a", "b"};
  robot->input_map.assign(8 * 2, 0);
  robot->input_map[6 * 2] = 1, robot->input_map[7 * 2 + 1] = 2;
  add_limits(*robot);
  return robot;
}

inline std::vector<double> uniform_numbers(Random& random, std::size_t count, double size) {
  std::vector<double> x(count);
  for (double& v : x) v = random.uniform(-size, size);
  return x;
}

}  // namespace trilith::test
