#pragma once
#include "model/model.h"
#include "multibody/tendon.h"

namespace trilith::dynamics {

/// What each actuator pulls at: its length and the length's derivative by the degrees of freedom (its moment), both times the gear. Theory:
/// docs/theory/dynamics.md (DYN-10). Immutable; refers to the model, its tree and tendons, which must live as long.
class Transmissions {
 public:
  Transmissions() = default;
  Transmissions(const model::Model& model, const multibody::Tree& tree, const multibody::Tendons& tendons);

  const multibody::SparseRows& pattern() const noexcept { return pattern_; }

  /// What `update` reads.
  struct Inputs {
    multibody::TreeMotion motion;
    std::span<const double> q;
    std::span<const Posed> X_WB;  ///< of bodies
    std::span<const double> tendon_length;
    std::span<const double> tendon_values;  ///< Jacobian of the tendons
  };
  /// Writes lengths (m or rad, times gear) and the values of `pattern()`. `scratch`: one number per degree of freedom, 0 before and after.
  void update(const Inputs& in, std::span<double> lengths, std::span<double> values, std::span<double> scratch) const noexcept;

  /// Period [rad times gear] of a servo's setpoint on a transmission that turns freely (ball joint, site with reference); 0: none.
  double setpoint_period(std::int32_t actuator) const noexcept { return period_[static_cast<std::size_t>(actuator)]; }

 private:
  void add_pattern(const model::Actuator& actuator);
  double setpoint_period_of(const model::Actuator& actuator) const;
  double update_joint(const model::Actuator& actuator, std::span<const double> q, std::span<double> scratch) const noexcept;
  double update_site(const model::Actuator& actuator, const Inputs& in, std::span<double> scratch) const noexcept;
  double update_site_pair(const model::Actuator& actuator, const Inputs& in, std::span<double> scratch) const noexcept;
  double update_slider_crank(const model::Actuator& actuator, const Inputs& in, std::span<double> scratch) const noexcept;
  Posed site_pose(std::int32_t site, std::span<const Posed> X_WB) const noexcept;
  std::int32_t link_of_site(std::int32_t site) const noexcept;

  const model::Model* model_ = nullptr;
  const multibody::Tree* tree_ = nullptr;
  const multibody::Tendons* tendons_ = nullptr;
  multibody::SparseRows pattern_;
  std::vector<double> period_;
};

}  // namespace trilith::dynamics
