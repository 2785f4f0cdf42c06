// The solution of a robot's subproblem (CTL-4, CTL-6, CTL-7, CTL-8) and the merit of its trial steps (CTL-5).
#include <algorithm>

#include "control/robot_stages.h"
#include "control/small_matrix.h"
#include "linalg/project_semidefinite.h"
#include "multibody/kinematics.h"

namespace trilith::control {
namespace {

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

KnotRows RobotStages::rows_at(int index, const Entry& entry, int k) noexcept {
  KnotRows rows{index, k, {}, jacobian_of(k), terms_of(k), nullptr, nullptr};
  set_point(entry, k, rows.at);
  if (rows_dense_q_) rows.dense_q = arm_ ? &arm_stage_[size_of(k)].dense_q.at[0][0] : &dense_q_[size_of(k) * size_of(n_ * padded(n_))];
  if (rows_dense_u_) rows.dense_u = arm_ ? &arm_stage_[size_of(k)].dense_u.at[0][0] : &dense_u_[size_of(k) * size_of(m_ * padded(m_))];
  return rows;
}

/// Gradients of a knot to the dense stage.
void RobotStages::write_dense_gradient(int k) noexcept {
  const StageQp::Stage s = qp_->stage(k);
  std::copy_n(gradient_.q_of(k), n_, s.gx), std::copy_n(gradient_.v_of(k), n_, s.gx + n_), std::copy_n(gradient_.u_of(k), m_, s.gu);
}

void RobotStages::assemble_dense(int k) noexcept {
  const StageQp::Stage s = qp_->stage(k);
  const int nx = 2 * n_, stride = padded(n_);
  const double weight = problem_.costs->at(k, positions_.data()).end_effector;
  const double* J = jacobian_of(k);
  std::fill_n(s.Q, nx * nx, 0.0);
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) {
      double sum = 0;
      for (int r = 0; r < 3; ++r) sum += J[r * stride + i] * J[r * stride + j];
      s.Q[i * nx + j] = weight * sum + (rows_dense_q_ ? dense_q_[size_of((k * n_ + i) * stride + j)] : 0);
    }
    s.Q[i * nx + i] += diagonal_.q_of(k)[i];
    s.Q[(n_ + i) * nx + n_ + i] = diagonal_.v_of(k)[i];
  }
  if (k + 1 == knots_) return;
  for (int i = 0; i < m_; ++i) {
    for (int j = 0; j < m_; ++j) s.R[i * m_ + j] = rows_dense_u_ ? dense_u_[size_of((k * m_ + i) * padded(m_) + j)] : 0;
    s.R[i * m_ + i] += diagonal_.u_of(k)[i];
  }
}

/// States of the central differences `first`, ... of knot k: q, then v, each up and down.
void RobotStages::load_perturbed(const Entry& entry, int k, int first) noexcept {
  const std::size_t wrenches = 6 * size_of(tree_.bodies());
  for (int l = 0; l < lanes; ++l) {
    const int direction = (first + l) / 2, number = direction % n_;
    const double change = ((first + l) % 2 == 0 ? 1 : -1) * problem_.hessian_step;
    for (int i = 0; i < n_; ++i) {
      const bool moves = i == number && direction < 2 * n_;
      lane_.q[size_of(i * lanes + l)] = entry.x.q_of(k)[i] + (moves && direction < n_ ? change : 0);
      lane_.v[size_of(i * lanes + l)] = entry.x.v_of(k)[i] + (moves && direction >= n_ ? change : 0);
    }
    for (int i = 0; i < m_; ++i) lane_.u[size_of(i * lanes + l)] = entry.x.u_of(k)[i];
    for (std::size_t i = 0; !entry.applied.empty() && i < wrenches; ++i)
      lane_.applied[i * lanes + size_of(l)] = entry.applied[size_of(k) * wrenches + i];
  }
  map_inputs();
}

