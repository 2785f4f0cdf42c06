// (CTL-2) steps of the dynamics in lanes, and what the solution of the subproblem needs of them.
#include "control/robot_stages.h"

#include <algorithm>

#include "base/isa.h"
#include "control/small_matrix.h"
#include "multibody/kinematics.h"

namespace trilith::control {
namespace {

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

/// (CTL-2)
double theta_of(Integrator integrator) {
  if (integrator == Integrator::euler) return 0;
  return integrator == Integrator::semi_implicit ? 1 : 0.5;
}

bool is_arm(const RobotProblem& p) {
  const Robot& robot = *p.robot;
  return robot.fixed_base && robot.dofs() <= most_arm_dofs && robot.input_map.empty() && p.substeps == 1 &&
         p.linear_system == LinearSystem::factor && p.hessian == Hessian::gauss_newton;
}

}  // namespace

RobotStages::RobotStages(const RobotProblem& problem)
    : problem_(problem),
      tree_(problem.robot->tree),
      kernel_(stage_kernel_of(active_isa())),
      arm_kernel_(arm_riccati_kernel_of(active_isa())),
      n_(problem.robot->dofs()),
      nq_(problem.robot->coordinates()),
      m_(problem.robot->inputs()),
      knots_(problem.knots),
      groups_((problem.knots + lanes - 1) / lanes),
      theta_(theta_of(problem.integrator)),
      arm_(is_arm(problem)),
      work_(tree_, lanes),
      next_(knots_, nq_, n_, 1),
      gradient_(knots_, n_, n_, m_),
      diagonal_(gradient_),
      base_(gradient_) {
  const auto room = [](std::vector<double>& list, std::int64_t count) { list.assign(size_of(count), 0); };
  room(lane_.q, nq_ * lanes), room(lane_.q_next, nq_ * lanes), room(lane_.u, m_ * lanes);
  for (auto* list : {&lane_.v, &lane_.tau, &lane_.a, &lane_.coordinates, &lane_.v_next, &lane_.turn}) room(*list, n_ * lanes);
  room(lane_.applied, std::int64_t{6} * tree_.bodies() * lanes), room(lane_.position, 3 * lanes);
  group_.resize(size_of(groups_));
  for (Group& g : group_) {
    for (auto* list : {&g.by_q, &g.by_v, &g.inertia}) room(*list, n_ * n_ * lanes);
    room(g.jacobian, 3 * n_ * lanes);
  }
  room(positions_, 3 * knots_), room(one_, padded(std::max(n_, nq_))), room(start_gap_, 2 * n_);
  if (arm_) {
    arm_stage_.resize(size_of(knots_)), arm_factor_.resize(size_of(knots_));
    std::fill(arm_stage_.begin(), arm_stage_.end(), ArmStage{}), std::fill(arm_factor_.begin(), arm_factor_.end(), ArmFactor{});
    arm_problem_ = {knots_, n_, problem.dt, theta_ * problem.dt * problem.dt, 0, false, false, arm_stage_.data(), arm_factor_.data()};
    for (auto* list : {&arm_q_, &arm_v_, &arm_a_}) room(*list, (groups_ * lanes + 1) * most_arm_dofs);
  } else {
    qp_ = std::make_unique<StageQp>(2 * n_, m_, knots_);
    room(dx_, 2 * n_ * knots_), room(du_, m_ * knots_), room(jacobians_, std::int64_t{3} * padded(n_) * knots_);
    room(dense_q_, std::int64_t{n_} * padded(n_) * knots_), room(dense_u_, std::int64_t{m_} * padded(m_) * knots_);
    room(A_step_, 4 * n_ * n_), room(A_old_, 4 * n_ * n_), room(B_step_, 2 * n_ * m_), room(B_old_, 2 * n_ * m_);
    const std::int64_t all = 2 * n_ + m_;
    room(curvature_, 3 * n_ * 2 * n_), room(stage_block_, all * all), room(eigenvectors_, all * all), room(pull_, n_);
    qp_->use_cross(problem.hessian == Hessian::exact);
    room(block_q_, 3 * n_ * lanes), room(block_v_, 3 * n_ * lanes);
  }
}

void RobotStages::load_group(const Entry& entry, int g) noexcept {
  const std::size_t wrenches = 6 * size_of(tree_.bodies());
  for (int l = 0; l < lanes; ++l) {
    const int k = std::min(g * lanes + l, knots_ - 1);
    const double *q = entry.x.q_of(k), *v = entry.x.v_of(k), *u = entry.x.u_of(k);
    for (int i = 0; i < nq_; ++i) lane_.q[size_of(i * lanes + l)] = q[i];
    for (int i = 0; i < n_; ++i) lane_.v[size_of(i * lanes + l)] = v[i];
    for (int i = 0; i < m_; ++i) lane_.u[size_of(i * lanes + l)] = k + 1 < knots_ ? u[i] : 0;
    for (std::size_t i = 0; !entry.applied.empty() && i < wrenches; ++i)
      lane_.applied[i * lanes + size_of(l)] = entry.applied[size_of(k) * wrenches + i];
  }
  map_inputs();
}

void RobotStages::map_inputs() noexcept {
  const std::vector<double>& map = problem_.robot->input_map;
  if (map.empty()) return std::copy(lane_.u.begin(), lane_.u.end(), lane_.tau.begin()), void();
  std::fill(lane_.tau.begin(), lane_.tau.end(), 0.0);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < m_; ++j) {
      const double gear = map[size_of(i * m_ + j)];
      for (int l = 0; gear != 0 && l < lanes; ++l) lane_.tau[size_of(i * lanes + l)] += gear * lane_.u[size_of(j * lanes + l)];
    }
}

