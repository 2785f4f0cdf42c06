#pragma once
#include <vector>

#include "solve/weighted_system.h"

namespace trilith::solve {

/// A system with one more cone row across all unknowns, G' = [G; a'], kept out of its factor: M + w a a' is solved by the rank-one formula
/// (Sherman-Morrison). The row is lane 0 of one more slot behind those of `base`. Refine its solves.
class BorderedSystem final : public WeightedSystem {
 public:
  /// `base` must outlive this.
  BorderedSystem(WeightedSystem& base, std::vector<double> row);

  int unknowns() const noexcept override { return base_->unknowns(); }
  std::size_t rows() const noexcept override;
  /// From the next set_weights on, adds `guard` of the largest weight to the diagonal of the base (set_proximal): where only the border
  /// resists a motion the base is as good as singular, and the rank-one formula needs its inverse. Refinement takes the difference out.
  void set_guard(double guard) noexcept { guard_ = guard; }
  std::size_t border() const noexcept { return base_->rows(); }  ///< place of the row in a row vector
  void set_proximal(double sigma) noexcept override { base_->set_proximal(sigma); }
  void set_weights(const RowWeights& weights) noexcept override;
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override { base_->apply_quadratic(x, out); }
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  WeightedSystem* base_;
  std::vector<double> row_, image_;  // a, M^-1 a
  double weight_ = 1, denominator_ = 1, guard_ = 0;
};

}  // namespace trilith::solve