/// Adds the differences of eight states to the curvature, a row (q, v, a's share of u) per direction.
void RobotStages::add_curvature_columns(const Entry& entry, int k, int first) noexcept {
  const KnotCost cost = problem_.costs->at(k, &entry.reference[size_of(3 * k)]);
  const Group& group = group_.front();
  for (int l = 0; l < lanes && first + l < 4 * n_; ++l) {
    const double share = ((first + l) % 2 == 0 ? 1 : -1) / (2 * problem_.hessian_step);
    double* row = &curvature_[size_of((first + l) / 2 * 3 * n_)];
    for (int j = 0; j < n_; ++j) {
      double by_q = 0, by_v = 0, by_tau = 0;
      for (int i = 0; i < n_; ++i) {
        const std::size_t e = size_of((i * n_ + j) * lanes + l);
        by_q += pull_[size_of(i)] * group.by_q[e], by_v += pull_[size_of(i)] * group.by_v[e],
            by_tau += pull_[size_of(i)] * group.inertia[e];
      }
      // the end effector pulls with what it pulls with at the knot
      for (int r = 0; r < 3; ++r)
        by_q += cost.end_effector * (positions_[size_of(3 * k + r)] - cost.target[r]) * group.jacobian[size_of((r * n_ + j) * lanes + l)];
      row[j] += share * by_q, row[n_ + j] += share * by_v, row[2 * n_ + j] += share * by_tau;
    }
  }
}

/// (CTL-10) into Q and S of the stage.
void RobotStages::write_curvature(const Entry& entry, int k) noexcept {
  const double dt = problem_.dt;
  const bool last = k + 1 == knots_;
  for (int i = 0; i < n_; ++i) {
    const double* multiplier = entry.multipliers.data() + (last ? 0 : size_of((k + 1) * 2 * n_));
    pull_[size_of(i)] = last ? 0 : -dt * (theta_ * dt * multiplier[i] + multiplier[n_ + i]);
  }
  std::fill(curvature_.begin(), curvature_.end(), 0.0);
  for (int first = 0; first < 4 * n_; first += lanes) {
    load_perturbed(entry, k, first);
    Group& group = group_.front();
    const multibody::Knots<double> knots = knots_in_lanes(entry);
    (void)multibody::linearise<double>(tree_, knots, multibody::LineariseForm::forward, work_,
                                       {lane_.a, group.by_q, group.by_v, group.inertia, lane_.position, group.jacobian});
    add_curvature_columns(entry, k, first);
  }
  const StageQp::Stage s = qp_->stage(k);
  const int nx = 2 * n_, width = 3 * n_;
  const std::vector<double>& map = problem_.robot->input_map;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < nx; ++j) s.Q[i * nx + j] += 0.5 * (curvature_[size_of(i * width + j)] + curvature_[size_of(j * width + i)]);
  for (int c = 0; c < m_ && !last; ++c)
    for (int j = 0; j < nx; ++j) {
      double sum = 0;
      for (int i = 0; i < n_; ++i)
        sum += (map.empty() ? (i == c ? 1 : 0) : map[size_of(i * m_ + c)]) * curvature_[size_of(j * width + nx + i)];
      s.S[c * nx + j] = sum;
    }
}

/// The nearest positive semidefinite stage.
void RobotStages::project_stage(int k) noexcept {
  const StageQp::Stage s = qp_->stage(k);
  const int nx = 2 * n_, inputs = k + 1 < knots_ ? m_ : 0, all = nx + inputs;
  const std::size_t count = size_of(std::int64_t{all} * all);
  double* block = stage_block_.data();
  for (int i = 0; i < nx; ++i) std::copy_n(s.Q + i * nx, nx, block + i * all);
  for (int c = 0; c < inputs; ++c) {
    std::copy_n(s.S + c * nx, nx, block + (nx + c) * all), std::copy_n(s.R + c * m_, m_, block + (nx + c) * all + nx);
    for (int j = 0; j < nx; ++j) block[j * all + nx + c] = s.S[c * nx + j];
  }
  if (linalg::project_semidefinite({block, count}, all, {eigenvectors_.data(), count}) == 0) return;
  for (int i = 0; i < nx; ++i) std::copy_n(block + i * all, nx, s.Q + i * nx);
  for (int c = 0; c < inputs; ++c)
    std::copy_n(block + (nx + c) * all, nx, s.S + c * nx), std::copy_n(block + (nx + c) * all + nx, m_, s.R + c * m_);
}

