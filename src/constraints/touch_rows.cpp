// Rows of contacts (SOFT-8, SOFT-9).
#include "constraints/touch_rows.h"

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
  for (Touch& touch : touches) {
    touch.first_row = -1;
    if (!(touch.distance < touch.margin) || !rows.has_room(rows_of_touch(touch.condim, scene.cone))) continue;
    update_jacobian(scene, touch);
    if (count_ == 0) continue;
    touch.first_row = static_cast<std::int32_t>(rows.rows());
    const SoftLaw law = make_soft_law(touch.law, scene.laws);
    const auto index = static_cast<std::int32_t>(&touch - touches.data());
    SoftRow row{.kind = SoftRowKind::contact, .element = index, .position = touch.distance, .margin = touch.margin};
    row.impedance = impedance(law, touch.margin - touch.distance);
    const double weight = inverse_weight(scene, touch);
    if (touch.condim == 1) {
      for (std::size_t e = 0; e < count_; ++e) rows.add(dofs_[e], jacobian_[0][e]);
      rows.finish_row(row, law, regularization(row.impedance, weight), 0, scene.v);
      rows.close_nonnegative();
    } else if (scene.cone == model::FrictionCone::elliptic) {
      add_elliptic(scene, touch, row, weight, rows);
    } else {
      add_pyramid(scene, touch, row, weight, rows);
    }
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
}

void TouchRows::append_chain(const SoftScene& scene, const Touch& touch, std::int32_t link, std::span<const std::int32_t> dofs,
                             double sign) noexcept {
  if (dofs.empty()) return;
  const Vec3d p_OC = from_origin(scene.motion, link, touch.position);
  for (const std::int32_t k : dofs) {
    const Vec3d linear = touch.frame * point_column(scene.motion, k, p_OC), angular = touch.frame * angular_column(scene.motion, k);
    const double values[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (std::size_t i = 0; i < 6; ++i) jacobian_[i][count_] = sign * values[i];
    dofs_[count_++] = k;
  }
}

/// Pairs of edges J_n +- mu_k J_k, all with one R. (SOFT-8)
void TouchRows::add_pyramid(const SoftScene& scene, const Touch& touch, SoftRow row, double weight, SoftRows& rows) const noexcept {
  const SoftLaw law = make_soft_law(touch.law, scene.laws);
  const double mu1 = touch.friction[0];
  const double first = regularization(row.impedance, weight * (1 + mu1 * mu1));
  const double R = max(least_regularization, 2 * (mu1 * mu1 / scene.impratio) * first);
  row.kind = SoftRowKind::pyramid;
  for (std::size_t k = 1; k < static_cast<std::size_t>(touch.condim); ++k)
    for (const double side : {1.0, -1.0}) {
      for (std::size_t e = 0; e < count_; ++e) rows.add(dofs_[e], jacobian_[0][e] + side * touch.friction[k - 1] * jacobian_[k][e]);
      rows.finish_row(row, law, R, 0, scene.v);
    }
  rows.close_nonnegative();
}

/// The normal, then an axis for every coefficient, with weights in which the cone is round. (SOFT-9)
void TouchRows::add_elliptic(const SoftScene& scene, const Touch& touch, SoftRow row, double weight, SoftRows& rows) const noexcept {
  const SoftLaw law = make_soft_law(touch.law, scene.laws);
  const bool own = touch.friction_solref[0] != 0 || touch.friction_solref[1] != 0;
  const SoftLaw friction_law = without_spring(own ? make_soft_law({touch.friction_solref, touch.law.solimp}, scene.laws) : law);
  const double R0 = regularization(row.impedance, weight), R1 = max(least_regularization, R0 / scene.impratio), mu1 = touch.friction[0];
  row.kind = SoftRowKind::elliptic;
  for (std::size_t i = 0; i < static_cast<std::size_t>(touch.condim); ++i) {
    const double mu = i == 0 ? 1 : touch.friction[i - 1];
    for (std::size_t e = 0; e < count_; ++e) rows.add(dofs_[e], jacobian_[i][e]);
    rows.finish_row(row, i == 0 ? law : friction_law, i == 0 ? R0 : i == 1 ? R1 : R1 * (mu1 * mu1) / (mu * mu), 0, scene.v);
    row.position = row.margin = 0;  // friction has no place to be
  }
  rows.close_elliptic(std::span(touch.friction).first(static_cast<std::size_t>(touch.condim) - 1));
}

}  // namespace trilith::constraints
