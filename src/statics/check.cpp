// Equations: (RBE-2) (RBE-6) (RBE-8) (RBE-10) (RBE-11) (RBE-13) (RBE-14)
#include "statics/check.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.h"
#include "constraints/contact_rows.h"
#include "linalg/fixed.h"
#include "solve/alternating_projections.h"
#include "solve/body_graph.h"
#include "solve/closed_form.h"
#include "solve/connectivity.h"
#include "solve/initial_motion.h"
#include "solve/interior_point.h"
#include "statics/changed_assembly.h"
#include "statics/judge.h"
#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

/// One check from rows to verdict: what the rungs share, and the judge.
class Climb {
 public:
  Climb(const model::Assembly& assembly, const CheckSettings& settings)
      : assembly_(assembly),
        settings_(settings),
        view_(assembly),
        contacts_(constraints::make_contact_rows(assembly)),
        problem_{contacts_.rows, contacts_.load, contacts_.shift, contacts_.total, contacts_.capacity} {}

  void run(CheckResult& result);

 private:
  std::vector<solve::Rung> rungs();
  solve::Attempt propose_connectivity();
  solve::Attempt propose_closed_form();
  solve::Attempt propose_projections(const Deadline& deadline, int iteration_limit);
  solve::Attempt propose_interior_point(const Deadline& deadline);
  solve::Attempt propose_program(const Deadline& deadline, RbeEngine engine, RbeCone cone);
  std::vector<certify::Velocity> sharpen_collapse(int factorizations);
  void propose_collapse(solve::Attempt& attempt);
  solve::Attempt propose_nearby();
  bool falls_with_doubtful();
  bool accept(const solve::Proposal& proposal);
  solve::BodyGraph& system();
  solve::BodyGraph& conic_system();
  solve::Attempt force_attempt(const solve::ForceReport& report);

  const model::Assembly& assembly_;
  const CheckSettings& settings_;
  ProofView view_;
  constraints::ContactRows contacts_;
  solve::ForceProblem problem_;
  solve::Connectivity connectivity_;
  std::optional<solve::BodyGraph> system_, conic_system_;
  bool factored_ = false;
  std::vector<double> force_, velocity_;
  certify::Verification verification_;
  std::vector<Vec3d> forces_W_;
  std::vector<certify::Velocity> velocities_;
  double verify_seconds_ = 0;
};

/// Whichever of the two systems comes first orders the blocks; the other takes that over.
solve::BodyGraph& Climb::system() {
  solve::BodyGraphSettings settings;
  settings.factor.threads = settings_.threads;
  if (!system_ && conic_system_) system_.emplace(contacts_.rows, conic_system_->symbolic(), settings);
  if (!system_) system_.emplace(contacts_.rows, settings);
  return *system_;
}

/// The weights of the interior point span many decades near a limit: small pivots are not dependent directions there.
solve::BodyGraph& Climb::conic_system() {
  solve::BodyGraphSettings settings;
  settings.factor.pivot_tolerance = settings_.conic_pivot_tolerance;
  settings.factor.threads = settings_.threads;
  if (!conic_system_ && system_) conic_system_.emplace(contacts_.rows, system_->symbolic(), settings);
  if (!conic_system_) conic_system_.emplace(contacts_.rows, settings);
  return *conic_system_;
}

solve::Attempt Climb::propose_connectivity() {
  connectivity_ = solve::find_floating(contacts_.rows);
  solve::Attempt attempt{
      .status = SolveStatus::solved, .iterations = 0, .residual = 0, .reason = "every block has a chain of contacts to a support"};
  if (contacts_.block_of_body.empty()) {
    force_.assign(contacts_.rows.size(), 0.0);
    attempt.reason = "every block is a support: nothing can fall";
    attempt.proposal = {solve::Proposal::Kind::force_state, force_};
  } else if (!connectivity_.supported()) {
    velocity_.assign(6 * contacts_.block_of_body.size(), 0.0);
    if (assembly_.loads.empty())
      solve::write_fall(connectivity_, assembly_.gravity, velocity_);
    else
      solve::write_fall(connectivity_, contacts_.load, velocity_);
    const std::size_t first = static_cast<std::size_t>(contacts_.block_of_body[static_cast<std::size_t>(connectivity_.floating[0][0])]);
    attempt.status = SolveStatus::primal_infeasible;
    attempt.reason = "no chain of contacts joins block " + assembly_.blocks[first].id + " to a support";
    propose_collapse(attempt);
  }
  return attempt;
}

