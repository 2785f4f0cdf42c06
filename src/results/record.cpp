#include "results/record.h"

#include <array>
#include <bit>

#include "base/text.h"
#include "results/state_json.h"

namespace trilith::results {
namespace {

using dynamics::RunOverrides;
using io::Json;

constexpr std::array integrators = {model::Integrator::euler, model::Integrator::rk4, model::Integrator::implicit,
                                    model::Integrator::implicit_fast};
constexpr std::array solvers = {model::ContactSolver::newton, model::ContactSolver::cg, model::ContactSolver::pgs};
constexpr std::array cones = {model::FrictionCone::pyramidal, model::FrictionCone::elliptic};
constexpr std::array resolutions = {dynamics::ContactResolution::convex, dynamics::ContactResolution::signorini};
constexpr std::array rules = {dynamics::StopRule::both, dynamics::StopRule::either};
constexpr std::array sparse_choices = {dynamics::SparseChoice::automatic, dynamics::SparseChoice::on, dynamics::SparseChoice::off};

/// Reads members of an object and collects what is wrong with them.
class Members {
 public:
  Members(const Json& object, std::string where) : object_(&object), where_(std::move(where)) {}

  void number(std::string_view key, std::optional<double>& out) {
    if (const Json* value = find(key)) {
      if (value->number() == nullptr)
        refuse("must be a number", key);
      else
        out = *value->number();
    }
  }
  void integer(std::string_view key, std::optional<int>& out) {
    std::optional<double> value;
    number(key, value);
    if (!value) return;
    if (*value != static_cast<int>(*value))
      refuse("must be an integer", key);
    else
      out = static_cast<int>(*value);
  }
  void flag(std::string_view key, bool& out) {
    if (const Json* value = find(key)) {
      if (value->boolean() == nullptr)
        refuse("must be true or false", key);
      else
        out = *value->boolean();
    }
  }
  template <class Enum, std::size_t N>
  void choice(std::string_view key, const std::array<Enum, N>& values, std::optional<Enum>& out) {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (value->string() != nullptr) out = value_named(*value->string(), values);
    if (!out) refuse("has no known value", key);
  }
  void vector(std::string_view key, std::vector<double>& out) {
    const Json* value = find(key);
    if (value == nullptr || value->array() == nullptr) return refuse("must be an array of numbers", key);
    for (const Json& entry : *value->array()) {
      if (entry.number() == nullptr) return refuse("must be an array of numbers", key);
      out.push_back(*entry.number());
    }
  }
  void refuse(std::string_view what, std::string_view key) {
    if (errors.size() < max_errors) errors.push_back({std::string(what), where_ + ":/" + std::string(key)});
  }
  const Json* find(std::string_view key) const { return object_->find(key); }

  std::vector<Error> errors;

