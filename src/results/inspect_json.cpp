#include "results/inspect_json.h"

#include <span>

#include "results/check_json.h"
#include "results/json_vectors.h"
#include "spatial/quaternion.h"

namespace trilith::results {
namespace {

using io::Json;

Json quaternion_json(const Mat3d& R) {
  const Quaterniond q = from_matrix(R);
  return Json::Array{q.w, q.x, q.y, q.z};
}

Json numbers(std::span<const double> values) {
  Json::Array list;
  list.reserve(values.size());
  for (const double x : values) list.push_back(x);
  return list;
}

/// Rows of `columns` numbers.
Json matrix_json(std::span<const double> values, std::size_t columns) {
  Json::Array rows;
  for (std::size_t i = 0; columns > 0 && i < values.size(); i += columns) rows.push_back(numbers(values.subspan(i, columns)));
  return rows;
}

Json range_json(const std::optional<model::Range>& range) { return range ? Json(Json::Array{range->lower, range->upper}) : Json(); }

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::string_view kind_name(model::JointKind kind) {
  switch (kind) {
    case model::JointKind::free:
      return "free";
    case model::JointKind::ball:
      return "ball";
    case model::JointKind::hinge:
      return "hinge";
    case model::JointKind::slide:
      return "slide";
  }
  return "";
}

Json bodies_json(const model::Model& model, const InspectAnswer& answer) {
  Json::Array rows;
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    rows.push_back(Json::Object{{"name", body.name},
                                {"parent", model.bodies[static_cast<std::size_t>(body.parent)].name},
                                {"mass_kg", body.inertia.mass},
                                {"com", vector_json(body.inertia.com)},
                                {"inertia", matrix_json(body.inertia.about_com.m, 3)},
                                {"pos", vector_json(answer.X_WB[i].p)},
                                {"quat", quaternion_json(answer.X_WB[i].R)}});
  }
  return rows;
}

Json joints_json(const model::Model& model) {
  Json::Array rows;
  for (const model::Joint& joint : model.joints) {
    const auto& mimic = joint.mimic;
    rows.push_back(Json::Object{
        {"name", joint.name},
        {"type", kind_name(joint.kind)},
        {"body", model.bodies[static_cast<std::size_t>(joint.body)].name},
        {"range", range_json(joint.range)},
        {"mimic",
         mimic ? Json(Json::Object{{"joint", mimic->joint.name}, {"multiplier", mimic->multiplier}, {"offset", mimic->offset}}) : Json()},
        {"qpos_index", int(joint.q)},
        {"qvel_index", int(joint.v)},
        {"max_effort", number_or_null(joint.max_effort)},
        {"max_velocity", number_or_null(joint.max_velocity)}});
  }
  return rows;
}

Json actuators_json(const model::Model& model) {
  Json::Array rows;
  for (const model::Actuator& actuator : model.actuators)
    rows.push_back(Json::Object{
        {"name", actuator.name}, {"ctrl_range", range_json(actuator.control_range)}, {"force_range", range_json(actuator.force_range)}});
  return rows;
}

Json frames_json(const dynamics::Terms& terms, std::size_t nv) {
  Json::Array rows;
  for (const dynamics::FrameTerms& frame : terms.frames)
    rows.push_back(Json::Object{{"frame", frame.frame.name},
                                {"pos", vector_json(frame.X_WF.p)},
                                {"quat", quaternion_json(frame.X_WF.R)},
                                {"J_world_aligned", matrix_json(frame.J_world_aligned, nv)},
                                {"J_spatial", matrix_json(frame.J_spatial, nv)}});
  return rows;
}

Json contacts_json(const std::vector<model::Geom>& geoms, const dynamics::ConstraintStage& stage) {
  const auto name = [&](std::int32_t i) {
    const std::string& given = geoms[static_cast<std::size_t>(i)].name;
    return given.empty() ? "geom " + std::to_string(i) : given;
  };
  Json::Array list;
  for (const constraints::Touch& touch : stage.touches())
    list.push_back(Json::Object{{"pos", vector_json(touch.position)},
                                {"frame", matrix_json(touch.frame.m, 3)},
                                {"dist", touch.distance},
                                {"includemargin", touch.margin},
                                {"condim", int(touch.condim)},
                                {"geoms", Json::Array{name(touch.a), name(touch.b)}},
                                {"friction", numbers(touch.friction)},
                                {"row", touch.first_row < 0 ? Json() : Json(int(touch.first_row))}});
  return list;
}

std::string_view kind_name(constraints::SoftRowKind kind) {
  constexpr std::string_view names[] = {"equality",     "joint_friction", "tendon_friction",   "joint_limit",
                                        "tendon_limit", "contact",        "contact_pyramidal", "contact_elliptic"};
  return names[static_cast<std::size_t>(kind)];
}

Json rows_json(const dynamics::ConstraintStage& stage, std::size_t nv) {
  const constraints::SoftRows& rows = stage.rows();
  Json::Array list;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::vector<double> J(nv);
    for (auto e = static_cast<std::size_t>(rows.start()[i]); e < static_cast<std::size_t>(rows.start()[i + 1]); ++e)
      J[static_cast<std::size_t>(rows.column()[e])] += rows.value()[e];
    list.push_back(Json::Object{{"type", kind_name(rows.row(i).kind)},
                                {"element", int(rows.row(i).element)},
                                {"J", numbers(J)},
                                {"D", 1 / rows.R()[i]},
                                {"aref", rows.reference()[i]},
                                {"force", stage.force()[i]}});
  }
  return list;
}