/// Puts velocity_ before the judge. Where joints were left out as doubtful, only a collapse that also works with all of them as contacts is
/// put forward: it holds whatever they do. (GEO-13)
void Climb::propose_collapse(solve::Attempt& attempt) {
  if (assembly_.doubtful.empty() || falls_with_doubtful()) {
    attempt.proposal = {solve::Proposal::Kind::collapse, velocity_};
    return;
  }
  attempt.reason += "; but open, overlapping or very small joints of " + std::to_string(assembly_.doubtful_pairs) +
                    (assembly_.doubtful_pairs == 1 ? " pair" : " pairs") +
                    " of blocks were left out (see the warnings) and might hold it (--contact-gap says how far faces may be apart)";
}

/// Solves with the doubtful joints as contacts. True where it falls all the same; velocity_ is then that motion.
bool Climb::falls_with_doubtful() {
  model::Assembly enlarged = assembly_;
  enlarged.interfaces.insert(enlarged.interfaces.end(), enlarged.doubtful.begin(), enlarged.doubtful.end());
  enlarged.doubtful.clear();
  CheckSettings settings = settings_;
  settings.solver = SolverChoice::ipm;
  settings.limit_shift = 0;  // only a fall is asked for
  const CheckResult result = check(enlarged, settings);
  if (result.verdict != Verdict::falls) return false;
  write_unknowns(contacts_, result.velocities, velocity_);
  return true;
}

/// A collapse with more friction is one with less, a force state with less friction is one with more: what stalls at one value may not a
/// little beside it. Only a first proposal is used: the judge decides with the friction in force. (RBE-14)
solve::Attempt Climb::propose_nearby() {
  solve::Attempt attempt{.status = SolveStatus::stalled, .reason = "no proof with a little more or less friction either"};
  CheckSettings settings = settings_;
  settings.solver = SolverChoice::ipm;
  settings.limit_shift = 0;
  for (const double shift : settings_.nearby_friction)
    for (const double factor : {1 + shift, 1 - shift}) {
      if (shift == 0) continue;
      model::Assembly nearby = assembly_;
      scale_friction(factor, nearby);
      const CheckResult result = check(nearby, settings);
      attempt.iterations += result.iterations;
      if (result.status == SolveStatus::time_limit) attempt.status = result.status;
      if (factor > 1 && result.verdict == Verdict::falls) {
        attempt.status = SolveStatus::primal_infeasible;
        attempt.reason = "a motion that no joint resists and that lets the weight come down, found with friction larger by ";
        attempt.reason += format_double(shift);
        velocity_.assign(6 * contacts_.block_of_body.size(), 0.0);
        write_unknowns(contacts_, result.velocities, velocity_);
        propose_collapse(attempt);
        return attempt;
      }
      if (factor < 1 && result.verdict == Verdict::stands) {
        attempt.status = SolveStatus::solved;
        attempt.reason = "a balanced state inside every friction cone, found with friction smaller by ";
        attempt.reason += format_double(shift);
        std::vector<Vec3d> forces;
        for (const std::vector<Vec3d>& of_face : result.forces) forces.insert(forces.end(), of_face.begin(), of_face.end());
        constraints::write_rows(contacts_, forces, force_);
        attempt.proposal = {solve::Proposal::Kind::force_state, force_};
        return attempt;
      }
    }
  return attempt;
}

solve::Attempt Climb::force_attempt(const solve::ForceReport& report) {
  solve::Attempt attempt{.status = report.status, .iterations = report.iterations, .residual = report.residual, .reason = ""};
  if (report.status == SolveStatus::solved) {
    attempt.reason = "a balanced state inside every friction cone";
    attempt.proposal = {solve::Proposal::Kind::force_state, force_};
  } else {
    attempt.reason =
        "no balanced state inside every friction cone was met (" + std::string(name(report.status)) + "); this rung cannot prove a fall";
  }
  return attempt;
}

