// Limit load by the conic iteration with the load factor as one more column (LIM-3), (LIM-4).
#include "solve/load_factor.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "solve/bordered_cones.h"
#include "solve/bordered_system.h"
#include "solve/vectors.h"

namespace trilith::solve {
namespace {

/// max lambda: A f - lambda live = load, the column is the row -live of the dual.
std::vector<double> negated(std::span<const double> live) {
  std::vector<double> row(live.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = -live[i];
  return row;
}

/// mu enlarged by the margin: motions of the iteration then lie inside the true dual cones, and projecting the forces onto the reduced
/// cones unbalances them by as little.
std::vector<double> enlarged_mu(const rows::PatchRows& rows, const ConeMargin& margin) {
  std::vector<double> mu;
  for (const rows::PatchGroup& group : rows.groups())
    for (const double value : group.mu) mu.push_back(value > 0 ? value + margin.relative * value + margin.rounding / value : 0.0);
  return mu;
}

/// True mu and reduced mu, lane layout of groups.
struct Frictions {
  explicit Frictions(const rows::PatchRows& rows, const ConeMargin& margin) : reduced(rows.groups().size() * rows::patch_lanes) {
    for (const rows::PatchGroup& group : rows.groups()) exact.insert(exact.end(), group.mu, group.mu + rows::patch_lanes);
    write_reduced_mu(rows, margin, reduced);
  }
  std::vector<double> exact, reduced;
};

/// The same push at every contact point. Residual and complementarity of the motions keep their ratio (IPM-6), so the larger the forces of
/// the start, the sooner the motions lie inside their cones.
void write_start(const rows::PatchRows& rows, double push, std::span<double> row) {
  for (std::size_t slot = 0; slot < rows.slots().size(); ++slot)
    for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane) row[slot * rows::slot_rows + lane] = push * rows.slots()[slot].used[lane];
}

/// Given forces, scaled so that their mean push is that of a cold start: what counts is how they are shared out.
void write_warm_start(const rows::PatchRows& rows, std::span<const double> force, double push, std::span<double> row) {
  double sum = 0;
  for (std::size_t slot = 0; slot < rows.slots().size(); ++slot)
    for (std::size_t lane = 0; lane < rows::patch_lanes; ++lane) sum += abs(force[slot * rows::slot_rows + lane]);
  const double scale = sum > 0 ? push * rows.points() / sum : 0;
  for (std::size_t i = 0; i < force.size(); ++i) row[i] = scale * force[i];
}

/// What a watcher reads and drives, of one run.
struct LoadFactorRun {
  const LoadFactorProblem& problem;
  const ConicProblem& program;
  WeightedSystem& plain;
  BorderedSystem& system;
  SelfDual& iteration;
  const LoadFactorSettings& settings;
};

/// Builds a balanced state and measures the motion of every iterate that is near, and keeps the best of both.
class LoadFactorWatcher final : public ConicWatcher {
 public:
  LoadFactorWatcher(const LoadFactorRun& run, std::span<double> force, std::span<double> velocity)
      : problem_(run.problem),
        program_(run.program),
        contacts_(run.program.cones),
        plain_(run.plain),
        system_(run.system),
        iteration_(run.iteration),
        settings_(run.settings),
        mu_(problem_.base.rows, settings_.margin),
        sense_(problem_.end == LoadEnd::most ? 1 : -1),
        force_(force),
        velocity_(velocity),
        trial_(system_.rows()),
        row_(system_.rows()),
        kept_(system_.rows()),
        direction_(problem_.live.size()) {
    --contacts_.group_count;  // without the border
    contacts_.mu = mu_.exact.data();
  }

  SolveStatus evaluated(int k, const SelfDual::Step& step) noexcept override {
    if (k == 0) return SolveStatus::not_run;
    if (try_motion(iteration_.x(), iteration_.velocity())) return SolveStatus::primal_infeasible;
    if (is_narrow(settings_.width)) return SolveStatus::solved;
    const double power = -step.offset_z;
    if (power > 0 && largest_of(iteration_.transposed_z()) <= settings_.ray_tolerance * power) return SolveStatus::dual_infeasible;
    return SolveStatus::not_run;
  }

