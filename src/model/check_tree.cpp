#include <algorithm>

#include "base/text.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"
#include "spatial/pose.h"

namespace trilith::model {
namespace {

/// Is every parent the body before or one of its ancestors (depth first)?
bool check_order(Making& making) {
  const auto& bodies = making.model.bodies;
  if (bodies.empty()) {
    making.findings.refuse("there are no bodies, not even the world", making.model.source);
    return false;
  }
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(bodies.size()); ++i) {
    std::int32_t above = i - 1;
    const std::int32_t parent = bodies[i].parent;
    while (parent >= 0 && above > parent) above = bodies[above].parent;
    if (above == parent) continue;
    making.findings.refuse(label(making.body_kind(), bodies[i].name) +
                               " stands before its parent, or apart from it: bodies must be listed "
                               "depth first",
                           bodies[i].where);
    return false;
  }
  return true;
}

template <class Elements>
bool check_grouping(const Elements& elements, std::string_view kind, Making& making) {
  std::int32_t last = 0;
  for (const auto& element : elements) {
    if (element.body < last || element.body >= static_cast<std::int32_t>(making.model.bodies.size())) {
      making.findings.refuse(label(kind, element.name) + " is not listed in the order of its body", element.where);
      return false;
    }
    last = element.body;
  }
  return true;
}

void place_body(std::int32_t i, Making& making) {
  Model& model = making.model;
  Body& body = model.bodies[i];
  const bool moves = body.joint_count > 0;
  body.root = body.parent == 0 ? i : model.bodies[body.parent].root;
  body.weld = moves || body.mocap ? i : model.bodies[body.parent].weld;
  const std::string name = label(making.body_kind(), body.name);
  check_finite(body.pose.p, "position of " + name, body.where, making);
  for (const double x : body.pose.R.m)
    if (!is_finite(x)) return making.findings.refuse("orientation of " + name + " is not finite", body.where);
  if (!is_finite(body.gravity_compensation)) making.findings.refuse("gravcomp of " + name + " must be finite", body.where);
  if (!body.mocap) return;
  if (moves || body.parent != 0) making.findings.refuse("mocap " + name + " must be a child of the world without joints", body.where);
  body.mocap_index = model.sizes.nmocap++;
}

void check_kind(const Joint& joint, Making& making) {
  const std::string name = label("joint", joint.name);
  const Body& body = making.model.bodies[joint.body];
  const std::string owner = label(making.body_kind(), body.name);
  if (joint.body == 0) return making.findings.refuse(name + ": the world cannot move", joint.where);
  if (joint.kind == JointKind::free && body.parent != 0)
    making.findings.refuse(name + " is free: " + owner + " must be a child of the world", joint.where);
  if (joint.kind == JointKind::free && body.joint_count > 1)
    making.findings.refuse(name + " is free: it must be the only joint of " + owner, joint.where);
}

/// Axis made unit; anchor finite.
void check_axis(Joint& joint, Making& making) {
  const std::string name = label("joint", joint.name);
  if (joint.kind == JointKind::free) joint.anchor = {0, 0, 0};
  if (joint.kind == JointKind::free || joint.kind == JointKind::ball) joint.axis = {0, 0, 1};
  if (!check_finite(joint.axis, "axis of " + name, joint.where, making)) return;
  check_finite(joint.anchor, "position of " + name, joint.where, making);
  const double length = norm(joint.axis);
  if (!(length > making.limits.unit_axis)) return making.findings.refuse("the axis of " + name + " has no length", joint.where);
  joint.axis = (1 / length) * joint.axis;
}

void check_joint_range(Joint& joint, Making& making) {
  const std::string name = label("joint", joint.name);
  if (joint.range && joint.kind == JointKind::free) {
    making.findings.warn(name + " is free: its range is ignored", joint.where);
    joint.range.reset();
  }
  if (joint.range && joint.kind == JointKind::ball && joint.range->lower != 0)
    making.findings.refuse("the range of the ball " + name + " must begin at 0, got " + format_double(joint.range->lower), joint.where);
  if (joint.range) check_range(*joint.range, "the range of " + name, joint.where, making);
  if (joint.force_range && dofs_of(joint.kind) > 1) {
    making.findings.warn(name + ": a range of actuator forces is for hinges and slides only, ignored", joint.where);
    joint.force_range.reset();
  }
  if (joint.force_range) check_range(*joint.force_range, "the range of actuator forces of " + name, joint.where, making);
}

void check_joint_numbers(const Joint& joint, Making& making) {
  const std::string name = label("joint", joint.name);
  for (const auto& [value, what] : {std::pair{joint.reference, "reference"},
                                    {joint.spring_reference, "spring reference"},
                                    {joint.stiffness, "stiffness"},
                                    {joint.damping, "damping"},
                                    {joint.margin, "margin"}})
    if (!is_finite(value)) making.findings.refuse(std::string(what) + " of " + name + " must be finite", joint.where);
  for (const auto& [value, what] : {std::pair{joint.stiffness, "stiffness"}, {joint.damping, "damping"}})
    if (value < 0) making.findings.warn(std::string(what) + " of " + name + " is negative: it feeds energy", joint.where);
  for (const auto& [value, what] : {std::pair{joint.armature, "armature"},
                                    {joint.friction_loss, "friction loss"},
                                    {joint.max_velocity.value_or(0), "largest velocity"},
                                    {joint.max_effort.value_or(0), "largest effort"}})
    if (!(value >= 0 && is_finite(value)))
      making.findings.refuse(std::string(what) + " of " + name + " must be a number >= 0, got " + format_double(value), joint.where);
  for (const double x : joint.spring_damper.value_or(std::array<double, 2>{1, 1}))
    if (!(x > 0 && is_finite(x))) making.findings.refuse("springdamper of " + name + " must be two numbers above 0", joint.where);
  check_softness(joint.limit_law, "limits of " + name, joint.where, making);
  check_softness(joint.friction_law, "friction of " + name, joint.where, making);
}

void check_freedoms(const Body& body, Making& making) {
  int count = 0;
  bool ball = false;
  for (std::int32_t j = body.first_joint; j < body.first_joint + body.joint_count; ++j) {
    const Joint& joint = making.model.joints[j];
    count += dofs_of(joint.kind);
    if (ball && joint.kind != JointKind::slide)
      making.findings.refuse(label("joint", joint.name) + " turns after a ball joint of the same " + std::string(making.body_kind()),
                             joint.where);
    ball = ball || joint.kind == JointKind::ball;
  }
  if (count > 6)
    making.findings.refuse(label(making.body_kind(), body.name) + " has " + std::to_string(count) + " degrees of freedom: at most 6",
                           body.where);
}

/// Every degree of freedom has an entry of the mass matrix for each one on its way to the world: a long chain has as many as its square.
void check_depth(Making& making) {
  const auto& bodies = making.model.bodies;
  std::vector<std::int64_t> depth(bodies.size(), 0);  // degrees of freedom on the way to the world
  std::int64_t entries = 0, deepest = 0;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const std::int64_t above = depth[bodies[i].parent], own = bodies[i].v_count;
    depth[i] = above + own;
    entries += own * above + own * (own + 1) / 2;
    deepest = std::max(deepest, depth[i]);
  }
  if (entries > making.limits.most_mass_entries)
    making.findings.refuse("the mass matrix has " + std::to_string(entries) + " entries, beyond the limit of " +
                               std::to_string(making.limits.most_mass_entries) + ": the longest chain of joints has " +
                               std::to_string(deepest) + " degrees of freedom",
                           making.model.source);
}

