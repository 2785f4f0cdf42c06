#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "certify/penalty_program.h"
#include "model/assembly.h"
#include "solve/admm.h"
#include "solve/force_system.h"
#include "solve/least_force.h"
#include "trilith/status.h"

namespace trilith::statics {

/// Which cone stands in the program: a pyramid inside or around the true one, or the true one.
enum class RbeCone : std::uint8_t { inscribed, circumscribed, quadratic };
/// Who solves it. `automatic`: Newton on the dual, whose first step is the closed-form point, then the splitting where that stalls.
enum class RbeEngine : std::uint8_t { automatic, admm, osqp };

/// The penalty program of seed 000, 1.5 (PEN-1).
struct RbeSettings {
  solve::FrictionForm form = solve::FrictionForm::net;
  RbeCone cone = RbeCone::inscribed;
  int faces = 8;             ///< of the pyramid, 3 to most_rbe_faces
  double gamma = 1e3;        ///< weight of f-^2, > 0
  double tau = 1;            ///< weight of |t|^2, > 0
  double hessian_scale = 1;  ///< weight of f+^2, > 0
  RbeEngine engine = RbeEngine::automatic;
  double tolerance = 1e-7;           ///< relative, of the splitting and of OSQP
  double balance = 1e-8;             ///< most imbalance of a point that counts as solved, mean block weights
  double ratio = 1e-3;               ///< stable by ratio: max f- at most this times max f+ (seed 000, 1.6)
  double tension_floor = 1e-6;       ///< of the largest f+: pull below it is noise of the solver when the weakest joint is named
  certify::PenaltySettings proof{};  ///< gates of the judge
  bool polish = true;                ///< better an answer of the splitting or of OSQP by Newton's method
  double equality_rho = 100;         ///< factor of rho on the equilibrium rows
  int direct_limit = 20000;          ///< bodies up to which the splitting factors; beyond it iterates (docs/defaults.md)
  solve::AdmmSettings splitting{};
  solve::LeastForceSettings newton{};
  Deadline deadline;
};

inline constexpr int least_rbe_faces = 3, most_rbe_faces = 64;

/// What the program says. A report beside the verdict, never a verdict: a rejected pyramid does not mean a fall.
struct RbeReport {
  RbeSettings settings;  ///< in force
  SolveStatus status = SolveStatus::not_run;
  std::string engine;  ///< who solved it: "newton", "admm", "admm + newton", "osqp", "osqp + newton", "connectivity", "none"
  std::string reason;
  int iterations = 0;
  double residual = 0;                  ///< worst imbalance, mean block weights
  std::optional<double> objective;      ///< N^2, with the 1/2; none where it is not solved or there is no force state in this cone
  std::optional<bool> stable_by_ratio;  ///< false where there is none; none where it was not solved
  double max_tension_N = 0, max_compression_N = 0;
  double max_friction_utilization = 0;
  std::optional<std::uint32_t> weakest_interface;  ///< most tension, else the highest utilisation
  std::vector<double> tension_demand_N;            ///< largest f- of every interface; empty where there is no solution
  std::vector<double> utilization;                 ///< of every interface, likewise
  std::vector<double> force;                       ///< solved: net forces, a row vector of constraints::ContactRows; for those who propose
  std::vector<double> motion;                      ///< no force state: the ray as velocities, 6 per free body
  certify::PenaltyVerification proof;              ///< what certify says of the solved point, or of the ray
};

/// Solves and decodes (seed 000, 1.6). Interfaces must be present.
RbeReport solve_rbe(const model::Assembly& assembly, const RbeSettings& settings);

std::string_view name(RbeCone cone) noexcept;
std::string_view name(solve::FrictionForm form) noexcept;

}  // namespace trilith::statics
