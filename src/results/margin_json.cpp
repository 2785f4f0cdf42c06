#include "results/margin_json.h"

#include <array>

#include "linalg/fixed.h"
#include "results/json_vectors.h"

namespace trilith::results {
namespace {

using io::Json;

/// Factor, and the two proved ends; what does not exist is null.
Json::Object limit_json(const statics::LimitLoad& limit, std::string_view key) {
  const bool bounded = limit.decided && limit.feasible && !limit.unbounded;
  return Json::Object{{std::string(key), bounded ? Json(limit.state) : Json()},
                      {"unbounded", limit.unbounded},
                      {"feasible", limit.feasible},
                      {"decided", limit.decided},
                      {"stands_to", bounded ? Json(limit.state) : Json()},
                      {"falls_from", bounded ? Json(limit.collapse_at) : Json()},
                      {"factorizations", limit.factorizations},
                      {"reason", limit.reason.empty() ? Json() : Json(limit.reason)}};
}

Json loads_json(const statics::MarginReport& report) {
  Json::Array rows;
  for (const statics::LoadAnswer& load : report.loads) {
    Json::Object row = limit_json(load.limit, "load_factor");
    row.insert(row.begin(), Json::Member{"direction", norm(load.direction) > 0 ? vector_json(load.direction) : Json()});
    rows.emplace_back(std::move(row));
  }
  return rows;
}

Json tilts_json(const statics::MarginReport& report) {
  Json::Array rows;
  for (const statics::TiltAnswer& tilt : report.tilts) {
    const bool told = tilt.decided && tilt.feasible;
    rows.push_back(Json::Object{{"azimuth_deg", tilt.azimuth_deg},
                                {"angle_deg", told ? Json(tilt.angle_deg) : Json()},
                                {"falls_from_deg", told && tilt.falls_deg < 90 ? Json(tilt.falls_deg) : Json()},
                                {"feasible", tilt.feasible},
                                {"decided", tilt.decided},
                                {"reason", tilt.reason.empty() ? Json() : Json(tilt.reason)}});
  }
  return rows;
}

/// The value that is proved to stand, times `unit`; null where there is none.
Json parameter_json(const std::optional<statics::ParameterLimit>& limit, double unit) {
  return limit && limit->decided && limit->exists ? Json(limit->stands * unit) : Json();
}

Json bracket_json(const std::optional<statics::ParameterLimit>& limit, double unit) {
  if (!limit) return {};
  return Json::Object{{"falls_at", limit->exists ? Json(limit->falls * unit) : Json()},
                      {"stands_at", limit->exists ? Json(limit->stands * unit) : Json()},
                      {"exists", limit->exists},
                      {"decided", limit->decided},
                      {"verdicts", limit->verdicts},
                      {"reason", limit->reason.empty() ? Json() : Json(limit->reason)}};
}

Json non_associative_json(const statics::MarginReport& report) {
  if (!report.non_associative) return {};
  const auto value = [](const std::optional<double>& end) { return end ? Json(*end) : Json(); };
  return Json::Array{value(report.non_associative->low), value(report.non_associative->high)};
}

/// Of the load that is nearest to its limit, else of the capacity: bodies, and joints with their powers.
Json governing_collapse(const model::Assembly& assembly, const statics::MarginReport& report) {
  const statics::LimitLoad* limit = nullptr;
  if (report.governing >= 0) limit = &report.loads[static_cast<std::size_t>(report.governing)].limit;
  if (limit == nullptr && report.capacity && report.capacity->decided) limit = &*report.capacity;
  if (limit == nullptr || limit->collapse.groups.empty()) return {};
  Json json = collapse_json(assembly, limit->collapse, limit->velocities);
  Json::Array joints = *json.find("joints")->array();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool has_state = j < limit->powers.size();
    joints[j].set("opening_power_W", has_state ? Json(limit->powers[j].opening) : Json());
    joints[j].set("sliding_power_W", has_state ? Json(limit->powers[j].sliding) : Json());
  }
  return Json::Object{
      {"load", report.governing >= 0 ? Json(report.governing) : Json()}, {"bodies", *json.find("bodies")}, {"joints", std::move(joints)}};
}

/// Per support: what it is pushed with along its way, at least and at most; null: no end.
Json settle_json(const model::Assembly& assembly, const statics::MarginReport& report) {
  const auto value = [](const std::optional<double>& end) { return end ? Json(*end) : Json(); };
  Json::Array rows;
  for (const statics::Settlement& s : report.settle) {
    const bool told = s.decided && s.stands;
    rows.push_back(Json::Object{
        {"id", assembly.blocks[s.block].id},
        {"direction", vector_json(s.direction)},
        {"reaction_N", told ? Json(Json::Array{value(s.low), value(s.high)}) : Json()},
        {"none_beyond_N", told ? Json(Json::Array{value(s.none_below), value(s.none_above)}) : Json()},
        {"follows", told ? Json(s.follows) : Json()},
        {"stands", s.stands},
        {"decided", s.decided},
        {"reason", s.reason.empty() ? Json() : Json(s.reason)},
        {"collapse", told && s.follows && !s.collapse.groups.empty() ? collapse_json(assembly, s.collapse, s.velocities) : Json()}});
  }
  return rows;
}

}  // namespace

Json margin_json(const model::Assembly& assembly, const statics::MarginReport& report, const MarginTimes& times, const CheckEcho& echo) {
  std::vector<Warning> warnings = assembly.warnings;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  const double friction_unit = report.largest_friction > 0 ? report.largest_friction : 1;
  return Json::Object{
      {"schema", "trilith.margin/1"},
      {"engine", TRILITH_VERSION},
      {"input", assembly.source},
      {"input_sha256", assembly.sha256},
      {"settings", settings_json(assembly, echo)},
      {"load", loads_json(report)},
      {"tilt", tilts_json(report)},
      {"critical_friction", parameter_json(report.friction, friction_unit)},
      {"critical_friction_bracket", bracket_json(report.friction, friction_unit)},
      {"erosion_factor", parameter_json(report.erosion, 1)},
      {"erosion_bracket", bracket_json(report.erosion, 1)},
      {"capacity_N", report.capacity ? limit_json(*report.capacity, "value")[0].second : Json()},
      {"capacity", report.capacity ? Json(limit_json(*report.capacity, "value_N")) : Json()},
      {"settlement_m", Json()},
      {"settlement_reason", report.settle.empty() ? Json()
                                                  : Json("the motion is infinitesimal: how far a support can move needs the "
                                                         "displaced geometry, which is not followed; see settle")},
      {"settle", settle_json(assembly, report)},
      {"non_associative", non_associative_json(report)},
      {"non_associative_reason",
       report.non_associative && !report.non_associative->reason.empty() ? Json(report.non_associative->reason) : Json()},
      {"collapse", governing_collapse(assembly, report)},
      {"time_s", Json::Object{{"read", times.read}, {"interfaces", times.interfaces}, {"solve", times.solve}}},
      {"warnings", warnings_json(warnings)}};
}

}  // namespace trilith::results
