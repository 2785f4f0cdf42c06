#include "dynamics/terms.h"

#include "multibody/dynamics.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"

namespace trilith::dynamics {
namespace {

template <class Elements>
std::int32_t index_of(const Elements& elements, const std::string& name) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].name == name) return static_cast<std::int32_t>(i);
  return -1;
}

/// The frame on the link that carries its body.
multibody::BodyFrame on_link(const multibody::Tree& tree, const NamedFrame& frame) {
  const multibody::BodyFrame& body = tree.body(frame.body);
  return {body.link, body.X_LB * frame.X_BF};
}

FrameTerms measure_frame(const multibody::Tree& tree, const multibody::Workspace<double>& w, const NamedFrame& frame) {
  const multibody::BodyFrame place = on_link(tree, frame);
  const auto size = static_cast<std::size_t>(6 * tree.dofs());
  FrameTerms terms{frame, multibody::frame_pose(tree, w, place), std::vector<double>(size), std::vector<double>(size)};
  using multibody::JacobianPoint;
  using multibody::JacobianShape;
  multibody::write_jacobian<double>(tree, w, place, JacobianPoint::frame, JacobianShape::dense, terms.J_world_aligned);
  multibody::write_jacobian<double>(tree, w, place, JacobianPoint::world, JacobianShape::dense, terms.J_spatial);
  return terms;
}

/// Gravity in force.
Vec3d gravity_of(const model::Model& model) { return model.options.gravity_on ? model.options.gravity : Vec3d{0, 0, 0}; }

std::vector<double> or_zero(const std::vector<double>& x, std::size_t count) { return x.empty() ? std::vector<double>(count, 0.0) : x; }

bool measure_derivatives(const model::Model& model, const multibody::Tree& tree, const TermsQuestion& question,
                         multibody::Workspace<double>& w, Terms& terms) {
  const auto nv = static_cast<std::size_t>(tree.dofs());
  std::vector<double> scratch(nv);
  for (auto* matrix : {&terms.dtau_dq, &terms.dtau_dv, &terms.da_dq, &terms.da_dv, &terms.da_dtau}) matrix->resize(nv * nv);
  multibody::Motion<double> motion{.v = question.v, .a = question.a, .applied = {}, .gravity = gravity_of(model)};
  multibody::inverse_dynamics_derivatives<double>(tree, motion, w, scratch, terms.dtau_dq, terms.dtau_dv);
  motion.a = {};
  return multibody::forward_dynamics_derivatives<double>(tree, motion, or_zero(question.tau, nv), w,
                                                         {scratch, terms.da_dq, terms.da_dv, terms.da_dtau}) == 0;
}

}  // namespace

std::optional<NamedFrame> find_frame(const model::Model& model, const std::string& name) {
  if (const std::int32_t b = index_of(model.bodies, name); b >= 0) return NamedFrame{name, b, identity_pose<double>()};
  if (const std::int32_t j = index_of(model.joints, name); j >= 0) {
    const model::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    return NamedFrame{name, joint.body, {identity3<double>(), joint.anchor}};
  }
  if (const std::int32_t s = index_of(model.sites, name); s >= 0) {
    const model::Site& site = model.sites[static_cast<std::size_t>(s)];
    return NamedFrame{name, site.body, site.pose};
  }
  return std::nullopt;
}

std::vector<std::string_view> frame_names(const model::Model& model) {
  std::vector<std::string_view> names;
  for (const auto& body : model.bodies) names.push_back(body.name);
  for (const auto& joint : model.joints) names.push_back(joint.name);
  for (const auto& site : model.sites) names.push_back(site.name);
  return names;
}

std::vector<Posed> body_poses(const multibody::Tree& tree, const std::vector<double>& q) {
  multibody::Workspace<double> w(tree);
  multibody::update_kinematics<double>(tree, q, w);
  std::vector<Posed> poses;
  for (std::int32_t b = 0; b < tree.bodies(); ++b) poses.push_back(multibody::frame_pose(tree, w, tree.body(b)));
  return poses;
}

std::optional<Terms> measure_terms(const model::Model& model, const multibody::Tree& tree, const TermsQuestion& question) {
  const auto nv = static_cast<std::size_t>(tree.dofs());
  Terms terms;
  terms.X_WB = body_poses(tree, question.q);
  multibody::Workspace<double> w(tree);
  multibody::update_kinematics<double>(tree, question.q, w);
  multibody::update_velocities<double>(tree, question.v, w);
  multibody::update_mass_matrix<double>(tree, w);
  terms.M.resize(nv * nv);
  multibody::write_mass_matrix<double>(tree, w, terms.M);
  multibody::Motion<double> motion{.v = question.v, .a = {}, .applied = {}, .gravity = gravity_of(model)};
  terms.bias.resize(nv);
  multibody::inverse_dynamics<double>(tree, motion, w, terms.bias);
  motion.a = question.a;
  terms.tau.resize(nv);
  multibody::inverse_dynamics<double>(tree, motion, w, terms.tau);
  const multibody::Energy energy = multibody::measure_energy(tree, w, question.v, gravity_of(model));
  terms.kinetic = energy.kinetic;
  terms.potential = energy.potential;
  if (multibody::factor_mass_matrix<double>(tree, w) != 0) return std::nullopt;
  terms.free = or_zero(question.tau, nv);
  for (std::size_t k = 0; k < nv; ++k) terms.free[k] -= terms.bias[k];
  multibody::solve_mass_matrix<double>(tree, w, terms.free);
  for (const NamedFrame& frame : question.frames) terms.frames.push_back(measure_frame(tree, w, frame));
  if (question.derivatives && !measure_derivatives(model, tree, question, w, terms)) return std::nullopt;
  return terms;
}

}  // namespace trilith::dynamics
