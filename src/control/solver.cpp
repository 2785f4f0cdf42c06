// (CTL-4) the trust region, (CTL-5) the line search: one iteration after the other until no entry needs a step.
#include "control/solver.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/parallel.h"
#include "control/linear_stages.h"
#include "control/small_matrix.h"
#include "multibody/kinematics.h"
#include "multibody/linearise.h"

namespace trilith::control {
namespace {

constexpr double lengths[step_lengths] = {1, 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128};
constexpr double rejected = -1;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Which of the trial merits is taken; -1: none.
int choose(const TrialMerits& merits, double now, LineSearch rule) noexcept {
  int best = -1;
  double least = now;
  for (int i = 0; i < step_lengths; ++i) {
    const double merit = merits.own[i] + merits.rows[i];
    if (!(merit < least)) continue;  // a NaN is no fall
    best = i, least = merit;
    if (rule == LineSearch::first) break;
  }
  return best;
}

double step_norm(const KnotVectors& step) noexcept {
  return std::max({largest(static_cast<int>(step.q.size()), step.q.data()), largest(static_cast<int>(step.v.size()), step.v.data()),
                   largest(static_cast<int>(step.u.size()), step.u.data())});
}

}  // namespace

Entry::Entry(const KnotSizes& sizes, int knots)
    : x(knots, sizes.coordinates, sizes.speeds, sizes.inputs),
      step(knots, sizes.tangent, sizes.speeds, sizes.inputs),
      start_q(size_of(padded(sizes.coordinates)), 0),
      start_v(size_of(padded(sizes.speeds)), 0),
      reference(size_of(3 * knots), 0),
      multipliers(size_of(knots * sizes.state_tangent()), 0) {}

Solver::~Solver() = default;

Solver::Solver(const std::shared_ptr<const Robot>& robot, int knots, double dt, int batch, const SolverOptions& options,
               const CostWeights& weights)
    : options_(options),
      sizes_{robot->coordinates(), robot->dofs(), robot->dofs(), robot->inputs()},
      knots_(knots),
      robot_(robot),
      costs_(std::make_shared<KnotCosts>(*robot, knots, weights)) {
  TRI_CHECK(knots >= 2 && dt > 0 && batch >= 1 && options.threads >= 1 && options.substeps >= 1 && options.most_iterations >= 1);
  const RobotProblem problem{
      robot, costs_, knots, dt, options.integrator, options.substeps, options.linear_system, options.hessian, options.hessian_step};
  TRI_CHECK(options.hessian == Hessian::gauss_newton || (robot->fixed_base && options.substeps == 1 && options.hessian_step > 0));
  for (int t = 0; t < std::min(options.threads, batch); ++t) stages_.push_back(std::make_unique<RobotStages>(problem));
  one_ = std::make_unique<multibody::Workspace<double>>(robot->tree);
  entries_.assign(size_of(batch), Entry(sizes_, knots));
  scratch_.assign(size_of(2 * sizes_.tangent + sizes_.speeds), 0);
  for (Entry& e : entries_) {
    // a state of the model: quaternions have length 1
    for (int k = 0; k < knots; ++k) std::copy_n(e.start_q.data(), sizes_.coordinates, e.x.q_of(k));
    e.merit_weight = options.merit_weight, e.pcg_tolerance = options.pcg_tolerance;
  }
  reset_proximal(), make_statistics();
}

Solver::Solver(const std::shared_ptr<const LinearProblem>& problem, int batch, const SolverOptions& options)
    : options_(options), sizes_{problem->states, problem->states, 0, problem->inputs}, knots_(problem->inputs_in_time + 1) {
  TRI_CHECK(knots_ >= 2 && batch >= 1 && options.threads >= 1 && options.most_iterations >= 1);
  for (int t = 0; t < std::min(options.threads, batch); ++t) stages_.push_back(std::make_unique<LinearStages>(problem));
  entries_.assign(size_of(batch), Entry(sizes_, knots_));
  for (Entry& e : entries_) e.merit_weight = options.merit_weight, e.pcg_tolerance = options.pcg_tolerance;
  reset_proximal(), make_statistics();
}

void Solver::make_statistics() {
  const std::size_t B = entries_.size(), all = B * size_of(options_.most_iterations);
  Statistics& s = statistics_;
  for (auto* list : {&s.sqp_iters, &s.kkt_converged}) list->assign(B, 0);
  for (auto* list : {&s.initial_merit, &s.final_merit, &system_time_}) list->assign(B, 0);
  s.pcg_iters.assign(all, 0);
  for (auto* list : {&s.min_merit, &s.step_size, &s.step_norm, &s.proximal, &s.defect_max, &s.cost}) list->assign(all, 0);
  s.pcg_times_us.assign(size_of(options_.most_iterations), 0);
  constexpr std::string_view names[] = {"factor", "pcg", "factor_first"};
  s.linsys = names[size_of(static_cast<int>(options_.linear_system))];
}

KnotCosts& Solver::costs() noexcept {
  TRI_CHECK(costs_ != nullptr);
  return *costs_;
}

void Solver::set_start(int entry, std::span<const double> x) noexcept {
  TRI_CHECK(x.size() == size_of(sizes_.state()));
  Entry& e = entries_[size_of(entry)];
  std::copy_n(x.data(), sizes_.coordinates, e.start_q.data());
  std::copy_n(x.data() + sizes_.coordinates, sizes_.speeds, e.start_v.data());
}

void Solver::set_reference(int entry, std::span<const double> points) noexcept {
  TRI_CHECK(points.size() == size_of(3 * knots_));
  std::copy(points.begin(), points.end(), entries_[size_of(entry)].reference.begin());
}

void Solver::set_trajectory(int entry, std::span<const double> xu) noexcept {
  read_trajectory(xu, sizes_, knots_, entries_[size_of(entry)].x);
}

void Solver::write_trajectory(int entry, std::span<double> xu) const noexcept {
  control::write_trajectory(entries_[size_of(entry)].x, sizes_, knots_, xu);
}

void Solver::write_input(int entry, int knot, std::span<double> u) const noexcept {
  TRI_CHECK(u.size() == size_of(sizes_.inputs) && knot >= 0);
  std::copy_n(entries_[size_of(entry)].x.u_of(std::min(knot, knots_ - 2)), sizes_.inputs, u.begin());
}

void Solver::set_merit_weight(int entry, double weight) noexcept { entries_[size_of(entry)].merit_weight = weight; }
void Solver::set_pcg_tolerance(int entry, double tolerance) noexcept { entries_[size_of(entry)].pcg_tolerance = tolerance; }

void Solver::set_applied(int entry, std::span<const double> wrenches) {
  TRI_CHECK(robot_ != nullptr);
  std::vector<double>& applied = entries_[size_of(entry)].applied;
  const std::size_t once = 6 * size_of(robot_->tree.bodies());
  TRI_CHECK(wrenches.empty() || wrenches.size() == once || wrenches.size() == once * size_of(knots_));
  applied.clear();
  const bool every_knot = wrenches.size() == once;
  for (int k = 0; !wrenches.empty() && k < (every_knot ? knots_ : 1); ++k) applied.insert(applied.end(), wrenches.begin(), wrenches.end());
}

void Solver::reset_proximal() noexcept {
  for (Entry& e : entries_) e.proximal = options_.proximal, e.rate = 1;
}
void Solver::reset_multipliers() noexcept {
  for (Entry& e : entries_) std::fill(e.multipliers.begin(), e.multipliers.end(), 0.0);
}
void Solver::reset() {
  reset_proximal(), reset_multipliers();
  for (Entry& e : entries_) e.merit_weight = options_.merit_weight;
}

StepSystem Solver::system_at(int iteration) const noexcept {
  if (rows_ != nullptr && rows_->needs_factor()) return StepSystem::factor;
  if (options_.linear_system == LinearSystem::factor || options_.hessian == Hessian::exact) return StepSystem::factor;
  return options_.linear_system == LinearSystem::factor_first && iteration == 0 ? StepSystem::factor : StepSystem::pcg;
}

/// (CTL-4)
void Solver::end_iteration(int entry, int iteration, double length) noexcept {
  Entry& e = entries_[size_of(entry)];
  const std::size_t at = size_of(iteration) * entries_.size() + size_of(entry);
  statistics_.step_size[at] = length;
  statistics_.min_merit[at] = e.merit + e.row_merit;
  if (rows_ != nullptr) rows_->end(entry, e.x, length > 0);
  if (!options_.adapt_proximal || (rows_ != nullptr && rows_->freezes_proximal())) return;
  const double factor = options_.proximal_factor;
  e.rate = length > 0 ? std::min(e.rate / factor, 1 / factor) : std::max(e.rate * factor, factor);
  e.proximal = std::clamp(e.proximal * e.rate, options_.least_proximal, options_.largest_proximal);
}

void Solver::fail_factor(int entry, int iteration) noexcept {
  Entry& e = entries_[size_of(entry)];
  const std::size_t at = size_of(iteration) * entries_.size() + size_of(entry);
  statistics_.pcg_iters[at] = 2, statistics_.step_size[at] = rejected, statistics_.min_merit[at] = e.merit + e.row_merit;
  e.proximal = std::clamp(e.proximal * options_.failed_factor, options_.least_proximal, options_.largest_proximal);
}

/// (CTL-5)
void Solver::raise_merit_weight(int entry, Stages& stages, const Measure& now) noexcept {
  Entry& e = entries_[size_of(entry)];
  const double needed = options_.merit_factor * stages.largest_multiplier(e);
  if (!options_.adapt_merit_weight || !(needed > e.merit_weight) || !std::isfinite(needed)) return;
  e.merit_weight = needed;
  e.merit = now.cost + e.merit_weight * now.defect_sum;
}

void Solver::iterate(int entry, Stages& stages, int iteration) noexcept {
  Entry& e = entries_[size_of(entry)];
  Statistics& s = statistics_;
  const std::size_t at = size_of(iteration) * entries_.size() + size_of(entry);
  const Measure now = stages.linearise(e);
  if (iteration == 0) e.merit = now.cost + e.merit_weight * now.defect_sum;
  e.row_merit = rows_ != nullptr ? rows_->merit(entry, e.x) : 0;
  if (iteration == 0) s.initial_merit[size_of(entry)] = s.final_merit[size_of(entry)] = e.merit + e.row_merit;
  s.cost[at] = now.cost, s.defect_max[at] = now.defect_max, s.proximal[at] = e.proximal;
  s.sqp_iters[size_of(entry)] = iteration + 1;
  if (!std::isfinite(e.merit + e.row_merit)) return e.done = true, void();
  const StepSystem system = system_at(iteration);
  const double begin = wall_seconds();
  const StepReport report = stages.solve(entry, e, system, {options_.most_pcg_iterations, e.pcg_tolerance, options_.pcg_floor}, rows_);
  system_time_[size_of(entry)] = (wall_seconds() - begin) * 1e6;
  if (!report.good) return fail_factor(entry, iteration);
  s.pcg_iters[at] = system == StepSystem::factor ? 1 : report.pcg.iterations;
  s.step_norm[at] = report.pcg.at_start ? 0 : step_norm(e.step);
  const bool small =
      options_.step_tolerance > 0 && s.step_norm[at] <= options_.step_tolerance && now.defect_max <= options_.defect_tolerance;
  if (small || report.pcg.at_start) {
    s.kkt_converged[size_of(entry)] = 1, s.min_merit[at] = e.merit + e.row_merit, s.step_size[at] = 0;
    return e.done = true, void();
  }
  if (options_.adapt_merit_weight) raise_merit_weight(entry, stages, now);
  TrialMerits merits;
  stages.try_steps(entry, e, lengths, rows_, merits);
  const int best = choose(merits, e.merit + e.row_merit, options_.line_search);
  if (best >= 0) {
    stages.take_step(e, lengths[best]);
    e.merit = merits.own[best], e.row_merit = merits.rows[best];
    s.final_merit[size_of(entry)] = e.merit + e.row_merit;
  }
  end_iteration(entry, iteration, best >= 0 ? lengths[best] : rejected);
}

bool Solver::enough_done() const noexcept {
  std::int64_t done = 0;
  for (const Entry& e : entries_) done += e.done ? 1 : 0;
  return static_cast<double>(done) >= options_.converged_share * static_cast<double>(entries_.size());
}

SolveStatus Solver::finish(int iterations, bool in_time) noexcept {
  statistics_.ls_num_iters = iterations;
  SolveStatus status = in_time ? SolveStatus::iteration_limit : SolveStatus::time_limit;
  if (enough_done()) status = SolveStatus::solved;
  for (int b = 0; b < batch(); ++b) {
    entries_[size_of(b)].rate = 1;
    if (diverged(b)) status = SolveStatus::numerical_failure;
  }
  return status;
}

SolveStatus Solver::solve(const Deadline& deadline) noexcept {
  const double begin = wall_seconds();
  for (Entry& e : entries_) e.done = false;
  std::fill(statistics_.kkt_converged.begin(), statistics_.kkt_converged.end(), 0);
  int i = 0;
  bool in_time = true;
  for (; i < options_.most_iterations && in_time && (i == 0 || !enough_done()); ++i) {
    std::fill(system_time_.begin(), system_time_.end(), 0.0);
    parallel_for(batch(), static_cast<int>(stages_.size()), [&](std::int64_t first, std::int64_t last, int thread) {
      for (std::int64_t b = first; b < last; ++b)
        if (!entries_[size_of(b)].done) iterate(static_cast<int>(b), *stages_[size_of(thread)], i);
    });
    statistics_.pcg_times_us[size_of(i)] = *std::max_element(system_time_.begin(), system_time_.end());
    in_time = !deadline.passed();
  }
  const SolveStatus status = finish(i, in_time);
  statistics_.solve_time_us = (wall_seconds() - begin) * 1e6;
  return status;
}

bool Solver::diverged(int entry) const noexcept {
  const Entry& e = entries_[size_of(entry)];
  return !std::isfinite(e.merit + e.row_merit) || !std::isfinite(step_norm(e.x));
}

Measure Solver::measure(int entry) noexcept { return stages_.front()->linearise(entries_[size_of(entry)]); }

bool Solver::write_feedback(int entry, std::span<double> gain, std::span<double> cost_to_go) noexcept {
  const std::size_t nx = size_of(sizes_.state_tangent());
  TRI_CHECK(gain.size() == nx * size_of(sizes_.inputs) && cost_to_go.size() == nx * nx);
  Entry& e = entries_[size_of(entry)];
  const double proximal = e.proximal;
  e.proximal = 0;
  (void)stages_.front()->linearise(e);
  const StepReport report = stages_.front()->solve(entry, e, StepSystem::factor, {}, nullptr);
  e.proximal = proximal;
  return report.good && stages_.front()->write_feedback(gain, cost_to_go);
}

void Solver::simulate_forward(std::span<const double> x, std::span<const double> u, double dt, std::span<double> next) noexcept {
  TRI_CHECK(robot_ != nullptr && x.size() == size_of(sizes_.state()) && next.size() == x.size() && u.size() == size_of(sizes_.inputs));
  const auto nq = size_of(sizes_.coordinates), n = size_of(sizes_.tangent);
  const std::span<double> a = std::span(scratch_).first(n), tau = std::span(scratch_).subspan(n, n), w = std::span(scratch_).subspan(2 * n);
  std::fill(tau.begin(), tau.end(), 0.0);
  if (robot_->input_map.empty())
    std::copy(u.begin(), u.end(), tau.begin());
  else
    add_times(static_cast<int>(n), sizes_.inputs, 1, robot_->input_map.data(), u.data(), tau.data());
  std::copy(x.begin(), x.end(), next.begin());
  const double step = dt / options_.substeps, theta = options_.integrator == Integrator::euler           ? 0
                                                      : options_.integrator == Integrator::semi_implicit ? 1
                                                                                                         : 0.5;
  for (int s = 0; s < options_.substeps; ++s) {
    const std::span<double> q = next.first(nq), v = next.subspan(nq);
    (void)multibody::accelerate<double>(robot_->tree, {q, v, tau, {}, robot_->gravity, robot_->end_effector}, *one_, a, {});
    for (std::size_t i = 0; i < n; ++i) w[i] = v[i] + theta * step * a[i], v[i] += step * a[i];
    multibody::integrate<double>(robot_->tree, q, w, step, 1, q);
  }
}

Vec3d Solver::end_effector(std::span<const double> q) noexcept {
  TRI_CHECK(robot_ != nullptr && q.size() == size_of(sizes_.coordinates));
  multibody::update_kinematics<double>(robot_->tree, q, *one_);
  return multibody::frame_pose(robot_->tree, *one_, robot_->end_effector).p;
}

}  // namespace trilith::control
