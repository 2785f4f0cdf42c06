// Friction losses and limits (SOFT-6, SOFT-7).
#include "constraints/joint_rows.h"

#include "spatial/quaternion.h"

namespace trilith::constraints {
namespace {

void add_tendon(const SoftScene& scene, std::int32_t tendon, double sign, SoftRows& rows) noexcept {
  const auto columns = scene.tendons.pattern().columns(tendon);
  const auto values = scene.tendons.pattern().of_row(scene.tendon_jacobian, tendon);
  for (std::size_t e = 0; e < columns.size(); ++e) rows.add(columns[e], sign * values[e]);
}

/// A row whose own entries have been added: the impedance is that at its distance from the margin.
void finish(const SoftScene& scene, SoftRow row, const SoftLaw& law, double inverse_weight, SoftRows& rows) noexcept {
  const double distance = row.position - row.margin;
  row.impedance = impedance(law, distance < 0 ? -distance : distance);
  rows.finish_row(row, law, regularization(row.impedance, inverse_weight), 0, scene.v);
}

void add_joint_losses(const SoftScene& scene, SoftRows& rows) noexcept {
  for (std::size_t j = 0; j < scene.model.joints.size(); ++j) {
    const model::Joint& joint = scene.model.joints[j];
    if (!(joint.friction_loss > 0)) continue;
    const SoftLaw law = without_spring(make_soft_law(joint.friction_law, scene.laws));
    for (std::int32_t k = joint.v; k < joint.v + dofs_of(joint.kind); ++k) {
      if (!rows.has_room(1)) continue;
      rows.add(k, 1);
      finish(scene, {.kind = SoftRowKind::joint_friction, .element = static_cast<std::int32_t>(j)}, law,
             scene.weights.dof[static_cast<std::size_t>(k)], rows);
    }
    rows.close_box(-joint.friction_loss, joint.friction_loss);
  }
}

void add_tendon_losses(const SoftScene& scene, SoftRows& rows) noexcept {
  for (std::size_t t = 0; t < scene.model.tendons.size(); ++t) {
    const model::Tendon& tendon = scene.model.tendons[t];
    const auto index = static_cast<std::int32_t>(t);
    if (!(tendon.friction_loss > 0) || !rows.has_room(1)) continue;
    add_tendon(scene, index, 1, rows);
    finish(scene, {.kind = SoftRowKind::tendon_friction, .element = index}, without_spring(make_soft_law(tendon.friction_law, scene.laws)),
           scene.tendon_weight[t], rows);
    rows.close_box(-tendon.friction_loss, tendon.friction_loss);
  }
}

/// The angle of a ball joint against the larger end of its range.
void add_ball_limit(const SoftScene& scene, std::int32_t index, const SoftLaw& law, SoftRows& rows) noexcept {
  const model::Joint& joint = scene.model.joints[static_cast<std::size_t>(index)];
  const double* q = scene.q.data() + joint.q;
  const Vec3d turn = log_rotation(normalized(Quaterniond{q[0], q[1], q[2], q[3]}));
  const double angle = norm(turn), distance = max(joint.range->lower, joint.range->upper) - angle;
  if (!(distance < joint.margin) || !rows.has_room(1)) return;
  const Vec3d axis = unit(turn);
  rows.add(joint.v, -axis.x);
  rows.add(joint.v + 1, -axis.y);
  rows.add(joint.v + 2, -axis.z);
  finish(scene, {.kind = SoftRowKind::joint_limit, .element = index, .position = distance, .margin = joint.margin}, law,
         scene.weights.dof[static_cast<std::size_t>(joint.v)], rows);
}

void add_joint_limits(const SoftScene& scene, SoftRows& rows) noexcept {
  for (std::size_t j = 0; j < scene.model.joints.size(); ++j) {
    const model::Joint& joint = scene.model.joints[j];
    if (!joint.range || joint.kind == model::JointKind::free) continue;
    const auto index = static_cast<std::int32_t>(j);
    const SoftLaw law = make_soft_law(joint.limit_law, scene.laws);
    if (joint.kind == model::JointKind::ball) {
      add_ball_limit(scene, index, law, rows);
      continue;
    }
    const double q = scene.q[static_cast<std::size_t>(joint.q)];
    for (const double side : {1.0, -1.0}) {
      const double distance = side > 0 ? q - joint.range->lower : joint.range->upper - q;
      if (!(distance < joint.margin) || !rows.has_room(1)) continue;
      rows.add(joint.v, side);
      finish(scene, {.kind = SoftRowKind::joint_limit, .element = index, .position = distance, .margin = joint.margin}, law,
             scene.weights.dof[static_cast<std::size_t>(joint.v)], rows);
    }
  }
  rows.close_nonnegative();
}

void add_tendon_limits(const SoftScene& scene, SoftRows& rows) noexcept {
  for (std::size_t t = 0; t < scene.model.tendons.size(); ++t) {
    const model::Tendon& tendon = scene.model.tendons[t];
    if (!tendon.range) continue;
    const auto index = static_cast<std::int32_t>(t);
    const SoftLaw law = make_soft_law(tendon.limit_law, scene.laws);
    for (const double side : {1.0, -1.0}) {
      const double length = scene.tendon_length[t];
      const double distance = side > 0 ? length - tendon.range->lower : tendon.range->upper - length;
      if (!(distance < tendon.margin) || !rows.has_room(1)) continue;
      add_tendon(scene, index, side, rows);
      finish(scene, {.kind = SoftRowKind::tendon_limit, .element = index, .position = distance, .margin = tendon.margin}, law,
             scene.tendon_weight[t], rows);
    }
  }
  rows.close_nonnegative();
}

}  // namespace

void add_loss_rows(const SoftScene& scene, SoftRows& rows) noexcept {
  add_joint_losses(scene, rows);
  add_tendon_losses(scene, rows);
}

void add_limit_rows(const SoftScene& scene, SoftRows& rows) noexcept {
  add_joint_limits(scene, rows);
  add_tendon_limits(scene, rows);
}

}  // namespace trilith::constraints
