// Accelerations under the rows of one step (DYN-30).
#include "dynamics/constraint_solve.h"

#include <algorithm>

#include "base/math.h"
#include "multibody/mass_matrix.h"

namespace trilith::dynamics {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

solve::DescentSettings no_slip_settings(const ConstraintSettings& settings) {
  solve::DescentSettings descent = settings.descent;
  descent.method = solve::DescentMethod::newton;
  descent.iteration_limit = settings.no_slip_iterations;
  return descent;
}

}  // namespace

ConstraintSolve::ConstraintSolve(const System& system, const ConstraintSettings& settings, const constraints::RowCapacity& capacity,
                                 std::int32_t widest_row, double scale)
    : settings_(settings),
      scale_(scale),
      system_({.room = {system.nv(), widest_row, capacity.rows, capacity.entries},
               .most_factor_entries = settings.most_factor_entries,
               .pivot_tolerance = settings.pivot_tolerance}),
      descent_(system.nv(), capacity.rows, settings.descent) {
  force_.resize(capacity.rows);
  if (settings.contact == ContactResolution::signorini) {
    solve::LatchSettings latch = settings.latch;
    latch.descent = settings.descent;
    latched_.emplace(capacity.rows);
    latched_descent_.emplace(system.nv(), capacity.rows, capacity.rows, latch);
  }
  center_.resize(at(system.nv()));
  if (settings.no_slip_iterations > 0) {
    friction_.emplace(capacity, widest_row);
    friction_descent_.emplace(system.nv(), capacity.rows, no_slip_settings(settings));
    rest_.resize(at(system.nv()));
  }
  if (system.nv() > 0) (void)begin(system, constraints::SoftRows({}, 1), {}, Workspace(system));  // plans for trees that do not touch
}

ConstraintSolveReport ConstraintSolve::solve(const System& system, const constraints::SoftRows& rows, const ConstraintSolveInput& input,
                                             Workspace& w) noexcept {
  ConstraintSolveReport report;
  report.descent.status = SolveStatus::solved;
  rows_ = rows.rows();
  std::ranges::copy(w.a_smooth, w.a.begin());
  std::ranges::fill(w.constraint, 0.0);
  if (rows_ == 0) return report;

  if (latched_) latched_->build(rows);
  if (!begin(system, rows, latched_ ? latched_->groups() : rows.groups(), w)) {
    report.descent.status = SolveStatus::numerical_failure;
    return report;
  }
  if (latched_)
    solve_latched(rows, input.warm_start, w, report);
  else
    solve_convex(rows, input.warm_start, w, report);
  system_.apply_transposed(force(), w.constraint);
  if (friction_ && report.descent.status != SolveStatus::numerical_failure) stop_slip(system, rows, input.touches, w, report);
  return report;
}

/// Hands the mass matrix and the rows to the solver's system.
bool ConstraintSolve::begin(const System& system, const constraints::SoftRows& rows, std::span<const rows::RowGroup> groups,
                            const Workspace& w) noexcept {
  const multibody::WorkspaceView<double>& view = w.tree.view();
  const multibody::TreeView<double> tree = system.tree.view<double>();
  const auto entries = static_cast<std::size_t>(tree.entries);
  const std::span<const std::int64_t> start(tree.row, at(system.nv()) + 1);
  const std::span<const std::int32_t> column(tree.column, entries);
  const solve::QuadraticTerm quadratic{{start, column, {view.mass_matrix, entries}}, {start, column, {view.factor, entries}}};
  return system_.update(quadratic, {rows.start(), rows.column(), rows.value()}, groups);
}

/// From the last acceleration where the cost is lower there than without forces.
void ConstraintSolve::solve_convex(const constraints::SoftRows& rows, std::span<const double> warm_start, Workspace& w,
                                   ConstraintSolveReport& report) noexcept {
  const solve::SoftProgram cone = cone_program(rows, w);
  report.descent =
      warm_start.empty() ? descent_.solve(cone, system_, {}, w.a) : descent_.solve_from_better(cone, system_, {}, warm_start, w.a);
  std::ranges::copy(descent_.force(), force_.begin());
}

