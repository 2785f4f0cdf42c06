#pragma once
#include <span>
#include <vector>

#include "rows/patch_rows.h"
#include "solve/weighted_system.h"

namespace trilith::solve {

/// Which normal force bounds friction, where it is split into f+ and f-: `net` f+ - f-, `plus` f+ alone (PEN-1).
enum class FrictionForm : std::uint8_t { net, plus };

/// Diagonal cost of the unknowns of a contact point: h+ f+^2, h- f-^2, h_t |t|^2, halved.
struct ForceCost {
  double pressing = 1, pulling = 1, tangential = 1;
};

/// Places of the n components of all points in a lane-layout row vector, in the order of lanes.
std::vector<std::size_t> list_places(const rows::PatchRows& rows);

/// Backend of WeightedSystem whose unknowns are the contact forces themselves, 3 (f_n, t1, t2) or 4 (f+, f-, t1, t2) per point, point after
/// point in the order of lanes (`place`). Rows: the equilibrium rows A f, 6 per body; the cone rows, 3 per point (the normal force that
/// bounds friction, t1, t2); with split normals the bounds f+ and f- of every point. All bodies' rows share one weight. The forces are
/// eliminated point by point, which leaves A D^-1 A' + 1/rho on the bodies (ADM-8): `bodies` solves it, by its factor or by iteration.
class ForceSystem final : public WeightedSystem {
 public:
  /// `rows` and `bodies` (G = A', P = 0, made on the same rows) are kept by reference.
  ForceSystem(const rows::PatchRows& rows, WeightedSystem& bodies, bool split, FrictionForm form, const ForceCost& cost);

  int points() const noexcept { return static_cast<int>(place_.size()); }
  int parts() const noexcept { return parts_; }
  std::size_t first_cone_row() const noexcept { return equilibrium_; }
  std::size_t first_bound_row() const noexcept { return equilibrium_ + 3 * place_.size(); }
  /// Place of the n component of a point in a lane-layout row vector.
  std::span<const std::size_t> place() const noexcept { return place_; }
  /// Net forces of the unknowns in lane layout, and unknowns from them (f+ and f- complementary).
  void write_lanes(std::span<const double> x, std::span<double> lanes) const noexcept;
  void write_unknowns(std::span<const double> lanes, std::span<double> x) const noexcept;

  int unknowns() const noexcept override { return parts_ * points(); }
  std::size_t rows() const noexcept override;
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  void set_weights(const RowWeights& weights) noexcept override;  ///< diagonal only
  linalg::FactorReport factor() noexcept override { return bodies_->factor(); }
  void solve(std::span<double> x, int right_hand_sides) noexcept override;  ///< one right-hand side
  bool converged() const noexcept override { return bodies_->converged(); }
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  /// Inverse of the matrix of one point: 2 x 2 on f+ and f- (or f_n alone), one number for each tangent.
  struct PointInverse {
    double pp, pm, mm, t1, t2;
  };
  void divide(std::size_t point, double* x) const noexcept;

  WeightedSystem* bodies_;
  int parts_;
  bool split_;
  FrictionForm form_;
  ForceCost cost_;
  double proximal_ = 0;
  std::size_t equilibrium_;         // 6 per body
  std::vector<std::size_t> place_;  // per point
  std::vector<PointInverse> inverse_;
  std::vector<double> weight_;         // per row
  mutable std::vector<double> lanes_;  // row vector of the bodies
  std::vector<double> wrench_;         // 6 per body
};

}  // namespace trilith::solve
