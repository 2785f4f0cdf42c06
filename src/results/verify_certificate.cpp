#include "results/verify_certificate.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "certify/cra_pair.h"
#include "certify/findings.h"
#include "certify/planar_refutation.h"
#include "linalg/fixed.h"
#include "statics/planar.h"
#include "statics/proof_view.h"

namespace trilith::results {
namespace {

using certify::Findings;
using certify::text;
using Index = std::uint32_t;

constexpr double wider_than_gap = 2;  // both faces and the plane between them may be off
constexpr Index nowhere = std::numeric_limits<Index>::max();

/// Vertex k of the certificate's polygon is vertex order[k] of the assembly's interface.
struct Match {
  Index interface = nowhere;
  std::vector<Index> order;
};

class Judge {
 public:
  Judge(const model::Assembly& assembly, const Certificate& certificate, const certify::VerifySettings& settings)
      : assembly_(assembly),
        certificate_(certificate),
        settings_(with_contact_gap(settings, assembly)),
        found_(settings.most_broken),
        view_(assembly),
        is_collapse_(certificate.kind == "infeasibility_ray") {
    for (Index i = 0; i < assembly.blocks.size(); ++i) blocks_.emplace(assembly.blocks[i].id, i);
    for (Index i = 0; i < assembly.interfaces.size(); ++i) of_pair_[{assembly.interfaces[i].a, assembly.interfaces[i].b}].push_back(i);
  }

  certify::Verification judge() {
    check_claim();
    check_settings();
    find_blocks();
    if (!found_.none()) return refused();
    match_interfaces();
    match_tension();
    check_friction();
    check_places();
    if (certificate_.kind != "force_state") check_completeness();
    if (certificate_.kind == "cra_pair" || certificate_.kind == "cra_refutation") check_coupled();
    if (!found_.none()) return refused();
    if (certificate_.kind == "cra_refutation") return judge_refutation();
    if (certificate_.kind == "cra_pair") return judge_pair();
    return is_collapse_ ? judge_collapse() : judge_forces();
  }

 private:
  using Pair = std::pair<Index, Index>;

  /// Where the model takes wider gaps as contacts, a polygon may be that far from the faces.
  static certify::VerifySettings with_contact_gap(certify::VerifySettings settings, const model::Assembly& assembly) {
    settings.contact_tolerance = contact_tolerance(assembly, settings);
    return settings;
  }

  certify::Verification refused() {
    certify::Verification result;
    result.broken = found_.take();
    result.statement = "the certificate does not fit the assembly";
    if (!result.broken.empty()) result.statement += text({": ", result.broken[0].what, " (", result.broken[0].where, ")"});
    return result;
  }

  void breaks(std::string what, std::string where) {
    if (found_.next()) found_.write(std::move(what), std::move(where));
  }

  void check_claim() {
    const std::string& kind = certificate_.kind;
    const bool coupled = certificate_.claim == "cra", own = kind == "cra_pair" || kind == "cra_refutation";
    if (!coupled && certificate_.claim != "rbe")
      breaks(text({"claim ", escape(certificate_.claim), " is not one that can be verified here"}), "claim");
    if (own && !coupled) breaks("speaks of the claim cra only", "kind");
    // an equilibrium alone says nothing under cra, unless there is nothing to carry
    const bool idle = std::all_of(assembly_.blocks.begin(), assembly_.blocks.end(), [](const model::Block& b) { return b.fixed; });
    if (coupled && kind == "force_state" && !idle) breaks("a force state is no proof of the claim cra", "kind");
    const bool known = is_collapse_ || kind == "force_state" || own;
    if (!known) breaks(text({"kind ", escape(certificate_.kind), " is not one that can be verified here"}), "kind");
  }

  /// The claim speaks of a model with these settings; it must be the model in force.
  void check_settings() {
    if (!certificate_.settings) return;
    const CertificateSettings& s = *certificate_.settings;
    const auto compare = [&](double theirs, double ours, std::string_view what) {
      if (theirs != ours)
        breaks(text({what, " ", format_double(theirs), " is not the ", format_double(ours), " in force"}), text({"settings/", what}));
    };
    compare(s.friction, assembly_.friction, "friction");
    compare(s.density, assembly_.density, "density");
    compare(s.gravity.x, assembly_.gravity.x, "gravity");
    compare(s.gravity.y, assembly_.gravity.y, "gravity");
    compare(s.gravity.z, assembly_.gravity.z, "gravity");
    if (s.unit != assembly_.unit)
      breaks(text({"unit ", escape(s.unit), " is not the ", escape(assembly_.unit), " in force"}), "settings/unit");
    if (s.fixed_added != assembly_.supports_added) breaks("the supports are not those in force", "settings/fixed_added");
  }

