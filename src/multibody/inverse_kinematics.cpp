#include "multibody/inverse_kinematics.h"

#include <algorithm>

#include "base/check.h"
#include "linalg/dense_cholesky.h"
#include "multibody/kinematics.h"

namespace trilith::multibody {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Moves coordinates of hinges and slides into their bounds.
void clamp(const Tree& tree, std::span<const double> lower, std::span<const double> upper, std::span<double> q) noexcept {
  if (lower.empty()) return;
  for (std::int32_t i = 0; i < tree.links(); ++i) {
    const LinkIndex& link = tree.link(i);
    if (link.kind != LinkKind::hinge && link.kind != LinkKind::slide) continue;
    q[at(link.q)] = min(max(q[at(link.q)], lower[at(link.q)]), upper[at(link.q)]);
  }
}

}  // namespace

InverseKinematics::InverseKinematics(const Tree& tree, int most_targets)
    : tree_(tree),
      workspace_(tree),
      error_(6 * at(most_targets)),
      jacobian_(6 * at(tree.dofs())),
      normal_(at(tree.dofs()) * at(tree.dofs())),
      factor_(normal_.size()),
      gradient_(at(tree.dofs())),
      step_(at(tree.dofs())),
      trial_(at(tree.coordinates())),
      held_(at(tree.dofs())) {}

/// Kinematics at `q` and the weighted errors; returns half their square.
double InverseKinematics::measure(std::span<const PoseTarget> targets, std::span<const double> q) noexcept {
  update_kinematics<double>(tree_, q, workspace_);
  double half_square = 0;
  largest_ = 0;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const PoseTarget& target = targets[t];
    const Posed X = frame_pose(tree_, workspace_, target.frame);
    const Vec3d position = target.position_weight * (target.X_WF.p - X.p);
    const Vec3d turn = target.orientation_weight * log_rotation(from_matrix(target.X_WF.R * transpose(X.R)));
    const Vec6d error = join(position, turn);
    std::copy(error.v, error.v + 6, error_.begin() + static_cast<std::ptrdiff_t>(6 * t));
    half_square += 0.5 * dot(error, error);
    largest_ = max(largest_, max(norm(position), norm(turn)));
  }
  return half_square;
}

/// J'J and J'e at the state of the last `measure`.
void InverseKinematics::assemble(std::span<const PoseTarget> targets) noexcept {
  const std::size_t n = gradient_.size();
  std::fill(normal_.begin(), normal_.end(), 0.0);
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    write_jacobian<double>(tree_, workspace_, targets[t].frame, JacobianPoint::frame, JacobianShape::dense, jacobian_);
    for (std::size_t row = 0; row < 6; ++row) {
      const double weight = row < 3 ? targets[t].position_weight : targets[t].orientation_weight;
      double* const J = &jacobian_[row * n];
      for (std::size_t k = 0; k < n; ++k) J[k] *= weight;
      for (std::size_t j = 0; j < n; ++j) {
        gradient_[j] += J[j] * error_[6 * t + row];
        for (std::size_t i = j; i < n; ++i) normal_[j * n + i] += J[i] * J[j];
      }
    }
  }
}

/// Marks the degrees of freedom that stand at a bound and would leave it.
void InverseKinematics::hold_at_bounds(const Bounds& bounds, std::span<const double> q) noexcept {
  std::fill(held_.begin(), held_.end(), char{0});
  if (bounds.lower.empty()) return;
  for (std::int32_t i = 0; i < tree_.links(); ++i) {
    const LinkIndex& link = tree_.link(i);
    if (link.kind != LinkKind::hinge && link.kind != LinkKind::slide) continue;
    const double slope = gradient_[at(link.v)], value = q[at(link.q)];
    held_[at(link.v)] = (value <= bounds.lower[at(link.q)] && slope < 0) || (value >= bounds.upper[at(link.q)] && slope > 0) ? 1 : 0;
  }
}

/// The step of one damping, clamped, in trial_. False where the damped matrix cannot be factored.
bool InverseKinematics::propose(double damping, std::span<const double> q, const Bounds& bounds) noexcept {
  const std::size_t n = gradient_.size();
  factor_ = normal_;
  step_ = gradient_;
  for (std::size_t k = 0; k < n; ++k) {
    factor_[k * n + k] += damping;
    if (held_[k] == 0) continue;
    for (std::size_t i = k; i < n; ++i) factor_[k * n + i] = 0;
    for (std::size_t j = 0; j < k; ++j) factor_[j * n + k] = 0;
    factor_[k * n + k] = 1;
    step_[k] = 0;
  }
  const linalg::FactorReport report = linalg::factor_dense(factor_, static_cast<int>(n), {.pivot_tolerance = 0});
  if (!report.finite || report.dropped_pivots > 0) return false;
  linalg::solve_dense(factor_, static_cast<int>(n), step_);
  integrate<double>(tree_, q, step_, 1.0, 1, trial_);
  clamp(tree_, bounds.lower, bounds.upper, trial_);
  return true;
}

InverseKinematicsReport InverseKinematics::solve(std::span<const PoseTarget> targets, std::span<const double> lower,
                                                 std::span<const double> upper, const InverseKinematicsSettings& settings,
                                                 std::span<double> q) noexcept {
  TRI_CHECK(q.size() == trial_.size() && 6 * targets.size() <= error_.size());
  TRI_CHECK(lower.size() == upper.size() && (lower.empty() || lower.size() == q.size()));
  const Bounds bounds{lower, upper};
  clamp(tree_, lower, upper, q);
  InverseKinematicsReport report;
  double cost = measure(targets, q);
  double damping = -1;  // of the largest diagonal entry; set with the first matrix
  bool fresh = true;
  for (report.error = largest_; report.error > settings.tolerance; ++report.iterations) {
    if (report.iterations == settings.iteration_limit) return report.status = SolveStatus::iteration_limit, report;
    if (fresh) {
      assemble(targets);
      hold_at_bounds(bounds, q);
      damping = damping < 0 ? settings.first_damping : damping;
    }
    double scale = 0;
    for (std::size_t k = 0; k < gradient_.size(); ++k) scale = max(scale, normal_[k * gradient_.size() + k]);
    if (!(cost - cost == 0)) return report.status = SolveStatus::numerical_failure, report;
    if (scale <= 0 || damping > settings.largest_damping) return report.status = SolveStatus::stalled, report;

    const bool usable = propose(damping * scale, q, bounds);
    const double trial_cost = usable ? measure(targets, trial_) : cost;
    fresh = usable && trial_cost < cost * (1 - settings.least_decrease);
    damping = fresh ? max(settings.damping_fall * damping, settings.least_damping) : settings.damping_rise * damping;
    if (!fresh) continue;
    cost = trial_cost;
    report.error = largest_;
    std::copy(trial_.begin(), trial_.end(), q.begin());
  }
  report.status = report.error <= settings.tolerance ? SolveStatus::solved : SolveStatus::numerical_failure;
  return report;
}

}  // namespace trilith::multibody
