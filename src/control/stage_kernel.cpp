// Cost of a knot and its derivatives, trial points and steps (CTL-1, CTL-2, CTL-3). Compiled once per instruction set; src/base/README.md
// says how.
#include "control/stage_kernel.h"

#include "control/stage_inline.h"

namespace trilith::control {
namespace {

void trial(int count, const double* x, const double* d, const double* steps, double* out) noexcept {
  const Double8 step = Double8::load(steps);
  for (int i = 0; i < count; ++i) (Double8(x[i]) + step * Double8(d[i])).store(out + i * Double8::size);
}

void cost8(const KnotCost& cost, const KnotPoint& at, double* merit) noexcept {
  (Double8::load(merit) + knot_cost<Double8>(cost, at)).store(merit);
}
void cost1(const KnotCost& cost, const KnotPoint& at, double* merit) noexcept { *merit = *merit + knot_cost<double>(cost, at); }

void gap8(int count, double weight, const double* a, const double* b, double* merit) noexcept {
  (Double8::load(merit) + Double8(weight) * gap_norm<Double8>(count, a, b)).store(merit);
}
void gap1(int count, double weight, const double* a, const double* b, double* merit) noexcept {
  *merit = *merit + weight * gap_norm<double>(count, a, b);
}

void advance8(const StepShape& shape, const StepLanes& from, double* q_next, double* v_next) noexcept {
  const Double8 dt(shape.dt), reach(shape.reach);
  for (int i = 0; i < shape.dofs; ++i) {
    const Double8 speed = take<Double8>(from.v, i), acceleration = take<Double8>(from.a, i);
    (take<Double8>(from.q, i) + dt * speed + reach * acceleration).store(q_next + i * Double8::size);
    (speed + dt * acceleration).store(v_next + i * Double8::size);
  }
}

void derivatives(const KnotCost& cost, const KnotPoint& at, const double* jacobian, const StageTerms& out) noexcept {
  write_derivatives<Double8>(cost, at, jacobian, out);
}

void input_step(int n, const InputStep& step) noexcept {
  for (int i = 0; i < n; ++i) {
    Double8 sum(0);
    for (int j = 0; j < n; ++j) {
      const int e = i * n + j;
      sum = sum + take<Double8>(step.Tq, e) * take<Double8>(step.dq, j) + take<Double8>(step.Tv, e) * take<Double8>(step.dv, j) +
            take<Double8>(step.M, e) * take<Double8>(step.da, j);
    }
    sum.store(step.du + i * Double8::size);
  }
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const StageKernel stage_kernel = {trial, cost8, cost1, gap8, gap1, advance8, derivatives, input_step};
}
}  // namespace trilith::control
