#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/clock.h"
#include "rows/row_group.h"
#include "solve/weighted_system.h"
#include "trilith/status.h"

namespace trilith::solve {

/// Rows of one group as the splitting sees them. `rows` index a row vector of the WeightedSystem; its mechanism is admm.
struct AdmmGroup {
  rows::RowGroup rows;
  double rho_factor = 1;                                      ///< times the common rho, > 0
  double softness = std::numeric_limits<double>::infinity();  ///< of a soft set (CONE-7); infinity: hard
};

/// minimise 1/2 x'P x + q'x subject to G x in K, group by group; P and G belong to the WeightedSystem. Rows outside of every group are
/// padding. Views. (ADM-1)
struct AdmmProblem {
  std::span<const double> q;  ///< one per unknown
  std::span<const AdmmGroup> groups;
};

/// How rho follows the residuals.
enum class RhoRule : std::uint8_t {
  fixed,
  by_five,  ///< every rho_interval iterations: ratio of the relative residuals above rho_ratio: times rho_step, below its inverse: over it
  by_square_root,  ///< once per solve, at its end: rho *= sqrt(primal / dual) of the absolute residuals outside [1/5, 5]; for repeated
                   ///< solves
};

/// What ends the loop.
enum class ExitRule : std::uint8_t {
  global,     ///< every check_interval iterations, largest residuals over all rows and unknowns (ADM-4)
  per_group,  ///< after every iteration, each group on its own scale, and an x-update that converged (ADM-5)
};

struct AdmmSettings {
  double relaxation = 1.6;  ///< of the values that the sets see, in (0, 2)
  double proximal = 1e-6;   ///< sigma of the x-update, >= 0, unit of P
  double rho = 0.1;         ///< start of the common penalty, > 0
  double least_rho = 1e-6, largest_rho = 1e6;
  RhoRule rho_rule = RhoRule::by_five;
  double rho_ratio = 10, rho_step = 5;
  double root_ratio = 5, root_reach = 100;  ///< by_square_root: ratio below which rho stays, most change of rho from its start
  int rho_interval = 100;
  int most_refactorizations = 10;
  ExitRule exit_rule = ExitRule::global;
  double tol_abs = 1e-6, tol_rel = 1e-5;  ///< per_group with both 0: a fixed budget of iterations
  double infeasibility_tolerance = 1e-4;  ///< of both rays, relative to their largest entry (ADM-6, ADM-7)
  int check_interval = 10;
  int iteration_limit = 6000;
};

/// What a solve came to.
struct AdmmReport {
  SolveStatus status =
      SolveStatus::not_run;  ///< solved, primal_infeasible, dual_infeasible, iteration_limit, time_limit, numerical_failure
  int iterations = 0;
  int factorizations = 0;
  double primal = 0, dual = 0;  ///< last residuals |G x - z|, |P x + q + G'y|, largest entry
  int unconverged = 0;          ///< x-updates that the system reported as not converged
};

/// Iterate and multipliers; they survive from solve to solve, so that the next one starts warm. Multipliers are unscaled: rho may change.
class AdmmState {
 public:
  AdmmState(int unknowns, std::size_t rows);

  std::vector<double> x;     ///< unknowns
  std::vector<double> z, y;  ///< rows: projected copy of G x, multiplier
  double rho = 0;            ///< common penalty of the last solve; 0: take that of the settings
  /// After primal_infeasible the ray of multipliers, after dual_infeasible the ray of unknowns (the other keeps its last window).
  std::vector<double> y_ray, x_ray;

  /// x and y to zero, z to the projection of zero, rho to that of the settings.
  void clear() noexcept;

 private:
  friend class AdmmLoop;
  std::vector<double> weight_, tilde_, row_, right_, gradient_, x_before_, y_before_, work_;
};

/// Judges rays on unscaled data: a ray that it refuses is dropped and the loop goes on.
class AdmmWatcher {
 public:
  virtual ~AdmmWatcher() = default;
  virtual bool accept_contradiction(std::span<const double>) noexcept { return true; }  ///< multipliers of all rows
  virtual bool accept_unbounded(std::span<const double>) noexcept { return true; }      ///< unknowns
  /// Every check_interval iterations; true ends the loop as solved.
  virtual bool good_enough(const AdmmState&) noexcept { return false; }
};

/// Operator splitting on M = P + sigma 1 + G' diag(rho) G (ADM-2): the one loop of the engine. `state` holds the start and the answer. Sets
/// the proximal term and the weights of `system`. Never allocates.
[[nodiscard]] AdmmReport admm(WeightedSystem& system, const AdmmProblem& problem, AdmmState& state, const AdmmSettings& settings,
                              const Deadline& deadline, AdmmWatcher& watcher) noexcept;

/// Starts z at the projection of G x for the x that `state` holds; y stays.
void start_admm(WeightedSystem& system, const AdmmProblem& problem, AdmmState& state) noexcept;

}  // namespace trilith::solve