void add_terms(const InspectAnswer& answer, std::size_t nv, Json& json) {
  const dynamics::Terms& terms = *answer.terms;
  json.set("M", matrix_json(terms.M, nv));
  json.set("bias", numbers(terms.bias));
  const dynamics::Workspace& w = answer.simulator->workspace();
  json.set("passive", numbers(w.passive));
  json.set("a_smooth", numbers(w.a_smooth));
  json.set("a", numbers(w.a));
  json.set("tau", numbers(terms.tau));
  json.set("contacts", contacts_json(answer.simulator->system().model->geoms, answer.simulator->constraints()));
  json.set("rows", rows_json(answer.simulator->constraints(), nv));
  json.set("kinetic", terms.kinetic);
  json.set("potential", terms.potential);
  json.set("ee", frames_json(terms, nv));
  if (!answer.derivatives) return;
  json.set("dtau_dq", matrix_json(terms.dtau_dq, nv));
  json.set("dtau_dv", matrix_json(terms.dtau_dv, nv));
  json.set("da_dq", matrix_json(terms.da_dq, nv));
  json.set("da_dv", matrix_json(terms.da_dv, nv));
  json.set("da_dtau", matrix_json(terms.da_dtau, nv));
}

}  // namespace

io::Json inspect_json(const model::Model& model, const InspectAnswer& answer) {
  std::vector<Warning> warnings = model.warnings;
  warnings.insert(warnings.end(), answer.warnings.begin(), answer.warnings.end());
  const auto nv = static_cast<std::size_t>(model.sizes.nv);
  Json json = Json::Object{{"schema", "trilith.inspect/1"},
                           {"engine", TRILITH_VERSION},
                           {"input", answer.input},
                           {"input_sha256", model.sha256},
                           {"settings", Json::Object{{"format", model.format},
                                                     {"options", answer.options},
                                                     {"gravity", vector_json(model.options.gravity)},
                                                     {"timestep", model.options.timestep}}},
                           {"model", model.name},
                           {"bodies", bodies_json(model, answer)},
                           {"joints", joints_json(model)},
                           {"actuators", actuators_json(model)},
                           {"warnings", warnings_json(warnings)},
                           {"nq", int(model.sizes.nq)},
                           {"nv", int(model.sizes.nv)},
                           {"nu", int(model.sizes.nu)},
                           {"na", int(model.sizes.na)},
                           {"mass_kg", model.mass},
                           {"qpos", numbers(model.default_qpos)}};
  if (answer.terms) add_terms(answer, nv, json);
  return json;
}

}  // namespace trilith::results
