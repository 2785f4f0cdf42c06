// The penalty program (PEN-1) as JSON and as text.
#include "results/rbe_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace trilith::results {
namespace {

using io::Json;

Json settings_of(const statics::RbeSettings& settings) {
  const bool pyramid = settings.cone != statics::RbeCone::quadratic;
  return Json::Object{{"form", statics::name(settings.form)},
                      {"cone", statics::name(settings.cone)},
                      {"faces", pyramid ? Json(settings.faces) : Json()},
                      {"gamma", settings.gamma},
                      {"tau", settings.tau},
                      {"hessian_scale", settings.hessian_scale},
                      {"tolerance", settings.tolerance},
                      {"ratio", settings.ratio}};
}

Json joint_of(const model::Assembly& assembly, std::uint32_t i) {
  const model::Interface& face = assembly.interfaces[i];
  return Json::Object{{"a", assembly.blocks[face.a].id}, {"b", assembly.blocks[face.b].id}, {"interface", std::size_t{i}}};
}

Json proof_of(const statics::RbeReport& report) {
  const bool none = report.status == SolveStatus::primal_infeasible, solved = report.status == SolveStatus::solved;
  const auto finite = [](bool there, double value) { return there && std::isfinite(value) ? Json(value) : Json(); };
  return Json::Object{{"kind", none     ? Json("infeasibility_ray")
                               : solved ? Json("kkt_point")
                                        : Json()},
                      {"verified", (none || solved) && report.proof.accepted},
                      {"imbalance", finite(solved, report.proof.imbalance)},
                      {"gap", finite(solved, report.proof.gap)},
                      {"ray_factor", finite(none, report.proof.force_factor)},
                      {"statement", none || solved ? Json(report.proof.statement) : Json()}};
}

std::string cone_words(const statics::RbeSettings& settings) {
  if (settings.cone == statics::RbeCone::quadratic) return "true cone";
  return fmt::format("{} faces {}", settings.faces, statics::name(settings.cone));
}

}  // namespace

Json rbe_json(const model::Assembly& assembly, const statics::RbeReport& report) {
  const bool solved = report.status == SolveStatus::solved;
  const auto metric = [solved](double value) { return solved ? Json(value) : Json(); };
  Json::Array interfaces;
  for (std::size_t i = 0; i < assembly.interfaces.size(); ++i)
    interfaces.push_back(
        Json::Object{{"a", assembly.blocks[assembly.interfaces[i].a].id},
                     {"b", assembly.blocks[assembly.interfaces[i].b].id},
                     {"tension_demand_N", solved && i < report.tension_demand_N.size() ? Json(report.tension_demand_N[i]) : Json()},
                     {"utilization", solved && i < report.utilization.size() ? Json(report.utilization[i]) : Json()}});
  return Json::Object{{"settings", settings_of(report.settings)},
                      {"objective", report.objective ? Json(*report.objective) : Json()},
                      {"stable_by_ratio", report.stable_by_ratio ? Json(*report.stable_by_ratio) : Json()},
                      {"max_tension_N", metric(report.max_tension_N)},
                      {"max_compression_N", metric(report.max_compression_N)},
                      {"max_friction_utilization", metric(report.max_friction_utilization)},
                      {"weakest_interface", report.weakest_interface ? joint_of(assembly, *report.weakest_interface) : Json()},
                      {"interfaces", std::move(interfaces)},
                      {"solver", Json::Object{{"engine", report.engine},
                                              {"status", name(report.status)},
                                              {"iterations", report.iterations},
                                              {"residual", std::isfinite(report.residual) ? Json(report.residual) : Json()}}},
                      {"certificate", proof_of(report)},
                      {"reason", report.reason}};
}

std::string rbe_text(const model::Assembly& assembly, const statics::RbeReport& report) {
  const std::string head = fmt::format("  Penalty program ({}, {}), a report and no verdict: ", statics::name(report.settings.form),
                                       cone_words(report.settings));
  if (report.status == SolveStatus::primal_infeasible) return head + "no force state exists in this cone.\n";
  if (report.status != SolveStatus::solved) return head + fmt::format("not solved, {}.\n", report.reason);
  std::string text = head + fmt::format("cost {:.6g} N2, largest push {}, largest pull {}, friction used {:.3g} ({}).\n", *report.objective,
                                        format_quantity(report.max_compression_N, "N"), format_quantity(report.max_tension_N, "N"),
                                        report.max_friction_utilization, report.engine);
  if (!report.proof.accepted) text += "  That it is the minimum is not proved: " + report.proof.statement + ".\n";
  if (!report.weakest_interface) return text;
  const model::Interface& face = assembly.interfaces[*report.weakest_interface];
  return text + fmt::format("  Its hardest joint: {} - {}.\n", escape(assembly.blocks[face.a].id), escape(assembly.blocks[face.b].id));
}

}  // namespace trilith::results
