// (CRA-1) to (CRA-12)
#include "statics/cra.h"

#include <algorithm>
#include <cmath>

#include "linalg/fixed.h"
#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

bool carries(const model::Assembly& assembly, const model::Interface& face) {
  return !assembly.blocks[face.a].fixed || !assembly.blocks[face.b].fixed;
}

class Coupled {
 public:
  Coupled(const model::Assembly& assembly, const CoupledSettings& settings)
      : assembly_(assembly), settings_(settings), view_(assembly), first_vertex_(first_vertices(assembly)) {}

  CheckResult run() {
    const double start = wall_seconds();
    CheckResult result = check(assembly_, settings_.check);
    result.claim = Claim::cra;
    CoupledReport& report = result.coupled.emplace();
    report.give_m = give_of(assembly_, settings_.give_share);
    report.bound_m = settings_.bound_gives * report.give_m;
    report.bound_gives = settings_.bound_gives;
    report.least_slip_gives = settings_.verify.least_slip;
    const bool nothing_to_carry = std::all_of(assembly_.blocks.begin(), assembly_.blocks.end(), [](const auto& b) { return b.fixed; });
    if (result.verdict == Verdict::falls || nothing_to_carry) {
      report.decided_by = result.verdict == Verdict::falls ? "collapse" : "supports";
      return result;
    }
    const bool stands = result.verdict == Verdict::stands;
    const std::string why = result.reason;
    const std::vector<std::vector<Vec3d>> forces = std::move(result.forces);
    const std::vector<Vec3d> forces_W = std::move(result.forces_W);
    withdraw(result);
    if (!stands) result.reason = "no motion that calls up the forces of an equilibrium was met; that one exists is not decided: " + why;
    if (has_pull_or_loads()) {
      result.reason = std::string(stands ? "an equilibrium exists" : "that an equilibrium exists is not decided") +
                      "; the claim cra is not decided where blocks carry loads or joints can pull";
      return result;
    }
    if (settings_.ipopt) {
      solve_program(forces_W, result);
      result.solve_seconds = wall_seconds() - start - result.verify_seconds;
      return result;
    }
    search_certificates(forces, result);
    for (const double overshoot : settings_.overshoots)
      if (result.verdict == Verdict::undecided) search_motions(overshoot, result);
    if (result.verdict == Verdict::undecided) search_in_plane(result);
    result.solve_seconds = wall_seconds() - start - result.verify_seconds;
    return result;
  }

 private:
  /// The conditions of the claim are those of joints that only press, under weight.
  bool has_pull_or_loads() const {
    return !assembly_.loads.empty() || std::ranges::any_of(assembly_.interfaces, [](const auto& face) { return !face.tension.empty(); });
  }

  /// An equilibrium says nothing yet about this claim.
  static void withdraw(CheckResult& result) {
    result.verdict = Verdict::undecided;
    result.verification = {};
    result.forces.clear();
    result.forces_W.clear();
    result.method = "none";
    result.reason = "an equilibrium exists, but no motion that calls up its forces was met";
  }

  CoupledLengths lengths(const CheckResult& result) const {
    return {result.coupled->give_m, settings_.bound_gives, settings_.verify.least_slip};
  }

  /// The alternation of the seed, from the forces of the equilibrium. (CRA-13)
  void search_certificates(const std::vector<std::vector<Vec3d>>& forces, CheckResult& result) {
    const double start = wall_seconds();
    CoupledReport& report = *result.coupled;
    CoupledPair pair(assembly_);
    const CertificateSearchReport found =
        search_certificate(assembly_, forces, lengths(result), settings_.certificates, settings_.check.deadline, pair);
    solve::RungReport rung;
    rung.name = "certificate search";
    rung.status = found.status;
    rung.iterations = found.rounds;
    rung.residual = std::max(0.0, found.residual_gives);
    rung.reason = found.reason;
    rung.proposed = found.status == SolveStatus::solved;
    if (rung.proposed) rung.accepted = accept_or_polish(pair, result);
    report.residual_gives = found.residual_gives;
    report.rounds = found.rounds;
    report.engaged = found.engaged;
    report.peeled = found.peeled;
    report.zeroed = found.zeroed;
    finish(rung, start, result);
  }