/// Its coordinates in the pose of the file.
void lay_out(Joint& joint, Making& making) {
  Model& model = making.model;
  joint.q = static_cast<std::int32_t>(model.qpos0.size());
  joint.v = model.sizes.nv;
  model.sizes.nv += dofs_of(joint.kind);
  auto& q = model.qpos0;
  const Posed& pose = model.bodies[joint.body].pose;
  if (joint.kind == JointKind::free) q.insert(q.end(), {pose.p.x, pose.p.y, pose.p.z});
  if (joint.kind == JointKind::free || joint.kind == JointKind::ball) {
    const Quaterniond turn = joint.kind == JointKind::free ? from_matrix(pose.R) : identity_quaternion<double>();
    q.insert(q.end(), {turn.w, turn.x, turn.y, turn.z});
  } else {
    q.push_back(joint.reference);
  }
}

}  // namespace

bool check_bodies(Making& making) {
  Model& model = making.model;
  if (!check_order(making) || !check_grouping(model.joints, "joint", making) || !check_grouping(model.geoms, "geom", making) ||
      !check_grouping(model.sites, "site", making))
    return false;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    Body& body = model.bodies[model.joints[j].body];
    if (body.joint_count++ == 0) body.first_joint = static_cast<std::int32_t>(j);
  }
  model.bodies[0].root = model.bodies[0].weld = 0;
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(model.bodies.size()); ++i) place_body(i, making);
  return true;
}

void check_joints(Making& making) {
  Model& model = making.model;
  for (Joint& joint : model.joints) {
    check_kind(joint, making);
    check_axis(joint, making);
    check_joint_range(joint, making);
    check_joint_numbers(joint, making);
    lay_out(joint, making);
    Body& body = model.bodies[joint.body];
    if (body.first_v < 0) body.first_v = joint.v;
    body.v_count = model.sizes.nv - body.first_v;
  }
  for (const Body& body : model.bodies) check_freedoms(body, making);
  check_depth(making);
  model.sizes.nq = static_cast<std::int32_t>(model.qpos0.size());
  model.spring_qpos = model.qpos0;
  for (const Joint& joint : model.joints)
    if (dofs_of(joint.kind) == 1) model.spring_qpos[joint.q] = joint.spring_reference;
}

}  // namespace trilith::model
