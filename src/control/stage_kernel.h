#pragma once
#include <cstdint>

#include "base/isa.h"

/// Cost, its derivatives and steps of one knot: entries of stage_kernel.cpp, one table per instruction set. Plain pointers; sizes are the
/// caller's business. Vectors of a knot are padded with zeros to a multiple of `padding` numbers.
namespace trilith::control {

inline constexpr int padding = 8;
constexpr int padded(int count) noexcept { return (count + padding - 1) / padding * padding; }

/// The clamped logarithmic barrier of bounds (CTL-3). Bounds are padded with infinities.
struct BarrierTerm {
  double weight = 0;  ///< 0: none
  const double* lower = nullptr;
  const double* upper = nullptr;
};

/// The cost of one knot (CTL-1).
struct KnotCost {
  int dofs = 0, inputs = 0;  ///< inputs 0 at the last knot
  double end_effector = 0;   ///< weight
  double target[3] = {0, 0, 0};
  double velocity = 0;
  const double* posture = nullptr;  ///< weight per degree of freedom; null: none
  const double* nominal = nullptr;
  const double* input = nullptr;  ///< weight per input
  BarrierTerm position, speed, effort;
};

/// State and input of a knot; lanes are interleaved. `posture` is q, or on a free base what stands for it in the tangent.
struct KnotPoint {
  const double *q, *v, *u;
  const double* position;  ///< 3: p_WF
};

/// Derivatives of the cost by q, v, u: gradients, diagonals of the Hessian. Padded, plain.
struct StageTerms {
  double *gq, *gv, *gu, *dq, *dv, *du;
};

struct StepShape {
  int dofs;
  double dt, reach;
};
struct StepLanes {
  const double *q, *v, *a;
};
/// du = Tq dq + Tv dv + M da, interleaved; matrices n x n row-major.
struct InputStep {
  const double *Tq, *Tv, *M, *dq, *dv, *da;
  double* du;
};

struct StageKernel {
  /// out = x + step d, for 8 step lengths: interleaved.
  void (*trial)(int count, const double* x, const double* d, const double* steps, double* out) noexcept;
  /// merit += cost, for 8 lanes; and for one state.
  void (*cost8)(const KnotCost& cost, const KnotPoint& at, double* merit) noexcept;
  void (*cost1)(const KnotCost& cost, const KnotPoint& at, double* merit) noexcept;
  /// merit += weight |a - b|_1.
  void (*gap8)(int count, double weight, const double* a, const double* b, double* merit) noexcept;
  void (*gap1)(int count, double weight, const double* a, const double* b, double* merit) noexcept;
  /// q + dt v + reach a and v + dt a.
  void (*advance8)(const StepShape& shape, const StepLanes& from, double* q_next, double* v_next) noexcept;
  /// Writes the terms; `jacobian` are 3 padded rows. The Gauss-Newton block of the end effector is left to who has the Jacobian.
  void (*derivatives)(const KnotCost& cost, const KnotPoint& at, const double* jacobian, const StageTerms& out) noexcept;
  /// Writes du for 8 knots.
  void (*input_step)(int n, const InputStep& step) noexcept;
};

namespace entry {
namespace baseline {
extern const StageKernel stage_kernel;
}
namespace v3 {
extern const StageKernel stage_kernel;
}
namespace v4 {
extern const StageKernel stage_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const StageKernel& stage_kernel_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::stage_kernel;
  return isa == Isa::v3 ? entry::v3::stage_kernel : entry::baseline::stage_kernel;
}

}  // namespace trilith::control