solve::Attempt Climb::propose_closed_form() {
  solve::ClosedFormSettings settings;
  if (settings_.tolerance > 0) settings.balance_tolerance = settings_.tolerance;
  force_.assign(contacts_.rows.size(), 0.0);
  solve::ClosedForm rung(contacts_.rows, settings);
  const solve::ForceReport report = rung.propose(problem_, system(), !factored_, force_);
  factored_ = true;
  return force_attempt(report);
}

solve::Attempt Climb::propose_projections(const Deadline& deadline, int iteration_limit) {
  solve::AlternatingProjectionsSettings settings;
  if (iteration_limit > 0) settings.iteration_limit = iteration_limit;
  if (settings_.tolerance > 0) settings.balance_tolerance = settings_.tolerance;
  if (!factored_) {
    system().set_weights({});
    (void)system().factor();
    factored_ = true;
  }
  force_ = contacts_.shift;  // f = 0: joints that can pull do not pull where they need not
  force_.resize(contacts_.rows.size(), 0.0);
  solve::AlternatingProjections rung(contacts_.rows, settings);
  return force_attempt(rung.propose(problem_, system(), deadline, force_));
}

solve::Attempt Climb::propose_interior_point(const Deadline& deadline) {
  solve::InteriorPointSettings settings;
  if (settings_.tolerance > 0) settings.balance_tolerance = settings_.tolerance;
  force_.assign(contacts_.rows.size(), 0.0);
  if (static_cast<std::ptrdiff_t>(settings_.start.size()) == contacts_.first_vertex.back())
    constraints::write_rows(contacts_, settings_.start, force_);
  velocity_.assign(6 * contacts_.block_of_body.size(), 0.0);
  solve::InteriorPoint rung(contacts_.rows, settings);
  const solve::ConicReport report = rung.propose(problem_, conic_system(), deadline, force_, velocity_);
  solve::Attempt attempt{.status = report.status, .iterations = report.factorizations, .residual = report.residual, .reason = ""};
  if (report.status == SolveStatus::solved) {
    attempt.reason = "a balanced state inside every friction cone";
    attempt.proposal = {solve::Proposal::Kind::force_state, force_};
  } else if (report.status == SolveStatus::primal_infeasible) {
    attempt.reason = "a motion that no joint resists and that lets the weight come down";
    propose_collapse(attempt);
  } else {
    attempt.reason = "neither a force state nor a collapse was met (" + std::string(name(report.status)) + ")";
  }
  return attempt;
}

/// The penalty program in the form `net` on this cone: its forces, moved inside the true cones, or its ray as a collapse.
solve::Attempt Climb::propose_program(const Deadline& deadline, RbeEngine engine, RbeCone cone) {
  RbeSettings settings;
  settings.engine = engine;
  settings.cone = cone;
  settings.deadline = deadline;
  if (settings_.tolerance > 0) settings.tolerance = settings_.tolerance;
  RbeReport report = solve_rbe(assembly_, settings);
  solve::Attempt attempt{.status = report.status, .iterations = report.iterations, .residual = report.residual, .reason = ""};
  if (report.status == SolveStatus::solved) {
    const solve::ConeMargin margin;
    std::vector<double> mu(contacts_.rows.groups().size() * rows::patch_lanes);
    force_ = std::move(report.force);
    solve::write_reduced_mu(contacts_.rows, margin, mu);
    (void)solve::project_forces(contacts_.rows, mu, margin.dust, force_);
    attempt.reason = std::string("forces of least cost (") + report.engine + ")";
    if (cone == RbeCone::circumscribed)
      attempt.reason +=
          " in pyramids around the friction cones, none in those inside: they prove something only where they lie in the cones";
    attempt.proposal = {solve::Proposal::Kind::force_state, force_};
  } else if (report.status == SolveStatus::primal_infeasible && cone == RbeCone::inscribed) {
    // a ray of the smaller cone proves nothing; one of a larger cone does
    return propose_program(deadline, engine, RbeCone::circumscribed);
  } else if (report.status == SolveStatus::primal_infeasible) {
    velocity_ = std::move(report.motion);
    attempt.reason = std::string("a motion that no joint resists and that lets the weight come down (") + report.engine + ")";
    propose_collapse(attempt);
  } else {
    attempt.reason = "neither a force state nor a collapse was met (" + std::string(name(report.status)) + ")";
  }
  return attempt;
}

