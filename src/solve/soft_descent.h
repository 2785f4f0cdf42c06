#pragma once
#include <span>
#include <vector>

#include "base/clock.h"
#include "rows/line.h"
#include "solve/line_search.h"
#include "solve/weighted_system.h"
#include "trilith/status.h"

namespace trilith::solve {

/// min over x of 1/2 (x - center)' P (x - center) + sum over groups of their energy at G x - shift. (NEWTON-1) P must be positive definite;
/// groups act by `respond` or `augmented_lagrangian`, in the order of rows. Views.
struct SoftProgram {
  std::span<const double> center;  ///< unknowns
  std::span<const double> shift;   ///< rows
  std::span<const rows::RowGroup> groups;
  std::span<const rows::MechanismParameters> parameters;  ///< one per group
  std::span<const rows::GroupDuals> duals;                ///< one per group; empty where none has duals
  /// What gradient and improvement are multiplied with before they meet a tolerance: 1 / (size of P), so that the tolerance has no unit.
  double scale = 1;
};

/// Where a step goes. (NEWTON-1, NEWTON-6)
enum class DescentMethod : std::uint8_t {
  newton,         ///< by the factor of P + G'C G
  hager_zhang,    ///< conjugate gradients preconditioned with P^-1, rule of Hager and Zhang
  polak_ribiere,  ///< the same, rule of Polak and Ribiere, never negative
};

/// What ends an iteration: a small improvement or a small gradient, or both of them.
enum class StopRule : std::uint8_t { either, both };

struct DescentSettings {
  DescentMethod method = DescentMethod::newton;
  double tolerance = 1e-8;  ///< of the improvement of a step and of the gradient, both times SoftProgram::scale
  int iteration_limit = 100;
  StopRule stop = StopRule::either;
  double search_tolerance = 0.01;  ///< of the slope along a step, relative to the tolerance of the gradient times the step's length
  int search_limit = 50;           ///< slopes of one line search
};

struct DescentReport {
  SolveStatus status = SolveStatus::not_run;  ///< solved, iteration_limit, time_limit, stalled, numerical_failure
  int iterations = 0, factorizations = 0, evaluations = 0;
  double improvement = 0, gradient = 0;  ///< of the last step and at its end, times the scale
  /// The objective is at most this above its minimum: 1/2 g' P^-1 g, in the objective's unit. Not a number where P alone cannot be solved.
  /// (NEWTON-2)
  double gap_bound = 0;
};

/// Descent with exact line search on the convex, once differentiable objective of soft constraints. (NEWTON-1 to NEWTON-6) Work space is
/// sized at construction; `solve` never allocates.
class SoftDescent {
 public:
  SoftDescent(int most_unknowns, std::size_t most_rows, const DescentSettings& settings = {});

  /// `x`: start on entry, minimiser on return. `system`: P and G of the program.
  [[nodiscard]] DescentReport solve(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline,
                                    std::span<double> x) noexcept;

  /// The same from `other` where the objective is lower there than at `x`.
  [[nodiscard]] DescentReport solve_from_better(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline,
                                                std::span<const double> other, std::span<double> x) noexcept;

  /// Objective at `x` minus that at `from`. (NEWTON-4)
  double measure_change(const SoftProgram& program, const WeightedSystem& system, std::span<const double> from,
                        std::span<const double> x) noexcept;
  /// Forces of the rows at the last x that was solved for: minus the gradient of the groups' energy.
  std::span<const double> force() const noexcept { return std::span(force_).first(rows_); }
  /// G x - shift, likewise.
  std::span<const double> value() const noexcept { return std::span(value_).first(rows_); }

 private:
  void size_to(const SoftProgram& program);
  DescentReport descend(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline, std::span<double> x) noexcept;
  void update_value(const SoftProgram& program, const WeightedSystem& system, std::span<const double> x) noexcept;
  double update_gradient(const SoftProgram& program, const WeightedSystem& system, std::span<const double> x) noexcept;
  bool find_step(const SoftProgram& program, WeightedSystem& system, DescentReport& report) noexcept;
  bool find_newton_step(const SoftProgram& program, WeightedSystem& system, DescentReport& report) noexcept;
  bool find_conjugate_step(const WeightedSystem& system, bool first) noexcept;
  double search(const SoftProgram& program, DescentReport& report) noexcept;
  SolveStatus iterate(const SoftProgram& program, WeightedSystem& system, const Deadline& deadline, std::span<double> x,
                      DescentReport& report) noexcept;
  double take_step(const SoftProgram& program, const WeightedSystem& system, double length, std::span<double> x) noexcept;
  double change_of_groups(const SoftProgram& program, std::span<const double> from, std::span<const double> to) const noexcept;
  rows::GroupDuals duals_of(const SoftProgram& program, std::size_t group) const noexcept {
    return program.duals.empty() ? rows::GroupDuals{} : program.duals[group];
  }
  double gap_bound(const WeightedSystem& system) noexcept;

  DescentSettings settings_;
  std::size_t unknowns_ = 0, rows_ = 0;
  double slope_ = 0;                                                 // of the objective along the step, at 0
  LineSlope line_;                                                   // of its quadratic part
  std::vector<double> gradient_, step_, product_, scratch_;          // unknowns: g, d, P d, any
  std::vector<double> last_gradient_, scaled_, last_scaled_;         // conjugate gradients: g before, P^-1 g, and before
  std::vector<double> value_, moved_, direction_, force_, hessian_;  // rows: G x - shift, after a step, G d, -energy', blocks
};

}  // namespace trilith::solve