  // motions that no joint resists must get no power: they leave no factor, or a single one (LIM-4)
  SolveStatus factored(int k, const SelfDual::Step&, const linalg::FactorReport& factor) noexcept override {
    system_.set_guard(settings_.guard);
    if (k > 0 || factor.dropped_pivots == 0) return SolveStatus::not_run;
    if (find_free(problem_.base.load) && try_motion(direction_, row_)) return SolveStatus::primal_infeasible;
    if (!find_free(problem_.live)) return SolveStatus::not_run;
    const double power = dot_of(problem_.base.load, direction_), gain = dot_of(problem_.live, direction_);
    const double at = -power / gain;
    if (try_motion(direction_, row_)) return SolveStatus::primal_infeasible;
    if (at < -settings_.free_load) return SolveStatus::numerical_failure;
    if (sense_ < 0) {
      for (double& v : direction_) v = -v;
      system_.apply(direction_, row_);
      (void)try_motion(direction_, row_);
    }
    is_fixed_ = true;
    state_ = max(0.0, at);
    return SolveStatus::solved;
  }

  SolveStatus predicted(int, const SelfDual::Step& step) noexcept override {
    const double tau = iteration_.tau(), primal = iteration_.z()[system_.border()] / tau;
    if (primal > settings_.past_unbounded * settings_.unbounded) return SolveStatus::dual_infeasible;
    const double scale = max(abs(dual_), settings_.least_factor), gap = step.gap / (tau * tau);
    if (!(abs(primal - dual_) <= settings_.near * scale)) return SolveStatus::not_run;
    if (gap > settings_.small_gap * settings_.width * scale && gap > settings_.less_gap * tried_gap_) return SolveStatus::not_run;
    tried_gap_ = gap;
    try_state();
    return is_narrow(settings_.width) ? SolveStatus::solved : SolveStatus::not_run;
  }

  bool is_narrow(double width) const noexcept {
    return has_state_ && has_ray_ && abs(ray_ - state_) <= width * max(settings_.least_factor, abs(state_));
  }
  bool has_state() const noexcept { return has_state_; }
  bool has_ray() const noexcept { return has_ray_; }
  double state() const noexcept { return state_; }
  double ray() const noexcept { return ray_; }
  double residual() const noexcept { return residual_; }
  bool is_fixed() const noexcept { return is_fixed_; }

 private:
  /// Leaves the part of `load` on motions without resistance in direction_, and its relative velocities in row_.
  bool find_free(std::span<const double> load) noexcept {
    const ConicProblem shown{program_.cones, program_.points, load, program_.offset};
    if (!(iteration_.find_free_fall(shown, plain_, direction_) > settings_.free_load)) return false;
    system_.apply(direction_, row_);
    return true;
  }

  static double size_of(std::span<const double> load, std::span<const double> x) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += abs(load[i] * x[i]);
    return sum;
  }

  /// The power of load + lambda live on x grows with lambda (falls, for the least one): from `at` on it pays for what x violates. True
  /// where it does so for every lambda from 0 on.
  bool try_motion(std::span<const double> x, std::span<const double> row) noexcept {
    const ForceProblem& base = problem_.base;
    const double power = dot_of(base.load, x), gain = dot_of(problem_.live, x);
    const double violation = interior_point_kernel_of(active_isa()).motion_violation(contacts_, row.data());
    const double weights = base.total > 0 ? base.total : base.rows.blocks();
    const auto needed = [&](double factor) {
      return (settings_.least_force_factor * weights * (1 + factor) + base.capacity) * violation +
             settings_.work_room * (size_of(base.load, x) + factor * size_of(problem_.live, x));
    };
    const double far = settings_.unbounded;
    if (power > needed(0) && power + far * gain > needed(far)) {
      keep_motion(x, 0);
      return true;
    }
    if (!(gain * sense_ > 0)) return false;
    dual_ = -power / gain;
    const double at = (needed(max(0.0, dual_)) - power) / gain;
    if (!has_ray_ || sense_ * (ray_ - at) > 0) keep_motion(x, at);
    return false;
  }

  void keep_motion(std::span<const double> x, double at) noexcept {
    has_ray_ = true;
    ray_ = at;
    write_motion(x, velocity_);
  }

