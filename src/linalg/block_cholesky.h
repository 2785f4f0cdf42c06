#pragma once
#include <memory>
#include <span>

#include "linalg/block_pattern.h"

namespace trilith::linalg {

/// Elimination order of the blocks. `natural`: as numbered, up to a postorder of the elimination tree, which keeps the fill.
/// `amd`: approximate minimum degree (libamd) on the block graph.
enum class Ordering { natural, amd };

/// What can be known from the pattern alone: elimination order, supernodes, storage. Immutable; share it between threads and factors.
class BlockSymbolic;

/// `block_size[i]` is the number of scalar columns of block i (6 for a free body, nv for a tree), >= 1.
std::shared_ptr<const BlockSymbolic> make_block_symbolic(const BlockPattern& pattern, std::span<const int> block_size, Ordering ordering);

struct FactorSettings {
  /// A pivot at most this times its own diagonal entry before elimination counts as zero: its row is dropped (rank deficiency). No unit.
  /// Rounding leaves 1e-16 to 1e-13 of a dependent direction among some 20 blocks, up to 1e-8 among thousands; equilibrium systems of
  /// walls that stand on something keep every pivot above 1e-4. Systems with weights over many decades may need less. (CHOL-8)
  double pivot_tolerance = 1e-12;
  int threads = 1;  ///< >= 1; the factor has the same bits for any number (CHOL-10)
};

/// Outcome of one numerical factorization.
struct FactorReport {
  int dropped_pivots = 0;           ///< dependent directions found (0: positive definite)
  double smallest_pivot_ratio = 1;  ///< smallest kept pivot over its diagonal entry before elimination; 1 where none is kept
  bool finite = true;               ///< false: a NaN or an infinity was met; the factor is of no use
};

/// Sparse symmetric positive definite matrix of small dense blocks and its supernodal Cholesky factor. Same bits for every instruction set.
/// Blocks and right-hand sides are addressed by *position* in elimination order: see BlockSymbolic::position.
class BlockCholesky {
 public:
  /// Takes all memory that `factor` and `solve` need. The blocks are undefined until `set_zero` or until they are written.
  explicit BlockCholesky(std::shared_ptr<const BlockSymbolic> symbolic);
  ~BlockCholesky();
  BlockCholesky(BlockCholesky&&) noexcept;
  BlockCholesky& operator=(BlockCholesky&&) noexcept;

  const BlockSymbolic& symbolic() const noexcept;

  /// Sets every block to zero. The blocks survive `factor` (they are copied into the factor's storage).
  void set_zero() noexcept;
  /// Diagonal block at `position`, s x s, column-major; only its lower triangle is read. Blocks lie one after the other in memory in
  /// order of position: for 6 x 6 blocks diagonal(p).data() == diagonal(0).data() + 36 p.
  std::span<double> diagonal(int position) noexcept;
  /// Block of `pair`: rows of the later position, columns of the earlier one, column-major; contiguous in order of pair likewise.
  std::span<double> off_diagonal(int pair) noexcept;

  /// Factors the blocks, which stay as they are; may be called again and again. Never allocates. (CHOL-6)
  FactorReport factor(const FactorSettings& settings) noexcept;

  /// Solves A x = b in place. `x`: rows in elimination order, `right_hand_sides` (1 to 4) values interleaved per row:
  /// x[row * right_hand_sides + k]. Dropped directions get x = 0. Bits do not depend on how many sides share a call. Never allocates.
  /// (CHOL-9)
  void solve(std::span<double> x, int right_hand_sides) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Read access to the symbolic work.
class BlockSymbolic {
 public:
  int blocks() const noexcept;
  int rows() const noexcept;               ///< scalar size of the matrix
  int position(int block) const noexcept;  ///< place of `block` in elimination order
  int block_at(int position) const noexcept;
  int row_of(int position) const noexcept;   ///< first scalar row of a position
  int size_of(int position) const noexcept;  ///< scalar size of a position
  int pair_count() const noexcept;
  int pair(int block_a, int block_b) const noexcept;  ///< index for off_diagonal; -1 where the two are not neighbours
  double factor_entries() const noexcept;             ///< nonzeros of L
  double factor_flops() const noexcept;

  struct Impl;
  explicit BlockSymbolic(std::unique_ptr<const Impl> impl);
  ~BlockSymbolic();
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::unique_ptr<const Impl> impl_;
};

}  // namespace trilith::linalg
