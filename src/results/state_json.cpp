#include "results/state_json.h"

#include <algorithm>
#include <span>

#include "base/math.h"
#include "base/text.h"

namespace trilith::results {
namespace {

using io::Json;

constexpr double unit_tolerance = 1e-6;    // a quaternion off by more is told when it is scaled
constexpr double least_quaternion = 1e-6;  // one with smaller entries has no direction, as in a model's file

/// One vector of the file's state and its place.
struct Field {
  std::string_view key;
  std::vector<double>* target;
  std::size_t width;  ///< numbers per row where rows may be nested arrays; 1: flat
};

std::vector<Field> fields_of(dynamics::State& state) {
  return {{"qpos", &state.q, 1},
          {"qvel", &state.v, 1},
          {"act", &state.act, 1},
          {"ctrl", &state.ctrl, 1},
          {"qacc_warmstart", &state.warm_start, 1},
          {"qfrc_applied", &state.applied, 1},
          {"mocap_pos", &state.mocap_position, 3},
          {"mocap_quat", &state.mocap_quaternion, 4}};
}

/// Quaternions that point nowhere, by their place: scaling cannot mend one.
void check_quaternions(const model::Model& model, const dynamics::State& state, const std::string& where, std::vector<Error>& errors) {
  const auto check = [&](std::span<const double> q, const std::string& place) {
    double largest = 0;
    for (const double x : q) largest = max(largest, abs(x));
    if (largest < least_quaternion && errors.size() < max_errors)
      errors.push_back({"is a quaternion without a direction (its length is below 1e-6)", place});
  };
  const std::span<const double> q = state.q, mocap = state.mocap_quaternion;
  for (const model::Joint& joint : model.joints) {
    const std::size_t first = static_cast<std::size_t>(joint.q) + (joint.kind == model::JointKind::free ? 3 : 0);
    if (joint.kind != model::JointKind::free && joint.kind != model::JointKind::ball) continue;
    check(q.subspan(first, 4), where + ":/qpos/" + std::to_string(first));
  }
  for (std::size_t i = 0; i + 4 <= mocap.size(); i += 4) check(mocap.subspan(i, 4), where + ":/mocap_quat/" + std::to_string(i / 4));
}

/// The numbers of an array, or of an array of arrays, in order; false where anything else stands there.
bool flatten(const Json& json, std::vector<double>& out) {
  if (const double* number = json.number()) {
    out.push_back(*number);
    return true;
  }
  if (json.array() == nullptr) return false;
  return std::ranges::all_of(*json.array(), [&](const Json& entry) { return flatten(entry, out); });
}

bool is_finite(double x) { return x - x == 0; }

void read_numbers(const Json& json, std::size_t count, const std::string& where, std::vector<double>& target, std::vector<Error>& errors) {
  std::vector<double> numbers;
  if (!flatten(json, numbers)) {
    errors.push_back({"must be an array of numbers", where});
  } else if (numbers.size() != count) {
    errors.push_back({"needs " + std::to_string(count) + " numbers, got " + std::to_string(numbers.size()), where});
  } else if (!std::ranges::all_of(numbers, is_finite)) {
    errors.push_back({"has a number that is not finite", where});
  } else {
    target = std::move(numbers);
  }
}

void read_wrenches(const Json& json, const std::string& where, dynamics::State& state, std::vector<Error>& errors) {
  std::vector<double> numbers;
  read_numbers(json, 6 * state.body_wrench.size(), where, numbers, errors);
  for (std::size_t b = 0; 6 * b < numbers.size(); ++b) {
    const double* x = numbers.data() + 6 * b;
    state.body_wrench[b] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
}

}  // namespace

io::Json numbers_json(std::span<const double> x) {
  Json::Array list;
  list.reserve(x.size());
  for (const double v : x) list.push_back(v);
  return list;
}

io::Json state_json(const model::Model& model, const dynamics::State& state) {
  Json json = Json::Object{{"time", state.time},
                           {"qpos", numbers_json(state.q)},
                           {"qvel", numbers_json(state.v)},
                           {"act", numbers_json(state.act)},
                           {"ctrl", numbers_json(state.ctrl)},
                           {"qacc_warmstart", numbers_json(state.warm_start)}};
  if (model.sizes.nmocap > 0) {
    json.set("mocap_pos", numbers_json(state.mocap_position));
    json.set("mocap_quat", numbers_json(state.mocap_quaternion));
  }
  if (std::ranges::any_of(state.applied, [](double f) { return f != 0; })) json.set("qfrc_applied", numbers_json(state.applied));
  std::vector<double> wrenches;
  for (const Wrenchd& w : state.body_wrench)
    for (const double f : {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z}) wrenches.push_back(f);
  if (std::ranges::any_of(wrenches, [](double f) { return f != 0; })) json.set("xfrc_applied", numbers_json(wrenches));
  return json;
}

Result<std::vector<Warning>> read_state(const io::Json& json, const std::string& where, const model::Model& model, dynamics::State& state) {
  if (json.object() == nullptr) return Error{"a state is an object with qpos, qvel, ctrl, act, time, ...", where};
  std::vector<Error> errors;
  std::vector<Warning> warnings;
  constexpr std::string_view others[] = {"time", "xfrc_applied", "tau", "a", "schema", "engine"};
  const std::vector<Field> fields = fields_of(state);
  for (const auto& [key, value] : *json.object()) {
    if (value.is_null()) continue;
    std::string place = where;
    place.append(":/").append(key);
    const auto field = std::ranges::find(fields, key, &Field::key);
    if (field != fields.end()) {
      read_numbers(value, field->target->size(), place, *field->target, errors);
    } else if (key == "xfrc_applied") {
      read_wrenches(value, place, state, errors);
    } else if (key == "time") {
      if (value.number() == nullptr)
        errors.push_back({"must be a number (s)", place});
      else
        state.time = *value.number();
    } else if (std::ranges::find(others, key) == std::end(others)) {
      std::vector<std::string_view> known(std::begin(others), std::end(others));
      for (const Field& f : fields) known.push_back(f.key);
      const std::string_view near = nearest_name(key, known);
      warnings.push_back(
          {"is not part of a state and is ignored" + (near.empty() ? "" : "; did you mean " + std::string(near) + "?"), place});
    }
    if (errors.size() >= max_errors) break;
  }
  if (errors.empty()) check_quaternions(model, state, where, errors);
  if (!errors.empty()) return errors;
  if (dynamics::normalize_quaternions(model, state) > unit_tolerance)
    warnings.push_back({"has quaternions whose length is not 1: they are scaled", where});
  return warnings;
}

}  // namespace trilith::results
