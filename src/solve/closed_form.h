#pragma once
#include <span>
#include <vector>

#include "solve/force_state.h"

namespace trilith::solve {

struct ClosedFormSettings {
  ConeMargin margin{};
  /// Proposed where the worst imbalance after the projection is at most this, mean block weights (moments: times mean block size).
  double balance_tolerance = 1e-9;
  /// Most corrections of the remaining imbalance in force space, each followed by a projection.
  int refinements = 2;
  /// Imbalance at which no further correction is tried, same unit.
  double refine_above = 1e-12;
  /// Imbalance above which it is not rounding but the cones that are missed: no correction either, same unit.
  double refine_below = 1e-6;
};

/// Rung 2 (RBE-10): f = C A' (A C A')^-1 b, the equilibrium of least norm in the metric C^-1, projected onto the true cones. It never says
/// that a structure falls. Work space is sized at construction; `propose` never allocates.
class ClosedForm {
 public:
  explicit ClosedForm(const rows::PatchRows& rows, const ClosedFormSettings& settings = {});

  /// `system`: weights set and factored by the caller, or here with unit weights where `factor_here`. `force`: lane layout, the proposal
  /// (always in the cones; balanced to `residual`). Status solved: balanced within the tolerance; stalled: not; numerical_failure.
  [[nodiscard]] ForceReport propose(const ForceProblem& problem, WeightedSystem& system, bool factor_here,
                                    std::span<double> force) noexcept;

 private:
  void write_least_norm_load(const ForceProblem& problem, const WeightedSystem& system) noexcept;
  double measure(const ForceProblem& problem, const WeightedSystem& system, std::span<const double> force) noexcept;
  void correct(WeightedSystem& system, std::span<double> force) noexcept;

  ClosedFormSettings settings_;
  std::vector<double> mu_;             // reduced by the margin, per group and lane
  std::vector<double> unknown_;        // 6 per body: solution, then imbalance
  std::vector<double> step_, before_;  // row vectors
};

}  // namespace trilith::solve