  std::string place(std::size_t i) const {
    const CertificateInterface& face = certificate_.interfaces[i];
    return text({"interface ", std::to_string(i), " (", escape(face.a), " - ", escape(face.b), ")"});
  }

  Index block_of(const std::string& id) const {
    const auto it = blocks_.find(id);
    return it == blocks_.end() ? nowhere : it->second;
  }

  bool holds_forces() const { return certificate_.kind == "force_state" || certificate_.kind == "cra_pair"; }

  void find_blocks() {
    for (std::size_t i = 0; i < certificate_.interfaces.size(); ++i) {
      const CertificateInterface& face = certificate_.interfaces[i];
      pairs_.emplace_back(block_of(face.a), block_of(face.b));
      for (const auto& [block, id] : {std::pair{pairs_[i].first, &face.a}, {pairs_[i].second, &face.b}})
        if (block == nowhere) breaks(text({"the assembly has no block ", escape(*id)}), place(i));
      if (holds_forces() && certificate_.forces_N[i].size() != face.polygon.size()) breaks("needs one force per polygon vertex", place(i));
    }
  }

  /// The assembly's interface with the same two blocks and the same corners, in any order. The nearest one counts, once.
  void match_interfaces() {
    matches_.resize(pairs_.size());
    is_listed_.assign(assembly_.interfaces.size(), false);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto candidates = of_pair_.find(pairs_[i]);
      if (candidates == of_pair_.end()) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Index j : candidates->second) {
        std::vector<Index> order;
        const double distance = is_listed_[j] ? nearest : match_polygon(certificate_.interfaces[i].polygon, j, order);
        if (!(distance < nearest)) continue;
        nearest = distance;
        matches_[i] = {j, std::move(order)};
      }
      if (matches_[i].interface != nowhere) is_listed_[matches_[i].interface] = true;
    }
  }

  double reach_of(Index interface) const {
    const model::Interface& face = assembly_.interfaces[interface];
    return settings_.contact_tolerance * std::min(assembly_.blocks[face.a].size, assembly_.blocks[face.b].size);
  }

  /// Largest distance of a corner from its partner, m; infinity where they do not fit within the contact tolerance.
  double match_polygon(const std::vector<Vec3d>& polygon, Index interface, std::vector<Index>& order) const {
    const std::vector<Vec3d>& ours = assembly_.interfaces[interface].polygon;
    constexpr double never = std::numeric_limits<double>::infinity();
    if (ours.size() != polygon.size()) return never;
    std::vector<bool> used(ours.size(), false);
    double largest = 0;
    for (const Vec3d& p : polygon) {
      double nearest = never;
      Index best = 0;
      for (Index k = 0; k < ours.size(); ++k) {
        const double distance = norm(p - ours[k]);
        if (used[k] || !(distance < nearest)) continue;
        nearest = distance;
        best = k;
      }
      if (!(nearest <= reach_of(interface))) return never;
      used[best] = true;
      order.push_back(best);
      largest = std::max(largest, nearest);
    }
    return largest;
  }

