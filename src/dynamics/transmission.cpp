// Implements (DYN-10).
#include "dynamics/transmission.h"

#include <algorithm>

namespace trilith::dynamics {
namespace {

using model::Actuator;
using model::JointKind;
using model::Transmission;
using multibody::angular_column;
using multibody::from_origin;
using multibody::own_dofs;
using multibody::point_column;
using multibody::TreeMotion;

constexpr double two_pi = 6.283185307179586;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

Vec3d linear_gear(const Actuator& a) { return {a.gear[0], a.gear[1], a.gear[2]}; }
Vec3d angular_gear(const Actuator& a) { return {a.gear[3], a.gear[4], a.gear[5]}; }
bool is_zero(const Vec3d& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

Quaterniond quaternion_at(std::span<const double> q, std::size_t i) { return normalized(Quaterniond{q[i], q[i + 1], q[i + 2], q[i + 3]}); }

void write3(const Vec3d& a, std::span<double> scratch, std::int32_t first) {
  scratch[at(first)] = a.x, scratch[at(first + 1)] = a.y, scratch[at(first + 2)] = a.z;
}

/// A force through p_W and a moment, in world axes, on `link` where `dofs` move it.
struct Push {
  std::int32_t link;
  std::span<const std::int32_t> dofs;
  Vec3d p_W, force, moment;
};

/// Adds sign times the power of `push` at unit rate of each of its degrees of freedom.
void add_power(const TreeMotion& motion, const Push& push, double sign, std::span<double> scratch) {
  if (push.link < 0) return;
  const Vec3d p_OP = from_origin(motion, push.link, push.p_W);
  for (const std::int32_t k : push.dofs)
    scratch[at(k)] += sign * (dot(push.force, point_column(motion, k, p_OP)) + dot(push.moment, angular_column(motion, k)));
}

}  // namespace

Transmissions::Transmissions(const model::Model& model, const multibody::Tree& tree, const multibody::Tendons& tendons)
    : model_(&model), tree_(&tree), tendons_(&tendons) {
  for (const Actuator& actuator : model.actuators) {
    add_pattern(actuator);
    period_.push_back(setpoint_period_of(actuator));
  }
}

void Transmissions::add_pattern(const Actuator& actuator) {
  std::vector<std::int32_t> dofs;
  switch (actuator.transmission) {
    case Transmission::joint:
    case Transmission::joint_in_parent: {
      const model::Joint& joint = model_->joints[at(actuator.target.index)];
      for (std::int32_t k = 0; k < dofs_of(joint.kind); ++k) dofs.push_back(joint.v + k);
      break;
    }
    case Transmission::tendon: {
      const auto columns = tendons_->pattern().columns(actuator.target.index);
      dofs.assign(columns.begin(), columns.end());
      break;
    }
    case Transmission::site:
    case Transmission::slider_crank: {
      const std::int32_t a = link_of_site(actuator.target.index);
      const std::int32_t b = actuator.second_site.index >= 0 ? link_of_site(actuator.second_site.index) : -1;
      for (const std::int32_t k : own_dofs(*tree_, a, b)) dofs.push_back(k);
      for (const std::int32_t k : own_dofs(*tree_, b, a)) dofs.push_back(k);
      std::ranges::sort(dofs);
      break;
    }
    case Transmission::body:
      break;  // pulls at contacts only
  }
  pattern_.add_row(dofs);
}

double Transmissions::setpoint_period_of(const Actuator& a) const {
  const bool servo = a.gain == model::GainKind::fixed && a.bias == model::BiasKind::affine &&
                     a.gain_parameters[0] == -a.bias_parameters[1] &&
                     (a.activation == model::Activation::none || a.activation == model::Activation::integrator);
  if (!servo) return 0;
  if (a.transmission == Transmission::site && a.second_site.index >= 0 && is_zero(linear_gear(a))) return two_pi * norm(angular_gear(a));
  const bool on_joint = a.transmission == Transmission::joint || a.transmission == Transmission::joint_in_parent;
  if (on_joint && model_->joints[at(a.target.index)].kind == JointKind::ball) return two_pi * norm(linear_gear(a));
  return 0;
}

Posed Transmissions::site_pose(std::int32_t site, std::span<const Posed> X_WB) const noexcept {
  const model::Site& s = model_->sites[at(site)];
  return X_WB[at(s.body)] * s.pose;
}
std::int32_t Transmissions::link_of_site(std::int32_t site) const noexcept { return tree_->body(model_->sites[at(site)].body).link; }

double Transmissions::update_joint(const Actuator& a, std::span<const double> q, std::span<double> scratch) const noexcept {
  const model::Joint& joint = model_->joints[at(a.target.index)];
  const bool in_parent = a.transmission == Transmission::joint_in_parent;
  if (joint.kind == JointKind::hinge || joint.kind == JointKind::slide) {
    scratch[at(joint.v)] = a.gear[0];
    return a.gear[0] * q[at(joint.q)];
  }
  if (joint.kind == JointKind::ball) {
    const Quaterniond turn = quaternion_at(q, at(joint.q));
    const Vec3d gear = in_parent ? rotate(conjugate(turn), linear_gear(a)) : linear_gear(a);
    write3(gear, scratch, joint.v);
    return dot(log_rotation(turn), gear);
  }
  const Vec3d gear = in_parent ? rotate(conjugate(quaternion_at(q, at(joint.q) + 3)), angular_gear(a)) : angular_gear(a);
  write3(linear_gear(a), scratch, joint.v);
  write3(gear, scratch, joint.v + 3);
  return 0;  // six directions have no one length
}

double Transmissions::update_site(const Actuator& a, const Inputs& in, std::span<double> scratch) const noexcept {
  const Posed X = site_pose(a.target.index, in.X_WB);
  const std::int32_t link = link_of_site(a.target.index);
  add_power(in.motion, {link, tree_->dofs_of(link), X.p, X.R * linear_gear(a), X.R * angular_gear(a)}, 1, scratch);
  return 0;
}

double Transmissions::update_site_pair(const Actuator& a, const Inputs& in, std::span<double> scratch) const noexcept {
  const Posed X = site_pose(a.target.index, in.X_WB), X_ref = site_pose(a.second_site.index, in.X_WB);
  const std::int32_t link = link_of_site(a.target.index), ref_link = link_of_site(a.second_site.index);
  const Vec3d force = X_ref.R * linear_gear(a), moment = X_ref.R * angular_gear(a);
  // what carries both sites does no work; Deviates from the derivative of the length: the turning of the reference axes is left out
  add_power(in.motion, {link, own_dofs(*tree_, link, ref_link), X.p, force, moment}, 1, scratch);
  add_power(in.motion, {ref_link, own_dofs(*tree_, ref_link, link), X_ref.p, force, moment}, -1, scratch);
  double length = dot(transpose_times(X_ref.R, X.p - X_ref.p), linear_gear(a));
  if (!is_zero(angular_gear(a))) length += dot(log_rotation(conjugate(from_matrix(X_ref.R)) * from_matrix(X.R)), angular_gear(a));
  return length;
}

double Transmissions::update_slider_crank(const Actuator& a, const Inputs& in, std::span<double> scratch) const noexcept {
  const Posed X = site_pose(a.target.index, in.X_WB), X_slider = site_pose(a.second_site.index, in.X_WB);
  const std::int32_t link = link_of_site(a.target.index), slider_link = link_of_site(a.second_site.index);
  const Vec3d axis = column(X_slider.R, 2), arm = X.p - X_slider.p;
  const double along = dot(arm, axis), rod = a.crank_length;
  const double square = along * along + rod * rod - dot(arm, arm);
  double length = along;
  Vec3d by_arm = axis, by_axis = arm;
  if (square > 0) {
    const double root = trilith::sqrt(square), share = 1 - along / root;
    length = along - root;
    by_arm = share * axis + (1 / root) * arm;
    by_axis = share * arm;
  }
  // d axis / dt = w x axis, so the derivative by the axis acts as a moment axis x by_axis on the slider
  const double gear = a.gear[0];
  add_power(in.motion, {link, own_dofs(*tree_, link, slider_link), X.p, gear * by_arm, {}}, 1, scratch);
  const std::span<const std::int32_t> slider_dofs = own_dofs(*tree_, slider_link, link);
  add_power(in.motion, {slider_link, slider_dofs, X_slider.p, gear * by_arm, {}}, -1, scratch);
  add_power(in.motion, {slider_link, slider_dofs, X_slider.p, {}, gear * cross(axis, by_axis)}, 1, scratch);
  return gear * length;
}

void Transmissions::update(const Inputs& in, std::span<double> lengths, std::span<double> values,
                           std::span<double> scratch) const noexcept {
  for (std::int32_t i = 0; i < pattern_.rows(); ++i) {
    const Actuator& a = model_->actuators[at(i)];
    const std::span<double> row = pattern_.of_row(values, i);
    if (a.transmission == Transmission::tendon) {
      const std::span<const double> tendon = tendons_->pattern().of_row(in.tendon_values, a.target.index);
      for (std::size_t e = 0; e < row.size(); ++e) row[e] = a.gear[0] * tendon[e];
      lengths[at(i)] = a.gear[0] * in.tendon_length[at(a.target.index)];
      continue;
    }
    double length = 0;
    switch (a.transmission) {
      case Transmission::joint:
      case Transmission::joint_in_parent:
        length = update_joint(a, in.q, scratch);
        break;
      case Transmission::site:
        length = a.second_site.index < 0 ? update_site(a, in, scratch) : update_site_pair(a, in, scratch);
        break;
      case Transmission::slider_crank:
        length = update_slider_crank(a, in, scratch);
        break;
      case Transmission::tendon:
      case Transmission::body:
        break;
    }
    lengths[at(i)] = length;
    const std::span<const std::int32_t> columns = pattern_.columns(i);
    for (std::size_t e = 0; e < row.size(); ++e) {
      row[e] = scratch[at(columns[e])];
      scratch[at(columns[e])] = 0;
    }
  }
}

}  // namespace trilith::dynamics