StepReport RobotStages::factor(const Entry& entry, StepSystem system) noexcept {
  StepReport report;
  if (arm_) {
    arm_problem_.proximal = entry.proximal, arm_problem_.dense_q = rows_dense_q_, arm_problem_.dense_u = rows_dense_u_;
    report.good = arm_kernel_.factor(arm_problem_) == 0;
  } else {
    for (int k = 0; k < knots_; ++k) {
      assemble_dense(k);
      if (problem_.hessian == Hessian::exact) write_curvature(entry, k), project_stage(k);
    }
    report.good = (system == StepSystem::factor ? qp_->factor(entry.proximal) : qp_->form_multiplier_system(entry.proximal)) == 0;
  }
  factored_ = report.good && system == StepSystem::factor;
  return report;
}

/// du = Tq dq + Tv dv + M da, eight knots side by side.
void RobotStages::recover_inputs(Entry& entry) noexcept {
  for (int g = 0; g < groups_; ++g) {
    const Group& group = group_[size_of(g)];
    for (int l = 0; l < lanes; ++l)
      for (int i = 0; i < n_; ++i) {
        const std::size_t from = size_of((g * lanes + l) * most_arm_dofs + i), to = size_of(i * lanes + l);
        lane_.coordinates[to] = arm_q_[from], lane_.v[to] = arm_v_[from], lane_.a[to] = arm_a_[from];
      }
    kernel_.input_step(n_, {group.by_q.data(), group.by_v.data(), group.inertia.data(), lane_.coordinates.data(), lane_.v.data(),
                            lane_.a.data(), lane_.tau.data()});
    for (int l = 0; l < lanes && g * lanes + l + 1 < knots_; ++l)
      for (int i = 0; i < n_; ++i) entry.step.u_of(g * lanes + l)[i] = lane_.tau[size_of(i * lanes + l)];
  }
}

void RobotStages::solve_round(Entry& entry, StepSystem system, const PcgLimits& limits, StepReport& report) noexcept {
  if (arm_) {
    std::copy_n(start_gap_.data(), n_, arm_q_.data()), std::copy_n(start_gap_.data() + n_, n_, arm_v_.data());
    arm_kernel_.solve(arm_problem_, arm_q_.data(), arm_v_.data(), arm_a_.data());
    std::copy_n(arm_q_.begin(), entry.step.q.size(), entry.step.q.begin());
    std::copy_n(arm_v_.begin(), entry.step.v.size(), entry.step.v.begin());
    return recover_inputs(entry);
  }
  for (int k = 0; k < knots_; ++k) write_dense_gradient(k);
  std::copy(start_gap_.begin(), start_gap_.end(), dx_.begin());
  if (system == StepSystem::factor)
    qp_->solve(dx_, du_), qp_->write_multipliers(dx_, entry.multipliers);
  else
    report.pcg = qp_->solve_multipliers(entry.multipliers, limits, dx_, du_);
  for (int k = 0; k < knots_; ++k) {
    const double* dx = &dx_[size_of(k * 2 * n_)];
    std::copy_n(dx, n_, entry.step.q_of(k)), std::copy_n(dx + n_, n_, entry.step.v_of(k));
    if (k + 1 < knots_) std::copy_n(&du_[size_of(k * m_)], m_, entry.step.u_of(k));
  }
}

StepReport RobotStages::solve(int index, Entry& entry, StepSystem system, const PcgLimits& limits, RowTerms* rows) noexcept {
  rows_dense_q_ = rows != nullptr && rows->has_dense_q(), rows_dense_u_ = rows != nullptr && rows->has_dense_u();
  if (rows != nullptr) {
    rows->begin(index, entry.x);
    for (int k = 0; k < knots_; ++k) {
      const KnotRows at = rows_at(index, entry, k);
      if (at.dense_q != nullptr) std::fill_n(at.dense_q, n_ * padded(n_), 0.0);
      if (at.dense_u != nullptr) std::fill_n(at.dense_u, m_ * padded(m_), 0.0);
      rows->add_curvature(at);
      std::copy_n(at.terms.gq, n_, base_.q_of(k)), std::copy_n(at.terms.gv, n_, base_.v_of(k)), std::copy_n(at.terms.gu, m_, base_.u_of(k));
    }
  }
  StepReport report = factor(entry, system);
  if (!report.good) return report;
  bool first = true;
  for (bool again = true; again;) {
    for (int k = 0; rows != nullptr && k < knots_; ++k) {
      const KnotRows at = rows_at(index, entry, k);
      std::copy_n(base_.q_of(k), n_, at.terms.gq), std::copy_n(base_.v_of(k), n_, at.terms.gv), std::copy_n(base_.u_of(k), m_, at.terms.gu);
      rows->add_gradient(at);
    }
    const PcgReport before = report.pcg;
    solve_round(entry, system, limits, report);
    // a later round starts at the answer of the one before: no step is needed only where no round needed one
    report.pcg.iterations += before.iterations, report.pcg.at_start = report.pcg.at_start && (before.at_start || first);
    first = false;
    again = rows != nullptr && rows->finish_round(index, entry.x, entry.step);
  }
  return report;
}