  /// z / tau, its residual taken out in the metric of the iteration, inside the cones; the factor is what its border entry has become.
  void try_state() noexcept {
    const double tau = iteration_.tau();
    const auto start = iteration_.force();
    for (std::size_t i = 0; i < row_.size(); ++i) trial_[i] = start[i] / tau;
    double residual = balance();
    for (int k = 0; k <= settings_.corrections && residual > settings_.balance_enough; ++k) {
      iteration_.solve_refined(system_, direction_);
      system_.apply(direction_, row_);
      system_.apply_weights(row_);
      kept_ = trial_;
      for (std::size_t i = 0; i < row_.size(); ++i) trial_[i] += row_[i];
      project();
      const double next = balance();
      if (k > 0 && !(next < residual)) {
        trial_ = kept_;
        break;
      }
      residual = next;
    }
    const double at = trial_[system_.border()];
    if (!(residual <= settings_.balance_tolerance && at >= 0)) return;
    if (has_state_ && !(sense_ * (at - state_) > 0)) return;
    has_state_ = true;
    state_ = at;
    residual_ = residual;
    std::copy(trial_.begin(), trial_.begin() + static_cast<std::ptrdiff_t>(system_.border()), force_.begin());
  }

  void project() noexcept {
    (void)project_forces(problem_.base.rows, mu_.reduced, settings_.margin.dust, std::span(trial_).first(system_.border()));
  }

  /// Leaves load - G'trial in direction_ and returns its worst entry.
  double balance() noexcept {
    system_.apply_transposed(trial_, direction_);
    for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = problem_.base.load[i] - direction_[i];
    return worst_imbalance(direction_);
  }

  const LoadFactorProblem& problem_;
  const ConicProblem& program_;
  ConicView contacts_;
  WeightedSystem& plain_;
  BorderedSystem& system_;
  SelfDual& iteration_;
  const LoadFactorSettings& settings_;
  Frictions mu_;
  double sense_ = 1, tried_gap_ = std::numeric_limits<double>::infinity();
  std::span<double> force_, velocity_;
  std::vector<double> trial_, row_, kept_, direction_;
  bool has_state_ = false, has_ray_ = false, is_fixed_ = false;
  double state_ = 0, ray_ = 0, residual_ = 0;
  double dual_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace

LoadFactorReport find_load_factor(const LoadFactorProblem& problem, WeightedSystem& system, const LoadFactorSettings& settings,
                                  const Deadline& deadline, std::span<double> force, std::span<double> velocity) {
  const rows::PatchRows& rows = problem.base.rows;
  TRI_CHECK(problem.base.load.size() == problem.live.size() && velocity.size() == problem.live.size() && force.size() == rows.size());
  const BorderedCones cones(rows, enlarged_mu(rows, settings.margin));
  BorderedSystem bordered(system, negated(problem.live));
  std::vector<double> offset(bordered.rows(), 0.0), start(bordered.rows(), 0.0);
  offset[bordered.border()] = problem.end == LoadEnd::most ? -1 : 1;
  if (largest_of(force) > 0)
    write_warm_start(rows, force, settings.start_force, start);
  else
    write_start(rows, settings.start_force, start);
  start[bordered.border()] = 1;
  const ConicProblem program{cones.view(), cones.points(), problem.base.load, offset};
  SelfDual iteration(bordered.rows(), bordered.unknowns(), settings.steps);
  iteration.start(program, start);
  std::fill(force.begin(), force.end(), 0.0);

  LoadFactorWatcher watcher({problem, program, system, bordered, iteration, settings}, force, velocity);
  const ConicRun run = run_conic(program, bordered, settings.limits, deadline, iteration, watcher);
  system.set_proximal(0);
  LoadFactorReport report{run.status,    run.iterations,     run.factorizations, watcher.state(),
                          watcher.ray(), watcher.residual(), watcher.is_fixed()};
  const bool stopped =
      run.status == SolveStatus::stalled || run.status == SolveStatus::iteration_limit || run.status == SolveStatus::numerical_failure;
  if (stopped && watcher.is_narrow(settings.near)) report.status = SolveStatus::solved_inaccurate;
  if (stopped && watcher.is_narrow(settings.enough)) report.status = SolveStatus::solved;
  return report;
}

}  // namespace trilith::solve
