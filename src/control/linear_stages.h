#pragma once
#include <memory>

#include "control/linear_problem.h"
#include "control/stages.h"

namespace trilith::control {

/// Stages of a linear problem (CTL-9).
class LinearStages final : public Stages {
 public:
  explicit LinearStages(std::shared_ptr<const LinearProblem> problem);

  Measure linearise(const Entry& entry) noexcept override;
  StepReport solve(int index, Entry& entry, StepSystem system, const PcgLimits& limits, RowTerms* rows) noexcept override;
  double largest_multiplier(const Entry& entry) noexcept override;
  void try_steps(int index, const Entry& entry, std::span<const double> lengths, RowTerms* rows, TrialMerits& merits) noexcept override;
  void take_step(Entry& entry, double length) noexcept override;
  bool write_feedback(std::span<double> gain, std::span<double> cost_to_go) const noexcept override;

 private:
  double knot_cost(int k, const double* x, const double* u, double* gx, double* gu) const noexcept;
  Measure measure(const Entry& entry, double length, bool write) noexcept;

  std::shared_ptr<const LinearProblem> problem_;
  StageQp qp_;
  std::vector<double> x_, u_, next_, gx_, gu_, dx_, du_;
  bool factored_ = false;
};

}  // namespace trilith::control
