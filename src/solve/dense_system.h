#pragma once
#include <span>
#include <vector>

#include "solve/weighted_system.h"

namespace trilith::solve {

/// A cone of a dense problem: `parts` rows (1 or 3) of G, at `row`, `row + patch_lanes`, ... of a row vector in lane layout.
struct DensePoint {
  std::size_t row = 0;
  int parts = 1;
};

/// Dense backend of WeightedSystem: M = P + G'C G by a dense Cholesky factor. For problems of up to some hundred unknowns.
class DenseSystem final : public WeightedSystem {
 public:
  /// `P`: unknowns x unknowns, symmetric, or empty. `G`: row-major, the parts of each point one after the other. `rows`: length of a row
  /// vector. Pivots below `pivot_tolerance` of their diagonal entry are dependent.
  DenseSystem(int unknowns, std::vector<double> P, std::vector<double> G, std::vector<DensePoint> points, std::size_t rows,
              double pivot_tolerance);

  int unknowns() const noexcept override { return static_cast<int>(n_); }
  std::size_t rows() const noexcept override { return rows_; }
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  void set_weights(const RowWeights& weights) noexcept override;
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  double weight(const DensePoint& point, int i, int j) const noexcept;

  std::size_t n_, rows_;
  double proximal_ = 0;
  std::vector<double> P_, G_, factor_, weights_, column_;
  std::vector<DensePoint> points_;
  RowWeights::Shape shape_ = RowWeights::Shape::identity;
  linalg::FactorSettings settings_;
};

}  // namespace trilith::solve
