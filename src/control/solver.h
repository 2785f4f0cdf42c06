#pragma once
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "control/cost.h"
#include "control/linear_problem.h"
#include "control/options.h"
#include "control/robot_stages.h"
#include "control/statistics.h"
#include "trilith/status.h"

namespace trilith::control {

/// Trajectory optimisation by sequential quadratic programming, for a batch of problems that share model, horizon and weights. Everything
/// is sized by the constructor: no other function of this class but the setters allocates, and `solve` is noexcept. The same input has the
/// same bits for any number of threads.
///
///     control::Solver solver(robot, 32, 0.01, 1, options);
///     solver.set_start(0, x), solver.set_reference(0, points), solver.set_trajectory(0, guess);
///     solver.solve();
///     solver.write_trajectory(0, plan);
class Solver {
 public:
  /// `knots` >= 2 states with knots - 1 inputs between them, `dt` [s] apart. A wrong argument fails a check.
  Solver(const std::shared_ptr<const Robot>& robot, int knots, double dt, int batch, const SolverOptions& options,
         const CostWeights& weights = {});
  /// A linear problem has inputs_in_time + 1 knots. Takes no weights, references, wrenches or row groups.
  Solver(const std::shared_ptr<const LinearProblem>& problem, int batch, const SolverOptions& options);
  Solver(Solver&&) noexcept = default;
  ~Solver();

  int knots() const noexcept { return knots_; }
  int batch() const noexcept { return static_cast<int>(entries_.size()); }
  const KnotSizes& sizes() const noexcept { return sizes_; }
  const SolverOptions& options() const noexcept { return options_; }
  std::size_t length() const noexcept { return trajectory_length(sizes_, knots_); }

  /// Weights of the cost. Robots only.
  KnotCosts& costs() noexcept;
  /// Row groups (row_terms.h); null: none. Kept by reference: it must live as long as solves do.
  void set_rows(RowTerms* rows) noexcept { rows_ = rows; }

  // per entry of the batch
  void set_start(int entry, std::span<const double> x) noexcept;           ///< state: q, v
  void set_reference(int entry, std::span<const double> points) noexcept;  ///< 3 per knot, m
  void set_trajectory(int entry, std::span<const double> xu) noexcept;     ///< `length()` numbers
  void write_trajectory(int entry, std::span<double> xu) const noexcept;
  void write_input(int entry, int knot, std::span<double> u) const noexcept;  ///< `knot` beyond the last input: the last one
  void set_merit_weight(int entry, double weight) noexcept;
  void set_pcg_tolerance(int entry, double tolerance) noexcept;
  /// Wrenches on bodies: 6 per body (one set for every knot) or 6 per body and knot, force and moment about the body's origin in world
  /// axes, N and N m; empty: none. Allocates.
  void set_applied(int entry, std::span<const double> wrenches);

  void reset();                       ///< proximal and merit weights, multipliers
  void reset_proximal() noexcept;     ///< of every entry, to that of the options
  void reset_multipliers() noexcept;  ///< of the dynamics, to zero

  /// Improves the trajectories of all entries. `solved`: all entries need no step (by the tolerances of the options); `iteration_limit`,
  /// `time_limit`; `numerical_failure`: a merit or trajectory is not finite at the start of an iteration (that entry keeps its trajectory).
  [[nodiscard]] SolveStatus solve(const Deadline& deadline = {}) noexcept;
  const Statistics& statistics() const noexcept { return statistics_; }
  /// The merit or the trajectory of an entry is not finite.
  bool diverged(int entry) const noexcept;

  /// Cost and defects of an entry's trajectory as it is.
  Measure measure(int entry) noexcept;
  /// Feedback u = -K dx of the first knot (inputs x state tangent) and its cost to go (state tangent squared), linearised at the trajectory
  /// as it is, without proximal weight. False where a pivot is not positive, or the linear system has no factorization.
  bool write_feedback(int entry, std::span<double> gain, std::span<double> cost_to_go) noexcept;
  /// One step of the planner's dynamics: x+ = F(x, u) without applied wrenches. Robots only.
  void simulate_forward(std::span<const double> x, std::span<const double> u, double dt, std::span<double> next) noexcept;
  /// p_WF of the end effector. Robots only.
  Vec3d end_effector(std::span<const double> q) noexcept;

 private:
  void make_statistics();
  void iterate(int entry, Stages& stages, int iteration) noexcept;
  void end_iteration(int entry, int iteration, double length) noexcept;
  void fail_factor(int entry, int iteration) noexcept;
  void raise_merit_weight(int entry, Stages& stages, const Measure& now) noexcept;
  StepSystem system_at(int iteration) const noexcept;
  bool enough_done() const noexcept;
  SolveStatus finish(int iterations, bool in_time) noexcept;

  SolverOptions options_;
  KnotSizes sizes_;
  int knots_ = 0;
  std::shared_ptr<const Robot> robot_;
  std::shared_ptr<KnotCosts> costs_;
  RowTerms* rows_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<Stages>> stages_;  // one per thread
  std::unique_ptr<multibody::Workspace<double>> one_;
  std::vector<double> system_time_, scratch_;
  Statistics statistics_;
};

}  // namespace trilith::control
