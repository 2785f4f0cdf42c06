#pragma once
#include <memory>
#include <span>
#include <vector>

#include "rows/patch_rows.h"
#include "solve/weighted_system.h"

namespace trilith::solve {

struct BodyGraphKernel;
struct GroupAddress;

struct ConjugateGradientSettings {
  double tolerance = 1e-10;  ///< of the residual, relative to the right-hand side, 2-norm
  int iteration_limit = 250;
};

/// Backend of WeightedSystem for bodies in contact without a factor: P = 0, G = A', M = sigma + A C A' only ever multiplied. Conjugate
/// gradients, preconditioned by the 6 x 6 block of every body, started from the last solution. Memory grows with the number of contacts
/// alone; time with their conditioning. Same bits for every instruction set. (ADM-9)
class BodyIteration final : public WeightedSystem {
 public:
  /// `rows` is kept by reference.
  explicit BodyIteration(const rows::PatchRows& rows, const ConjugateGradientSettings& settings = {});
  ~BodyIteration() override;

  int unknowns() const noexcept override { return 6 * rows_->blocks(); }
  std::size_t rows() const noexcept override { return rows_->size(); }
  void set_proximal(double sigma) noexcept override { proximal_ = sigma; }
  void set_weights(const RowWeights& weights) noexcept override;
  /// Factors the blocks of the preconditioner.
  linalg::FactorReport factor() noexcept override;
  void solve(std::span<double> x, int right_hand_sides) noexcept override;  ///< one right-hand side
  bool converged() const noexcept override { return converged_; }
  int iterations() const noexcept { return iterations_; }  ///< of all solves so far
  void apply(std::span<const double> x, std::span<double> row) const noexcept override;
  void apply_transposed(std::span<const double> row, std::span<double> x) const noexcept override;
  void apply_quadratic(std::span<const double> x, std::span<double> out) const noexcept override;
  void apply_weights(std::span<double> row) const noexcept override;

 private:
  void multiply(std::span<const double> x, std::span<double> out) noexcept;
  void precondition(std::span<const double> x, std::span<double> out) const noexcept;

  const rows::PatchRows* rows_;
  const BodyGraphKernel* kernel_;
  ConjugateGradientSettings settings_;
  double proximal_ = 0;
  RowWeights::Shape shape_ = RowWeights::Shape::identity;
  std::vector<double> weights_, row_, blocks_;
  std::unique_ptr<GroupAddress[]> address_;
  std::vector<double> solution_, residual_, direction_, image_, eased_;
  bool converged_ = true;
  int iterations_ = 0;
};

}  // namespace trilith::solve
