// (CTL-9) linear dynamics with a quadratic cost.
#include "control/linear_stages.h"

#include <algorithm>

#include "control/small_matrix.h"

namespace trilith::control {
namespace {

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

}  // namespace

LinearStages::LinearStages(std::shared_ptr<const LinearProblem> problem)
    : problem_(std::move(problem)), qp_(problem_->states, problem_->inputs, problem_->inputs_in_time + 1) {
  const LinearProblem& p = *problem_;
  for (auto* list : {&x_, &next_, &gx_}) list->assign(size_of(p.states), 0);
  for (auto* list : {&u_, &gu_}) list->assign(size_of(p.inputs), 0);
  dx_.assign(size_of(p.states) * size_of(qp_.knots()), 0), du_.assign(size_of(p.inputs) * size_of(qp_.knots()), 0);
  for (int k = 0; k < qp_.knots(); ++k) {
    const StageQp::Stage s = qp_.stage(k);
    std::copy(p.A.begin(), p.A.end(), s.A), std::copy(p.B.begin(), p.B.end(), s.B);
    const std::vector<double>& Q = k + 1 == qp_.knots() ? p.QN : p.Q;
    std::copy(Q.begin(), Q.end(), s.Q), std::copy(p.R.begin(), p.R.end(), s.R);
  }
}

double LinearStages::knot_cost(int k, const double* x, const double* u, double* gx, double* gu) const noexcept {
  const LinearProblem& p = *problem_;
  const bool last = k + 1 == qp_.knots();
  const std::vector<double>& Q = last ? p.QN : p.Q;
  double cost = 0;
  for (int i = 0; i < p.states; ++i) {
    double sum = 0;
    for (int j = 0; j < p.states; ++j) sum += Q[size_of(i * p.states + j)] * (x[j] - p.reference[size_of(j)]);
    gx[i] = sum, cost += 0.5 * sum * (x[i] - p.reference[size_of(i)]);
  }
  for (int i = 0; !last && i < p.inputs; ++i) gu[i] = inner(p.inputs, &p.R[size_of(i * p.inputs)], u), cost += 0.5 * gu[i] * u[i];
  return cost;
}

Measure LinearStages::measure(const Entry& entry, double length, bool write) noexcept {
  const LinearProblem& p = *problem_;
  Measure m;
  std::copy_n(entry.start_q.data(), p.states, next_.data());
  for (int k = 0; k < qp_.knots(); ++k) {
    const bool last = k + 1 == qp_.knots();
    for (int i = 0; i < p.states; ++i) {
      x_[size_of(i)] = entry.x.q_of(k)[i] + length * entry.step.q_of(k)[i];
      const double gap = next_[size_of(i)] - x_[size_of(i)];
      m.defect_sum += abs(gap), m.defect_max = std::max(m.defect_max, abs(gap));
      if (write) (k == 0 ? dx_.data() : qp_.stage(k - 1).e)[i] = gap;
    }
    for (int i = 0; i < p.inputs; ++i) u_[size_of(i)] = entry.x.u_of(k)[i] + length * entry.step.u_of(k)[i];
    const StageQp::Stage s = qp_.stage(k);
    m.cost += knot_cost(k, x_.data(), u_.data(), write ? s.gx : gx_.data(), write ? s.gu : gu_.data());
    if (last) break;
    std::fill(next_.begin(), next_.end(), 0.0);
    add_times(p.states, p.states, 1, p.A.data(), x_.data(), next_.data());
    add_times(p.states, p.inputs, 1, p.B.data(), u_.data(), next_.data());
  }
  return m;
}

Measure LinearStages::linearise(const Entry& entry) noexcept { return measure(entry, 0, true); }

StepReport LinearStages::solve(int, Entry& entry, StepSystem system, const PcgLimits& limits, RowTerms*) noexcept {
  StepReport report;
  factored_ = system == StepSystem::factor;
  if (factored_) {
    report.good = qp_.factor(entry.proximal) == 0;
    if (report.good) qp_.solve(dx_, du_);
  } else {
    report.good = qp_.form_multiplier_system(entry.proximal) == 0;
    if (report.good) report.pcg = qp_.solve_multipliers(entry.multipliers, limits, dx_, du_);
  }
  for (int k = 0; k < qp_.knots(); ++k) {
    std::copy_n(&dx_[size_of(k * problem_->states)], problem_->states, entry.step.q_of(k));
    if (k + 1 < qp_.knots()) std::copy_n(&du_[size_of(k * problem_->inputs)], problem_->inputs, entry.step.u_of(k));
  }
  return report;
}

double LinearStages::largest_multiplier(const Entry& entry) noexcept {
  return factored_ ? qp_.largest_multiplier(dx_) : largest(static_cast<int>(entry.multipliers.size()), entry.multipliers.data());
}

void LinearStages::try_steps(int, const Entry& entry, std::span<const double> lengths, RowTerms*, TrialMerits& merits) noexcept {
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Measure m = measure(entry, lengths[i], false);
    merits.own[i] = m.cost + entry.merit_weight * m.defect_sum;
  }
}

void LinearStages::take_step(Entry& entry, double length) noexcept {
  for (std::size_t i = 0; i < entry.x.q.size(); ++i) entry.x.q[i] += length * entry.step.q[i];
  for (std::size_t i = 0; i < entry.x.u.size(); ++i) entry.x.u[i] += length * entry.step.u[i];
}

bool LinearStages::write_feedback(std::span<double> gain, std::span<double> cost_to_go) const noexcept {
  if (!factored_) return false;
  std::copy(qp_.first_gain().begin(), qp_.first_gain().end(), gain.begin());
  std::copy(qp_.first_cost_to_go().begin(), qp_.first_cost_to_go().end(), cost_to_go.begin());
  return true;
}

}  // namespace trilith::control
