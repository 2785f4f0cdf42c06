#pragma once
#include <limits>
#include <span>
#include <vector>

#include "base/clock.h"
#include "solve/interior_point_kernel.h"
#include "solve/weighted_system.h"
#include "trilith/status.h"

namespace trilith::solve {

/// FactorSettings::pivot_tolerance under the conic iteration, whose weights span many decades near a limit: small pivots are not dependent
/// directions there.
inline constexpr double conic_pivot_tolerance = 1e-16;

struct SelfDualSettings {
  /// Share of the way to the boundary of the cones that a step takes.
  double step_fraction = 0.99;
  /// Most centring of a combined step (Mehrotra's rule asks for more where the affine step is short).
  double largest_centring = 0.2;
  /// A warm start lies inside its cones by this share of the mean contact force.
  double warm_share = 0.1;
  /// Conjugate gradient steps that refine a solve whose residual is above refine_above of its right-hand side.
  int refinements = 3;
  double refine_above = 1e-11;
  double least_centring = 1e-12;
  /// A solve also ends where its residual is below this share of the largest residual of the iterate.
  double refine_share = 0;
  /// Corrections of centrality in one step, at most: each costs a solve and is kept where the step gets longer. (IPM-10)
  int correctors = 0;
  /// They look this much further than the step they start from, and ask for products of z and s within these factors of their target.
  double corrector_reach = 0.3, least_product = 0.1, largest_product = 10;
  /// A longer step is not corrected.
  double long_step = 0.9;
  /// False: nobody asks for shift_row and the scales of (IPM-7), which cost one right-hand side.
  bool line_test = true;
};

/// Find x, z and s in the cones, tau, kappa >= 0 with P x + G'z = load tau, G x + s = offset tau, kappa = load'x - offset'z - x'P x / tau
/// (IPM-1). P and G belong to the WeightedSystem. Views.
struct ConicProblem {
  ConicView cones;
  int points;                           ///< used lanes of all slots: the number of cones
  std::span<const double> load;         ///< minus the linear cost, one per unknown
  std::span<const double> offset = {};  ///< right-hand side of the cone rows, lane layout; empty: zero
};

/// The iteration of the self-dual embedding: one point and the stages of one step, for those who watch it for certificates. Work space is
/// sized at construction; nothing below allocates. A step: evaluate, factor, solve_predictor, predict, combine, advance.
class SelfDual {
 public:
  /// The scalars of one step.
  struct Step {
    double mu = 0;                // mean complementarity
    double largest_residual = 0;  // of P x + G'z = load tau
    double largest_dual = 0;      // of G x + s = offset tau
    double gap = 0, gap_row = 0;  // z's; residual of the row of kappa
    double curvature = 0;         // x'P x
    double offset_z = 0;          // h'z
    // with u1 = M^-1 (load + G'H h) and r1 = G u1 - h: u1'r_x, r1'H r_z, r1'z
    double base_load = 0, base_residual = 0, base_force = 0;
    double denominator = 1;
    double d_tau = 0, d_kappa = 0;
    double affine_tau = 0, affine_kappa = 0;
    double low = 0, high = 0;  // scales of the load on the line of equilibria (IPM-7)
    double sigma = 0;
    double length = 0;

    bool finite() const noexcept { return mu < std::numeric_limits<double>::infinity(); }
  };

  SelfDual(std::size_t rows, int unknowns, const SelfDualSettings& settings);

  /// Cold where `force` is zero or not finite: z = s = (1, 0, 0). Else the given row vector, pushed inside its cones, each part with the s
  /// that makes the pair centred.
  void start(const ConicProblem& problem, std::span<const double> force) noexcept;

