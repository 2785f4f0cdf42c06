// Rows of equalities (SOFT-10 to SOFT-12).
#include "constraints/equality_rows.h"

#include <limits>

namespace trilith::constraints {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const Posed& pose_of(std::span<const Posed> X_WB, std::int32_t body) { return X_WB[static_cast<std::size_t>(body)]; }

/// A place of an equality: a body's frame, or a site's.
struct Place {
  std::int32_t body = 0;
  Posed X_BF = identity_pose<double>();
};
Place place_of(const model::Model& model, const model::Reference& reference, bool on_sites) {
  if (reference.index < 0) return {};
  if (!on_sites) return {reference.index};
  const model::Site& site = model.sites[static_cast<std::size_t>(reference.index)];
  return {site.body, site.pose};
}

/// Points and turn of connect and weld. Sites meet where they are; bodies keep what the pose of the file has. (SOFT-10)
void hold_bodies(const model::Model& model, const model::Equality& equality, std::span<const Posed> X_WB, EqualityHold& hold) {
  const Place a = place_of(model, equality.a, equality.on_sites), b = place_of(model, equality.b, equality.on_sites);
  hold.body_a = a.body;
  hold.body_b = b.body;
  const Posed X_ab = inverse(pose_of(X_WB, a.body)) * pose_of(X_WB, b.body);
  if (equality.on_sites) {
    hold.anchor_a = a.X_BF.p;
    hold.anchor_b = b.X_BF.p;
    hold.relative = from_matrix(a.X_BF.R) * conjugate(from_matrix(b.X_BF.R));
  } else if (equality.kind == model::EqualityKind::connect) {
    hold.anchor_a = equality.anchor;
    hold.anchor_b = inverse_transform_point(X_ab, equality.anchor);
  } else {
    hold.anchor_b = equality.anchor;
    hold.anchor_a = equality.relative_pose ? equality.relative_pose->p : transform_point(X_ab, equality.anchor);
    hold.relative = from_matrix(equality.relative_pose ? equality.relative_pose->R : X_ab.R);
  }
}

void hold_joints(const model::Model& model, const model::Equality& equality, EqualityHold& hold) {
  const auto take = [&](const model::Reference& reference, std::int32_t& dof, std::int32_t& q, double& value) {
    if (reference.index < 0) return;
    const model::Joint& joint = model.joints[static_cast<std::size_t>(reference.index)];
    dof = joint.v;
    q = joint.q;
    value = model.qpos0[static_cast<std::size_t>(joint.q)];
  };
  take(equality.a, hold.dof_a, hold.q_a, hold.reference_a);
  take(equality.b, hold.dof_b, hold.q_b, hold.reference_b);
}

/// value and slope of a_0 + a_1 x + ... + a_4 x^4
struct Curve {
  double value, slope;
};
Curve evaluate(const std::array<double, 5>& a, double x) {
  Curve c{a[4], 0};
  for (std::size_t k = 4; k-- > 0;) {
    c.slope = c.slope * x + c.value;
    c.value = c.value * x + a[k];
  }
  return c;
}

/// Acceleration of a point fixed to `link` where no joint accelerates, without gravity.
Vec3d point_acceleration(const multibody::TreeMotion& motion, std::int32_t link, const Vec3d& p_WP) {
  if (link < 0) return {};
  const Vec3d arm = from_origin(motion, link, p_WP);
  const Twistd A = multibody::acceleration_of(motion, link);
  const Twistd V = velocity_at(motion, link, p_WP);
  return A.linear + cross(A.angular, arm) + cross(V.angular, V.linear) - motion.upward;
}
Vec3d angular_acceleration(const multibody::TreeMotion& motion, std::int32_t link) {
  return link < 0 ? Vec3d{} : multibody::acceleration_of(motion, link).angular;
}

Quaterniond pure(const Vec3d& v) { return {0, v.x, v.y, v.z}; }

}  // namespace

/// Where the two bodies are, and their links.
struct EqualityRows::Points {
  std::int32_t link_a, link_b;
  Vec3d p_a, p_b;  // in the world
};

std::vector<EqualityHold> make_equality_holds(const model::Model& model, std::span<const Posed> X_WB,
                                              std::span<const double> tendon_length) {
  std::vector<EqualityHold> holds;
  for (const model::Equality& equality : model.equalities) {
    EqualityHold& hold = holds.emplace_back();
    switch (equality.kind) {
      case model::EqualityKind::connect:
      case model::EqualityKind::weld:
        hold_bodies(model, equality, X_WB, hold);
        break;
      case model::EqualityKind::joint:
        hold_joints(model, equality, hold);
        break;
      case model::EqualityKind::tendon:
        hold.reference_a = tendon_length[static_cast<std::size_t>(equality.a.index)];
        if (equality.b.index >= 0) hold.reference_b = tendon_length[static_cast<std::size_t>(equality.b.index)];
        break;
    }
  }
  return holds;
}

