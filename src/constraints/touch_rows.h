#pragma once
#include <array>
#include <vector>

#include "constraints/soft_rows.h"
#include "constraints/soft_scene.h"

namespace trilith::constraints {

/// A point where two shapes touch or nearly do, with the parameters that their contact has.
struct Touch {
  Vec3d position{};           ///< p_WC, m: the middle between the surfaces
  Mat3d frame{};              ///< rows: normal from a into b, two tangents
  double distance = 0;        ///< m; negative where they overlap
  std::int32_t a = 0, b = 0;  ///< geoms
  std::int32_t condim = 3;
  std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};  ///< two of sliding; torsional, two of rolling [m]
  double margin = 0;                                            ///< m
  model::Softness law;
  std::array<double, 2> friction_solref{};  ///< of the friction rows of an elliptic contact; (0, 0): as the law
  std::int32_t first_row = -1;              ///< made; -1: no rows
};

/// Rows of one contact.
std::size_t rows_of_touch(std::int32_t condim, model::FrictionCone cone) noexcept;

/// Rows of contacts: one without friction, pyramids or elliptic cones. (SOFT-8, SOFT-9)
class TouchRows {
 public:
  explicit TouchRows(std::int32_t dofs);

  /// Adds the rows of every touch whose distance is below its margin. Writes `first_row`.
  void add(const SoftScene& scene, std::span<Touch> touches, SoftRows& rows) noexcept;

 private:
  void update_jacobian(const SoftScene& scene, const Touch& touch) noexcept;
  template <std::size_t Components>
  void append_chain(const SoftScene& scene, const Touch& touch, std::int32_t link, std::span<const std::int32_t> dofs,
                    double sign) noexcept;
  void append_chain(const SoftScene& scene, const Touch& touch, std::int32_t link, std::span<const std::int32_t> dofs,
                    double sign) noexcept;
  void update_velocity(const SoftScene& scene, const Touch& touch) noexcept;
  void add_normal(const SoftLaw& law, SoftRow row, double inverse_weight, SoftRows& rows) const noexcept;
  void add_pyramid(const SoftScene& scene, const Touch& touch, const SoftLaw& law, SoftRow row, double inverse_weight,
                   SoftRows& rows) const noexcept;
  void add_elliptic(const SoftScene& scene, const Touch& touch, const SoftLaw& law, SoftRow row, double inverse_weight,
                    SoftRows& rows) const noexcept;

  std::vector<std::int32_t> dofs_;
  std::array<std::vector<double>, 6> jacobian_;  // normal, tangents; spin about each: as many as the condim
  std::array<double, 6> velocity_{};             // of each component
  std::size_t count_ = 0;
};

}  // namespace trilith::constraints