double RobotStages::largest_multiplier(const Entry& entry) noexcept {
  if (!factored_) return largest(static_cast<int>(entry.multipliers.size()), entry.multipliers.data());
  if (!arm_) return qp_->largest_multiplier(dx_);
  double worst = 0;
  for (int k = 0; k < knots_; ++k) {
    const ArmFactor& f = arm_factor_[size_of(k)];
    const double *q = &arm_q_[size_of(k * most_arm_dofs)], *v = &arm_v_[size_of(k * most_arm_dofs)];
    for (int i = 0; i < n_; ++i) {
      const double by_q = f.pq.at[i] + inner(n_, f.P11.at[i], q) + inner(n_, f.P12.at[i], v);
      const double by_v = f.pv.at[i] + inner(n_, f.P21.at[i], q) + inner(n_, f.P22.at[i], v);
      worst = std::max({worst, abs(by_q), abs(by_v)});
    }
  }
  return worst;
}

/// Trial states and inputs of knot k, a step length per lane.
void RobotStages::load_trial(const Entry& entry, int k, std::span<const double> lengths) noexcept {
  const double* steps = lengths.data();
  if (problem_.robot->fixed_base) {
    kernel_.trial(n_, entry.x.q_of(k), entry.step.q_of(k), steps, lane_.q.data());
  } else {
    for (int l = 0; l < lanes; ++l) {
      for (int i = 0; i < nq_; ++i) lane_.q[size_of(i * lanes + l)] = entry.x.q_of(k)[i];
      for (int i = 0; i < n_; ++i) lane_.turn[size_of(i * lanes + l)] = steps[l] * entry.step.q_of(k)[i];
    }
    multibody::integrate<double>(tree_, lane_.q, lane_.turn, 1, lanes, lane_.q);
  }
  kernel_.trial(n_, entry.x.v_of(k), entry.step.v_of(k), steps, lane_.v.data());
  kernel_.trial(m_, entry.x.u_of(k), entry.step.u_of(k), steps, lane_.u.data());
  const std::size_t wrenches = 6 * size_of(tree_.bodies());
  for (std::size_t i = 0; !entry.applied.empty() && i < wrenches; ++i)
    std::fill_n(&lane_.applied[i * lanes], lanes, entry.applied[size_of(k) * wrenches + i]);
  map_inputs();
}

/// Adds the weighted distance of the trial state from where the knot before it led (q_next, v_next).
void RobotStages::trial_gap(const Entry& entry, int k, double* merit) noexcept {
  if (k == 0)
    for (int l = 0; l < lanes; ++l) {
      for (int i = 0; i < nq_; ++i) lane_.q_next[size_of(i * lanes + l)] = entry.start_q[size_of(i)];
      for (int i = 0; i < n_; ++i) lane_.v_next[size_of(i * lanes + l)] = entry.start_v[size_of(i)];
    }
  if (problem_.robot->fixed_base) {
    kernel_.gap8(n_, entry.merit_weight, lane_.q.data(), lane_.q_next.data(), merit);
  } else {
    multibody::difference<double>(tree_, lane_.q, lane_.q_next, lanes, lane_.turn);
    std::fill(lane_.coordinates.begin(), lane_.coordinates.end(), 0.0);
    kernel_.gap8(n_, entry.merit_weight, lane_.turn.data(), lane_.coordinates.data(), merit);
  }
  kernel_.gap8(n_, entry.merit_weight, lane_.v.data(), lane_.v_next.data(), merit);
}

