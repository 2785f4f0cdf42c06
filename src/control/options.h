#pragma once
#include <cstdint>

/// Settings of the trajectory optimiser. SI units. docs/theory/control.md, docs/defaults.md.
namespace trilith::control {

/// How a knot leads to the next, with a the acceleration at its state and input. (CTL-2)
enum class Integrator : std::uint8_t {
  euler,                ///< q+ = q + dt v, v+ = v + dt a
  semi_implicit,        ///< v+ = v + dt a, q+ = q + dt v+
  frozen_acceleration,  ///< v+ = v + dt a, q+ = q + dt v + dt^2/2 a; not on a free base
};

enum class LinearSystem : std::uint8_t {
  factor,        ///< one direct factorization per iteration (CTL-6, CTL-7)
  pcg,           ///< preconditioned conjugate gradients on the multipliers, warm (CTL-8)
  factor_first,  ///< factor in the first iteration of a solve, pcg in those that follow
};

enum class LineSearch : std::uint8_t {
  all8,   ///< the smallest merit of all eight step lengths
  first,  ///< the longest step length whose merit falls
};

enum class Hessian : std::uint8_t {
  gauss_newton,
  exact,  ///< with the curvature of the dynamics and of the end effector, each stage projected to positive semidefinite (CTL-10)
};

/// Step lengths that are tried: 1, 1/2, ..., 1/128.
inline constexpr int step_lengths = 8;

struct SolverOptions {
  int most_iterations = 10;  ///< of one solve, >= 1
  Integrator integrator = Integrator::frozen_acceleration;
  int substeps = 1;  ///< steps of the integrator per knot, >= 1: more of them come near to a plant with a finer step
  LinearSystem linear_system = LinearSystem::factor;
  LineSearch line_search = LineSearch::all8;
  /// `exact` is for fixed bases with one substep and solves by factorization.
  Hessian hessian = Hessian::gauss_newton;
  double hessian_step = 1e-5;       ///< of the central differences of first derivatives that give the curvature: rad, m, per second
  double merit_weight = 1;          ///< of the 1-norm of defects in the merit, > 0 (CTL-5)
  bool adapt_merit_weight = false;  ///< raise it above the multipliers of the dynamics: then no merit rewards defects
  double merit_factor = 1.5;        ///< how far above the largest of them
  double proximal = 1e-3;           ///< start of the trust region's weight on states, >= 0 (CTL-4)
  bool adapt_proximal = true;
  double proximal_factor = 1.2;  ///< by which its rate changes
  double least_proximal = 1e-8, largest_proximal = 10;
  double failed_factor = 100;  ///< times this where a pivot is not positive
  int most_pcg_iterations = 100;
  double pcg_tolerance = 1e-4;     ///< of r'z, relative to its start
  double pcg_floor = 1e-6;         ///< of r'z, absolute: below it there is no step
  double converged_share = 1;      ///< of a batch: the solve ends where so many entries need no step
  double step_tolerance = 0;       ///< an entry also ends where the largest entry of its step is at most this; 0: never
  double defect_tolerance = 1e-6;  ///< and the largest defect is at most this
  int threads = 1;                 ///< over the entries of a batch; results do not depend on it
};

/// Weights of the cost (CTL-1), the same for every knot unless set per knot.
struct CostWeights {
  double end_effector = 2;            ///< 1/m^2
  double end_effector_terminal = 50;  ///< 1/m^2
  double velocity = 1e-4;             ///< s^2/rad^2
  double input = 1e-6;                ///< 1/(N m)^2
  double posture = 0;                 ///< 1/rad^2, distance from the nominal posture
  double posture_terminal = 0;        ///< of the last knot
  double position_barrier = 1e-3;     ///< logarithmic barriers of the limits
  double velocity_barrier = 0;
  double input_barrier = 0;
  double limit_margin = 0.1;  ///< by which every limit is moved inside: rad, rad/s, N m
};

}  // namespace trilith::control