  void check_friction() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Index match = matches_[i].interface;
      const double in_force = match == nowhere ? assembly_.friction : assembly_.interfaces[match].mu;
      const double mu = certificate_.interfaces[i].mu;
      if (mu != in_force) breaks(text({"friction ", format_double(mu), " is not the ", format_double(in_force), " in force"}), place(i));
    }
  }

  /// Interfaces that the file lists must be found there; others must lie on faces of both blocks.
  void check_places() {
    if (!assembly_.interfaces_given) {
      const std::vector<certify::Patch> patches = own_patches();
      certify::StaticProblem problem = view_.problem();
      problem.patches = patches;
      for (certify::Broken& broken : certify::find_misplaced_patches(problem, settings_))
        breaks(std::move(broken.what), std::move(broken.where));
      return;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (matches_[i].interface == nowhere) {
        breaks("the file lists no such interface", place(i));
        continue;
      }
      const Vec3d ours = assembly_.interfaces[matches_[i].interface].normal, theirs = certificate_.interfaces[i].normal;
      const double along = dot(ours, theirs);
      if (!(along > 0 && norm(cross(ours, theirs)) <= settings_.contact_tolerance * along))
        breaks("the normal is not that of the file's interface", place(i));
    }
  }

  /// An omitted contact could stop a collapse.
  void check_completeness() {
    for (std::size_t i = 0; i < is_listed_.size(); ++i)
      if (!is_listed_[i])
        breaks(is_collapse_ ? "this contact of the assembly is left out: it could stop the collapse"
                            : "this contact of the assembly is left out",
               certify::patch_place(view_.problem(), i));
  }

  /// What the coupled proofs do not speak of.
  void check_coupled() {
    const auto pulls = [](const model::Interface& face) { return !face.tension.empty(); };
    if (std::any_of(assembly_.interfaces.begin(), assembly_.interfaces.end(), pulls))
      breaks("joints can pull: the claim cra is not defined for them", "assembly");
    if (certificate_.kind == "cra_refutation" && !assembly_.loads.empty())
      breaks("blocks carry loads: the plane of the proof has none", "assembly");
  }

  /// The model's pull belongs to the corners of its own polygons; a contact that it does not have pulls nothing.
  void match_tension() {
    tension_.resize(matches_.size());
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      if (matches_[i].interface == nowhere) continue;
      const std::vector<double>& ours = assembly_.interfaces[matches_[i].interface].tension;
      for (std::size_t k = 0; k < matches_[i].order.size() && !ours.empty(); ++k) tension_[i].push_back(ours[matches_[i].order[k]]);
    }
  }

  certify::Patch own_patch(std::size_t i) const {
    const CertificateInterface& face = certificate_.interfaces[i];
    return {pairs_[i].first, pairs_[i].second, face.polygon, face.normal, face.mu, tension_[i]};
  }
  std::vector<certify::Patch> own_patches() const {
    std::vector<certify::Patch> patches;
    patches.reserve(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) patches.push_back(own_patch(i));
    return patches;
  }

  /// The patches that count with a list of numbers per polygon vertex: where the file lists the interfaces, its polygons and normals, with
  /// the numbers moved to its corners.
  template <class T>
  std::vector<certify::Patch> placed(const std::vector<std::vector<T>>& lists, std::vector<T>& values) const {
    std::vector<certify::Patch> patches = own_patches();
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const std::vector<T>& given = lists[i];
      const std::size_t first = values.size();
      values.insert(values.end(), given.begin(), given.end());
      if (!assembly_.interfaces_given) continue;
      patches[i] = view_.problem().patches[matches_[i].interface];
      for (std::size_t k = 0; k < given.size(); ++k) values[first + matches_[i].order[k]] = given[k];
    }
    return patches;
  }

  certify::Verification judge_forces() {
    std::vector<Vec3d> forces;
    const std::vector<certify::Patch> patches = placed(certificate_.forces_N, forces);
    certify::StaticProblem problem = view_.problem();
    problem.patches = patches;
    return certify::verify_force_state_exact(problem, forces, settings_);
  }

  /// (CRA-1) to (CRA-5); contacts that are left out could be sunk by more than the give, so none may be.
  certify::Verification judge_pair() {
    const CoupledProof& proof = *certificate_.coupled;
    std::vector<Vec3d> forces;
    std::vector<double> alpha;
    const std::vector<certify::Patch> patches = placed(certificate_.forces_N, forces);
    (void)placed(proof.alpha_N_per_m, alpha);
    const std::vector<certify::Velocity> displacements = motions(proof.displacements, "displacement");
    certify::CraSettings gates;
    if (!(proof.bound_m <= gates.bound_gives * (1 + gates.room) * proof.give_m))
      breaks("is above " + format_double(gates.bound_gives) + " gives, which the claim speaks of", "bound_m");
    if (!found_.none()) return refused();
    certify::StaticProblem problem = view_.problem();
    problem.patches = patches;
    gates.statics = settings_;
    return certify::verify_cra_pair(problem, {forces, displacements, alpha, proof.give_m, proof.bound_m}, gates);
  }

  /// The plane is found again from the assembly; nothing but the steps is believed. (CRA-8, CRA-11)
  certify::Verification judge_refutation() {
    const CoupledProof& proof = *certificate_.coupled;
    std::string why;
    const std::optional<statics::PlanarModel> plane = statics::find_plane(assembly_, {}, why);
    if (!plane) breaks(text({"not a plane structure: ", why}), "assembly");
    if (!assembly_.doubtful.empty()) breaks("joints were left out as doubtful and might hold it", "assembly");
    const certify::CraSettings gates;
    if (!(proof.least_slip_gives > 0 && proof.least_slip_gives <= gates.least_slip))
      breaks("is not in (0, " + format_double(gates.least_slip) + "]", "least_slip_gives");
    if (!(proof.bound_gives >= gates.bound_gives * (1 - gates.room)))
      breaks("is below the " + format_double(gates.bound_gives) + " gives that the claim speaks of", "bound_gives");
    if (!found_.none()) return refused();
    return certify::verify_planar_refutation(plane->problem(proof.bound_gives, proof.least_slip_gives), proof.steps, {});
  }

  /// One motion per block of the assembly; every free one must be given, once.
  std::vector<certify::Velocity> motions(const std::vector<BlockVelocity>& given, std::string_view what) {
    std::vector<certify::Velocity> found(assembly_.blocks.size());
    std::vector<bool> is_given(assembly_.blocks.size(), false);
    for (const BlockVelocity& v : given) {
      const Index block = block_of(v.id);
      if (block == nowhere || is_given[block]) {
        breaks(block == nowhere ? "the assembly has no such block" : "is given twice", text({what, " of block ", escape(v.id)}));
        continue;
      }
      is_given[block] = true;
      found[block] = v.velocity;
    }
    for (Index i = 0; i < is_given.size(); ++i)
      if (!is_given[i] && !assembly_.blocks[i].fixed) breaks("is missing", text({what, " of block ", escape(assembly_.blocks[i].id)}));
    return found;
  }

  /// Every contact of the assembly, the joints that were left out as doubtful, and what the certificate has beside them. (GEO-13)
  certify::Verification judge_collapse() {
    const std::vector<certify::Velocity> velocities = motions(certificate_.velocities, "velocity");
    if (!found_.none()) return refused();
    std::vector<certify::Patch> patches(view_.problem().patches.begin(), view_.problem().patches.end());
    for (const model::Interface& face : assembly_.doubtful) patches.push_back(statics::patch_of(face));
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (matches_[i].interface == nowhere) patches.push_back(own_patch(i));
    certify::StaticProblem problem = view_.problem();
    problem.patches = patches;
    return certify::verify_collapse_exact(problem, velocities, settings_);
  }

  const model::Assembly& assembly_;
  const Certificate& certificate_;
  const certify::VerifySettings settings_;
  Findings found_;
  statics::ProofView view_;
  bool is_collapse_ = false;
  std::unordered_map<std::string_view, Index> blocks_;
  std::map<Pair, std::vector<Index>> of_pair_;
  std::vector<Pair> pairs_;                   ///< block indices of the certificate's interfaces
  std::vector<std::vector<double>> tension_;  ///< per interface of the certificate and polygon vertex, N; empty: none
  std::vector<Match> matches_;
  std::vector<bool> is_listed_;  ///< per interface of the assembly
};

}  // namespace

Result<certify::Verification> verify_certificate(const model::Assembly& assembly, const Certificate& certificate,
                                                 const certify::VerifySettings& settings) {
  if (certificate.input_sha256 != assembly.sha256)
    return Error{
        text({"the certificate was made for another input: sha256 ", escape(certificate.input_sha256), ", this one has ", assembly.sha256}),
        "/input_sha256"};
  const bool pair = certificate.kind == "cra_pair";
  if ((pair || certificate.kind == "cra_refutation") && !certificate.coupled) return Error{"its numbers are missing", "/"};
  if (pair && certificate.coupled->alpha_N_per_m.size() != certificate.interfaces.size())
    return Error{"needs one list of numbers per interface", "/alpha_N_per_m"};
  if ((pair || certificate.kind == "force_state") && certificate.forces_N.size() != certificate.interfaces.size())
    return Error{"needs one list of forces per interface", "/forces_N"};
  return Judge(assembly, certificate, settings).judge();
}

double contact_tolerance(const model::Assembly& assembly, const certify::VerifySettings& settings) {
  if (assembly.interfaces_given) return settings.contact_tolerance;
  return std::max(settings.contact_tolerance, wider_than_gap * assembly.contact_gap);
}

}  // namespace trilith::results
