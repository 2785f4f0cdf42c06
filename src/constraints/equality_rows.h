#pragma once
#include <vector>

#include "constraints/soft_rows.h"
#include "constraints/soft_scene.h"

namespace trilith::constraints {

/// What an equality holds together, with the numbers that the pose of the file decides.
struct EqualityHold {
  std::int32_t body_a = 0, body_b = 0;
  Vec3d anchor_a{}, anchor_b{};                          ///< connect, weld: the points that meet, in each body's frame, m
  Quaterniond relative = identity_quaternion<double>();  ///< weld: q_ab
  std::int32_t dof_a = -1, dof_b = -1;                   ///< joint: degrees of freedom, -1: none
  std::int32_t q_a = -1, q_b = -1;
  double reference_a = 0, reference_b = 0;  ///< joint, tendon: values in the pose of the file
};

/// Of every equality of a model. `X_WB` and `tendon_length`: in the pose of the file.
std::vector<EqualityHold> make_equality_holds(const model::Model& model, std::span<const Posed> X_WB,
                                              std::span<const double> tendon_length);

/// A weld's map from the angular velocity of a against b [world axes] to the rate of its three residuals of turn; its transpose takes their
/// forces to the moment on a. (SOFT-11)
Mat3d weld_turn_map(const EqualityHold& hold, double torque_scale, const Posed& X_Wa, const Posed& X_Wb) noexcept;

/// Rows of the active equalities: connect 3, weld 6, joint 1, tendon 1. (SOFT-10 to SOFT-12)
class EqualityRows {
 public:
  explicit EqualityRows(std::int32_t dofs);

  /// `active`: one per equality.
  void add(const SoftScene& scene, std::span<const EqualityHold> holds, std::span<const char> active, SoftRows& rows) noexcept;

 private:
  struct Points;
  void update_jacobian(const SoftScene& scene, const Points& points) noexcept;
  void append_chain(const SoftScene& scene, std::int32_t link, const Vec3d& p_WC, std::span<const std::int32_t> dofs, double sign) noexcept;
  void add_bodies(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept;
  void add_joint(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept;
  void add_tendon(const SoftScene& scene, std::int32_t index, const EqualityHold& hold, SoftRows& rows) noexcept;

  std::vector<std::int32_t> dofs_;
  std::vector<Vec3d> linear_, angular_;  // of a's point against b's; of a against b
  std::size_t count_ = 0;
};

}  // namespace trilith::constraints
