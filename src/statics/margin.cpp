// Limit loads with proofs of both their ends. Equations: (LIM-3) (LIM-4) (LIM-5)
#include "statics/margin.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "linalg/fixed.h"
#include "statics/changed_assembly.h"
#include "statics/judge.h"

namespace trilith::statics {
namespace {

std::vector<double> scaled(std::span<const double> vector, double factor) {
  std::vector<double> out(vector.begin(), vector.end());
  for (double& v : out) v *= factor;
  return out;
}

}  // namespace

Margins::Margins(const model::Assembly& assembly, const MarginSettings& settings)
    : assembly_(assembly),
      settings_(settings),
      view_(assembly),
      contacts_(constraints::make_contact_rows(assembly)),
      force_(contacts_.rows.size()),
      velocity_(6 * contacts_.block_of_body.size()) {}

std::vector<model::Load> Margins::weight_along(const Vec3d& direction) const {
  const double gravity = norm(assembly_.gravity);
  std::vector<model::Load> loads;
  for (std::uint32_t i = 0; i < assembly_.blocks.size(); ++i) {
    const model::Block& block = assembly_.blocks[i];
    if (!block.fixed) loads.push_back({i, (block.mass * gravity) * direction, block.com, true});
  }
  return loads;
}

solve::ForceProblem Margins::base() const { return {contacts_.rows, contacts_.load, contacts_.shift, contacts_.total, contacts_.capacity}; }

LimitLoad Margins::limit_load(std::span<const model::Load> live) {
  LimitLoad result;
  double size = 0;
  bool any = false;
  std::vector<double> vector(velocity_.size(), 0.0);
  for (const model::Load& load : live) {
    if (assembly_.blocks[load.block].fixed) continue;
    constraints::add_load(contacts_, assembly_, load, 1, vector);
    size += norm(load.force) / contacts_.weight_N;
    any = true;
  }
  if (!(size > 0)) {
    result.decided = result.unbounded = true;
    result.reason = any ? "the load is zero" : "the load acts on no free block";
    return result;
  }
  // the program sees a load of the size of all weight
  unit_ = (contacts_.total > 0 ? contacts_.total : 1) / size;
  live_ = live;
  forces_W_.clear();
  result = search(scaled(vector, unit_));
  measure_powers(result);
  return result;
}

LimitLoad Margins::patient_limit_load(std::span<const model::Load> live, double from) {
  LimitLoad result = limit_load(live);
  if (result.decided || settings_.deadline.passed()) return result;
  const ParameterLimit bracket = find_load_limit(assembly_, live, settings_, from);
  if (!bracket.decided) {
    result.reason += "; by verdicts: " + bracket.reason;
    return result;
  }
  const int factorizations = result.factorizations;
  result = {};
  result.decided = true;
  result.unbounded = bracket.unbounded;
  result.state = bracket.stands;
  result.collapse_at = bracket.falls;
  result.factorizations = factorizations;

  // forces and motion there, judged once more in this question
  const auto check_at = [&](double factor) {
    model::Assembly loaded = assembly_;
    add_loads(live, factor, loaded);
    return check(loaded, ladder_settings(settings_));
  };
  if (bracket.unbounded) return result;
  const CheckResult fall = check_at(bracket.falls), stand = check_at(bracket.stands);
  live_ = live;
  unit_ = 1;
  if (fall.verdict != Verdict::falls || !accepts_motion(fall.velocities, bracket.falls, true)) return result;
  keep_motion(fall.velocities, result);
  forces_W_ = stand.forces_W;
  measure_powers(result);
  return result;
}

/// Upwards from 0 where that is possible, else the factor below 0 that is nearest to it.
LimitLoad Margins::search(std::span<const double> live) {
  LimitLoad result;
  if (!system_) {
    solve::BodyGraphSettings near_limits;
    near_limits.factor.pivot_tolerance = settings_.pivot_tolerance;
    system_.emplace(contacts_.rows, near_limits);
  }
  const solve::LoadFactorReport up = run(live, solve::LoadEnd::most, result);
  if (up.status != SolveStatus::primal_infeasible) {
    settle(up, live, 1, result);
    return result;
  }
  if (!judge_motion(velocity_, 0, result) || !judge_motion(velocity_, settings_.far, result)) {
    result.reason = "that no factor from 0 on holds was met, but not proved: " + result.reason;
    return result;
  }
  const std::vector<double> back = scaled(live, -1);
  const solve::LoadFactorReport down = run(back, solve::LoadEnd::least, result);
  if (down.status != SolveStatus::primal_infeasible) {
    settle(down, back, -1, result);
    return result;
  }
  if (judge_motion(velocity_, 0, result) && judge_motion(velocity_, -settings_.far, result)) {
    result.decided = true;
    result.feasible = false;
  } else {
    result.reason = "that no factor at all holds was met, but not proved: " + result.reason;
  }
  return result;
}

/// The directions of a sweep have limits with much the same forces.
bool Margins::is_near_last(std::span<const double> live) const {
  if (start_.empty()) return false;
  double product = 0, now = 0, last = 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    product += live[i] * last_live_[i];
    now += live[i] * live[i];
    last += last_live_[i] * last_live_[i];
  }
  return product >= settings_.warm_cosine * sqrt(now) * sqrt(last);
}

