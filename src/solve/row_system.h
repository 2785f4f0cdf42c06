#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "solve/weighted_system.h"

namespace trilith::solve {

/// A matrix by rows: entries of row i are [start[i], start[i + 1]), columns ascending. A view.
struct SparseRows {
  std::span<const std::int64_t> start{};
  std::span<const std::int32_t> column{};
  std::span<const double> value{};
  std::size_t rows() const noexcept { return start.empty() ? 0 : start.size() - 1; }
};

/// P = L' D L with unit L in the pattern of the lower triangle of P: `value` holds L below and D on the diagonal (last in each row). That
/// is what the mass matrix of a tree has without fill-in. Empty: no factor of P alone.
struct QuadraticTerm {
  SparseRows lower;   ///< lower triangle of P, the diagonal last in each row
  SparseRows factor;  ///< the same pattern
};

/// Backend of WeightedSystem for few, sparse rows: M = P + G'C G, dense within each island. An island is a set of unknowns that P or a row
/// ties together. (NEWTON-5)
class RowSystem final : public WeightedSystem {
 public:
  /// Room for so many unknowns, rows and entries of M (the sum of the squares of the islands' sizes).
  RowSystem(int most_unknowns, std::size_t most_rows, std::size_t most_entries, double pivot_tolerance);

  /// Takes P and G, views that must outlive what follows, and finds the islands. False where there is no room: nothing is taken then.
  [[nodiscard]] bool update(const QuadraticTerm& quadratic, const SparseRows& rows) noexcept;

  int islands() const noexcept { return islands_; }

  int unknowns() const noexcept override { return static_cast<int>(n_); }
  std::size_t rows() const noexcept override { return G_.rows(); }
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  /// Shapes identity, diagonal and groups.
  void set_weights(const RowWeights& weights) noexcept override;
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;
  bool solve_quadratic(std::span<double> x) const noexcept override;
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  std::int32_t find(std::int32_t i) noexcept;
  void join(std::int32_t a, std::int32_t b) noexcept;
  bool number_islands() noexcept;
  void add(std::int32_t i, std::int32_t j, double value) noexcept;
  void add_rows(std::size_t i, std::size_t j, double weight) noexcept;
  template <class Visit>
  void for_each_weight(const Visit& visit) const noexcept;

  std::size_t n_ = 0;
  int islands_ = 0;
  double proximal_ = 0;
  QuadraticTerm P_;
  SparseRows G_;
  RowWeights::Shape shape_ = RowWeights::Shape::identity;
  std::span<const rows::RowGroup> groups_;
  std::vector<double> matrix_, weights_, column_;
  std::vector<std::int32_t> parent_, island_, place_, member_;  // per unknown: union-find, island, place within; unknowns island by island
  std::vector<std::int32_t> size_, first_;                      // per island: unknowns, first in member_
  std::vector<std::size_t> offset_;                             // per island: its matrix
  linalg::FactorSettings settings_;
};

}  // namespace trilith::solve
