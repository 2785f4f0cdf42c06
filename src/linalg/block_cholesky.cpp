// Owns the numbers of a factorization and sends them to the kernels of this machine's instruction set.
#include "linalg/block_cholesky.h"

#include <cstring>

#include "base/check.h"
#include "base/isa.h"
#include "linalg/block_storage.h"
#include "linalg/block_symbolic.h"

namespace trilith::linalg {

struct BlockCholesky::Impl {
  explicit Impl(std::shared_ptr<const BlockSymbolic> shared)
      : symbolic(std::move(shared)),
        plan(symbolic->impl()),
        diagonal(plan.diagonal_entries),
        off_diagonal(plan.off_diagonal_entries),
        panels(plan.panel_entries),
        updates{AlignedArray(plan.update_entries[0]), AlignedArray(plan.update_entries[1])},
        inverse_pivot(symbolic->rows()),
        scratch(std::int64_t(4) * plan.longest_front) {}

  FactorView view() noexcept {
    return {plan.fronts.data(),
            static_cast<int>(plan.fronts.size()),
            plan.child.data(),
            plan.runs.data(),
            plan.segments.data(),
            plan.diagonal_copy.data(),
            plan.off_diagonal_copy.data(),
            diagonal.data(),
            off_diagonal.data(),
            panels.data(),
            {updates[0].data(), updates[1].data()},
            inverse_pivot.data(),
            scratch.data()};
  }

  std::shared_ptr<const BlockSymbolic> symbolic;
  const BlockSymbolic::Impl& plan;
  AlignedArray diagonal, off_diagonal;  // A
  AlignedArray panels;                  // L
  AlignedArray updates[2];              // stacks of update matrices, by parity of the depth
  AlignedArray inverse_pivot;           // 1 / diagonal of L
  AlignedArray scratch;
};

BlockCholesky::BlockCholesky(std::shared_ptr<const BlockSymbolic> symbolic) {
  TRI_CHECK(symbolic != nullptr);
  impl_ = std::make_unique<Impl>(std::move(symbolic));
}
BlockCholesky::~BlockCholesky() = default;
BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky& BlockCholesky::operator=(BlockCholesky&&) noexcept = default;

const BlockSymbolic& BlockCholesky::symbolic() const noexcept { return *impl_->symbolic; }

void BlockCholesky::set_zero() noexcept {
  for (AlignedArray* array : {&impl_->diagonal, &impl_->off_diagonal})
    if (array->size() > 0) std::memset(array->data(), 0, sizeof(double) * static_cast<std::size_t>(array->size()));
}

std::span<double> BlockCholesky::diagonal(int position) noexcept {
  const BlockCopy& copy = impl_->plan.diagonal_copy[position];
  return {impl_->diagonal.data() + copy.from, static_cast<std::size_t>(copy.rows) * static_cast<std::size_t>(copy.columns)};
}

std::span<double> BlockCholesky::off_diagonal(int pair) noexcept {
  const BlockCopy& copy = impl_->plan.off_diagonal_copy[pair];
  return {impl_->off_diagonal.data() + copy.from, static_cast<std::size_t>(copy.rows) * static_cast<std::size_t>(copy.columns)};
}

FactorReport BlockCholesky::factor(const FactorSettings& settings) noexcept {
  switch (active_isa()) {
    case Isa::v4:
      return v4::factor_fronts(impl_->view(), settings);
    case Isa::v3:
      return v3::factor_fronts(impl_->view(), settings);
    default:
      return baseline::factor_fronts(impl_->view(), settings);
  }
}

void BlockCholesky::solve(std::span<double> x, int right_hand_sides) noexcept {
  TRI_CHECK(right_hand_sides >= 1 && right_hand_sides <= 4);
  TRI_CHECK(x.size() == static_cast<std::size_t>(symbolic().rows()) * static_cast<std::size_t>(right_hand_sides));
  switch (active_isa()) {
    case Isa::v4:
      return v4::solve_fronts(impl_->view(), x.data(), right_hand_sides);
    case Isa::v3:
      return v3::solve_fronts(impl_->view(), x.data(), right_hand_sides);
    default:
      return baseline::solve_fronts(impl_->view(), x.data(), right_hand_sides);
  }
}

}  // namespace trilith::linalg
