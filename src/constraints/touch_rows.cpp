// Rows of contacts (SOFT-8, SOFT-9).
#include "constraints/touch_rows.h"

#include <algorithm>

namespace trilith::constraints {
namespace {

std::int32_t body_of(const SoftScene& scene, std::int32_t geom) { return scene.model.geoms[static_cast<std::size_t>(geom)].body; }

/// Both bodies' inverse weights against translation.
double inverse_weight(const SoftScene& scene, const Touch& touch) {
  const auto& weights = scene.weights.body_translation;
  return weights[static_cast<std::size_t>(body_of(scene, touch.a))] + weights[static_cast<std::size_t>(body_of(scene, touch.b))];
}

}  // namespace

std::size_t rows_of_touch(std::int32_t condim, model::FrictionCone cone) noexcept {
  if (condim == 1) return 1;
  return static_cast<std::size_t>(cone == model::FrictionCone::elliptic ? condim : 2 * (condim - 1));
}

TouchRows::TouchRows(std::int32_t dofs) {
  dofs_.resize(static_cast<std::size_t>(dofs));
  for (auto& row : jacobian_) row.resize(static_cast<std::size_t>(dofs));
}

void TouchRows::add(const SoftScene& scene, std::span<Touch> touches, SoftRows& rows) noexcept {
  model::Softness softness;
  SoftLaw law = make_soft_law(softness, scene.laws);  // of the last touch: most have the same
  for (Touch& touch : touches) {
    touch.first_row = -1;
    if (!(touch.distance < touch.margin) || !rows.has_room(rows_of_touch(touch.condim, scene.cone))) continue;
    update_jacobian(scene, touch);
    if (count_ == 0) continue;
    touch.first_row = static_cast<std::int32_t>(rows.rows());
    if (touch.law.solref != softness.solref || touch.law.solimp != softness.solimp) {
      softness = touch.law;
      law = make_soft_law(softness, scene.laws);
    }
    const auto index = static_cast<std::int32_t>(&touch - touches.data());
    SoftRow row{.kind = SoftRowKind::contact, .element = index, .position = touch.distance, .margin = touch.margin};
    row.impedance = impedance(law, touch.margin - touch.distance);
    const double weight = inverse_weight(scene, touch);
    if (touch.condim == 1)
      add_normal(law, row, weight, rows);
    else if (scene.cone == model::FrictionCone::elliptic)
      add_elliptic(scene, touch, law, row, weight, rows);
    else
      add_pyramid(scene, touch, law, row, weight, rows);
  }
}

/// Velocity of b's point against a's, along the axes of the contact, and the same for their spin. What both share moves neither against the
/// other.
void TouchRows::update_jacobian(const SoftScene& scene, const Touch& touch) noexcept {
  const std::int32_t a = scene.tree.body(body_of(scene, touch.a)).link, b = scene.tree.body(body_of(scene, touch.b)).link;
  const auto of_a = own_dofs(scene.tree, a, b), of_b = own_dofs(scene.tree, b, a);
  count_ = 0;
  const bool a_first = of_b.empty() || (!of_a.empty() && of_a[0] < of_b[0]);
  if (a_first) append_chain(scene, touch, a, of_a, -1);
  append_chain(scene, touch, b, of_b, 1);
  if (!a_first) append_chain(scene, touch, a, of_a, -1);
  update_velocity(scene, touch);
}

void TouchRows::append_chain(const SoftScene& scene, const Touch& touch, std::int32_t link, std::span<const std::int32_t> dofs,
                             double sign) noexcept {
  if (dofs.empty()) return;
  if (touch.condim == 1) append_chain<1>(scene, touch, link, dofs, sign);
  if (touch.condim == 3) append_chain<3>(scene, touch, link, dofs, sign);
  if (touch.condim == 4) append_chain<4>(scene, touch, link, dofs, sign);
  if (touch.condim == 6) append_chain<6>(scene, touch, link, dofs, sign);
}

/// n.(v + w x p) = n.v + (p x n).w: what depends on the axis alone is taken once for the whole chain.
template <std::size_t Components>
void TouchRows::append_chain(const SoftScene& scene, const Touch& touch, std::int32_t link, std::span<const std::int32_t> dofs,
                             double sign) noexcept {
  constexpr std::size_t linear = Components < 3 ? Components : 3;
  const Vec3d p_OC = from_origin(scene.motion, link, touch.position);
  Vec3d axis[3], moment[3];
  for (std::size_t i = 0; i < 3; ++i) axis[i] = sign * row(touch.frame, static_cast<int>(i)), moment[i] = cross(p_OC, axis[i]);
  for (const std::int32_t k : dofs) {
    const Twistd S = column_of(scene.motion, k);
    for (std::size_t i = 0; i < linear; ++i) jacobian_[i][count_] = dot(S.linear, axis[i]) + dot(S.angular, moment[i]);
    for (std::size_t i = 3; i < Components; ++i) jacobian_[i][count_] = dot(S.angular, axis[i - 3]);
    dofs_[count_++] = k;
  }
}

void TouchRows::update_velocity(const SoftScene& scene, const Touch& touch) noexcept {
  for (std::size_t i = 0; i < static_cast<std::size_t>(touch.condim); ++i) {
    double sum = 0;
    for (std::size_t e = 0; e < count_; ++e) sum += jacobian_[i][e] * scene.v[static_cast<std::size_t>(dofs_[e])];
    velocity_[i] = sum;
  }
}

void TouchRows::add_normal(const SoftLaw& law, SoftRow row, double weight, SoftRows& rows) const noexcept {
  const std::span<double> values = rows.open_rows(1, std::span(dofs_).first(count_));
  std::copy_n(jacobian_[0].begin(), count_, values.begin());
  row.velocity = velocity_[0];
  rows.finish_open_row(row, law, regularization(row.impedance, weight), count_);
  rows.close_nonnegative();
}

/// Pairs of edges J_n +- mu_k J_k, all with one R. (SOFT-8)
void TouchRows::add_pyramid(const SoftScene& scene, const Touch& touch, const SoftLaw& law, SoftRow row, double weight,
                            SoftRows& rows) const noexcept {
  const double mu1 = touch.friction[0];
  const double first = regularization(row.impedance, weight * (1 + mu1 * mu1));
  const double R = max(least_regularization, 2 * (mu1 * mu1 / scene.impratio) * first);
  row.kind = SoftRowKind::pyramid;
  const auto axes = static_cast<std::size_t>(touch.condim) - 1;
  double* value = rows.open_rows(2 * axes, std::span(dofs_).first(count_)).data();
  const double* normal = jacobian_[0].data();
  for (std::size_t k = 1; k <= axes; ++k) {
    const double mu = touch.friction[k - 1], *along = jacobian_[k].data();
    for (std::size_t e = 0; e < count_; ++e) value[e] = normal[e] + mu * along[e], value[count_ + e] = normal[e] - mu * along[e];
    value += 2 * count_;
    for (const double side : {1.0, -1.0}) {
      row.velocity = velocity_[0] + side * mu * velocity_[k];
      rows.finish_open_row(row, law, R, count_);
    }
  }
  rows.close_nonnegative();
}

/// The normal, then an axis for every coefficient, with weights in which the cone is round. (SOFT-9)
void TouchRows::add_elliptic(const SoftScene& scene, const Touch& touch, const SoftLaw& law, SoftRow row, double weight,
                             SoftRows& rows) const noexcept {
  const bool own = touch.friction_solref[0] != 0 || touch.friction_solref[1] != 0;
  const SoftLaw friction_law = without_spring(own ? make_soft_law({touch.friction_solref, touch.law.solimp}, scene.laws) : law);
  const double R0 = regularization(row.impedance, weight), R1 = max(least_regularization, R0 / scene.impratio), mu1 = touch.friction[0];
  row.kind = SoftRowKind::elliptic;
  const auto size = static_cast<std::size_t>(touch.condim);
  double* value = rows.open_rows(size, std::span(dofs_).first(count_)).data();
  for (std::size_t i = 0; i < size; ++i, value += count_) {
    const double mu = i == 0 ? 1 : touch.friction[i - 1];
    std::copy_n(jacobian_[i].begin(), count_, value);
    row.velocity = velocity_[i];
    rows.finish_open_row(row, i == 0 ? law : friction_law, i == 0 ? R0 : i == 1 ? R1 : R1 * (mu1 * mu1) / (mu * mu), count_);
    row.position = row.margin = 0;  // friction has no place to be
  }
  rows.close_elliptic(std::span(touch.friction).first(size - 1));
}

}  // namespace trilith::constraints