/// One step of the integrator in every lane, from (q, v) to (q_next, v_next).
void RobotStages::advance() noexcept {
  const double dt = problem_.dt / problem_.substeps;
  if (problem_.robot->fixed_base) {
    kernel_.advance8({n_, dt, theta_ * dt * dt}, {lane_.q.data(), lane_.v.data(), lane_.a.data()}, lane_.q_next.data(),
                     lane_.v_next.data());
    return;
  }
  for (std::size_t i = 0; i < lane_.v.size(); ++i) {
    lane_.turn[i] = lane_.v[i] + theta_ * dt * lane_.a[i];
    lane_.v_next[i] = lane_.v[i] + dt * lane_.a[i];
  }
  multibody::integrate<double>(tree_, lane_.q, lane_.turn, dt, lanes, lane_.q_next);
}

multibody::Knots<double> RobotStages::knots_in_lanes(const Entry& entry) const noexcept {
  const std::span<const double> applied = entry.applied.empty() ? std::span<const double>{} : lane_.applied;
  return {lane_.q, lane_.v, lane_.tau, applied, problem_.robot->gravity, problem_.robot->end_effector};
}

void RobotStages::linearise_group(const Entry& entry, int g) noexcept {
  Group& group = group_[size_of(g)];
  load_group(entry, g);
  const multibody::LineariseForm form = arm_ ? multibody::LineariseForm::inverse : multibody::LineariseForm::forward;
  for (int s = 0; s < problem_.substeps; ++s) {
    if (s > 0) lane_.q.swap(lane_.q_next), lane_.v.swap(lane_.v_next);
    const multibody::Knots<double> knots = knots_in_lanes(entry);
    const bool first = s == 0;
    multibody::Linearisation<double> out{lane_.a, group.by_q, group.by_v, group.inertia, {}, {}};
    if (first) out.position = lane_.position, out.jacobian = group.jacobian;
    // a mass matrix without inverse shows as a merit that is not finite
    (void)multibody::linearise<double>(tree_, knots, form, work_, out);
    if (first) unpack_positions(g);
    advance();
    if (!arm_) compose_dense(g, s);
  }
  for (int l = 0; l < lanes && g * lanes + l < knots_; ++l) {
    const int k = g * lanes + l;
    for (int i = 0; i < nq_; ++i) next_.q_of(k)[i] = lane_.q_next[size_of(i * lanes + l)];
    for (int i = 0; i < n_; ++i) next_.v_of(k)[i] = lane_.v_next[size_of(i * lanes + l)];
  }
  if (arm_) unpack_arm(g);
}