 private:
  template <class Enum, std::size_t N>
  static std::optional<Enum> value_named(std::string_view word, const std::array<Enum, N>& values) {
    using dynamics::name;
    for (const Enum value : values)
      if (name(value) == word) return value;
    return std::nullopt;
  }
  const Json* object_;
  std::string where_;
};

void read_overrides(Members& in, RunOverrides& o, model::ModelOptions& options) {
  in.choice("integrator", integrators, o.integrator), in.choice("solver", solvers, o.solver), in.choice("cone", cones, o.cone);
  in.choice("contact", resolutions, o.contact), in.choice("stop", rules, o.stop), in.choice("sparse", sparse_choices, o.sparse);
  in.number("timestep", o.timestep), in.number("tolerance", o.tolerance), in.number("ls_tolerance", o.ls_tolerance);
  in.number("impratio", o.impratio), in.number("time_constant", o.time_constant);
  in.integer("iterations", o.iterations), in.integer("ls_iterations", o.ls_iterations), in.integer("max_contacts", o.max_contacts);
  in.flag("mujoco", o.mujoco), in.flag("noslip", o.noslip), in.flag("torsional", o.torsional), in.flag("rolling", o.rolling);
  in.flag("no_limits", o.no_limits), in.flag("no_constraints", o.no_constraints);
  in.flag("balance_inertia", options.balance_inertia), in.flag("floating_base", options.floating_base), in.flag("bare", options.bare);
  in.flag("clamp_initial", options.clamp_initial);
  if (in.find("gravity") == nullptr) return;
  std::vector<double> g;
  in.vector("gravity", g);
  if (g.size() == 3)
    o.gravity = options.gravity = Vec3d{g[0], g[1], g[2]};
  else
    in.refuse("needs 3 numbers", "gravity");
}

std::optional<std::int64_t> whole_number(const Json* json) {
  if (json == nullptr || json->number() == nullptr) return std::nullopt;
  const auto value = static_cast<std::int64_t>(*json->number());
  return static_cast<double>(value) == *json->number() && value >= 0 ? std::optional(value) : std::nullopt;
}

void read_line(const Json& json, const std::string& where, Record& record, std::vector<Error>& errors) {
  Members in(json, where);
  RecordLine line;
  if (const auto step = whole_number(json.find("step")))
    line.step = *step;
  else
    in.refuse("must be a whole number", "step");
  std::optional<double> time;
  in.number("time", time);
  if (!time) in.refuse("is missing", "time");
  line.time = time.value_or(0);
  in.vector("qpos", line.q);
  in.vector("qvel", line.v);
  errors.insert(errors.end(), in.errors.begin(), in.errors.end());
  record.lines.push_back(std::move(line));
}

void read_controls(const Json& json, Members& in, RecordHeader& header) {
  if (json.array() == nullptr) return in.refuse("must be an array of arrays", "controls");
  for (const Json& row : *json.array()) {
    std::vector<double>& numbers = header.controls.emplace_back();
    if (row.array() == nullptr) return in.refuse("must be an array of arrays", "controls");
    for (const Json& entry : *row.array()) {
      if (entry.number() == nullptr) return in.refuse("must hold numbers", "controls");
      numbers.push_back(*entry.number());
    }
  }
}

void read_header(const Json& json, const std::string& where, Record& record, std::vector<Error>& errors) {
  Members in(json, where);
  const auto text = [&](std::string_view key) {
    const Json* value = json.find(key);
    if (value != nullptr && value->string() != nullptr) return *value->string();
    in.refuse("is missing", key);
    return std::string();
  };
  const std::string schema = text("schema");
  if (!schema.empty() && schema != record_schema)
    in.refuse("is \"" + escape(schema) + "\"; this version reads " + std::string(record_schema), "schema");
  RecordHeader& header = record.header;
  header.input = text("input"), header.sha256 = text("input_sha256"), header.engine = text("engine");
  const auto steps = whole_number(json.find("steps")), every = whole_number(json.find("every"));
  if (!steps) in.refuse("must be a whole number", "steps");
  if (!every || *every == 0) in.refuse("must be a positive whole number", "every");
  header.steps = steps.value_or(0), header.every = every.value_or(1);
  if (const Json* settings = json.find("settings")) {
    Members options(*settings, where + ":/settings");
    read_overrides(options, header.overrides, header.model_options);
    errors.insert(errors.end(), options.errors.begin(), options.errors.end());
  }
  if (const Json* state = json.find("state"))
    record.state = *state;
  else
    in.refuse("is missing", "state");
  if (const Json* controls = json.find("controls")) read_controls(*controls, in, header);
  errors.insert(errors.end(), in.errors.begin(), in.errors.end());
}

std::optional<RecordDifference> compare(std::int64_t step, std::string_view key, std::span<const double> recorded,
                                        std::span<const double> computed) {
  if (recorded.size() != computed.size()) return RecordDifference{step, std::string(key), 0, 0, 0};
  for (std::size_t i = 0; i < recorded.size(); ++i)
    if (std::bit_cast<std::uint64_t>(recorded[i]) != std::bit_cast<std::uint64_t>(computed[i]))
      return RecordDifference{step, std::string(key), i, recorded[i], computed[i]};
  return std::nullopt;
}

void set_state(Json& json, std::int64_t step, const dynamics::State& state) {
  json.set("step", static_cast<double>(step));
  json.set("time", state.time);
  json.set("qpos", numbers_json(state.q));
  json.set("qvel", numbers_json(state.v));
}

}  // namespace

io::Json overrides_json(const RunOverrides& o, const model::ModelOptions& options) {
  Json json = Json::Object{};
  const auto put = [&](const char* key, const auto& value) {
    if (value) json.set(key, *value);
  };
  const auto put_name = [&](const char* key, const auto& value) {
    using dynamics::name;
    if (value) json.set(key, name(*value));
  };
  const auto put_flag = [&](const char* key, bool value) {
    if (value) json.set(key, true);
  };
  put_name("integrator", o.integrator), put_name("solver", o.solver), put_name("cone", o.cone), put_name("contact", o.contact);
  put_name("stop", o.stop), put_name("sparse", o.sparse);
  put("timestep", o.timestep), put("tolerance", o.tolerance), put("ls_tolerance", o.ls_tolerance), put("impratio", o.impratio);
  put("time_constant", o.time_constant), put("iterations", o.iterations), put("ls_iterations", o.ls_iterations);
  put("max_contacts", o.max_contacts);
  put_flag("mujoco", o.mujoco), put_flag("noslip", o.noslip), put_flag("torsional", o.torsional), put_flag("rolling", o.rolling);
  put_flag("no_limits", o.no_limits), put_flag("no_constraints", o.no_constraints);
  put_flag("balance_inertia", options.balance_inertia), put_flag("floating_base", options.floating_base), put_flag("bare", options.bare);
  put_flag("clamp_initial", options.clamp_initial);
  if (o.gravity) json.set("gravity", Json::Array{o.gravity->x, o.gravity->y, o.gravity->z});
  return json;
}

std::string first_line(const RecordHeader& header, const model::Model& model, const dynamics::State& state) {
  Json json = Json::Object{{"schema", record_schema},
                           {"engine", header.engine},
                           {"input", header.input},
                           {"input_sha256", header.sha256},
                           {"settings", overrides_json(header.overrides, header.model_options)},
                           {"steps", static_cast<double>(header.steps)},
                           {"every", static_cast<double>(header.every)},
                           {"state", state_json(model, state)}};
  if (!header.controls.empty()) {
    Json::Array rows;
    for (const std::vector<double>& row : header.controls) rows.push_back(numbers_json(row));
    json.set("controls", std::move(rows));
  }
  set_state(json, 0, state);
  return io::write_json(json, 0) + "\n";
}

std::string next_line(std::int64_t step, const dynamics::State& state) {
  Json json = Json::Object{};
  set_state(json, step, state);
  return io::write_json(json, 0) + "\n";
}

Result<Record> read_record(std::string_view text, const std::string& where) {
  Record record;
  std::vector<Error> errors;
  std::size_t number = 0;
  while (!text.empty() && errors.size() < max_errors) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string place = where + ":" + std::to_string(++number);
    const Result<Json> json = io::parse_json(line, place);
    if (!json) {
      errors.insert(errors.end(), json.errors().begin(), json.errors().end());
      break;
    }
    if (number == 1) read_header(json.value(), place, record, errors);
    read_line(json.value(), place, record, errors);
  }
  if (number == 0) return Error{"is empty: a record has a line for every state", where};
  if (!errors.empty()) return errors;
  return record;
}

std::optional<RecordDifference> compare_line(const RecordLine& line, const dynamics::State& state) {
  if (auto difference = compare(line.step, "time", {&line.time, 1}, {&state.time, 1})) return difference;
  if (auto difference = compare(line.step, "qpos", line.q, state.q)) return difference;
  return compare(line.step, "qvel", line.v, state.v);
}

}  // namespace trilith::results
