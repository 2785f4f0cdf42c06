#include "control/robot.h"

#include <algorithm>

#include "multibody/tree_of_model.h"

namespace trilith::control {
namespace {

void add_bound(Box& box, double lower, double upper) { box.lower.push_back(lower), box.upper.push_back(upper); }

/// Limits of a joint, one pair per degree of freedom. Free bases and balls have no limit of position.
void add_joint(const model::Joint& joint, Robot& robot) {
  const bool single = joint.kind == model::JointKind::hinge || joint.kind == model::JointKind::slide;
  const bool has_range = single && joint.range.has_value();
  const double speed = joint.max_velocity.value_or(no_limit);
  for (std::int32_t i = 0; i < model::dofs_of(joint.kind); ++i) {
    robot.dof_names.push_back(single ? joint.name : joint.name + "[" + std::to_string(i) + "]");
    add_bound(robot.position, has_range ? joint.range->lower : -no_limit, has_range ? joint.range->upper : no_limit);
    add_bound(robot.velocity, -speed, speed);
  }
  if (!single) robot.fixed_base = false;
}

bool is_passive(const model::Joint& joint) { return joint.damping != 0 || joint.stiffness != 0 || joint.friction_loss != 0; }

/// Joint torques as inputs.
void use_joint_forces(const model::Model& model, Robot& robot) {
  for (const model::Joint& joint : model.joints) {
    if (joint.kind == model::JointKind::free) continue;
    const double effort = joint.max_effort.value_or(no_limit);
    for (std::int32_t i = 0; i < model::dofs_of(joint.kind); ++i) {
      robot.input_names.push_back(robot.dof_names[static_cast<std::size_t>(joint.v + i)]);
      add_bound(robot.effort, -effort, effort);
    }
  }
  const auto n = static_cast<std::size_t>(robot.dofs()), m = robot.input_names.size();
  if (m == n) return;
  robot.input_map.assign(n * m, 0);
  std::size_t column = 0;
  for (const model::Joint& joint : model.joints)
    for (std::int32_t i = 0; joint.kind != model::JointKind::free && i < model::dofs_of(joint.kind); ++i)
      robot.input_map[static_cast<std::size_t>(joint.v + i) * m + column++] = 1;
}

/// Motors on joints of one degree of freedom: force = gear times control.
void use_motors(const model::Model& model, Robot& robot, std::vector<Error>& errors) {
  const auto n = static_cast<std::size_t>(robot.dofs()), m = model.actuators.size();
  robot.input_map.assign(n * m, 0);
  for (std::size_t i = 0; i < m; ++i) {
    const model::Actuator& motor = model.actuators[i];
    const bool plain = motor.transmission == model::Transmission::joint && motor.activation == model::Activation::none &&
                       motor.gain == model::GainKind::fixed && motor.bias == model::BiasKind::none && motor.target.index >= 0;
    robot.input_names.push_back(motor.name);
    add_bound(robot.effort, motor.control_range ? motor.control_range->lower : -no_limit,
              motor.control_range ? motor.control_range->upper : no_limit);
    if (!plain || model::dofs_of(model.joints[static_cast<std::size_t>(motor.target.index)].kind) != 1) {
      errors.push_back({"a plan needs motors on hinges and slides; actuator '" + motor.name + "' is another kind", motor.where});
      continue;
    }
    const auto dof = static_cast<std::size_t>(model.joints[static_cast<std::size_t>(motor.target.index)].v);
    robot.input_map[dof * m + i] = motor.gear[0] * motor.gain_parameters[0];
  }
}

}  // namespace

Result<Robot> make_robot(const model::Model& model, const EndEffector& end_effector) {
  Robot robot;
  robot.tree = multibody::make_tree(model);
  std::vector<Error> errors;
  if (robot.dofs() == 0) return Error{"has no joint that moves: there is nothing to plan", model.source};
  robot.gravity = model.options.gravity;
  const multibody::BodyFrame& body = robot.tree.body(end_effector.body);
  robot.end_effector = {body.link, body.X_LB * end_effector.X_BF};
  std::string passive;
  for (const model::Joint& joint : model.joints) {
    add_joint(joint, robot);
    if (is_passive(joint)) passive += (passive.empty() ? "" : ", ") + joint.name;
  }
  if (!passive.empty())
    robot.warnings.push_back({"springs, damping and friction of joints are left out of plans: " + passive, model.source});
  if (!model.equalities.empty())
    robot.warnings.push_back({"plans leave out the model's " + std::to_string(model.equalities.size()) +
                                  " equalities (joints that follow others, welds, loops): the joints move freely",
                              model.source});
  if (model.actuators.empty())
    use_joint_forces(model, robot);
  else
    use_motors(model, robot, errors);
  if (!errors.empty()) return errors;
  return robot;
}

}  // namespace trilith::control