/// (NEWTON-7) From the last acceleration where the convex cost is lower there.
void ConstraintSolve::solve_latched(const constraints::SoftRows& rows, std::span<const double> warm_start, Workspace& w,
                                    ConstraintSolveReport& report) noexcept {
  if (!warm_start.empty() && descent_.measure_change(cone_program(rows, w), system_, w.a_smooth, warm_start) < 0)
    std::ranges::copy(warm_start, w.a.begin());
  const solve::SoftProgram program{w.a_smooth, rows.reference(), latched_->groups(), latched_->parameters(), {}, scale_};
  const solve::FrictionLatches latches{latched_->normal(), latched_->normal_R(), latched_->owner(), latched_->coefficient(),
                                       latched_->radius()};
  const solve::LatchReport solved = latched_descent_->solve(program, latches, system_, {}, w.a);
  report.descent = solved.descent;
  report.latch_rounds = solved.rounds;
  report.latch_gap = solved.latch_gap;
  std::ranges::copy(latched_descent_->force(), force_.begin());
}

/// Friction again, all but rigid, under the other forces as they are. (SOFT-16)
void ConstraintSolve::stop_slip(const System& system, const constraints::SoftRows& rows, std::span<const constraints::Touch> touches,
                                Workspace& w, ConstraintSolveReport& report) noexcept {
  std::ranges::copy(w.constraint, rest_.begin());
  friction_->build(rows, touches, force(), settings_.no_slip_softness, rest_);
  const constraints::SoftRows& friction = friction_->rows();
  if (friction.rows() == 0) return;
  if (!begin(system, friction, friction.groups(), w)) {
    report.no_slip.status = SolveStatus::numerical_failure;
    return;
  }
  std::ranges::copy(rest_, center_.begin());
  multibody::solve_mass_matrix<double>(system.tree, w.tree, center_);
  for (std::size_t k = 0; k < center_.size(); ++k) center_[k] += w.a_smooth[k];
  const solve::SoftProgram program{center_, friction.reference(), friction.groups(), friction.parameters(), {}, scale_};
  report.no_slip = friction_descent_->solve(program, system_, {}, w.a);
  friction_->write_forces(friction_descent_->force(), force_);
  system_.apply_transposed(friction_descent_->force(), w.constraint);
  for (std::size_t k = 0; k < rest_.size(); ++k) w.constraint[k] += rest_[k];
}

std::optional<ResolutionDifference> ConstraintSolve::compare(const System& system, const constraints::SoftRows& rows,
                                                             std::span<const constraints::Touch> touches, const Workspace& w) noexcept {
  if (!latched_) return std::nullopt;
  ResolutionDifference difference;
  if (rows_ == 0) return difference;
  if (!begin(system, rows, rows.groups(), w)) return std::nullopt;
  std::ranges::copy(w.a_smooth, center_.begin());
  if (descent_.solve(cone_program(rows, w), system_, {}, center_).status == SolveStatus::numerical_failure) return std::nullopt;
  const std::span<const double> exact = latched_descent_->force(), convex = descent_.force();
  const auto slide = [](std::span<const double> f, std::size_t k) { return trilith::sqrt(f[k] * f[k] + f[k + 1] * f[k + 1]); };
  for (const constraints::Touch& touch : touches) {
    if (touch.first_row < 0 || touch.condim == 1) continue;
    const auto first = at(touch.first_row);
    difference.normal_force += exact[first], difference.normal_force_convex += convex[first];
    difference.friction += slide(exact, first + 1), difference.friction_convex += slide(convex, first + 1);
    difference.lift = std::max(difference.lift, descent_.value()[first] - latched_descent_->value()[first]);
  }
  return difference;
}

}  // namespace trilith::dynamics
