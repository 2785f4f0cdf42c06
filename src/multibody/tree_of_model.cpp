#include "multibody/tree_of_model.h"

#include "base/check.h"

namespace trilith::multibody {
namespace {

/// A rotation whose third column is the unit vector `z`: the smallest turn from the z axis, exact for the axes themselves.
Mat3d turn_to(const Vec3d& z) {
  if (z.z < 0) {
    // half a turn about x first: the formula below divides by 1 + z
    const Mat3d half = turn_to({z.x, -z.y, -z.z});
    const Mat3d flip = diagonal3(Vec3d{1, -1, -1});
    return flip * half;
  }
  const double share = 1 / (1 + z.z);
  const double xy = -z.x * z.y * share;
  return {{1 - z.x * z.x * share, xy, z.x,  //
           xy, 1 - z.y * z.y * share, z.y,  //
           -z.x, -z.y, z.z}};
}

/// The frame of a joint in its body's frame: the axis is z.
Posed joint_pose(const model::Joint& joint) {
  const bool has_axis = joint.kind == model::JointKind::hinge || joint.kind == model::JointKind::slide;
  return {has_axis ? turn_to(joint.axis) : identity3<double>(), joint.kind == model::JointKind::slide ? Vec3d{} : joint.anchor};
}

LinkKind kind_of(model::JointKind kind) {
  if (kind == model::JointKind::hinge) return LinkKind::hinge;
  return kind == model::JointKind::slide ? LinkKind::slide : LinkKind::ball;
}

/// Adds the link of one joint of a body whose frame, before that joint moves, is `frame`. Returns where the body's frame is now.
BodyFrame add_joint(TreeInput& input, const BodyFrame& frame, const model::Joint& joint) {
  if (joint.kind == model::JointKind::free) return {add_free_link(input, {}, joint.armature), identity_pose<double>()};
  const Posed X_BJ = joint_pose(joint);
  input.links.push_back({.parent = frame.link,
                         .kind = kind_of(joint.kind),
                         .X_PJ = frame.X_LB * X_BJ,
                         .reference = joint.reference,
                         .armature = joint.armature});
  return {static_cast<std::int32_t>(input.links.size()) - 1, inverse(X_BJ)};
}

}  // namespace

TreeInput tree_input_of(const model::Model& model) {
  TreeInput input;
  for (const model::Body& body : model.bodies) {
    BodyFrame frame;
    if (!input.bodies.empty()) {
      const BodyFrame& parent = input.bodies[static_cast<std::size_t>(body.parent)];
      frame = {parent.link, parent.X_LB * body.pose};
    }
    for (std::int32_t j = 0; j < body.joint_count; ++j)
      frame = add_joint(input, frame, model.joints[static_cast<std::size_t>(body.first_joint + j)]);
    input.bodies.push_back(frame);
    if (frame.link < 0) continue;
    Inertiad& inertia = input.links[static_cast<std::size_t>(frame.link)].inertia;
    const Inertiad placed = transform(frame.X_LB, body.inertia);
    inertia = body.joint_count > 0 ? placed : inertia + placed;
  }
  return input;
}

Tree make_tree(const model::Model& model) {
  const Tree tree = make_tree(tree_input_of(model));
  TRI_CHECK(tree.coordinates() == model.sizes.nq && tree.dofs() == model.sizes.nv);
  return tree;
}

}  // namespace trilith::multibody
