#include "results/check_json.h"

#include <cmath>

#include "results/json_vectors.h"
#include "results/rbe_report.h"

namespace trilith::results {
namespace {

using io::Json;

/// An object whose members are moved into it: an initializer list would copy whole trees.
template <class... Members>
Json object_of(Members&&... members) {
  Json::Object object;
  object.reserve(sizeof...(members));
  (object.push_back(std::forward<Members>(members)), ...);
  return object;
}

Json blocks_json(const model::Assembly& assembly) {
  Json::Array rows;
  rows.reserve(assembly.blocks.size());
  for (const model::Block& b : assembly.blocks)
    rows.push_back(object_of(Json::Member{"id", b.id}, Json::Member{"fixed", b.fixed}, Json::Member{"volume_m3", b.volume},
                             Json::Member{"mass_kg", b.mass}, Json::Member{"com_m", vector_json(b.com)}));
  return rows;
}

Json interfaces_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  const std::vector<double> used = statics::utilization(assembly, result);
  Json::Array rows;
  rows.reserve(assembly.interfaces.size());
  for (std::size_t i = 0; i < assembly.interfaces.size(); ++i) {
    const model::Interface& f = assembly.interfaces[i];
    const bool loaded = i < result.forces.size();
    rows.push_back(object_of(Json::Member{"a", assembly.blocks[f.a].id}, Json::Member{"b", assembly.blocks[f.b].id},
                             Json::Member{"area_m2", f.area}, Json::Member{"normal", vector_json(f.normal)},
                             Json::Member{"vertices_m", vectors_json(f.polygon)},
                             Json::Member{"forces_N", loaded ? vectors_json(result.forces[i]) : Json()},
                             Json::Member{"frame", vectors_json(std::vector<Vec3d>{f.normal, f.t1, f.t2})}, Json::Member{"friction", f.mu},
                             Json::Member{"utilization", loaded ? Json(used[i]) : Json()}));
  }
  return rows;
}

Json reactions_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  if (result.forces.empty() && result.verdict != Verdict::stands) return {};
  const std::vector<Vec3d> sums = statics::support_reactions(assembly, result);
  Json::Object rows;
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i)
    if (assembly.blocks[i].fixed) rows.emplace_back(assembly.blocks[i].id, vector_json(sums[i]));
  return rows;
}

/// The smallest horizontal load factor, where it was asked.
Json horizontal_json(const statics::HorizontalMargin& margin) {
  const bool told = margin.decided && !margin.unbounded;
  return Json::Object{
      {"value", told ? Json(margin.load_factor) : Json()},
      {"unit", "weight"},
      {"meaning", told ? "smallest load factor of the four horizontal directions: the share of its weight that it takes sideways"
                  : margin.decided ? std::string("no horizontal load brings it down")
                                   : "not decided: " + margin.reason},
      {"direction", told ? vector_json(margin.direction) : Json()}};
}

Json margin_json(const statics::CheckResult& result) {
  if (result.verdict == Verdict::stands && result.horizontal) return horizontal_json(*result.horizontal);
  if (result.verdict != Verdict::falls) return {};
  const double factor = result.verification.force_factor;
  return Json::Object{{"value", std::isfinite(factor) ? Json(factor) : Json()},
                      {"unit", "weight"},
                      {"meaning", std::isfinite(factor) ? "no equilibrium exists with a total contact force below this many total weights"
                                                        : "no equilibrium exists with any contact force: no joint resists the collapse"}};
}

Json certificate_json(const statics::CheckResult& result) {
  const bool proved = result.verification.accepted;
  const bool coupled = result.coupled.has_value();
  const bool pair = coupled && !result.coupled->displacements.empty(), refuted = coupled && !result.coupled->refutation.empty();
  return Json::Object{{"kind", result.verdict == Verdict::stands  ? Json(pair ? "cra_pair" : "force_state")
                               : result.verdict == Verdict::falls ? Json(refuted ? "cra_refutation" : "infeasibility_ray")
                                                                  : Json()},
                      {"verified", proved},
                      {"residual", proved ? Json(result.verification.residual) : Json()},
                      {"statement", proved ? Json(result.verification.statement) : Json()}};
}

Json ladder_json(const statics::CheckResult& result) {
  Json::Array rows;
  for (const solve::RungReport& rung : result.rungs)
    rows.push_back(Json::Object{{"rung", rung.name},
                                {"status", name(rung.status)},
                                {"iterations", rung.iterations},
                                {"residual", rung.residual},
                                {"accepted", rung.accepted},
                                {"reason", rung.reason},
                                {"time_s", rung.seconds}});
  return rows;
}

