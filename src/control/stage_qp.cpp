// (CTL-7) the Riccati recursion in (x, u); (CTL-8) conjugate gradients on the multipliers.
#include "control/stage_qp.h"

#include <algorithm>

#include "base/check.h"
#include "control/small_matrix.h"
#include "linalg/dense_cholesky.h"

namespace trilith::control {
namespace {

/// Only pivots that are not positive count: weights of rows span many decades.
constexpr linalg::FactorSettings pivot_settings{.pivot_tolerance = 0};

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

/// Cholesky of the symmetric row-major `a` into `out` (its rows are the columns that the factor wants).
int factor_copy(int n, const double* a, double* out) noexcept {
  std::copy_n(a, n * n, out);
  const linalg::FactorReport report = linalg::factor_dense({out, size_of(n * n)}, n, pivot_settings);
  return report.dropped_pivots + (report.finite ? 0 : 1);
}

}  // namespace

StageQp::StageQp(int states, int inputs, int knots)
    : nx_(states), nu_(inputs), knots_(knots), sx_(size_of(states)), su_(size_of(inputs)), xx_(sx_ * sx_), xu_(sx_ * su_), uu_(su_ * su_) {
  TRI_CHECK(states > 0 && inputs > 0 && knots > 1);
  const std::size_t n = size_of(knots);
  for (auto* list : {&A_, &Q_, &to_go_, &q_factor_, &diagonal_, &factor_of_diagonal_, &off_}) list->assign(n * xx_, 0);
  for (auto* list : {&B_, &S_, &gain_}) list->assign(n * xu_, 0);
  for (auto* list : {&R_, &input_factor_, &r_factor_}) list->assign(n * uu_, 0);
  for (auto* list : {&gx_, &e_, &p_, &right_, &residual_, &z_, &direction_, &image_, &w_}) list->assign(n * sx_, 0);
  for (auto* list : {&gu_, &k_}) list->assign(n * su_, 0);
  scratch_.assign(std::max(xx_, xu_), 0), scratch2_.assign(std::max(xx_, xu_), 0), column_.assign(std::max(sx_, su_), 0);
}

StageQp::Stage StageQp::stage(int k) noexcept {
  const std::size_t i = size_of(k);
  return {&A_[i * xx_], &B_[i * xu_], &Q_[i * xx_], &R_[i * uu_], &S_[i * xu_], &gx_[i * sx_], &gu_[i * su_], &e_[i * sx_]};
}

void StageQp::solve_factor(const double* factor, int n, double* x) const noexcept {
  linalg::solve_dense({factor, size_of(n * n)}, n, {x, size_of(n)});
}

void StageQp::factor_knot(int k, double proximal, int& bad) noexcept {
  const Stage s = stage(k);
  const double* next = &to_go_[size_of(k + 1) * xx_];
  double *PA = scratch_.data(), *PB = scratch2_.data();
  double *P = &to_go_[size_of(k) * xx_], *K = &gain_[size_of(k) * xu_], *G = &input_factor_[size_of(k) * uu_];
  // F = S + B'PA (in K), H = Q + proximal + A'PA (in P)
  std::fill_n(PA, nx_ * nx_, 0.0);
  add_product(nx_, nx_, nx_, next, s.A, PA);
  if (cross_)
    std::copy_n(s.S, nu_ * nx_, K);
  else
    std::fill_n(K, nu_ * nx_, 0.0);
  add_transposed_product(nu_, nx_, nx_, s.B, PA, K);
  std::copy_n(s.Q, nx_ * nx_, P);
  for (int i = 0; i < nx_; ++i) P[i * nx_ + i] += proximal;
  add_transposed_product(nx_, nx_, nx_, s.A, PA, P);
  // G = R + B'PB
  std::fill_n(PB, nx_ * nu_, 0.0);
  add_product(nx_, nx_, nu_, next, s.B, PB);
  std::copy_n(s.R, nu_ * nu_, G);
  add_transposed_product(nu_, nx_, nu_, s.B, PB, G);
  bad += factor_copy(nu_, G, G);
  // K = G^-1 F; P = H - K'F
  std::copy_n(K, nu_ * nx_, scratch_.data());
  for (int j = 0; j < nx_; ++j) {
    for (int i = 0; i < nu_; ++i) column_[size_of(i)] = K[i * nx_ + j];
    solve_factor(G, nu_, column_.data());
    for (int i = 0; i < nu_; ++i) K[i * nx_ + j] = column_[size_of(i)];
  }
  for (int i = 0; i < nu_; ++i)
    for (int a = 0; a < nx_; ++a)
      for (int b = 0; b < nx_; ++b) P[a * nx_ + b] -= K[i * nx_ + a] * scratch_[size_of(i * nx_ + b)];
  for (int a = 0; a < nx_; ++a)
    for (int b = 0; b < a; ++b) P[a * nx_ + b] = P[b * nx_ + a] = 0.5 * (P[a * nx_ + b] + P[b * nx_ + a]);
}

int StageQp::factor(double proximal) noexcept {
  int bad = 0;
  double* last = &to_go_[size_of(knots_ - 1) * xx_];
  std::copy_n(stage(knots_ - 1).Q, nx_ * nx_, last);
  for (int i = 0; i < nx_; ++i) last[i * nx_ + i] += proximal;
  for (int k = knots_ - 2; k >= 0; --k) factor_knot(k, proximal, bad);
  return bad;
}

void StageQp::solve(std::span<double> dx, std::span<double> du) noexcept {
  std::copy_n(stage(knots_ - 1).gx, nx_, &p_[size_of(knots_ - 1) * sx_]);
  for (int k = knots_ - 2; k >= 0; --k) {
    const Stage s = stage(k);
    double *h = &k_[size_of(k) * su_], *p = &p_[size_of(k) * sx_], *next = column_.data();
    std::copy_n(&p_[size_of(k + 1) * sx_], nx_, next);
    add_times(nx_, nx_, 1, &to_go_[size_of(k + 1) * xx_], s.e, next);
    std::copy_n(s.gu, nu_, h), std::copy_n(s.gx, nx_, p);
    add_transposed_times(nu_, nx_, 1, s.B, next, h);
    add_transposed_times(nx_, nx_, 1, s.A, next, p);
    add_transposed_times(nx_, nu_, -1, &gain_[size_of(k) * xu_], h, p);
    solve_factor(&input_factor_[size_of(k) * uu_], nu_, h);
  }
  for (int k = 0; k + 1 < knots_; ++k) {
    const Stage s = stage(k);
    double *x = &dx[size_of(k) * sx_], *u = &du[size_of(k) * su_], *next = &dx[size_of(k + 1) * sx_];
    for (int i = 0; i < nu_; ++i) u[i] = -k_[size_of(k) * su_ + size_of(i)];
    add_times(nu_, nx_, -1, &gain_[size_of(k) * xu_], x, u);
    std::copy_n(s.e, nx_, next);
    add_times(nx_, nx_, 1, s.A, x, next), add_times(nx_, nu_, 1, s.B, u, next);
  }
}

void StageQp::write_multipliers(std::span<const double> dx, std::span<double> multipliers) const noexcept {
  for (int k = 0; k < knots_; ++k) {
    double* out = &multipliers[size_of(k) * sx_];
    for (int i = 0; i < nx_; ++i) out[i] = -p_[size_of(k) * sx_ + size_of(i)];
    add_times(nx_, nx_, -1, &to_go_[size_of(k) * xx_], &dx[size_of(k) * sx_], out);
  }
}

double StageQp::largest_multiplier(std::span<const double> dx) noexcept {
  double worst = 0;
  for (int k = 0; k < knots_; ++k) {
    double* lambda = column_.data();
    std::copy_n(&p_[size_of(k) * sx_], nx_, lambda);
    add_times(nx_, nx_, 1, &to_go_[size_of(k) * xx_], &dx[size_of(k) * sx_], lambda);
    worst = std::max(worst, largest(nx_, lambda));
  }
  return worst;
}

int StageQp::form_multiplier_system(double proximal) noexcept {
  int bad = 0;
  for (int k = 0; k < knots_; ++k) {
    const Stage s = stage(k);
    double *Qf = &q_factor_[size_of(k) * xx_], *D = &diagonal_[size_of(k) * xx_];
    std::copy_n(s.Q, nx_ * nx_, Qf);
    for (int i = 0; i < nx_; ++i) Qf[i * nx_ + i] += proximal;
    bad += factor_copy(nx_, Qf, Qf);
    if (k + 1 < knots_) bad += factor_copy(nu_, s.R, &r_factor_[size_of(k) * uu_]);
    // Q^-1, column by column; D starts with it
    double* inverse = scratch_.data();
    for (int j = 0; j < nx_; ++j) {
      double* column = inverse + j * nx_;
      std::fill_n(column, nx_, 0.0);
      column[j] = 1;
      solve_factor(Qf, nx_, column);
    }
    for (int i = 0; i < nx_ * nx_; ++i) D[i] = inverse[i] + (k > 0 ? D[i] : 0.0);
    bad += factor_copy(nx_, D, &factor_of_diagonal_[size_of(k) * xx_]);
    if (k + 1 == knots_) break;
    // off = -A Q^-1; what the next diagonal gets: A Q^-1 A' + B R^-1 B'
    double *off = &off_[size_of(k + 1) * xx_], *next = &diagonal_[size_of(k + 1) * xx_];
    std::fill_n(off, nx_ * nx_, 0.0), std::fill_n(next, nx_ * nx_, 0.0);
    add_product(nx_, nx_, nx_, s.A, inverse, off);
    for (int i = 0; i < nx_ * nx_; ++i) off[i] = -off[i];
    for (int i = 0; i < nx_; ++i)
      for (int j = 0; j < nx_; ++j) next[i * nx_ + j] = -inner(nx_, off + i * nx_, s.A + j * nx_);
    for (int i = 0; i < nx_; ++i) {
      std::copy_n(s.B + i * nu_, nu_, column_.data());
      solve_factor(&r_factor_[size_of(k) * uu_], nu_, column_.data());
      for (int j = 0; j < nx_; ++j) next[i * nx_ + j] += inner(nu_, column_.data(), s.B + j * nu_);
    }
  }
  return bad;
}

void StageQp::write_right_side(std::span<const double> start) noexcept {
  // b + C H^-1 g, negated: row 0 is dx[0] = start, row k + 1 is dx[k+1] - A dx[k] - B du[k] = e[k]
  for (int k = 0; k < knots_; ++k) {
    double *r = &right_[size_of(k) * sx_], *own = &w_[size_of(k) * sx_];
    std::copy_n(stage(k).gx, nx_, own);
    solve_factor(&q_factor_[size_of(k) * xx_], nx_, own);
    for (int i = 0; i < nx_; ++i) r[i] = -own[i] - (k == 0 ? start[size_of(i)] : stage(k - 1).e[i]);
    if (k == 0) continue;
    const Stage before = stage(k - 1);
    add_times(nx_, nx_, 1, before.A, &w_[size_of(k - 1) * sx_], r);
    std::copy_n(before.gu, nu_, column_.data());
    solve_factor(&r_factor_[size_of(k - 1) * uu_], nu_, column_.data());
    add_times(nx_, nu_, 1, before.B, column_.data(), r);
  }
}

void StageQp::apply_system(const double* x, double* out) const noexcept {
  for (int k = 0; k < knots_; ++k) {
    double* y = out + size_of(k) * sx_;
    std::fill_n(y, nx_, 0.0);
    add_times(nx_, nx_, 1, &diagonal_[size_of(k) * xx_], x + size_of(k) * sx_, y);
    if (k > 0) add_times(nx_, nx_, 1, &off_[size_of(k) * xx_], x + size_of(k - 1) * sx_, y);
    if (k + 1 < knots_) add_transposed_times(nx_, nx_, 1, &off_[size_of(k + 1) * xx_], x + size_of(k + 1) * sx_, y);
  }
}

void StageQp::apply_preconditioner(const double* r, double* z) noexcept {
  std::copy_n(r, size_of(knots_) * sx_, w_.data());
  for (int k = 0; k < knots_; ++k) solve_factor(&factor_of_diagonal_[size_of(k) * xx_], nx_, &w_[size_of(k) * sx_]);
  for (int k = 0; k < knots_; ++k) {
    double *out = z + size_of(k) * sx_, *near = column_.data();
    std::fill_n(near, nx_, 0.0);
    if (k > 0) add_times(nx_, nx_, 1, &off_[size_of(k) * xx_], &w_[size_of(k - 1) * sx_], near);
    if (k + 1 < knots_) add_transposed_times(nx_, nx_, 1, &off_[size_of(k + 1) * xx_], &w_[size_of(k + 1) * sx_], near);
    solve_factor(&factor_of_diagonal_[size_of(k) * xx_], nx_, near);
    for (int i = 0; i < nx_; ++i) out[i] = w_[size_of(k) * sx_ + size_of(i)] - near[i];
  }
}

void StageQp::recover(std::span<const double> multipliers, std::span<double> dx, std::span<double> du) noexcept {
  for (int k = 0; k < knots_; ++k) {
    const Stage s = stage(k);
    double* x = &dx[size_of(k) * sx_];
    const double *own = &multipliers[size_of(k) * sx_], *next = own + nx_;
    for (int i = 0; i < nx_; ++i) x[i] = -(s.gx[i] + own[i]);
    if (k + 1 < knots_) {
      add_transposed_times(nx_, nx_, 1, s.A, next, x);
      double* u = &du[size_of(k) * su_];
      for (int i = 0; i < nu_; ++i) u[i] = -s.gu[i];
      add_transposed_times(nu_, nx_, 1, s.B, next, u);
      solve_factor(&r_factor_[size_of(k) * uu_], nu_, u);
    }
    solve_factor(&q_factor_[size_of(k) * xx_], nx_, x);
  }
}

PcgReport StageQp::solve_multipliers(std::span<double> multipliers, const PcgLimits& limits, std::span<double> dx,
                                     std::span<double> du) noexcept {
  const int n = knots_ * nx_;
  write_right_side(dx.first(sx_));
  apply_system(multipliers.data(), image_.data());
  for (int i = 0; i < n; ++i) residual_[size_of(i)] = right_[size_of(i)] - image_[size_of(i)];
  apply_preconditioner(residual_.data(), z_.data());
  direction_ = z_;
  double rz = inner(n, residual_.data(), z_.data());
  const double goal = limits.floor + limits.tolerance * abs(rz);
  PcgReport report{0, abs(rz) < limits.floor, abs(rz) < limits.floor};
  while (!report.converged && report.iterations < limits.most_iterations) {
    apply_system(direction_.data(), image_.data());
    const double step = rz / inner(n, direction_.data(), image_.data());
    for (int i = 0; i < n; ++i) {
      multipliers[size_of(i)] += step * direction_[size_of(i)];
      residual_[size_of(i)] -= step * image_[size_of(i)];
    }
    ++report.iterations;
    apply_preconditioner(residual_.data(), z_.data());
    const double next = inner(n, residual_.data(), z_.data());
    report.converged = abs(next) < goal;
    const double turn = next / rz;
    rz = next;
    for (int i = 0; i < n; ++i) direction_[size_of(i)] = z_[size_of(i)] + turn * direction_[size_of(i)];
  }
  recover(multipliers, dx, du);
  return report;
}

}  // namespace trilith::control