std::vector<solve::Rung> Climb::rungs() {
  std::vector<solve::Rung> list{{"connectivity", [this](const Deadline&) { return propose_connectivity(); }}};
  // where blocks float the equilibrium rows have no solution: no force rung may run
  const auto guarded = [this](auto propose) {
    return [this, propose](const Deadline& deadline) {
      if (connectivity_.supported()) return propose(deadline);
      return solve::Attempt{.status = SolveStatus::not_run,
                            .iterations = 0,
                            .residual = 0,
                            .reason = "not run: some blocks have no chain of contacts to a support"};
    };
  };
  const SolverChoice choice = settings_.solver;
  const bool all = choice == SolverChoice::automatic;
  const auto asked = [choice, all](SolverChoice rung) { return all || choice == rung; };
  if (asked(SolverChoice::ls)) list.push_back({"ls", guarded([this](const Deadline&) { return propose_closed_form(); })});
  if (asked(SolverChoice::projections)) {
    const int few = all ? settings_.quick_projections : 0;
    list.push_back({"projections", guarded([this, few](const Deadline& d) { return propose_projections(d, few); })});
  }
  if (asked(SolverChoice::ipm)) list.push_back({"ipm", guarded([this](const Deadline& d) { return propose_interior_point(d); })});
  if (choice == SolverChoice::admm)
    list.push_back({"admm", guarded([this](const Deadline& d) { return propose_program(d, RbeEngine::admm, RbeCone::quadratic); })});
  if (choice == SolverChoice::osqp)
    list.push_back({"osqp", guarded([this](const Deadline& d) { return propose_program(d, RbeEngine::osqp, RbeCone::inscribed); })});
  // the interior point stalls now and then just below a limit where patience finds a state
  if (all) list.push_back({"projections", guarded([this](const Deadline& d) { return propose_projections(d, 0); })});
  if (all) list.push_back({"nearby", guarded([this](const Deadline&) { return propose_nearby(); })});
  return list;
}

bool Climb::accept(const solve::Proposal& proposal) {
  const double start = wall_seconds();
  if (proposal.kind == solve::Proposal::Kind::force_state) {
    forces_W_ = world_forces(contacts_, assembly_, proposal.values);
    verification_ = judge_forces(view_.problem(), forces_W_, settings_.verify);
  } else if (proposal.kind == solve::Proposal::Kind::collapse) {
    velocities_ = block_velocities(contacts_, proposal.values);
    verification_ = judge_collapse(view_.problem(), velocities_, settings_.verify);
  }
  verify_seconds_ += wall_seconds() - start;
  return verification_.accepted;
}

/// The motion in which it starts to fall, for the words; in place of the collapse that proved it where that motion is a proof as well.
/// Empty where it was not met within the work of the proof. (RBE-15)
std::vector<certify::Velocity> Climb::sharpen_collapse(int factorizations) {
  if (!assembly_.doubtful.empty()) return {};
  conic_system().set_quadratic(constraints::make_mass_blocks(contacts_, assembly_));
  std::vector<double> motion(velocity_.size());
  solve::InitialMotionSettings settings;
  settings.limits.iteration_limit = std::max(settings_.least_motion_work, factorizations);
  const solve::InitialMotionReport report = solve::find_initial_motion(problem_, conic_system(), settings, settings_.deadline, motion);
  if (report.status != SolveStatus::solved && report.status != SolveStatus::solved_inaccurate) return {};
  const double start = wall_seconds();
  std::vector<certify::Velocity> found = block_velocities(contacts_, motion);
  const certify::Verification sharper = certify::verify_collapse(view_.problem(), found, settings_.verify);
  verify_seconds_ += wall_seconds() - start;
  if (sharper.accepted) {
    verification_ = sharper;
    velocities_ = found;
  }
  return found;
}