/// Cost and row terms of the trial states at hand.
void RobotStages::add_trial_cost(int index, const Entry& entry, int k, RowTerms* rows, TrialMerits& merits) noexcept {
  const double* q = lane_.q.data();
  if (!problem_.robot->fixed_base) {
    for (int i = 0; i < n_; ++i) {
      const multibody::LinkIndex& link = tree_.link(tree_.dof_link(i));
      const bool ball = link.kind == multibody::LinkKind::ball;
      for (int l = 0; l < lanes; ++l)
        lane_.coordinates[size_of(i * lanes + l)] = ball ? 0 : lane_.q[size_of((link.q + i - link.v) * lanes + l)];
    }
    q = lane_.coordinates.data();
  }
  const KnotPoint at{q, lane_.v.data(), lane_.u.data(), lane_.position.data()};
  kernel_.cost8(problem_.costs->at(k, &entry.reference[size_of(3 * k)]), at, merits.own);
  if (rows != nullptr) rows->add_merit(index, k, at, merits.rows);
}

void RobotStages::try_steps(int index, const Entry& entry, std::span<const double> lengths, RowTerms* rows, TrialMerits& merits) noexcept {
  const Robot& robot = *problem_.robot;
  const std::span<const double> applied = entry.applied.empty() ? std::span<const double>{} : lane_.applied;
  merits = {};
  for (int k = 0; k < knots_; ++k) {
    load_trial(entry, k, lengths);
    trial_gap(entry, k, merits.own);
    for (int s = 0; s < problem_.substeps; ++s) {
      if (s > 0) lane_.q.swap(lane_.q_next), lane_.v.swap(lane_.v_next);
      const multibody::Knots<double> knots{lane_.q, lane_.v, lane_.tau, applied, robot.gravity, robot.end_effector};
      (void)multibody::accelerate<double>(tree_, knots, work_, lane_.a, s == 0 ? std::span<double>(lane_.position) : std::span<double>{});
      if (s == 0) add_trial_cost(index, entry, k, rows, merits);
      if (k + 1 < knots_) advance();
    }
  }
}

void RobotStages::take_step(Entry& entry, double length) noexcept {
  for (int k = 0; k < knots_; ++k) {
    double* q = entry.x.q_of(k);
    const double* dq = entry.step.q_of(k);
    if (problem_.robot->fixed_base) {
      for (int i = 0; i < n_; ++i) q[i] = q[i] + length * dq[i];
    } else {
      for (int i = 0; i < n_; ++i) one_[size_of(i)] = length * dq[i];
      multibody::integrate<double>(tree_, {q, size_of(nq_)}, {one_.data(), size_of(n_)}, 1, 1, {q, size_of(nq_)});
    }
  }
  for (std::size_t i = 0; i < entry.x.v.size(); ++i) entry.x.v[i] = entry.x.v[i] + length * entry.step.v[i];
  for (std::size_t i = 0; i < entry.x.u.size(); ++i) entry.x.u[i] = entry.x.u[i] + length * entry.step.u[i];
}

bool RobotStages::write_feedback(std::span<double> gain, std::span<double> cost_to_go) const noexcept {
  if (!factored_) return false;
  if (!arm_) {
    std::copy(qp_->first_gain().begin(), qp_->first_gain().end(), gain.begin());
    std::copy(qp_->first_cost_to_go().begin(), qp_->first_cost_to_go().end(), cost_to_go.begin());
    return true;
  }
  const ArmStage& s = arm_stage_[0];
  const ArmFactor& f = arm_factor_[0];
  const int nx = 2 * n_;
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) {
      // du = T dx + M da, da = -K dx
      double by_q = -s.Tq.at[i][j], by_v = -s.Tv.at[i][j];
      for (int c = 0; c < n_; ++c) by_q += s.M.at[i][c] * f.K1.at[c][j], by_v += s.M.at[i][c] * f.K2.at[c][j];
      gain[size_of(i * nx + j)] = by_q, gain[size_of(i * nx + n_ + j)] = by_v;
      cost_to_go[size_of(i * nx + j)] = f.P11.at[i][j], cost_to_go[size_of(i * nx + n_ + j)] = f.P12.at[i][j];
      cost_to_go[size_of((n_ + i) * nx + j)] = f.P21.at[i][j], cost_to_go[size_of((n_ + i) * nx + n_ + j)] = f.P22.at[i][j];
    }
  return true;
}

}  // namespace trilith::control