void RobotStages::unpack_positions(int g) noexcept {
  const Group& group = group_[size_of(g)];
  for (int l = 0; l < lanes && g * lanes + l < knots_; ++l) {
    const int k = g * lanes + l, stride = padded(n_);
    double* J = jacobian_of(k);
    for (int r = 0; r < 3; ++r) {
      positions_[size_of(3 * k + r)] = lane_.position[size_of(r * lanes + l)];
      for (int i = 0; i < n_; ++i) J[r * stride + i] = group.jacobian[size_of((r * n_ + i) * lanes + l)];
    }
  }
}

void RobotStages::unpack_arm(int g) noexcept {
  const Group& group = group_[size_of(g)];
  for (int l = 0; l < lanes && g * lanes + l < knots_; ++l) {
    ArmStage& s = arm_stage_[size_of(g * lanes + l)];
    const double *by_q = group.by_q.data() + l, *by_v = group.by_v.data() + l, *M = group.inertia.data() + l;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const int e = (i * n_ + j) * lanes;
        s.Tq.at[i][j] = by_q[e], s.Tv.at[i][j] = by_v[e], s.M.at[i][j] = M[e];
      }
  }
}

/// Derivatives of one step of the integrator in the tangent, of one lane. (CTL-2)
void RobotStages::write_dense_step(const Group& group, int lane) noexcept {
  const double dt = problem_.dt / problem_.substeps;
  const std::vector<double>& map = problem_.robot->input_map;
  const int nx = 2 * n_;
  const auto number = [&](const std::vector<double>& a, int i, int j) { return a[size_of((i * n_ + j) * lanes + lane)]; };
  for (int i = 0; i < n_; ++i) {
    double* speed = &A_step_[size_of((n_ + i) * nx)];
    for (int j = 0; j < n_; ++j) {
      speed[j] = dt * number(group.by_q, i, j);
      speed[n_ + j] = (i == j ? 1 : 0) + dt * number(group.by_v, i, j);
    }
    double* input = &B_step_[size_of((n_ + i) * m_)];
    for (int c = 0; c < m_; ++c) {
      double sum = 0;
      for (int j = 0; j < n_; ++j) sum += number(group.inertia, i, j) * (map.empty() ? (j == c ? 1 : 0) : map[size_of(j * m_ + c)]);
      input[c] = dt * sum;
    }
  }
  // dq+ = Jq dq + Jv dw, w = v + theta dt a: v and theta times the change of speed
  for (int i = 0; i < n_; ++i) {
    const multibody::LinkIndex& link = tree_.link(tree_.dof_link(i));
    double *row = &A_step_[size_of(i * nx)], *input = &B_step_[size_of(i * m_)];
    std::fill_n(row, nx, 0.0), std::fill_n(input, m_, 0.0);
    for (int c = 0; c < link.nv; ++c) {
      const int d = link.nv == 3 ? link.v + c : i;
      const double Jq = block_q_[size_of((3 * i + c) * lanes + lane)], Jv = block_v_[size_of((3 * i + c) * lanes + lane)];
      row[d] += Jq, row[n_ + d] += (1 - theta_) * Jv;
      for (int j = 0; j < nx; ++j) row[j] += theta_ * Jv * A_step_[size_of((n_ + d) * nx + j)];
      for (int j = 0; j < m_; ++j) input[j] += theta_ * Jv * B_step_[size_of((n_ + d) * m_ + j)];
    }
  }
}

/// Chain rule over the steps of a knot.
void RobotStages::compose_dense(int g, int substep) noexcept {
  const double dt = problem_.dt / problem_.substeps;
  for (std::size_t i = 0; i < lane_.v.size(); ++i) lane_.turn[i] = lane_.v[i] + theta_ * dt * lane_.a[i];
  multibody::write_integrate_jacobians<double>(tree_, lane_.turn, dt, lanes, block_q_, block_v_);
  const int nx = 2 * n_;
  for (int l = 0; l < lanes && g * lanes + l < knots_; ++l) {
    write_dense_step(group_[size_of(g)], l);
    const StageQp::Stage s = qp_->stage(g * lanes + l);
    if (substep == 0) {
      std::copy(A_step_.begin(), A_step_.end(), s.A), std::copy(B_step_.begin(), B_step_.end(), s.B);
      continue;
    }
    std::copy_n(s.A, A_old_.size(), A_old_.begin()), std::copy_n(s.B, B_old_.size(), B_old_.begin());
    std::fill_n(s.A, A_old_.size(), 0.0), std::copy(B_step_.begin(), B_step_.end(), s.B);
    add_product(nx, nx, nx, A_step_.data(), A_old_.data(), s.A);
    add_product(nx, nx, m_, A_step_.data(), B_old_.data(), s.B);
  }
}