Json joint_json(const model::Assembly& assembly, const statics::MovingJoint& joint) {
  using Kind = statics::MovingJoint::Kind;
  const model::Interface& face = assembly.interfaces[joint.interface];
  const bool turns = joint.kind == Kind::turns, slides = joint.kind == Kind::slides;
  return Json::Object{{"a", assembly.blocks[face.a].id},
                      {"b", assembly.blocks[face.b].id},
                      {"interface", std::size_t{joint.interface}},
                      {"kind", turns    ? "turns"
                               : slides ? "slides"
                                        : "opens"},
                      {"edge_m", turns ? Json(Json::Array{vector_json(joint.from), vector_json(joint.to)}) : Json()},
                      {"direction", slides ? vector_json(joint.direction) : Json()},
                      {"speed", joint.speed}};
}

/// Kao's Eq. 14; null where nobody asked.
Json penalty_json(const model::Assembly& assembly, const std::optional<statics::PenaltyReport>& penalty) {
  if (!penalty) return {};
  Json::Array rows;
  std::size_t v = 0;
  for (const model::Interface& face : assembly.interfaces) {
    Json::Array corners;
    for (std::size_t k = 0; k < face.polygon.size() && v < penalty->vertices.size(); ++k, ++v) {
      const statics::PenaltyVertex& p = penalty->vertices[v];
      corners.push_back(Json::Object{{"c_np", p.push}, {"c_nn", p.pull}, {"c_u", p.t1}, {"c_v", p.t2}, {"slip", p.slip}});
    }
    rows.push_back(Json::Object{{"a", assembly.blocks[face.a].id}, {"b", assembly.blocks[face.b].id}, {"forces", std::move(corners)}});
  }
  Json::Object displacements;
  for (std::size_t i = 0; i < penalty->displacements.size(); ++i) {
    const certify::Velocity& d = penalty->displacements[i];
    if (!assembly.blocks[i].fixed)
      displacements.emplace_back(assembly.blocks[i].id,
                                 Json::Array{d.linear.x, d.linear.y, d.linear.z, d.angular.x, d.angular.y, d.angular.z});
  }
  const bool found = !penalty->vertices.empty();
  return Json::Object{{"status", name(penalty->status)},
                      {"reason", penalty->reason},
                      {"iterations", penalty->iterations},
                      {"max_compression_N", found ? Json(penalty->largest_push_N) : Json()},
                      {"max_tension_N", found ? Json(penalty->largest_pull_N) : Json()},
                      {"objective", found ? Json(penalty->objective) : Json()},
                      {"residual", found ? Json(penalty->residual) : Json()},
                      {"meaning", "Eq. 14 of Kao et al. 2022: where joints would have to pull; a local solution, no verdict"},
                      {"interfaces", std::move(rows)},
                      {"displacements", std::move(displacements)}};
}

/// Null under another claim.
Json coupled_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  if (!result.coupled) return {};
  const statics::CoupledReport& r = *result.coupled;
  return Json::Object{{"residual_eps", r.residual_gives >= 0 ? Json(r.residual_gives) : Json()},
                      {"give_m", r.give_m},
                      {"bound_m", r.bound_m},
                      {"rounds", r.rounds},
                      {"engaged", r.engaged},
                      {"peeled", r.peeled},
                      {"zeroed", r.zeroed},
                      {"decided_by", r.decided_by},
                      {"slip_rounds", r.slip_rounds},
                      {"penalty", penalty_json(assembly, r.penalty)},
                      {"plane", r.plane},
                      {"lemmas", static_cast<double>(r.lemmas)},
                      {"decisions", static_cast<double>(r.decisions)}};
}

/// Null where nobody asked.
Json tension_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  if (!result.tension) return {};
  Json::Array joints;
  for (const statics::TensionReport::Joint& joint : result.tension->joints)
    joints.push_back(Json::Object{{"a", assembly.blocks[assembly.interfaces[joint.interface].a].id},
                                  {"b", assembly.blocks[assembly.interfaces[joint.interface].b].id},
                                  {"interface", std::size_t{joint.interface}},
                                  {"tension_N", joint.tension_N}});
  const bool solved = result.tension->status == SolveStatus::solved;
  return Json::Object{{"value_N", solved ? Json(result.tension->value_N) : Json()},
                      {"status", name(result.tension->status)},
                      {"meaning", "least pull that every corner of every joint must be able to carry for an equilibrium; no verdict"},
                      {"joints", std::move(joints)}};
}