solve::LoadFactorReport Margins::run(std::span<const double> live, solve::LoadEnd end, LimitLoad& result) {
  if (is_near_last(live))
    force_ = start_;
  else
    std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  const solve::LoadFactorReport report =
      solve::find_load_factor({base(), live, end}, *system_, settings_.factor, settings_.deadline, force_, velocity_);
  result.factorizations += report.factorizations;
  if (report.status == SolveStatus::solved && !report.fixed) {
    start_ = force_;
    last_live_.assign(live.begin(), live.end());
  }
  return report;
}

/// Puts both ends before the judge. `sense` -1: factors of the program run downwards.
bool Margins::settle(const solve::LoadFactorReport& report, std::span<const double> live, double sense, LimitLoad& result) {
  if (report.status == SolveStatus::dual_infeasible) {
    result.unbounded = result.decided = prove_point(live, sense, settings_.far, result);
    if (!result.decided) result.reason = "an unbounded load was met, but not proved";
    return result.decided;
  }
  const bool rough = report.status == SolveStatus::solved_inaccurate;
  if (report.status != SolveStatus::solved && !rough) {
    result.reason = "the limit was not met (" + std::string(name(report.status)) + ")";
    return false;
  }
  double state = report.state;
  bool held = false;
  if (rough) {
    // the motion is sharp, the state is not: one just inside of it is asked of the ladder's own interior point
    state = report.ray - sense * 0.5 * settings_.factor.enough * std::max(settings_.factor.least_factor, report.ray);
    held = prove_point(live, sense, state, result);
  } else {
    held = report.fixed ? prove_point(live, sense, state, result) : judge_state(force_, sense * state);
  }
  if (!held && report.fixed) {
    result.reason = "free motions leave one factor, and no state was proved at it";
    return false;
  }
  result.state = sense * state * unit_ + 0.0;  // no -0
  // beyond the ray of the least one lie the factors nearer to 0
  const bool falls = judge_limit_motion(sense * report.ray, 1, result);
  if (!held) result.reason = "a state at the limit was met, but not proved";
  result.decided = held && falls;
  // what is told as one number must be one
  const double apart = abs(result.collapse_at / unit_ - sense * state);
  if (result.decided && !(apart <= 2 * settings_.factor.enough * std::max(settings_.factor.least_factor, abs(state)))) {
    result.decided = false;
    result.reason = "the state and the collapse that are proved lie apart";
  }
  return result.decided;
}

/// A state at one factor of `live`, by the interior point of the ladder.
bool Margins::prove_point(std::span<const double> live, double sense, double factor, LimitLoad& result) {
  std::vector<double> load(contacts_.load);
  for (std::size_t i = 0; i < load.size(); ++i) load[i] += factor * live[i];
  solve::ForceProblem problem = base();
  problem.load = load;
  std::vector<double> force(force_.size(), 0.0), motion(velocity_.size(), 0.0);
  solve::InteriorPoint rung(contacts_.rows, settings_.point);
  const solve::ConicReport report = rung.propose(problem, *system_, settings_.deadline, force, motion);
  result.factorizations += report.factorizations;
  return report.status == SolveStatus::solved && judge_state(force, sense * factor);
}

/// Given loads, and the live one times the factor, in the program's unit.
std::vector<certify::Load> Margins::loads_at(double factor) const {
  const auto given = view_.problem().loads;
  std::vector<certify::Load> loads(given.begin(), given.end());
  for (const model::Load& load : live_) loads.push_back({load.block, (factor * unit_) * load.force, load.point, load.at_centre});
  return loads;
}