/// A number per degree of freedom for postures and limits: q itself, or on other trees the coordinates of hinges, slides, translations.
const double* RobotStages::coordinates_of(const double* q) noexcept {
  if (problem_.robot->fixed_base) return q;
  for (int i = 0; i < n_; ++i) {
    const multibody::LinkIndex& link = tree_.link(tree_.dof_link(i));
    one_[size_of(i)] = link.kind == multibody::LinkKind::ball ? 0 : q[link.q + i - link.v];
  }
  return one_.data();
}

StageTerms RobotStages::terms_of(int k) noexcept {
  if (arm_) {
    ArmStage& s = arm_stage_[size_of(k)];
    return {s.gq.at, s.gv.at, s.gu.at, s.dq.at, s.dv.at, s.du.at};
  }
  return {gradient_.q_of(k), gradient_.v_of(k), gradient_.u_of(k), diagonal_.q_of(k), diagonal_.v_of(k), diagonal_.u_of(k)};
}

double* RobotStages::jacobian_of(int k) noexcept {
  return arm_ ? &arm_stage_[size_of(k)].jacobian[0][0] : &jacobians_[size_of(k) * 3 * size_of(padded(n_))];
}

void RobotStages::set_point(const Entry& entry, int k, KnotPoint& at) noexcept {
  at = {coordinates_of(entry.x.q_of(k)), entry.x.v_of(k), entry.x.u_of(k), &positions_[size_of(3 * k)]};
}

/// How far the state `to` is from the state `from`, seen from the latter.
void RobotStages::add_gap(const StateAt& to, const StateAt& from, double* eq, double* ev, Measure& m) noexcept {
  if (problem_.robot->fixed_base)
    for (int i = 0; i < n_; ++i) eq[i] = to.q[i] - from.q[i];
  else
    multibody::difference<double>(tree_, {from.q, size_of(nq_)}, {to.q, size_of(nq_)}, 1, {eq, size_of(n_)});
  for (int i = 0; i < n_; ++i) ev[i] = to.v[i] - from.v[i];
  double sum_q = 0, sum_v = 0;
  for (int i = 0; i < n_; ++i) sum_q += abs(eq[i]), sum_v += abs(ev[i]);
  m.defect_sum = m.defect_sum + sum_q + sum_v;
  m.defect_max = std::max({m.defect_max, largest(n_, eq), largest(n_, ev)});
}

void RobotStages::measure_knot(const Entry& entry, int k, Measure& m) noexcept {
  const KnotCost cost = problem_.costs->at(k, &entry.reference[size_of(3 * k)]);
  KnotPoint at;
  set_point(entry, k, at);
  kernel_.derivatives(cost, at, jacobian_of(k), terms_of(k));
  kernel_.cost1(cost, at, &m.cost);
  if (arm_) arm_stage_[size_of(k)].end_effector = cost.end_effector;
  if (k == 0)
    add_gap({entry.start_q.data(), entry.start_v.data()}, {entry.x.q_of(0), entry.x.v_of(0)}, start_gap_.data(), start_gap_.data() + n_, m);
  if (k + 1 == knots_) return;
  double *eq, *ev;
  if (arm_)
    eq = arm_stage_[size_of(k)].eq.at, ev = arm_stage_[size_of(k)].ev.at;
  else
    eq = qp_->stage(k).e, ev = eq + n_;
  add_gap({next_.q_of(k), next_.v_of(k)}, {entry.x.q_of(k + 1), entry.x.v_of(k + 1)}, eq, ev, m);
}

Measure RobotStages::linearise(const Entry& entry) noexcept {
  Measure m;
  for (int g = 0; g < groups_; ++g) linearise_group(entry, g);
  for (int k = 0; k < knots_; ++k) measure_knot(entry, k, m);
  return m;
}

}  // namespace trilith::control
