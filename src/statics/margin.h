#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "certify/verify.h"
#include "constraints/contact_rows.h"
#include "model/assembly.h"
#include "solve/body_graph.h"
#include "solve/interior_point.h"
#include "solve/load_factor.h"
#include "solve/self_dual.h"
#include "statics/check.h"
#include "statics/collapse.h"
#include "statics/proof_view.h"

namespace trilith::statics {

struct MarginSettings {
  solve::LoadFactorSettings factor{};
  solve::InteriorPointSettings point{};
  double pivot_tolerance = solve::conic_pivot_tolerance;
  double warm_cosine = 0.94;      ///< of the angle between two loads: within it the forces of the last limit are the start of the next
  double far = 1e4;               ///< a state at this factor, in units of all weight and loads, is told as having no upper end
  double search_width = 2e-7;     ///< friction, erosion, tilt with loads: stands and falls are told apart this closely, relative
  double search_enough = 1e-5;    ///< a wider bracket, up to this, still counts where nothing can be proved between its ends
  double largest_friction = 1e3;  ///< what does not stand at it is not held by friction
  double least_friction = 1e-6;   ///< what stands at it needs next to none: whether less will do is a question of forces beyond 1e6 weights
  double least_erosion = 1e-6;    ///< likewise for the scale of the joints
  Deadline deadline{};
  certify::VerifySettings verify{};
};

/// The whole ladder at one value of a search: proved verdicts only, no `marginal`.
CheckSettings ladder_settings(const MarginSettings& settings);

/// Power of a joint in a collapse, W where its fastest point moves at 1 m/s.
struct JointPower {
  double opening = 0;  ///< sum of f_n u_n: what the joint's lift takes out of it, or, negative, what it holds by pulling
  double sliding = 0;  ///< sum of -f_t u_t: what friction takes up
};

/// The range of one load: factors lambda with an equilibrium under the given loads and lambda times the live one. Both ends that are told
/// are proved: a force state at `state`, a collapse at `collapse_at`, by the independent verifier.
struct LimitLoad {
  bool decided = false;
  bool feasible = true;    ///< false: no lambda at all
  bool unbounded = false;  ///< no upper end up to `far`
  double state = 0;        ///< largest lambda with a proved equilibrium
  double collapse_at = 0;  ///< proved to fall from here on; state <= collapse_at
  std::string reason;      ///< why it is not decided
  int factorizations = 0;
  std::vector<certify::Velocity> velocities;  ///< the collapse; empty where there is none
  Collapse collapse;
  std::vector<JointPower> powers;  ///< of collapse.joints under the forces at `state`; empty where there is no state
};

/// The limit of a parameter: it stands on one side and falls on the other, both proved.
struct ParameterLimit {
  bool decided = false;
  bool exists = true;  ///< false: it never stands in the range that was searched
  double stands = 0, falls = 0;
  bool unbounded = false;  ///< it stands as far as was asked
  std::string reason;
  int verdicts = 0;
};

/// Limit analysis of one assembly with interfaces: contacts, order of elimination and the last force state are kept between questions.
/// Nothing here throws or prints. The assembly must outlive this.
class Margins {
 public:
  Margins(const model::Assembly& assembly, const MarginSettings& settings);

  /// Weight of every free block along a direction, as a load of its own.
  std::vector<model::Load> weight_along(const Vec3d& direction) const;
  /// The largest factor on `live` (N), with weight and loads as they are. (LIM-3)
  LimitLoad limit_load(std::span<const model::Load> live);
  /// The same; where the program comes to a standstill, by verdicts on both sides, upwards from a factor that stands (LIM-6).
  LimitLoad patient_limit_load(std::span<const model::Load> live, double from = 0);

 private:
  LimitLoad search(std::span<const double> live);
  std::vector<certify::Load> loads_at(double factor) const;
  bool judge_state(std::span<const double> force, double factor);
  bool judge_motion(std::span<const double> velocity, double factor, LimitLoad& result);
  bool judge_limit_motion(double factor, double sense, LimitLoad& result);
  bool accepts_motion(std::span<const certify::Velocity> velocities, double factor, bool exactly) const;
  bool refuse_motion(LimitLoad& result) const;
  void keep_motion(std::vector<certify::Velocity> velocities, LimitLoad& result) const;
  bool is_near_last(std::span<const double> live) const;
  solve::LoadFactorReport run(std::span<const double> live, solve::LoadEnd end, LimitLoad& result);
  bool settle(const solve::LoadFactorReport& report, std::span<const double> live, double sense, LimitLoad& result);
  bool prove_point(std::span<const double> live, double sense, double factor, LimitLoad& result);
  void measure_powers(LimitLoad& result) const;
  solve::ForceProblem base() const;

  const model::Assembly& assembly_;
  MarginSettings settings_;
  ProofView view_;
  constraints::ContactRows contacts_;
  std::optional<solve::BodyGraph> system_;
  std::span<const model::Load> live_;  // of the question at hand
  double unit_ = 1;                    // factors of the program to factors of the question
  std::vector<double> force_, velocity_;
  std::vector<double> start_, last_live_;  // forces at the last limit that was met, and its load
  std::vector<Vec3d> forces_W_;
};

/// Largest factor on `live` (N) with which it stands, upwards from `from`, which must stand; up to MarginSettings::far. (LIM-6)
ParameterLimit find_load_limit(const model::Assembly& assembly, std::span<const model::Load> live, const MarginSettings& settings,
                               double from = 0);
/// Smallest common factor on every friction coefficient with which it stands; largest_friction over the largest coefficient, and
/// least_friction, bound the search. (LIM-6)
ParameterLimit find_friction_limit(const model::Assembly& assembly, const MarginSettings& settings);
/// Smallest scale, at most 1, of every joint about its centroid with which it stands. Joints that pull lose their pull with their area.
ParameterLimit find_erosion_limit(const model::Assembly& assembly, const MarginSettings& settings);
/// Largest angle, rad, by which the ground can be turned so that gravity leans along the unit vector `direction`, with loads that stay as
/// they are on the ground; up to a right angle. Where there are no loads, atan of the load factor says the same.
ParameterLimit find_tilt_limit(const model::Assembly& assembly, const Vec3d& direction, const MarginSettings& settings);

}  // namespace trilith::statics