Mat3d weld_turn_map(const EqualityHold& hold, double torque_scale, const Posed& X_Wa, const Posed& X_Wb) noexcept {
  const Quaterniond back = conjugate(from_matrix(X_Wb.R)), forth = from_matrix(X_Wa.R) * hold.relative;
  const auto turned = [&](const Vec3d& w) { return 0.5 * torque_scale * vector_part(back * pure(w) * forth); };
  return from_columns(turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}));
}

EqualityRows::EqualityRows(std::int32_t dofs) {
  dofs_.resize(static_cast<std::size_t>(dofs));
  linear_.resize(static_cast<std::size_t>(dofs));
  angular_.resize(static_cast<std::size_t>(dofs));
}

void EqualityRows::add(const SoftScene& scene, std::span<const EqualityHold> holds, std::span<const char> active, SoftRows& rows) noexcept {
  for (std::size_t i = 0; i < holds.size(); ++i) {
    if (active[i] == 0) continue;
    const auto index = static_cast<std::int32_t>(i);
    switch (scene.model.equalities[i].kind) {
      case model::EqualityKind::connect:
      case model::EqualityKind::weld:
        add_bodies(scene, index, holds[i], rows);
        break;
      case model::EqualityKind::joint:
        add_joint(scene, index, holds[i], rows);
        break;
      case model::EqualityKind::tendon:
        add_tendon(scene, index, holds[i], rows);
        break;
    }
  }
  rows.close_box(-infinite, infinite);
}

void EqualityRows::append_chain(const SoftScene& scene, std::int32_t link, const Vec3d& p_WC, std::span<const std::int32_t> dofs,
                                double sign) noexcept {
  if (dofs.empty()) return;
  const Vec3d p_OC = from_origin(scene.motion, link, p_WC);
  for (const std::int32_t k : dofs) {
    linear_[count_] = sign * point_column(scene.motion, k, p_OC);
    angular_[count_] = sign * angular_column(scene.motion, k);
    dofs_[count_++] = k;
  }
}

/// The points need not coincide: what both bodies share moves them apart, so whole chains are taken, merged where they are the same.
void EqualityRows::update_jacobian(const SoftScene& scene, const Points& points) noexcept {
  const auto chain_a = scene.tree.dofs_of(points.link_a), chain_b = scene.tree.dofs_of(points.link_b);
  const auto own_a = own_dofs(scene.tree, points.link_a, points.link_b), own_b = own_dofs(scene.tree, points.link_b, points.link_a);
  const std::size_t shared = chain_a.size() - own_a.size();
  count_ = 0;
  if (shared > 0) {
    const Vec3d apart = points.p_a - points.p_b;
    for (const std::int32_t k : chain_b.first(shared)) {
      linear_[count_] = cross(angular_column(scene.motion, k), apart);
      angular_[count_] = {};
      dofs_[count_++] = k;
    }
  }
  const bool a_first = own_b.empty() || (!own_a.empty() && own_a[0] < own_b[0]);
  if (a_first) append_chain(scene, points.link_a, points.p_a, own_a, 1);
  append_chain(scene, points.link_b, points.p_b, own_b, -1);
  if (!a_first) append_chain(scene, points.link_a, points.p_a, own_a, 1);
}