  void evaluate(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept;
  linalg::FactorReport factor(WeightedSystem& system) noexcept;
  void solve_predictor(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void predict(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void combine(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept;
  void advance(const ConicProblem& problem, const Step& step) noexcept;

  /// After factor, where it dropped pivots: y = r - M^-1 M r with r the part of the load that the kept rows leave over. No row and no
  /// curvature resists it, and the load does r'r on it. Returns the largest entry of r. (IPM-8)
  double find_free_fall(const ConicProblem& problem, WeightedSystem& system, std::span<double> y) noexcept;

  /// x = M^-1 x, refined to refine_above; `system` has its factor. Only before combine, not between predict and the next stage's
  /// readers of solutions.
  void solve_refined(WeightedSystem& system, std::span<double> x) noexcept;

  /// out = M x; uses a row vector as work space.
  void multiply(WeightedSystem& system, std::span<const double> x, std::span<double> out) noexcept;

  std::span<const double> x() const noexcept { return x_; }
  std::span<const double> z() const noexcept { return z_; }
  std::span<const double> s() const noexcept { return s_; }
  double tau() const noexcept { return tau_; }
  std::span<const double> velocity() const noexcept { return row_; }       ///< after evaluate: G x - offset tau
  std::span<const double> force() const noexcept { return force_row_; }    ///< after evaluate: z as a row vector
  std::span<const double> transposed_z() const noexcept { return gz_; }    ///< after evaluate: G'z
  std::span<const double> quadratic_x() const noexcept { return px_; }     ///< after evaluate: P x
  std::span<const double> base_row() const noexcept { return base_row_; }  ///< after solve_predictor: r1 = G u1 - h
  std::span<const double> shift_row() const noexcept {
    return shift_row_;
  }  ///< after predict: G (tau u1 - M^-1 (load tau - G'z)); with no offset G M^-1 G'z

 private:
  using Vector = std::vector<double>;
  void refined_solve(WeightedSystem& system, int count, double allowed) noexcept;
  bool refine_once(WeightedSystem& system, int count, bool first, double allowed) noexcept;
  void solve_combined(const ConicProblem& problem, WeightedSystem& system, double extra, Step& step) noexcept;
  bool correct(const ConicProblem& problem, WeightedSystem& system, double& extra, Step& step) noexcept;
  double cost_of(const ConicProblem& problem, std::span<const double> u) const noexcept;
  void measure_base(const ConicProblem& problem, WeightedSystem& system, Step& step) noexcept;
  ConicArrays arrays() noexcept;

  const InteriorPointKernel* kernel_;
  SelfDualSettings settings_;
  double tau_ = 1, kappa_ = 1;
  Vector x_, z_, s_, scaling_, dual_residual_, centring_, second_, dz_, ds_;  // cone coordinates but for x
  Vector weights_, row_, base_row_, shift_row_, force_row_, other_row_;       // rows, contact coordinates
  Vector gz_, ghr_, px_, direction_, load_solution_, state_solution_;         // unknowns
  Vector kept_dz_, kept_ds_, kept_direction_;                                 // of the step before a correction
  Vector right_[3], solution_[3], residual_[3], conjugate_[3], product_[3], packed_, preconditioned_;
  double scale_[3] = {}, step_dot_[3] = {};
  bool open_[3] = {};
};

/// Who watches the iteration for its own certificates. Each stage may end it by another status than not_run.
class ConicWatcher {
 public:
  virtual ~ConicWatcher() = default;
  virtual SolveStatus evaluated(int, const SelfDual::Step&) noexcept { return SolveStatus::not_run; }
  virtual SolveStatus factored(int, const SelfDual::Step&, const linalg::FactorReport&) noexcept { return SolveStatus::not_run; }
  virtual SolveStatus predicted(int, const SelfDual::Step&) noexcept { return SolveStatus::not_run; }
};

struct ConicLimits {
  int iteration_limit = 80;
  double smallest_step = 1e-7;  ///< a shorter step is a standstill
};

struct ConicRun {
  SolveStatus status = SolveStatus::not_run;  ///< what a watcher said, or iteration_limit, time_limit, stalled, numerical_failure
  int iterations = 0, factorizations = 0;
};

/// The loop, from the start that `iteration` was given until a watcher or a limit ends it. Never allocates unless the watcher does.
[[nodiscard]] ConicRun run_conic(const ConicProblem& problem, WeightedSystem& system, const ConicLimits& limits, const Deadline& deadline,
                                 SelfDual& iteration, ConicWatcher& watcher) noexcept;

/// Misfits of the current point of a program, each relative to the terms it is made of.
struct ConicMisfit {
  double solution = 0;       ///< worst of rows, stationarity and gap
  double contradiction = 0;  ///< of a ray of contradiction over its power; infinite where the power is not positive
  double unbounded = 0;      ///< of a ray along which the cost falls, likewise
};
/// After `evaluate`.
ConicMisfit measure_misfit(const SelfDual& iteration, const SelfDual::Step& step, const ConicProblem& problem) noexcept;

}  // namespace trilith::solve
