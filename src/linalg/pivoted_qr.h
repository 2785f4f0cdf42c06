#pragma once
#include <span>
#include <vector>

namespace trilith::linalg {

/// Householder QR with column pivoting of a small dense matrix: A P = Q [R; 0]. Plain loops, one order of additions. (QP-4)
class PivotedQr {
 public:
  /// `a`: rows x columns, column-major. Columns whose remaining part is at most `tolerance` of the largest column are dependent.
  PivotedQr(std::vector<double> a, int rows, int columns, double tolerance);

  int rank() const noexcept { return rank_; }
  /// Column of A at place k of the factor; the first `rank()` are independent.
  int column(int k) const noexcept { return order_[static_cast<std::size_t>(k)]; }

  void multiply_q(std::span<double> x) const noexcept;             ///< x = Q x, in place, `rows` numbers
  void multiply_q_transposed(std::span<double> x) const noexcept;  ///< x = Q'x
  void solve_r(std::span<double> x) const noexcept;                ///< x = R1^-1 x with the leading rank x rank part of R
  void solve_r_transposed(std::span<double> x) const noexcept;     ///< x = R1^-T x
  double r(int row, int k) const noexcept { return at(row, k); }   ///< entry of R, row <= k

 private:
  double at(int i, int k) const noexcept {
    return a_[static_cast<std::size_t>(k) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(i)];
  }
  double& at(int i, int k) noexcept {
    return a_[static_cast<std::size_t>(k) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(i)];
  }
  double tail_norm(int k, int from) const noexcept;
  void swap_columns(int k, int l) noexcept;
  void eliminate(int k) noexcept;
  void reflect(int k, std::span<double> x) const noexcept;

  std::vector<double> a_;             // R above, reflectors below the diagonal
  std::vector<double> head_, scale_;  // first entry and 2 / v'v of each reflector
  std::vector<int> order_;
  int rows_, columns_, rank_ = 0;
};

}  // namespace trilith::linalg