/// Three rows for the points, three more for the turn of a weld. (SOFT-10, SOFT-11)
void EqualityRows::add_bodies(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept {
  const model::Equality& equality = scene.model.equalities[static_cast<std::size_t>(index)];
  const bool weld = equality.kind == model::EqualityKind::weld;
  if (!rows.has_room(weld ? 6 : 3)) return;
  const Posed &X_Wa = pose_of(scene.X_WB, hold.body_a), &X_Wb = pose_of(scene.X_WB, hold.body_b);
  const Points points{scene.tree.body(hold.body_a).link, scene.tree.body(hold.body_b).link, transform_point(X_Wa, hold.anchor_a),
                      transform_point(X_Wb, hold.anchor_b)};
  update_jacobian(scene, points);
  const Vec3d gap = points.p_a - points.p_b;
  const Vec3d gap_bias =
      point_acceleration(scene.motion, points.link_a, points.p_a) - point_acceleration(scene.motion, points.link_b, points.p_b);

  // r = torque_scale vec(q_b^-1 q_a q_ab)
  const Quaterniond back = conjugate(from_matrix(X_Wb.R)), forth = from_matrix(X_Wa.R) * hold.relative;
  const Vec3d turn = weld ? equality.torque_scale * vector_part(back * forth) : Vec3d{};

  SoftRow row{.kind = SoftRowKind::equality, .element = index};
  const SoftLaw law = make_soft_law(equality.law, scene.laws);
  row.impedance = impedance(law, sqrt(dot(gap, gap) + dot(turn, turn)));
  const auto weight_of = [&](const std::vector<double>& weights) {
    return weights[static_cast<std::size_t>(hold.body_a)] + weights[static_cast<std::size_t>(hold.body_b)];
  };
  const auto component = [](const Vec3d& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
  const double R = regularization(row.impedance, weight_of(scene.weights.body_translation));
  for (int i = 0; i < 3; ++i) {
    for (std::size_t e = 0; e < count_; ++e) rows.add(dofs_[e], component(linear_[e], i));
    row.position = component(gap, i);
    rows.finish_row(row, law, R, component(gap_bias, i), scene.v);
  }
  if (!weld) return;
  const Mat3d map = weld_turn_map(hold, equality.torque_scale, X_Wa, X_Wb);
  for (std::size_t e = 0; e < count_; ++e) linear_[e] = map * angular_[e];
  const Vec3d w_a = velocity_at(scene.motion, points.link_a, points.p_a).angular,
              w_b = velocity_at(scene.motion, points.link_b, points.p_b).angular;
  const Vec3d w = w_a - w_b;
  const Vec3d w_rate = angular_acceleration(scene.motion, points.link_a) - angular_acceleration(scene.motion, points.link_b);
  // d/dt of q_b^-1 (0, w) q_a: both quaternions turn
  const Quaterniond spin = pure(w) * pure(w_a), against = pure(w_b) * pure(w);
  const Quaterniond rate{0.5 * (spin.w - against.w), 0.5 * (spin.x - against.x), 0.5 * (spin.y - against.y), 0.5 * (spin.z - against.z)};
  const Vec3d turn_bias = map * w_rate + 0.5 * equality.torque_scale * vector_part(back * rate * forth);
  const double R_turn = regularization(row.impedance, weight_of(scene.weights.body_rotation));
  for (int i = 0; i < 3; ++i) {
    for (std::size_t e = 0; e < count_; ++e) rows.add(dofs_[e], component(linear_[e], i));
    row.position = component(turn, i);
    rows.finish_row(row, law, R_turn, component(turn_bias, i), scene.v);
  }
}

/// q_a - q_a0 = polynomial of q_b - q_b0. (SOFT-12)
void EqualityRows::add_joint(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept {
  if (!rows.has_room(1)) return;
  const model::Equality& equality = scene.model.equalities[static_cast<std::size_t>(index)];
  Curve curve{equality.polynomial[0], 0};
  double weight = scene.weights.dof[static_cast<std::size_t>(hold.dof_a)];
  if (hold.dof_b >= 0) {
    curve = evaluate(equality.polynomial, scene.q[static_cast<std::size_t>(hold.q_b)] - hold.reference_b);
    weight += scene.weights.dof[static_cast<std::size_t>(hold.dof_b)];
  }
  const bool other_first = hold.dof_b >= 0 && hold.dof_b < hold.dof_a;
  if (other_first) rows.add(hold.dof_b, -curve.slope);
  rows.add(hold.dof_a, 1);
  if (hold.dof_b >= 0 && !other_first) rows.add(hold.dof_b, -curve.slope);
  SoftRow row{.kind = SoftRowKind::equality, .element = index};
  row.position = scene.q[static_cast<std::size_t>(hold.q_a)] - hold.reference_a - curve.value;
  const SoftLaw law = make_soft_law(equality.law, scene.laws);
  row.impedance = impedance(law, abs(row.position));
  rows.finish_row(row, law, regularization(row.impedance, weight), 0, scene.v);
}

/// The same of tendon lengths.
void EqualityRows::add_tendon(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept {
  if (!rows.has_room(1)) return;
  const model::Equality& equality = scene.model.equalities[static_cast<std::size_t>(index)];
  const std::int32_t a = equality.a.index, b = equality.b.index;
  Curve curve{equality.polynomial[0], 0};
  double weight = scene.tendon_weight[static_cast<std::size_t>(a)];
  if (b >= 0) {
    curve = evaluate(equality.polynomial, scene.tendon_length[static_cast<std::size_t>(b)] - hold.reference_b);
    weight += scene.tendon_weight[static_cast<std::size_t>(b)];
  }
  const multibody::SparseRows& pattern = scene.tendons.pattern();
  const auto columns_a = pattern.columns(a);
  const auto columns_b = b >= 0 ? pattern.columns(b) : std::span<const std::int32_t>{};
  const auto values_a = pattern.of_row(scene.tendon_jacobian, a);
  const auto values_b = b >= 0 ? pattern.of_row(scene.tendon_jacobian, b) : std::span<const double>{};
  for (std::size_t i = 0, j = 0; i < columns_a.size() || j < columns_b.size();) {
    const bool take_a = j == columns_b.size() || (i < columns_a.size() && columns_a[i] <= columns_b[j]);
    const bool take_b = i == columns_a.size() || (j < columns_b.size() && columns_b[j] <= columns_a[i]);
    const std::int32_t column = take_a ? columns_a[i] : columns_b[j];
    rows.add(column, (take_a ? values_a[i] : 0) - (take_b ? curve.slope * values_b[j] : 0));
    i += take_a ? 1 : 0;
    j += take_b ? 1 : 0;
  }
  SoftRow row{.kind = SoftRowKind::equality, .element = index};
  row.position = scene.tendon_length[static_cast<std::size_t>(a)] - hold.reference_a - curve.value;
  const SoftLaw law = make_soft_law(equality.law, scene.laws);
  row.impedance = impedance(law, abs(row.position));
  rows.finish_row(row, law, regularization(row.impedance, weight), 0, scene.v);
}

}  // namespace trilith::constraints
