#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "certify/planar_refutation.h"
#include "certify/verify.h"
#include "model/assembly.h"
#include "solve/ladder.h"
#include "solve/self_dual.h"
#include "statics/collapse.h"
#include "statics/coupled_program.h"
#include "statics/rbe.h"
#include "statics/tension.h"
#include "trilith/status.h"

namespace trilith::statics {

/// Which rungs of the ladder may run: all, cheapest first, or one of them (connectivity always runs: it names what no solver can see).
enum class SolverChoice : std::uint8_t { automatic, ls, projections, ipm, admm, osqp };

struct CheckSettings {
  SolverChoice solver = SolverChoice::automatic;
  /// Largest imbalance that a rung may propose, relative to the mean free block weight; 0: the default of each rung (docs/defaults.md).
  double tolerance = 0;
  /// Projections that `automatic` spends before the interior point; the full number comes after it.
  int quick_projections = 25;
  int threads = 1;  ///< of the factorizations; no effect on the result
  /// Pivots of the interior point below this part of their diagonal entry count as dependent: its weights span many decades near a limit.
  double conic_pivot_tolerance = solve::conic_pivot_tolerance;
  /// Factorizations for the motion of a fall: this, or as many as its proof took.
  int least_motion_work = 12;
  /// Where every rung stalls: the interior point again with friction larger by these (relative), for a fall, and smaller, for a force
  /// state.
  std::array<double, 3> nearby_friction{1e-8, 1e-7, 1e-6};
  /// `marginal` where neither proof verifies and contacts and friction larger by this (relative) stand, smaller by it fall; 0: never tried.
  double limit_shift = 1e-8;
  /// Start of the interior point: forces (n, t1, t2) on b, N, per polygon vertex of all interfaces in their order; empty: a cold start.
  std::vector<Vec3d> start;
  Deadline deadline;
  certify::VerifySettings verify;
};

/// What the coupled analysis adds to a check (claim `cra`).
struct CoupledReport {
  double give_m = 0, bound_m = 0;  ///< how far blocks may sink into each other, and the displacement bound
  double residual_gives = -1;      ///< worst weighted residual of the last certificate search, gives; below 0: none was made
  int rounds = 0, engaged = 0, peeled = 0, zeroed = 0;  ///< of that search
  std::string_view decided_by = "none";                 ///< "collapse", "plane search", "certificate search", ...
  bool plane = false;                                   ///< motions in the plane of the structure were asked for
  long lemmas = 0, decisions = 0;                       ///< of the plane search
  int slip_rounds = 0;                                  ///< of the slip search
  std::vector<certify::Velocity> displacements;         ///< stands: m and rad, one per block
  std::vector<double> alpha;                            ///< stands: N/m, one per polygon vertex
  double bound_gives = 0, least_slip_gives = 0;
  std::vector<certify::RefutationStep> refutation;  ///< falls by the plane search: its proof
  std::optional<PenaltyReport> penalty;             ///< set by who asked for it (cra_penalty); no verdict
};

/// The smallest load factor of the four horizontal directions, both its ends proved (LIM-3).
struct HorizontalMargin {
  bool decided = false, unbounded = false;
  double load_factor = 0;  ///< of its weight, along `direction`
  double falls_from = 0;
  Vec3d direction{};
  std::string reason;  ///< why it is not decided
};

/// The answer to "does it stand?" under its claim, with what it rests on.
struct CheckResult {
  Verdict verdict = Verdict::undecided;
  Claim claim = Claim::rbe;
  std::string_view method;  ///< rung that decided; "limit" where marginal; "none" where undecided
  certify::Verification verification;
  /// stands: forces on block b in the frame (n, t1, t2) of every interface, N, one per polygon vertex; empty otherwise.
  std::vector<std::vector<Vec3d>> forces;
  /// The same in world axes, one after the other in the order of the interfaces: what the certificate holds.
  std::vector<Vec3d> forces_W;
  /// falls: velocity of every block, m/s and rad/s (only ratios matter); empty otherwise.
  std::vector<certify::Velocity> velocities;
  /// falls: the motion in which it starts, as far as it was found, else the same; and that in words of groups and joints.
  std::vector<certify::Velocity> motion;
  Collapse collapse;
  /// Claim `cra` only.
  std::optional<CoupledReport> coupled;
  /// Set by who asked for it (find_tension).
  std::optional<TensionReport> tension;
  /// Likewise (find_least_horizontal).
  std::optional<HorizontalMargin> horizontal;
  /// Likewise (solve_rbe).
  std::optional<RbeReport> rbe;
  /// falls by connectivity: groups of blocks (indices) that no chain of contacts joins to a support.
  std::vector<std::vector<std::uint32_t>> unsupported;
  std::vector<solve::RungReport> rungs;       ///< every rung that was asked: "connectivity", "ls", "projections", "ipm", "nearby",
                                              ///< "admm", "osqp"
  std::string reason;                         ///< why undecided, or a sentence on how it was decided
  SolveStatus status = SolveStatus::not_run;  ///< of the last rung
  int iterations = 0;
  double solve_seconds = 0, verify_seconds = 0;
};

/// Climbs the ladder of spec section 4 (rungs 1 to 4): a rung proposes, only the verifier of src/certify decides. `falls` comes from
/// connectivity or from a verified collapse of the interior point, never from a rung that found no force state. Interfaces must be present.
CheckResult check(const model::Assembly& assembly, const CheckSettings& settings);

/// Sum of the contact forces on each fixed block, N, world axes (index as in `blocks`); zero for free blocks.
std::vector<Vec3d> support_reactions(const model::Assembly& assembly, const CheckResult& result);

/// Largest |f_t| / (mu f_n), with f_n + c where the joint can pull, over the vertices of an interface that carry at least 1e-4 of the
/// largest normal force (seed 000, 1.6); 0 where none does. A shown number, never a margin.
std::vector<double> utilization(const model::Assembly& assembly, const CheckResult& result);

}  // namespace trilith::statics