/// Keeps the forces where they are accepted.
bool Margins::judge_state(std::span<const double> force, double factor) {
  std::vector<Vec3d> forces = world_forces(contacts_, assembly_, force);
  const std::vector<certify::Load> loads = loads_at(factor);
  certify::StaticProblem problem = view_.problem();
  problem.loads = loads;
  if (!judge_forces(problem, forces, settings_.verify).accepted) return false;
  forces_W_ = std::move(forces);
  return true;
}

/// Joints that were left out as doubtful count as contacts: what falls with them falls whatever they do. (GEO-13)
bool Margins::accepts_motion(std::span<const certify::Velocity> velocities, double factor, bool exactly) const {
  const std::vector<certify::Load> loads = loads_at(factor);
  certify::StaticProblem problem = view_.collapse_problem();
  problem.loads = loads;
  return (exactly ? certify::verify_collapse_exact(problem, velocities, settings_.verify)
                  : certify::verify_collapse(problem, velocities, settings_.verify))
      .accepted;
}

void Margins::keep_motion(std::vector<certify::Velocity> velocities, LimitLoad& result) const {
  result.collapse = describe_collapse(assembly_, velocities);
  result.velocities = std::move(velocities);
}

bool Margins::judge_motion(std::span<const double> velocity, double factor, LimitLoad& result) {
  std::vector<certify::Velocity> velocities = block_velocities(contacts_, velocity);
  if (!accepts_motion(velocities, factor, false) && !accepts_motion(velocities, factor, true)) return refuse_motion(result);
  keep_motion(std::move(velocities), result);
  return true;
}

/// The motion at the end of the factors: where rounding keeps it from being a proof, a little further out.
bool Margins::judge_limit_motion(double factor, double sense, LimitLoad& result) {
  std::vector<certify::Velocity> velocities = block_velocities(contacts_, velocity_);
  const double scale = std::max(abs(factor), settings_.factor.least_factor);
  constexpr struct {
    double step;  // of the width that is enough
    bool exactly;
  } trials[] = {{0, false}, {0.1, false}, {0, true}, {0.1, true}, {1, false}, {1, true}};
  for (const auto& trial : trials) {
    const double at = factor + sense * trial.step * settings_.factor.enough * scale;
    if (!accepts_motion(velocities, at, trial.exactly)) continue;
    result.collapse_at = at * unit_;
    keep_motion(std::move(velocities), result);
    return true;
  }
  return refuse_motion(result);
}

bool Margins::refuse_motion(LimitLoad& result) const {
  result.reason = "a collapse at the limit was met, but not proved";
  if (!assembly_.doubtful.empty()) result.reason += ": joints that were left out (see the warnings) might hold it";
  return false;
}

/// What the joints' forces do on the collapse, where its fastest point moves at 1 m/s. (LIM-5)
void Margins::measure_powers(LimitLoad& result) const {
  if (forces_W_.empty() || result.collapse.joints.empty()) return;
  result.powers.assign(result.collapse.joints.size(), {});
  double fastest = 0;
  const auto velocity_at = [&](std::uint32_t block, const Vec3d& p) {
    const certify::Velocity& v = result.velocities[block];
    return v.linear + cross(v.angular, p - assembly_.blocks[block].com);
  };
  for (const certify::Velocity& v : result.velocities) fastest = std::max(fastest, norm(v.linear));
  for (const model::Interface& face : assembly_.interfaces)
    for (const Vec3d& p : face.polygon) fastest = std::max({fastest, norm(velocity_at(face.a, p)), norm(velocity_at(face.b, p))});
  for (std::size_t j = 0; j < result.powers.size() && fastest > 0; ++j) {
    const model::Interface& face = assembly_.interfaces[result.collapse.joints[j].interface];
    const Vec3d* f = forces_W_.data() + contacts_.first_vertex[result.collapse.joints[j].interface];
    for (const Vec3d& p : face.polygon) {
      const Vec3d u = (1 / fastest) * (velocity_at(face.b, p) - velocity_at(face.a, p));
      const double opening = dot(*f, face.normal) * dot(u, face.normal);
      result.powers[j].opening += opening;
      result.powers[j].sliding -= dot(*f, u) - opening;
      ++f;
    }
  }
}

}  // namespace trilith::statics