Json unsupported_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  Json::Array groups;
  for (const auto& group : result.unsupported) {
    Json::Array ids;
    for (const std::uint32_t i : group) ids.emplace_back(assembly.blocks[i].id);
    groups.emplace_back(std::move(ids));
  }
  return groups;
}

}  // namespace

Json collapse_json(const model::Assembly& assembly, const statics::Collapse& collapse, std::span<const certify::Velocity> motion) {
  if (collapse.groups.empty()) return {};
  Json::Array bodies, joints;
  for (std::size_t g = 0; g < collapse.groups.size(); ++g)
    for (const std::uint32_t i : collapse.groups[g].blocks) {
      const certify::Velocity& v = motion[i];
      bodies.push_back(Json::Object{{"id", assembly.blocks[i].id},
                                    {"velocity", Json::Array{v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z}},
                                    {"piece", g},
                                    {"piece_power", collapse.groups[g].power}});
    }
  for (const statics::MovingJoint& joint : collapse.joints) joints.push_back(joint_json(assembly, joint));
  return Json::Object{{"bodies", std::move(bodies)}, {"joints", std::move(joints)}};
}

Json collapse_json(const model::Assembly& assembly, const statics::CheckResult& result) {
  return collapse_json(assembly, result.collapse, result.motion);
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json::Array rows;
  for (const Warning& warning : warnings) rows.push_back(Json::Object{{"what", warning.what}, {"where", warning.where}});
  return rows;
}

Json settings_json(const model::Assembly& assembly, const CheckEcho& echo) {
  // an answer that came before the file was read knows nothing of it
  const bool read = !assembly.blocks.empty();
  const bool detected = read && !assembly.interfaces_given;
  const auto known = [read](Json value) { return read ? std::move(value) : Json(); };
  Json::Array added;
  for (const std::string& id : assembly.supports_added) added.emplace_back(id);
  return Json::Object{{"friction", known(assembly.friction)},
                      {"density", known(assembly.density)},
                      {"gravity", known(vector_json(assembly.gravity))},
                      {"unit", known(assembly.unit)},
                      {"supports_added", known(std::move(added))},
                      {"interfaces", known(assembly.interfaces_given ? "given" : "detected")},
                      {"contact_gap", detected ? Json(assembly.contact_gap) : Json()},
                      {"contact_area", detected ? Json(assembly.contact_area) : Json()},
                      {"cone", "quadratic"},
                      {"solver", echo.solver},
                      {"tolerance", echo.tolerance > 0 ? Json(echo.tolerance) : Json()},
                      {"time_limit_s", echo.time_limit_s > 0 ? Json(echo.time_limit_s) : Json()}};
}

Json check_json(const model::Assembly& assembly, const statics::CheckResult& result, const CheckTimes& times, const CheckEcho& echo) {
  return object_of(
      Json::Member{"schema", "trilith.check/1"}, Json::Member{"engine", TRILITH_VERSION}, Json::Member{"input", assembly.source},
      Json::Member{"input_sha256", assembly.sha256.empty() ? Json() : Json(assembly.sha256)},
      Json::Member{"settings", settings_json(assembly, echo)}, Json::Member{"verdict", name(result.verdict)},
      Json::Member{"claim", name(result.claim)}, Json::Member{"method", result.method}, Json::Member{"reason", result.reason},
      Json::Member{"margin", margin_json(result)}, Json::Member{"blocks", blocks_json(assembly)},
      Json::Member{"interfaces", interfaces_json(assembly, result)}, Json::Member{"support_reactions_N", reactions_json(assembly, result)},
      Json::Member{"unsupported", unsupported_json(assembly, result)}, Json::Member{"collapse", collapse_json(assembly, result)},
      Json::Member{"cra", coupled_json(assembly, result)}, Json::Member{"tension", tension_json(assembly, result)},
      Json::Member{"rbe", result.rbe ? rbe_json(assembly, *result.rbe) : Json()}, Json::Member{"certificate", certificate_json(result)},
      Json::Member{"solver", Json::Object{{"iterations", result.iterations}, {"status", name(result.status)}}},
      Json::Member{"ladder", ladder_json(result)},
      Json::Member{"time_s",
                   Json::Object{{"read", times.read}, {"interfaces", times.interfaces}, {"solve", times.solve}, {"verify", times.verify}}},
      Json::Member{"warnings", warnings_json(assembly.warnings)});
}

}  // namespace trilith::results
