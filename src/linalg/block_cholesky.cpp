// Owns the numbers of a factorization and sends them to the kernels of this machine's instruction set.
#include "linalg/block_cholesky.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/isa.h"
#include "base/parallel.h"
#include "linalg/block_storage.h"
#include "linalg/block_symbolic.h"

namespace trilith::linalg {
namespace {

constexpr int most_parts = 64;  // of one stage
// Work that is worth waking threads for, which takes up to .1 ms on a virtual machine: of a stage of one front (.2 ms), of all branches (1
// ms).
constexpr double least_stage_flops = 4e6, least_branches_flops = 2e7;

const FactorKernel& kernel() noexcept {
  switch (active_isa()) {
    case Isa::v4:
      return v4::factor_kernel;
    case Isa::v3:
      return v3::factor_kernel;
    default:
      return baseline::factor_kernel;
  }
}

void merge(const FactorReport& part, FactorReport& report) noexcept {
  report.dropped_pivots += part.dropped_pivots;
  report.smallest_pivot_ratio = std::min(report.smallest_pivot_ratio, part.smallest_pivot_ratio);
  report.finite = report.finite && part.finite;
}

/// One numerical factorization over the branches and the trunk of the tree. (CHOL-10)
struct Factorization {
  FactorView view;
  const BlockSymbolic::Impl& plan;
  const FactorKernel& kernel;
  const FactorSettings& settings;

  FactorReport run() const noexcept {
    FactorReport report;
    factor_branches(report);
    for (const int f : plan.trunk) factor_shared(f, report);
    return report;
  }

  /// The heaviest branch goes to the thread with the least work so far; each thread writes its own report.
  void factor_branches(FactorReport& report) const noexcept {
    double flops = 0;
    for (const Branch& branch : plan.branches) flops += branch.flops;
    const int parts = flops < least_branches_flops ? 1 : std::min({settings.threads, most_parts, int(plan.branches.size())});
    FactorReport reports[most_parts];
    parallel_for(parts, parts, [&](std::int64_t, std::int64_t, int part) {
      double load[most_parts] = {};
      for (const Branch& branch : plan.branches) {
        double* const lightest = std::min_element(load, load + parts);
        *lightest += branch.flops;
        if (lightest - load == part) kernel.whole(view, {branch.begin, branch.end}, settings, reports[part]);
      }
    });
    for (int part = 0; part < parts; ++part) merge(reports[part], report);
  }

  /// A front of the trunk: threads share the rows under its triangle, then the columns of its update matrix.
  void factor_shared(int f, FactorReport& report) const noexcept {
    const Front& front = plan.fronts[f];
    const double w = front.width, b = front.below;
    const auto parts_for = [&](double flops) { return flops < least_stage_flops ? 1 : std::min(settings.threads, most_parts); };
    kernel.assemble(view, f);
    kernel.triangle(view, f, settings, report);
    parallel_for(front.tail / front_padding, parts_for(w * w * b), [&](std::int64_t begin, std::int64_t end, int) {
      kernel.tail(view, f, {int(begin) * front_padding, int(end) * front_padding});
    });
    // columns get shorter: each thread takes some from both ends
    const int strips = front.tail / front_padding, pairs = (strips + 1) / 2;
    parallel_for(pairs, parts_for(w * b * b), [&](std::int64_t begin, std::int64_t end, int) {
      const auto columns = [&](std::int64_t from, std::int64_t to) {
        const Part part{int(from) * front_padding, std::min(int(to) * front_padding, front.below)};
        if (part.begin < part.end) kernel.update(view, f, part);
      };
      columns(begin, end);
      columns(std::max(strips - end, end), strips - begin);
    });
  }
};

}  // namespace

struct BlockCholesky::Impl {
  explicit Impl(std::shared_ptr<const BlockSymbolic> shared)
      : symbolic(std::move(shared)),
        plan(symbolic->impl()),
        diagonal(plan.diagonal_entries),
        off_diagonal(plan.off_diagonal_entries),
        panels(plan.panel_entries),
        updates(plan.update_entries),
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
            updates.data(),
            inverse_pivot.data(),
            scratch.data()};
  }

  std::shared_ptr<const BlockSymbolic> symbolic;
  const BlockSymbolic::Impl& plan;
  AlignedArray diagonal, off_diagonal;  // A
  AlignedArray panels;                  // L
  AlignedArray updates;                 // update matrices: two stacks a branch (CHOL-7)
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
  TRI_CHECK(settings.threads >= 1);
  return Factorization{impl_->view(), impl_->plan, kernel(), settings}.run();
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