  /// IPOPT on Eq. 11, from the last pair of the slip search, from the forces of the equilibrium and from rest. (CRA-15)
  void solve_program(std::span<const Vec3d> forces, CheckResult& result) {
    const double start = wall_seconds();
    CoupledPair pair(assembly_);
    (void)search_slips(assembly_, constraints::make_contact_rows(assembly_), lengths(result), settings_.slips, settings_.check.deadline,
                       pair);
    const CoupledProgramReport found =
        solve_coupled_program(assembly_, forces, lengths(result), settings_.program, settings_.check.deadline, pair);
    solve::RungReport rung;
    rung.name = "ipopt";
    rung.status = found.status;
    rung.iterations = found.iterations;
    rung.reason = found.reason;
    rung.proposed = found.status == SolveStatus::solved;
    if (rung.proposed) rung.accepted = accept_or_polish(pair, result);
    finish(rung, start, result);
    if (!rung.accepted) result.reason = result.rungs.back().reason;
  }

  /// A rung that may have been accepted, with the judge's word where it was not.
  static void finish(solve::RungReport& rung, double start, CheckResult& result) {
    if (rung.accepted) conclude(result, rung.name, rung.reason);
    if (rung.proposed && !rung.accepted) rung.reason += "; refused by the judge: " + result.verification.statement;
    if (!rung.accepted) result.verification = {};
    rung.seconds = wall_seconds() - start;
    result.status = rung.status;
    result.iterations = rung.iterations;
    result.rungs.push_back(rung);
  }

  /// Any structure: a motion whose friction stays inside the cones. (CRA-6)
  void search_motions(double overshoot, CheckResult& result) {
    const double start = wall_seconds();
    SlipSearchSettings slips = settings_.slips;
    slips.overshoot = overshoot;
    const constraints::ContactRows contacts = constraints::make_contact_rows(assembly_);
    CoupledPair pair(assembly_);
    const SlipSearchReport found = search_slips(assembly_, contacts, lengths(result), slips, settings_.check.deadline, pair);
    solve::RungReport rung;
    rung.name = "slip search";
    rung.status = found.status;
    rung.iterations = found.factorizations;
    rung.reason = found.reason;
    rung.proposed = found.status == SolveStatus::solved;
    if (rung.proposed) rung.accepted = accept_or_polish(pair, result);
    result.coupled->slip_rounds += found.rounds;
    finish(rung, start, result);
  }

  void search_in_plane(CheckResult& result) {
    CoupledReport& report = *result.coupled;
    std::string why;
    const std::optional<PlanarModel> plane = find_plane(assembly_, settings_.planar, why);
    if (!plane) {
      solve::RungReport rung;
      rung.name = "plane search";
      rung.reason = "not a plane structure: " + why;
      result.rungs.push_back(rung);
      return;
    }
    report.plane = true;
    // a point at the edge of its conditions would not survive rounding: first with a little room, then, for a proof, with the true ones
    const double room = std::max(settings_.margin, settings_.warp_margin * plane->deviation);
    if (search_once(*plane, room, result)) return;
    const bool met = result.rungs.back().status != SolveStatus::primal_infeasible;
    for (const double wide : settings_.wide_margins)
      if (met && wide > room && search_once(*plane, wide, result)) return;
    search_once(*plane, 0, result);
  }

  /// True where that decided, or where another search is of no use.
  bool search_once(const PlanarModel& plane, double room, CheckResult& result) {
    const double start = wall_seconds();
    CoupledReport& report = *result.coupled;
    PlanarModel model = plane;
    for (certify::PlanarContact& contact : model.contacts) contact.mu *= 1 - room;
    const double slip = settings_.verify.least_slip, bound = settings_.bound_gives;
    const PlanarOutcome outcome =
        search_plane(model.problem(bound * (1 - room), slip * (1 + room)), settings_.search, settings_.check.deadline);
    report.lemmas += outcome.lemmas;
    report.decisions += outcome.decisions;
    solve::RungReport rung;
    rung.name = "plane search";
    rung.status = outcome.status;
    rung.iterations = static_cast<int>(std::min<long>(outcome.pivots, 1 << 30));
    rung.reason = outcome.reason;
    rung.proposed = outcome.status == SolveStatus::solved || outcome.status == SolveStatus::primal_infeasible;
    if (outcome.status == SolveStatus::solved) rung.accepted = accept_or_polish(lift(plane, outcome, report.give_m), result);
    if (outcome.status == SolveStatus::primal_infeasible && assembly_.doubtful.empty())
      rung.accepted = accept_refutation(plane.problem(bound, slip), outcome, result);
    if (rung.proposed && !rung.accepted) rung.reason += "; refused by the judge: " + result.verification.statement;
    if (!rung.accepted) result.verification = {};
    rung.seconds = wall_seconds() - start;
    result.status = rung.status;
    if (outcome.status == SolveStatus::primal_infeasible && !assembly_.doubtful.empty())
      rung.reason = "every choice is excluded, but joints were left out as doubtful (see the warnings) and might hold it";
    if (rung.accepted) conclude(result, "plane search", outcome.reason);
    if (!rung.accepted) result.reason = rung.reason;
    result.rungs.push_back(rung);
    return rung.accepted || outcome.status == SolveStatus::time_limit;
  }

