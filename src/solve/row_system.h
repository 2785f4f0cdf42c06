#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "solve/row_panels.h"
#include "solve/weighted_system.h"

namespace trilith::solve {

/// P = L' D L with unit L in the pattern of the lower triangle of P: `value` holds L below and D on the diagonal (last in each row). That
/// is what the mass matrix of a tree has without fill-in. Empty: no factor of P alone.
struct QuadraticTerm {
  SparseRows lower;   ///< lower triangle of P, the diagonal last in each row
  SparseRows factor;  ///< the same pattern
};

struct RowSystemSettings {
  PanelRoom room;
  double most_factor_entries = 1 << 26;  ///< a larger factor is refused; 512 MiB of doubles
  double pivot_tolerance = 1e-15;        ///< relative; a smaller pivot counts as zero
};

/// Backend of WeightedSystem for sparse rows over unknowns that P ties together in blocks of neighbours (trees, free bodies): M = P + G'C G
/// by a sparse Cholesky factor of dense blocks. The plan of the factor is kept while the rows tie the same blocks. (NEWTON-5)
class RowSystem final : public WeightedSystem {
 public:
  explicit RowSystem(const RowSystemSettings& settings);

  /// Takes P and G (P: a view that must outlive what follows; G is copied) and plans the factor. `groups`: the rows that a weight block of
  /// `set_weights` may tie together; empty: none. Allocates only where the plan is a new one. False where there is no room: nothing can be
  /// done then but another update.
  [[nodiscard]] bool update(const QuadraticTerm& quadratic, const SparseRows& rows, std::span<const rows::RowGroup> groups = {}) noexcept;

  /// Sets of unknowns that P or a row ties together.
  int islands() const noexcept { return islands_; }
  /// How often the factor was planned anew.
  int plans() const noexcept { return plans_; }

  int unknowns() const noexcept override { return static_cast<int>(n_); }
  std::size_t rows() const noexcept override { return rows_; }
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  /// Shapes identity, diagonal and groups (those of `update`).
  void set_weights(const RowWeights& weights) noexcept override;
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;
  void apply(std::span<const double> x, std::span<double> row) const noexcept override { panels_.apply(x, row); }
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override { panels_.apply_transposed(row, x); }
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;
  bool solve_quadratic(std::span<double> x) const noexcept override;
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  void find_blocks() noexcept;
  void find_edges() noexcept;
  void count_islands() noexcept;
  bool plan() noexcept;
  void add_quadratic() noexcept;
  void add_panel(const RowPanel& panel, const double* weight) noexcept;
  void add_strip(std::span<const PanelRun> runs, std::int32_t begin, std::int32_t end, const double* values, std::int32_t stride) noexcept;
  std::int32_t size_of(std::int32_t block) const noexcept {
    return block_first_[static_cast<std::size_t>(block) + 1] - block_first_[static_cast<std::size_t>(block)];
  }

  RowSystemSettings settings_;
  std::size_t n_ = 0, rows_ = 0;
  int islands_ = 0, plans_ = 0;
  double proximal_ = 0;
  QuadraticTerm P_;
  RowPanels panels_;
  RowWeights::Shape shape_ = RowWeights::Shape::identity;
  std::vector<rows::RowGroup> groups_;
  std::vector<double> weights_, permuted_, active_, weighed_, product_;
  std::vector<std::int32_t> block_first_, block_of_, root_;
  std::vector<std::pair<int, int>> edges_, planned_edges_;  // of blocks that a panel ties, in order of panels
  std::vector<std::int32_t> planned_first_;
  std::shared_ptr<const linalg::BlockSymbolic> symbolic_;
  std::optional<linalg::BlockCholesky> matrix_;
};

}  // namespace trilith::solve