void Climb::run(CheckResult& result) {
  const std::vector<solve::Rung> list = rungs();
  const solve::LadderReport report = solve::climb(list, [this](const solve::Proposal& p) { return accept(p); }, settings_.deadline);
  result.rungs = report.rungs;
  result.verify_seconds = verify_seconds_;
  const bool fell = report.decided >= 0 && report.kind == solve::Proposal::Kind::collapse;
  for (const auto& group : connectivity_.floating) {
    if (!fell) break;
    auto& blocks = result.unsupported.emplace_back();
    for (const int body : group) blocks.push_back(static_cast<std::uint32_t>(contacts_.block_of_body[static_cast<std::size_t>(body)]));
  }
  if (report.rungs.empty()) {
    result.status = SolveStatus::time_limit;
    result.reason = "the time limit came before the first rung";
    return;
  }
  const solve::RungReport& last = report.decided >= 0 ? report.rungs[static_cast<std::size_t>(report.decided)] : report.rungs.back();
  result.status = last.status;
  result.iterations = last.iterations;
  result.reason = last.reason;
  if (report.decided < 0) {
    // the interior point's word says more than that of the patient projections after it; where blocks float, that is all there is to say
    for (const solve::RungReport& rung : report.rungs)
      if (rung.status != SolveStatus::not_run && (rung.name == "ipm" || (rung.name == "connectivity" && !connectivity_.supported())))
        result.reason = rung.reason;
    return;
  }
  result.method = last.name;
  result.verification = verification_;
  result.verdict = verification_.verdict;
  if (report.kind == solve::Proposal::Kind::collapse) {
    std::vector<certify::Velocity> motion;
    if (result.unsupported.empty()) motion = sharpen_collapse(last.iterations);
    result.verify_seconds = verify_seconds_;
    result.verification = verification_;
    result.velocities = velocities_;
    result.collapse = describe_collapse(assembly_, motion.empty() ? result.velocities : motion);
    if (motion.empty()) motion = result.velocities;
    result.motion = std::move(motion);
    return;
  }
  result.forces_W = forces_W_;
  std::vector<Vec3d> local(forces_W_.size());
  constraints::write_forces(contacts_, force_, local);
  result.forces.reserve(assembly_.interfaces.size());
  for (std::size_t i = 0; i < assembly_.interfaces.size(); ++i)
    result.forces.emplace_back(local.begin() + contacts_.first_vertex[i], local.begin() + contacts_.first_vertex[i + 1]);
}

}  // namespace

namespace {

/// The assembly with every contact grown about its centroid and every friction coefficient, by the same factor.
model::Assembly scaled_contacts(const model::Assembly& assembly, double factor) {
  model::Assembly scaled = assembly;
  scale_joints(factor, scaled);
  scale_friction(factor, scaled);
  return scaled;
}

/// Stands with contacts a little larger, falls with them a little smaller: each side with its own verified proof (RBE-14).
bool is_marginal(const model::Assembly& assembly, const CheckSettings& settings) {
  CheckSettings one_side = settings;
  one_side.limit_shift = 0;
  const auto verdict_at = [&](double factor) { return check(scaled_contacts(assembly, factor), one_side).verdict; };
  return verdict_at(1 + settings.limit_shift) == Verdict::stands && verdict_at(1 - settings.limit_shift) == Verdict::falls;
}

void tell_marginal(const CheckSettings& settings, CheckResult& result) {
  const std::string shift = format_double(settings.limit_shift);
  result.verdict = Verdict::marginal;
  result.method = "limit";
  result.reason = "on its limit: with contacts and friction larger by " + shift + " (relative) a force state is proved, smaller by " +
                  shift + " a collapse";
}

}  // namespace

CheckResult check(const model::Assembly& assembly, const CheckSettings& settings) {
  const double start = wall_seconds();
  CheckResult result;
  result.method = "none";
  Climb(assembly, settings).run(result);
  if (result.verdict == Verdict::undecided && settings.limit_shift > 0 && is_marginal(assembly, settings)) tell_marginal(settings, result);
  result.solve_seconds = wall_seconds() - start - result.verify_seconds;
  return result;
}

}  // namespace trilith::statics
