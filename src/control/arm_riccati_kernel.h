#pragma once
#include <cstdint>

#include "base/isa.h"

/// The recursion in acceleration coordinates (CTL-6) for fixed-base robots with an input per degree of freedom. Tables per instruction set.
namespace trilith::control {

/// Most degrees of freedom: a row of a block is one pack of numbers.
inline constexpr int most_arm_dofs = 8;

/// A block of up to 8 x 8 numbers, row-major, padded with zeros.
struct alignas(64) ArmBlock {
  double at[most_arm_dofs][most_arm_dofs];
};
struct alignas(64) ArmVector {
  double at[most_arm_dofs];
};

/// One knot of the subproblem in (dq, dv, da): du = Tq dq + Tv dv + M da.
struct ArmStage {
  ArmBlock Tq, Tv, M;
  double jacobian[3][most_arm_dofs];  ///< of the end effector
  ArmVector gq, gv, gu;               ///< gradients by dq, dv, du
  ArmVector dq, dv, du;               ///< diagonals of the Hessian
  ArmVector eq, ev;                   ///< dx of the next knot = Phi dx + Gamma da + e
  ArmBlock dense_q, dense_u;          ///< what row groups add; read where ArmProblem says so
  double end_effector;                ///< weight of J'J
};

/// What the factorization leaves for solves.
struct ArmFactor {
  ArmBlock P11, P12, P21, P22;  ///< cost to go, proximal weight included
  ArmBlock K1, K2, K1t, K2t;    ///< da = -(k + K1 dq + K2 dv), and transposed
  ArmBlock L;                   ///< lower triangle of the Cholesky factor of the block of da
  ArmVector inverse_diagonal, k;
  ArmVector pq, pv;  ///< gradient of the cost to go
};

struct ArmProblem {
  int knots = 0, dofs = 0;
  double dt = 0, reach = 0;  ///< q+ = q + dt v + reach a
  double proximal = 0;       ///< added to the Hessian of states
  bool dense_q = false, dense_u = false;
  ArmStage* stages = nullptr;  ///< one per knot
  ArmFactor* factors = nullptr;
};

struct ArmRiccatiKernel {
  /// How many pivots are not positive: then the factor must not be used.
  int (*factor)(const ArmProblem& problem) noexcept;
  /// Steps, knot-major and padded: `dq`, `dv` hold the first knot's on entry. `da` one less.
  void (*solve)(const ArmProblem& problem, double* dq, double* dv, double* da) noexcept;
};

namespace entry {
namespace baseline {
extern const ArmRiccatiKernel arm_riccati_kernel;
}
namespace v3 {
extern const ArmRiccatiKernel arm_riccati_kernel;
}
namespace v4 {
extern const ArmRiccatiKernel arm_riccati_kernel;
}
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const ArmRiccatiKernel& arm_riccati_kernel_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::arm_riccati_kernel;
  return isa == Isa::v3 ? entry::v3::arm_riccati_kernel : entry::baseline::arm_riccati_kernel;
}

}  // namespace trilith::control
