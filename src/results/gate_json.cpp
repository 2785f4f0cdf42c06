#include "results/gate_json.h"

#include <fmt/format.h>

#include "base/text.h"
#include "results/check_json.h"
#include "results/json_vectors.h"
#include "spatial/quaternion.h"

namespace trilith::results {
namespace {

using io::Json;

constexpr std::size_t seats_shown = 20;  // a longer list is cut short in the text; the JSON has all of it

Json nbo_json(const statics::NboReport& nbo) {
  return Json::Object{
      {"margin", nbo.margin}, {"in_hull", nbo.in_hull}, {"depth_ratio", nbo.depth_ratio}, {"seating", nbo.seating}, {"stable", nbo.stable}};
}

Json pose_json(const Posed& X_WS) {
  const Quaterniond q = from_matrix(X_WS.R);
  return Json::Object{{"pos_m", vector_json(X_WS.p)}, {"quat", Json::Array{q.w, q.x, q.y, q.z}}};
}

/// The measures of one seat, as members of `object`.
void set_measures(const statics::SeatReport& seat, Json& object) {
  object.set("clearance_m", seat.clearance);
  object.set("stable", seat.stable);
  object.set("support_area_m2", seat.support_area);
  object.set("com_offset_m", seat.com_offset ? Json(*seat.com_offset) : Json());
  object.set("void_m3", seat.lands ? Json(seat.hollow) : Json());
  object.set("objective", seat.objective ? Json(*seat.objective) : Json());
  object.set("nbo", nbo_json(seat.nbo));
  object.set("lands", seat.lands);
  object.set("contacts", seat.contacts);
  object.set("drop_m", seat.lands ? Json(seat.drop) : Json());
  object.set("hull_m", vectors_json(seat.hull));
}

Json seats_json(const GateAnswer& answer) {
  Json::Array rows;
  if (!answer.candidates) return rows;
  for (const RatedSeat& seat : answer.seats) {
    Json row = Json::Object{{"id", seat.id}, {"rank", rows.size() + 1}, {"pose", pose_json(seat.report.X_WS)}};
    set_measures(seat.report, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json resting_json(const statics::GateScene& scene) {
  if (scene.resting_faces().empty()) return {};
  const statics::RestingFace& face = scene.resting_faces().front();
  return Json::Object{{"vertices_m", vectors_json(face.corners)},
                      {"normal", vector_json(face.normal)},
                      {"area_m2", face.area},
                      {"com_height_m", face.height},
                      {"clearance_m", face.clearance},
                      {"of", scene.resting_faces().size()}};
}

Json placement_json(const GateAnswer& answer) {
  if (!answer.placed) return {};
  Json placement = pose_json(answer.placed->X_WS);
  set_measures(*answer.placed, placement);
  return placement;
}

Json settings_json(const statics::GateScene& scene) {
  const statics::GateSettings& settings = scene.settings();
  const statics::GateWeights& w = settings.weights;
  return Json::Object{{"gravity", vector_json(settings.gravity)},
                      {"into", vector_json(scene.into())},
                      {"margin_m", settings.margin},
                      {"nbo_margin", settings.nbo_margin},
                      {"min_depth_ratio", settings.least_depth_ratio},
                      {"min_seating", settings.least_seating},
                      {"weights", Json::Array{w.support, w.offset, w.hollow, w.seat}},
                      {"cell_m", scene.cell()},
                      {"touch_m", settings.touch_share * scene.cell()},
                      {"mean_width_m", scene.width()}};
}

std::string seat_text(const statics::SeatReport& seat) {
  if (!seat.lands) return "misses the support";
  return fmt::format("{}, clearance {:.4g} m, support {:.4g} m2, J {}, d/h {:.3g}", seat.stable && seat.nbo.stable ? "passes" : "fails",
                     seat.clearance, seat.support_area, seat.objective ? fmt::format("{:.4g}", *seat.objective) : "-",
                     seat.nbo.depth_ratio);
}

/// Every reason why the gate is closed.
std::string reasons_text(const statics::GateScene& scene, const statics::SeatReport& seat) {
  if (!seat.lands) return "  No part of the support lies under the stone.\n";
  const statics::GateSettings& settings = scene.settings();
  std::string text;
  if (seat.support_area == 0)
    text += fmt::format("  It touches in {} columns, all in one line or place: no support to stand on.\n", seat.contacts);
  else if (!seat.stable)
    text += fmt::format("  Its centre of mass clears the support's edge by {:.4g} m; {:.4g} m is asked for.\n", seat.clearance,
                        settings.margin);
  if (seat.nbo.margin < settings.nbo_margin)
    text += fmt::format("  Its resting face holds it by {:.3g} of the face's size; {:.3g} is asked for.\n", seat.nbo.margin,
                        settings.nbo_margin);
  if (seat.nbo.depth_ratio < settings.least_depth_ratio)
    text += fmt::format("  It reaches only {:.3g} of its height into the wall; {:.3g} is asked for.\n", seat.nbo.depth_ratio,
                        settings.least_depth_ratio);
  if (seat.nbo.seating < settings.least_seating)
    text += fmt::format("  The face under its centre of mass leans: cosine {:.3g}; {:.3g} is asked for.\n", seat.nbo.seating,
                        settings.least_seating);
  return text;
}

}  // namespace

io::Json gate_json(const statics::GateScene& scene, const GateAnswer& answer) {
  Json json = Json::Object{{"schema", "trilith.gate/1"}, {"engine", TRILITH_VERSION},     {"input", answer.stone},
                           {"support", answer.support},  {"input_sha256", answer.sha256}, {"settings", settings_json(scene)}};
  json.set("seat", answer.candidates && !answer.seats.empty() ? Json(answer.seats.front().id) : Json());
  set_measures(answer.seats.front().report, json);
  json.set("resting_face", resting_json(scene));
  json.set("placement", placement_json(answer));
  json.set("seats", seats_json(answer));
  json.set("warnings", warnings_json(answer.warnings));
  return json;
}

std::string gate_text(const statics::GateScene& scene, const GateAnswer& answer) {
  const statics::SeatReport& first = answer.seats.front().report;
  const std::string where = answer.candidates ? fmt::format("best seat {}", escape(answer.seats.front().id)) : std::string("as it lies");
  std::string text = fmt::format("{} on {}, {}: {}.\n", escape(answer.stone), escape(answer.support), where, seat_text(first));
  text += reasons_text(scene, first);
  for (std::size_t i = 0; answer.candidates && i < answer.seats.size() && i < seats_shown; ++i)
    text += fmt::format("  {:>3}  {:<16} {}\n", i + 1, escape(answer.seats[i].id), seat_text(answer.seats[i].report));
  if (answer.candidates && answer.seats.size() > seats_shown) text += fmt::format("  and {} more\n", answer.seats.size() - seats_shown);
  if (answer.placed && !answer.candidates)
    text += fmt::format("  Laid on its most stable face, long side into the wall: {}.\n", seat_text(*answer.placed));
  if (!answer.placed) text += "  No face of its hull is one to rest on.\n";
  return text + "  A gate is a quick test of one stone, no proof that anything stands.\n";
}

}  // namespace trilith::results
