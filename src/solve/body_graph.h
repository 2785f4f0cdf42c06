#pragma once
#include <memory>
#include <vector>

#include "base/isa.h"
#include "linalg/block_cholesky.h"
#include "rows/patch_rows.h"
#include "solve/weighted_system.h"

namespace trilith::solve {

struct BodyGraphKernel;

struct BodyGraphSettings {
  linalg::Ordering ordering = linalg::Ordering::amd;
  linalg::FactorSettings factor{};
  Isa isa = active_isa();  ///< of the kernels; no effect on the result
};

/// Backend of WeightedSystem for bodies in contact: P = 0 or a block per body, G = A', M = P + A C A' with one 6 x 6 block per body and per
/// touching pair (RBE-2). Lanes over patches: a patch's 6 x 6 wrench matrix is summed about its origin (21 numbers) and moved to its two
/// bodies once. Unknowns: 6 per body in body order (force or velocity, then moment or angular velocity). Row vectors in the lane layout of
/// `rows`. Same bits for every instruction set.
class BodyGraph final : public WeightedSystem {
 public:
  /// `rows` is kept by reference and must outlive this.
  explicit BodyGraph(const rows::PatchRows& rows, const BodyGraphSettings& settings = {});
  /// Reuses the symbolic work of a system with the same pairs of bodies.
  BodyGraph(const rows::PatchRows& rows, std::shared_ptr<const linalg::BlockSymbolic> symbolic, const BodyGraphSettings& settings = {});
  ~BodyGraph() override;

  int unknowns() const noexcept override { return 6 * rows_->blocks(); }
  std::size_t rows() const noexcept override { return rows_->size(); }
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  void set_weights(const RowWeights& weights) noexcept override;
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;             ///< A' y
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;  ///< A f
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;   ///< P = 0 unless set
  void apply_weights(std::span<double> row) const noexcept override;

  /// Takes P: a symmetric 6 x 6 block per body, in body order, 36 numbers each; from the next set_weights on. Setup, allocates.
  void set_quadratic(std::span<const double> blocks);

  const rows::PatchRows& patch_rows() const noexcept { return *rows_; }
  const std::shared_ptr<const linalg::BlockSymbolic>& symbolic() const noexcept { return symbolic_; }
  /// The matrix as last formed: block (i, j) of M into `block`, 6 x 6 column-major, the whole of it; zero where the two do not touch.
  void write_block(int body_i, int body_j, std::span<double, 36> block) noexcept;

 private:
  struct Addresses;

  const rows::PatchRows* rows_;
  std::shared_ptr<const linalg::BlockSymbolic> symbolic_;
  linalg::BlockCholesky cholesky_;
  BodyGraphSettings settings_;
  const BodyGraphKernel* kernel_;
  RowWeights::Shape shape_ = RowWeights::Shape::identity;
  std::vector<double> weights_;                 // the weights last set; room for 3 x 3 blocks
  std::unique_ptr<const Addresses> addresses_;  // where the blocks of each patch go
  double proximal_ = 0;
  std::vector<double> quadratic_;  // 36 per body, or empty
  std::vector<double> ordered_;    // right-hand sides in elimination order
};

}  // namespace trilith::solve