  static void conclude(CheckResult& result, std::string_view by, std::string reason) {
    result.verdict = result.verification.verdict;
    result.method = by;
    result.reason = std::move(reason);
    result.coupled->decided_by = by;
  }

  /// Shares of the plane's contacts on the corners, and the plane's motion in space.
  CoupledPair lift(const PlanarModel& plane, const PlanarOutcome& outcome, double give) const {
    CoupledPair pair(assembly_);
    for (std::size_t i = 0; i < plane.block_of_body.size(); ++i) {
      const double* q = outcome.displacements.data() + 3 * i;
      pair.displacements[static_cast<std::size_t>(plane.block_of_body[i])] = {(give * q[0]) * plane.across + (give * q[1]) * plane.up,
                                                                              (give / plane.length_m * q[2]) * plane.axis};
    }
    for (std::size_t i = 0; i < plane.contacts.size(); ++i)
      for (const PlanarCorner& corner : plane.corners[i]) {
        const std::size_t row = first_vertex_[corner.interface] + corner.vertex;
        const model::Interface& face = assembly_.interfaces[corner.interface];
        const double n = plane.weight_N * corner.share * outcome.forces[2 * i];
        const double t = plane.weight_N * corner.share * outcome.forces[2 * i + 1];
        if (n == 0) continue;
        pair.forces[row] = n * face.normal;
        if (t == 0) continue;
        const Vec3d d = displacement_at(assembly_, face, pair, face.polygon[corner.vertex]);
        const Vec3d slip = d - dot(d, face.normal) * face.normal, tangent = cross(plane.axis, face.normal);
        pair.alpha[row] = -t / dot(slip, tangent);
        pair.forces[row] = pair.forces[row] - pair.alpha[row] * slip;
      }
    return pair;
  }

  bool accept_or_polish(CoupledPair pair, CheckResult& result) const {
    if (accept(pair, result)) return true;
    polish_pair(assembly_, result.coupled->give_m, settings_.polish, pair);
    return accept(pair, result);
  }

  /// The judge of pairs; where it accepts, the result carries the pair.
  bool accept(const CoupledPair& pair, CheckResult& result) const {
    const double start = wall_seconds();
    CoupledReport& report = *result.coupled;
    result.verification = certify::verify_cra_pair(
        view_.problem(), {pair.forces, pair.displacements, pair.alpha, report.give_m, report.bound_m}, settings_.verify);
    result.verify_seconds += wall_seconds() - start;
    if (!result.verification.accepted) return false;
    for (std::size_t i = 0; i < assembly_.interfaces.size(); ++i) {
      const model::Interface& face = assembly_.interfaces[i];
      std::vector<Vec3d>& local = result.forces.emplace_back();
      for (std::size_t row = first_vertex_[i]; row < first_vertex_[i + 1]; ++row)
        local.push_back({dot(pair.forces[row], face.normal), dot(pair.forces[row], face.t1), dot(pair.forces[row], face.t2)});
    }
    result.forces_W = pair.forces;
    report.displacements = pair.displacements;
    report.alpha = pair.alpha;
    report.engaged =
        static_cast<int>(std::count_if(result.forces_W.begin(), result.forces_W.end(), [](const Vec3d& f) { return dot(f, f) > 0; }));
    return true;
  }

  bool accept_refutation(const certify::PlanarProblem& problem, const PlanarOutcome& outcome, CheckResult& result) const {
    const double start = wall_seconds();
    result.verification = certify::verify_planar_refutation(problem, outcome.steps, settings_.search.judge);
    result.verify_seconds += wall_seconds() - start;
    if (result.verification.accepted) result.coupled->refutation = outcome.steps;
    return result.verification.accepted;
  }

  const model::Assembly& assembly_;
  const CoupledSettings& settings_;
  ProofView view_;
  std::vector<std::size_t> first_vertex_;
};

}  // namespace

double give_of(const model::Assembly& assembly, double give_share) {
  double length = 0;
  std::size_t edges = 0;
  for (const model::Interface& face : assembly.interfaces) {
    if (!carries(assembly, face)) continue;
    for (std::size_t k = 0; k < face.polygon.size(); ++k) length += norm(face.polygon[(k + 1) % face.polygon.size()] - face.polygon[k]);
    edges += face.polygon.size();
  }
  return edges == 0 ? give_share : give_share * length / double(edges);
}

CheckResult check_coupled(const model::Assembly& assembly, const CoupledSettings& settings) { return Coupled(assembly, settings).run(); }

}  // namespace trilith::statics
