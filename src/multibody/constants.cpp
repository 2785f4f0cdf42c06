#include "multibody/constants.h"

#include "base/check.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"

namespace trilith::multibody {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// j M^-1 j' for a row j whose entries belong to the degrees of freedom of one link (`dofs`): with M = L' D L and L' y = j it is the sum of
/// y^2 / D, and y stays within the chain. `y` comes in as j and is overwritten.
double inverse_quadratic(const Tree& tree, const WorkspaceView<double>& w, std::span<const std::int32_t> dofs, std::span<double> y) {
  double sum = 0;
  for (std::size_t e = dofs.size(); e-- > 0;) {
    // row of this degree of freedom: its ancestors are the chain before it
    const double* const L = w.factor + tree.row_start(dofs[e]);
    for (std::size_t c = 0; c < e; ++c) y[c] -= L[c] * y[e];
    sum += y[e] * y[e] * w.inverse_pivot[dofs[e]];
  }
  return sum;
}

/// Replaces `count` numbers from `first` on by their mean.
void average(std::vector<double>& x, std::int32_t first, std::int32_t count) {
  double sum = 0;
  for (std::int32_t k = first; k < first + count; ++k) sum += x[at(k)];
  for (std::int32_t k = first; k < first + count; ++k) x[at(k)] = sum / count;
}

void fill_dofs(const model::Model& model, const Tree& tree, const Workspace<double>& w, InverseWeights& weights) {
  std::vector<double> y;
  for (std::int32_t k = 0; k < tree.dofs(); ++k) {
    const std::span<const std::int32_t> dofs = tree.row(k);
    y.assign(dofs.size(), 0.0);
    y.back() = 1;
    weights.dof[at(k)] = inverse_quadratic(tree, w.view(), dofs, y);
  }
  for (const model::Joint& joint : model.joints) {
    if (joint.kind == model::JointKind::ball || joint.kind == model::JointKind::free) average(weights.dof, joint.v, 3);
    if (joint.kind == model::JointKind::free) average(weights.dof, joint.v + 3, 3);
  }
}

bool has_joints(const model::Model& model, std::int32_t body) { return model.bodies[at(body)].joint_count > 0; }

/// Axis-aligned: one component.
bool along_an_axis(const Vec3d& a) { return (a.x != 0) + (a.y != 0) + (a.z != 0) == 1; }

/// A body on the world (or on a fixed body there) without children, whose frame is its inertial frame, and whose joints are all slides
/// along axes of that frame.
bool only_slides(const model::Model& model, std::int32_t b, bool has_children) {
  const model::Body& body = model.bodies[at(b)];
  const bool on_world = body.parent == 0 || (model.bodies[at(body.parent)].parent == 0 && !has_joints(model, body.parent));
  const double* I = body.inertia.about_com.m;
  const bool same_frame = norm(body.inertia.com) == 0 && I[1] == 0 && I[2] == 0 && I[5] == 0;
  if (has_children || !on_world || !same_frame || body.joint_count == 0) return false;
  for (std::int32_t j = 0; j < body.joint_count; ++j) {
    const model::Joint& joint = model.joints[at(body.first_joint + j)];
    if (joint.kind != model::JointKind::slide || norm(joint.anchor) != 0 || !along_an_axis(joint.axis)) return false;
  }
  return true;
}

void fill_body(const model::Model& model, const Tree& tree, const Workspace<double>& w, std::int32_t b, InverseWeights& weights) {
  const BodyFrame& frame = tree.body(b);
  const std::span<const std::int32_t> dofs = tree.dofs_of(frame.link);
  const Vec3d com = transform_point(frame_pose(tree, w, frame), model.bodies[at(b)].inertia.com);
  std::vector<double> J(6 * dofs.size());
  write_point_jacobian(tree, w, frame.link, com, J);
  double sums[2] = {0, 0};
  for (std::size_t row = 0; row < 6; ++row)
    sums[row / 3] += inverse_quadratic(tree, w.view(), dofs, std::span<double>(J).subspan(row * dofs.size(), dofs.size()));
  weights.body_translation[at(b)] = sums[0] / 3;
  weights.body_rotation[at(b)] = sums[1] / 3;
}

}  // namespace

InverseWeights make_inverse_weights(const model::Model& model, const Tree& tree) {
  TRI_CHECK(model.bodies.size() == at(tree.bodies()) && model.qpos0.size() == at(tree.coordinates()));
  InverseWeights weights{std::vector<double>(at(tree.dofs()), 0.0), std::vector<double>(model.bodies.size(), 0.0),
                         std::vector<double>(model.bodies.size(), 0.0), 1, true};
  Workspace<double> w(tree);
  update_kinematics<double>(tree, model.qpos0, w);
  update_mass_matrix(tree, w);
  weights.positive = factor_mass_matrix(tree, w) == 0;
  double diagonal = 0;
  for (std::int32_t k = 0; k < tree.dofs(); ++k) diagonal += w.view().mass_matrix[tree.row_start(k + 1) - 1];
  if (tree.dofs() > 0) weights.mean_inertia = diagonal / tree.dofs();
  if (!weights.positive) return weights;

  fill_dofs(model, tree, w, weights);
  std::vector<char> has_children(model.bodies.size(), 0);
  for (std::size_t b = 1; b < model.bodies.size(); ++b) has_children[at(model.bodies[b].parent)] = 1;
  for (std::int32_t b = 1; b < tree.bodies(); ++b) {
    if (tree.body(b).link < 0) continue;
    if (only_slides(model, b, has_children[at(b)] != 0))
      weights.body_translation[at(b)] = 1 / model.bodies[at(b)].inertia.mass;
    else
      fill_body(model, tree, w, b, weights);
  }
  return weights;
}

}  // namespace trilith::multibody
