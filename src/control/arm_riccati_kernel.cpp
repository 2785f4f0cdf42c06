// The recursion in acceleration coordinates (CTL-6): rows of blocks are packs of eight numbers. Compiled once per instruction set;
// src/base/README.md says how.
#include "control/arm_riccati_kernel.h"

#include "base/lanes.h"

namespace trilith::control {
namespace {

/// A row, or a vector.
using Row = Double8;
TRI_INLINE Row row(const ArmBlock& b, int i) { return Row::load(b.at[i]); }
TRI_INLINE Row row(const ArmVector& b) { return Row::load(b.at); }

/// The six blocks of the Hessian in (dq, dv, da); those of (da, q) and (da, v) have a row per da.
template <int N>
struct Blocks {
  Row qq[N], qv[N], vv[N], aq[N], av[N], aa[N];
};

/// Own cost of the states and proximal weight.
template <int N>
TRI_INLINE void start_blocks(const ArmProblem& problem, const ArmStage& s, Blocks<N>& h) {
  for (int i = 0; i < N; ++i) {
    h.qq[i] = problem.dense_q ? row(s.dense_q, i) : Row(0);
    for (const auto& axis : s.jacobian) h.qq[i] = h.qq[i] + Row(s.end_effector * axis[i]) * Row::load(axis);
    h.qq[i].set(i, h.qq[i][i] + (s.dq.at[i] + problem.proximal));
    h.qv[i] = h.vv[i] = h.aq[i] = h.av[i] = h.aa[i] = Row(0);
    h.vv[i].set(i, s.dv.at[i] + problem.proximal);
  }
}

/// T' R T with T = (Tq, Tv, M) and R the Hessian of inputs.
template <int N>
TRI_INLINE void add_inputs(const ArmProblem& problem, const ArmStage& s, Blocks<N>& h) {
  for (int m = 0; m < N; ++m) {
    const Row weight(s.du.at[m]);
    Row tq = weight * row(s.Tq, m), tv = weight * row(s.Tv, m), ta = weight * row(s.M, m);
    for (int l = 0; problem.dense_u && l < N; ++l) {
      const Row w(s.dense_u.at[m][l]);
      tq = tq + w * row(s.Tq, l), tv = tv + w * row(s.Tv, l), ta = ta + w * row(s.M, l);
    }
    for (int i = 0; i < N; ++i) {
      const Row q(s.Tq.at[m][i]), v(s.Tv.at[m][i]), a(s.M.at[m][i]);
      h.qq[i] = h.qq[i] + q * tq, h.qv[i] = h.qv[i] + q * tv, h.vv[i] = h.vv[i] + v * tv;
      h.aq[i] = h.aq[i] + a * tq, h.av[i] = h.av[i] + a * tv, h.aa[i] = h.aa[i] + a * ta;
    }
  }
}

/// The cost to go of the next knot, seen from this one.
template <int N>
TRI_INLINE void add_future(const ArmProblem& problem, const ArmFactor& next, Blocks<N>& h) {
  const Row dt(problem.dt), reach(problem.reach);
  const Row dt2(problem.dt * problem.dt), reach2(problem.reach * problem.reach), mixed(problem.reach * problem.dt);
  for (int i = 0; i < N; ++i) {
    const Row p11 = row(next.P11, i), p12 = row(next.P12, i), p21 = row(next.P21, i), p22 = row(next.P22, i);
    const Row cross = p12 + p21, g = reach * p11 + dt * p21;
    h.qq[i] = h.qq[i] + p11;
    h.qv[i] = h.qv[i] + (dt * p11 + p12);
    h.vv[i] = h.vv[i] + (dt2 * p11 + dt * cross + p22);
    h.aq[i] = h.aq[i] + g;
    h.av[i] = h.av[i] + (dt * g + reach * p12 + dt * p22);
    h.aa[i] = h.aa[i] + (reach2 * p11 + mixed * cross + dt2 * p22);
  }
}

/// aa = L L'; the triangular solves of its neighbours follow row by row: aq, av become L^-1 aq, L^-1 av.
template <int N>
TRI_INLINE int factor_inputs(ArmFactor& f, Blocks<N>& h) {
  int bad = 0;
  for (int j = 0; j < N; ++j) {
    for (int k = 0; k < j; ++k) {
      const Row l(f.L.at[j][k]);
      h.aa[j] = h.aa[j] - l * h.aa[k], h.aq[j] = h.aq[j] - l * h.aq[k], h.av[j] = h.av[j] - l * h.av[k];
    }
    double pivot = h.aa[j][j];
    if (!(pivot > 0)) ++bad, pivot = 1;
    const double inverse = 1 / trilith::sqrt(pivot);
    f.inverse_diagonal.at[j] = inverse;
    h.aa[j] = Row(inverse) * h.aa[j], h.aq[j] = Row(inverse) * h.aq[j], h.av[j] = Row(inverse) * h.av[j];
    double column[most_arm_dofs];
    h.aa[j].store(column);  // row j of L' is column j of L
    for (int i = j + 1; i < N; ++i) f.L.at[i][j] = column[i];
  }
  return bad;
}

template <int N>
TRI_INLINE void store_transposed(const Row* rows, ArmBlock& out) {
  for (int i = 0; i < N; ++i) {
    double numbers[most_arm_dofs];
    rows[i].store(numbers);
    for (int j = 0; j < N; ++j) out.at[j][i] = numbers[j];
  }
}

/// P = H - Y'Y, and the gains K = L'^-1 Y.
template <int N>
TRI_INLINE void finish_knot(ArmFactor& f, Blocks<N>& h) {
  for (int m = 0; m < N; ++m) {
    double q[most_arm_dofs], v[most_arm_dofs];
    h.aq[m].store(q), h.av[m].store(v);
    for (int i = 0; i < N; ++i) {
      h.qq[i] = h.qq[i] - Row(q[i]) * h.aq[m], h.qv[i] = h.qv[i] - Row(q[i]) * h.av[m];
      h.vv[i] = h.vv[i] - Row(v[i]) * h.av[m];
    }
  }
  for (int i = 0; i < N; ++i) h.qq[i].store(f.P11.at[i]), h.qv[i].store(f.P12.at[i]), h.vv[i].store(f.P22.at[i]);
  store_transposed<N>(h.qv, f.P21);
  for (int i = N - 1; i >= 0; --i) {
    for (int m = i + 1; m < N; ++m) {
      const Row l(f.L.at[m][i]);
      h.aq[i] = h.aq[i] - l * h.aq[m], h.av[i] = h.av[i] - l * h.av[m];
    }
    const Row inverse(f.inverse_diagonal.at[i]);
    h.aq[i] = inverse * h.aq[i], h.av[i] = inverse * h.av[i];
    h.aq[i].store(f.K1.at[i]), h.av[i].store(f.K2.at[i]);
  }
  store_transposed<N>(h.aq, f.K1t), store_transposed<N>(h.av, f.K2t);
}

template <int N>
int factor_knots(const ArmProblem& problem) noexcept {
  int bad = 0;
  Blocks<N> h;
  const int last = problem.knots - 1;
  start_blocks<N>(problem, problem.stages[last], h);
  ArmFactor& end = problem.factors[last];
  for (int i = 0; i < N; ++i) {
    h.qq[i].store(end.P11.at[i]), h.qv[i].store(end.P12.at[i]), h.qv[i].store(end.P21.at[i]), h.vv[i].store(end.P22.at[i]);
  }
  for (int k = last - 1; k >= 0; --k) {
    const ArmStage& s = problem.stages[k];
    start_blocks<N>(problem, s, h);
    add_inputs<N>(problem, s, h);
    add_future<N>(problem, problem.factors[k + 1], h);
    bad += factor_inputs<N>(problem.factors[k], h);
    finish_knot<N>(problem.factors[k], h);
  }
  return bad;
}

/// A' x for a block with rows over the entries of x, in two chains.
template <int N>
TRI_INLINE Row transpose_times(const ArmBlock& a, const double* x) {
  Row even = Row(x[0]) * row(a, 0), odd = Row(0);
  for (int i = 1; i < N; ++i) {
    if (i % 2 == 0)
      even = even + Row(x[i]) * row(a, i);
    else
      odd = odd + Row(x[i]) * row(a, i);
  }
  return even + odd;
}

/// k = aa^-1 h.
template <int N>
TRI_INLINE void solve_inputs(ArmFactor& f, const double* h) {
  double x[N];
  for (int i = 0; i < N; ++i) {
    double sum = h[i];
    for (int j = 0; j < i; ++j) sum = sum - f.L.at[i][j] * x[j];
    x[i] = sum * f.inverse_diagonal.at[i];
  }
  for (int i = N - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < N; ++j) sum = sum - f.L.at[j][i] * x[j];
    x[i] = sum * f.inverse_diagonal.at[i];
  }
  for (int i = 0; i < N; ++i) f.k.at[i] = x[i];
}

template <int N>
TRI_INLINE void sweep_back(const ArmProblem& problem) {
  const Row dt(problem.dt), reach(problem.reach);
  const int last = problem.knots - 1;
  Row pq = row(problem.stages[last].gq), pv = row(problem.stages[last].gv);
  pq.store(problem.factors[last].pq.at), pv.store(problem.factors[last].pv.at);
  for (int k = last - 1; k >= 0; --k) {
    const ArmStage& s = problem.stages[k];
    const ArmFactor& next = problem.factors[k + 1];
    ArmFactor& f = problem.factors[k];
    // P is symmetric: its rows serve as columns
    const Row sq = pq + (transpose_times<N>(next.P11, s.eq.at) + transpose_times<N>(next.P21, s.ev.at));
    const Row sv = pv + (transpose_times<N>(next.P12, s.eq.at) + transpose_times<N>(next.P22, s.ev.at));
    const Row ha = transpose_times<N>(s.M, s.gu.at) + (reach * sq + dt * sv);
    const Row hq = row(s.gq) + transpose_times<N>(s.Tq, s.gu.at) + sq;
    const Row hv = row(s.gv) + transpose_times<N>(s.Tv, s.gu.at) + (dt * sq + sv);
    double numbers[most_arm_dofs];
    ha.store(numbers);
    pq = hq - transpose_times<N>(f.K1, numbers);
    pv = hv - transpose_times<N>(f.K2, numbers);
    pq.store(f.pq.at), pv.store(f.pv.at);
    solve_inputs<N>(f, numbers);
  }
}

template <int N>
void solve_knots(const ArmProblem& problem, double* dq, double* dv, double* da) noexcept {
  sweep_back<N>(problem);
  const Row dt(problem.dt), reach(problem.reach);
  for (int k = 0; k + 1 < problem.knots; ++k) {
    const ArmStage& s = problem.stages[k];
    const ArmFactor& f = problem.factors[k];
    const double *q = dq + k * most_arm_dofs, *v = dv + k * most_arm_dofs;
    const Row a = Row(0) - (row(f.k) + (transpose_times<N>(f.K1t, q) + transpose_times<N>(f.K2t, v)));
    const Row speed = Row::load(v);
    a.store(da + k * most_arm_dofs);
    (Row::load(q) + dt * speed + reach * a + row(s.eq)).store(dq + (k + 1) * most_arm_dofs);
    (speed + dt * a + row(s.ev)).store(dv + (k + 1) * most_arm_dofs);
  }
}

int factor(const ArmProblem& problem) noexcept {
  constexpr int (*by_dofs[])(const ArmProblem&) noexcept = {factor_knots<1>, factor_knots<2>, factor_knots<3>, factor_knots<4>,
                                                            factor_knots<5>, factor_knots<6>, factor_knots<7>, factor_knots<8>};
  return by_dofs[problem.dofs - 1](problem);
}

void solve(const ArmProblem& problem, double* dq, double* dv, double* da) noexcept {
  constexpr void (*by_dofs[])(const ArmProblem&, double*, double*, double*) noexcept = {
      solve_knots<1>, solve_knots<2>, solve_knots<3>, solve_knots<4>, solve_knots<5>, solve_knots<6>, solve_knots<7>, solve_knots<8>};
  by_dofs[problem.dofs - 1](problem, dq, dv, da);
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const ArmRiccatiKernel arm_riccati_kernel = {factor, solve};
}
}  // namespace trilith::control
