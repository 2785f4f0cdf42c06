#include "io/plan_json.h"

#include <array>
#include <limits>

#include "base/text.h"
#include "io/json_fields.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 35> file_keys = {"schema",
                                                        "note",
                                                        "comment",
                                                        "name",
                                                        "robot",
                                                        "x0",
                                                        "dt",
                                                        "N",
                                                        "gravity",
                                                        "cost",
                                                        "goal_q",
                                                        "goal_xyz",
                                                        "goal_frame",
                                                        "reference",
                                                        "limits",
                                                        "groups",
                                                        "obstacles",
                                                        "clearance",
                                                        "phases",
                                                        "max_iterations",
                                                        "initial_guess",
                                                        "batch",
                                                        "control_period",
                                                        "sim_time",
                                                        "warm_start",
                                                        "task",
                                                        "A",
                                                        "B",
                                                        "Q",
                                                        "R",
                                                        "QN",
                                                        "x_ref",
                                                        "x_lower",
                                                        "x_upper",
                                                        "expected"};
constexpr std::array<std::string_view, 2> input_bound_keys = {"u_lower", "u_upper"};
constexpr std::array<std::string_view, 6> cost_keys = {"q", "qd", "u", "ee", "q_terminal", "ee_terminal"};
constexpr std::array<std::string_view, 9> limit_keys = {"mechanism", "rho", "rho_q", "rho_qd", "rho_u", "iters", "mu", "delta", "margin"};
constexpr std::array<std::string_view, 5> mechanisms = {"off", "telemetry", "barrier", "admm", "al"};
constexpr std::array<std::string_view, 4> controller_keys = {"control_period", "sim_time", "warm_start", "task"};
constexpr std::array<std::string_view, 2> entry_keys = {"x0", "goal_xyz"};
/// Weights of a problem that gives none.
constexpr PlanCost usual_cost{10, 0.1, 1e-3, 10, 100, 100};
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  for (const std::string_view w : words)
    if (w == word) return true;
  return false;
}

class PlanReader {
 public:
  explicit PlanReader(std::string_view source) : fields_(source) {}

  Result<PlanFile> read(const Json& root) {
    const JsonPath top;
    const Json::Object* object = fields_.object(root, top);
    if (object == nullptr) return std::move(fields_.errors);
    tell_unknown(*object, top);
    read_schema(root);
    read_horizon(root);
    read_start(root);
    if (given(root, "A") != nullptr)
      read_linear(root);
    else
      read_robot(root);
    read_limits(root);
    read_absent(root);
    read_batch(root);
    if (!fields_.errors.empty()) return std::move(fields_.errors);
    out_.warnings = std::move(fields_.warnings);
    return std::move(out_);
  }

 private:
  static const Json* given(const Json& root, std::string_view key) {
    const Json* value = root.find(key);
    return value != nullptr && !value->is_null() ? value : nullptr;
  }

  void tell_unknown(const Json::Object& object, const JsonPath& top) {
    std::vector<std::string_view> known(file_keys.begin(), file_keys.end());
    known.insert(known.end(), input_bound_keys.begin(), input_bound_keys.end());
    fields_.warn_unknown(object, top, "the file", known);
    for (const auto& [key, value] : object)
      if (is_one_of(key, controller_keys)) fields_.warn("is for closed loops: a plan leaves it out", top.at(key));
  }

  void read_schema(const Json& root) {
    const Json* schema = given(root, "schema");
    if (schema == nullptr || schema->string() == nullptr) return;
    if (const Schema read = parse_schema(*schema->string()); read.name != "trilith.plan" || read.version > 1)
      fields_.fail("schema " + *schema->string() + " is not trilith.plan/1: made by another or a newer program", JsonPath{}.at("schema"));
  }

  /// Finite numbers into `out`.
  void numbers(const Json& value, const JsonPath& path, std::vector<double>& out) {
    const Json::Array* list = fields_.array(value, path);
    for (std::size_t i = 0; list != nullptr && i < list->size() && !fields_.full(); ++i)
      if (const auto number = fields_.number((*list)[i], path.at(i))) out.push_back(*number);
  }
  void numbers(const Json& root, std::string_view key, std::vector<double>& out) {
    const JsonPath top;
    if (const Json* value = given(root, key)) numbers(*value, top.at(key), out);
  }

  /// A number within bounds, where the key is there.
  void number(const Json& object, const JsonPath& path, std::string_view key, double least, double most, double& out) {
    const Json* value = given(object, key);
    if (value == nullptr) return;
    const auto read = fields_.number(*value, path.at(key));
    if (!read) return;
    if (!(*read >= least && *read <= most))
      return fields_.fail("must be between " + format_double(least) + " and " + format_double(most) + ", is " + format_double(*read),
                          path.at(key));
    out = *read;
  }
  void whole(const Json& root, std::string_view key, int least, int most, int& out) {
    const JsonPath top;
    double value = out;
    const std::size_t before = fields_.errors.size();
    number(root, top, key, least, most, value);
    if (fields_.errors.size() != before) return;
    if (value != static_cast<int>(value)) return fields_.fail("must be a whole number, is " + format_double(value), top.at(key));
    out = static_cast<int>(value);
  }

  void read_horizon(const Json& root) {
    const JsonPath top;
    constexpr double least_step = 1e-6;
    number(root, top, "dt", least_step, largest_plan_step, out_.dt);
    whole(root, "N", 2, most_plan_knots, out_.N);
    whole(root, "max_iterations", 1, most_plan_iterations, out_.most_iterations);
    if (const Json* gravity = given(root, "gravity"))
      if (const auto read = fields_.vector(*gravity, top.at("gravity"))) out_.gravity = *read;
  }

  void read_start(const Json& root) {
    if (given(root, "x0") == nullptr) return fields_.fail("is missing: the state that the plan starts from", JsonPath{}.at("x0"));
    numbers(root, "x0", out_.x0);
  }

  void read_robot(const Json& root) {
    const JsonPath top;
    const Json* robot = given(root, "robot");
    if (robot == nullptr) return fields_.fail("is missing: name a URDF or MJCF file, or give A and B of a linear problem", top.at("robot"));
    if (const auto path = fields_.string(*robot, top.at("robot"))) out_.robot = *path;
    read_cost(root);
    read_goal(root);
    read_guess(root);
  }

  void read_cost(const Json& root) {
    const JsonPath top, path = top.at("cost");
    const Json* cost = given(root, "cost");
    if (cost == nullptr) return out_.cost = usual_cost, void();
    const Json::Object* object = fields_.object(*cost, path);
    if (object == nullptr) return;
    fields_.warn_unknown(*object, path, "cost", cost_keys);
    PlanCost& c = out_.cost;
    number(*cost, path, "q", 0, infinity, c.q), number(*cost, path, "qd", 0, infinity, c.qd);
    number(*cost, path, "u", 0, infinity, c.u), number(*cost, path, "ee", 0, infinity, c.ee);
    c.q_terminal = c.q, c.ee_terminal = c.ee;
    number(*cost, path, "q_terminal", 0, infinity, c.q_terminal), number(*cost, path, "ee_terminal", 0, infinity, c.ee_terminal);
  }

  void read_goal(const Json& root) {
    const JsonPath top;
    int goals = 0;
    if (given(root, "goal_q") != nullptr) ++goals, numbers(root, "goal_q", out_.goal_q.emplace());
    if (const Json* xyz = given(root, "goal_xyz")) ++goals, out_.goal_xyz = fields_.vector(*xyz, top.at("goal_xyz"));
    if (const Json* rows = given(root, "reference")) ++goals, read_reference(*rows, top.at("reference"));
    if (const Json* frame = given(root, "goal_frame"))
      if (const auto name = fields_.string(*frame, top.at("goal_frame"))) out_.goal_frame = *name;
    if (goals != 1) fields_.fail("give one of goal_q, goal_xyz and reference, not " + std::to_string(goals), top);
    if (!out_.goal_q && out_.goal_frame.empty())
      fields_.fail("is missing: the link, joint or site that is to reach the goal", top.at("goal_frame"));
  }

  /// Rows of 3 or 6 numbers; only the first three count.
  void read_reference(const Json& value, const JsonPath& path) {
    const Json::Array* rows = fields_.array(value, path);
    if (rows == nullptr) return;
    if (rows->size() != static_cast<std::size_t>(out_.N))
      return fields_.fail("needs a row per knot, " + std::to_string(out_.N) + ", has " + std::to_string(rows->size()), path);
    for (std::size_t i = 0; i < rows->size() && !fields_.full(); ++i) {
      std::vector<double> row;
      const JsonPath at = path.at(i);
      numbers((*rows)[i], at, row);
      if (row.size() != 3 && row.size() != 6) fields_.fail("needs 3 or 6 numbers, has " + std::to_string(row.size()), at);
      row.resize(3);
      out_.reference.push_back({row[0], row[1], row[2]});
    }
  }

  void read_guess(const Json& root) {
    const JsonPath top, path = top.at("initial_guess");
    const Json* guess = given(root, "initial_guess");
    if (guess == nullptr) return;
    if (const std::string* word = guess->string()) {
      if (*word == "linear_states") return out_.guess.kind = PlanGuess::Kind::linear_states, void();
      if (*word != "hold") fields_.fail("must be hold, linear_states, or an object with x and u, is " + in_quotes(*word), path);
      return;
    }
    if (fields_.object(*guess, path) == nullptr) return;
    out_.guess.kind = PlanGuess::Kind::given;
    read_rows(*guess, path, "x", out_.N, out_.guess.x), read_rows(*guess, path, "u", out_.N - 1, out_.guess.u);
  }

  void read_rows(const Json& object, const JsonPath& path, std::string_view key, int count, std::vector<std::vector<double>>& out) {
    const JsonPath at = path.at(key);
    const Json* value = given(object, key);
    if (value == nullptr) return fields_.fail("is missing", at);
    const Json::Array* rows = fields_.array(*value, at);
    if (rows == nullptr) return;
    if (rows->size() != static_cast<std::size_t>(count))
      return fields_.fail("needs " + std::to_string(count) + " rows, has " + std::to_string(rows->size()), at);
    for (std::size_t i = 0; i < rows->size() && !fields_.full(); ++i) numbers((*rows)[i], at.at(i), out.emplace_back());
  }

  void read_limits(const Json& root) {
    const JsonPath top, path = top.at("limits");
    const Json* limits = given(root, "limits");
    if (limits == nullptr) return;
    if (const std::string* word = limits->string()) {
      if (*word == "off") out_.limits.mechanism = "off";
      if (*word != "on" && *word != "off") fields_.fail("must be on, off, or an object with a mechanism, is " + in_quotes(*word), path);
      return;
    }
    const Json::Object* object = fields_.object(*limits, path);
    if (object == nullptr) return;
    fields_.warn_unknown(*object, path, "limits", limit_keys);
    const Json* name = given(*limits, "mechanism");
    if (name == nullptr) return;
    const auto word = fields_.string(*name, path.at("mechanism"));
    if (!word) return;
    if (!is_one_of(*word, mechanisms))
      return fields_.fail("no mechanism " + in_quotes(*word) + ": off, telemetry, barrier, admm or al", path.at("mechanism"));
    out_.limits.mechanism = *word;
  }

  /// Row groups, obstacles and phases are refused rather than left out in silence; a disabled group is as if it were absent.
  void read_absent(const Json& root) {
    const JsonPath top;
    if (const Json* groups = given(root, "groups")) {
      const JsonPath path = top.at("groups");
      const Json::Array* list = fields_.array(*groups, path);
      for (std::size_t i = 0; list != nullptr && i < list->size() && !fields_.full(); ++i) {
        const Json* enabled = given((*list)[i], "enabled");
        const bool off = enabled != nullptr && enabled->boolean() != nullptr && !*enabled->boolean();
        if (!off) fields_.fail("row groups are not available yet; \"enabled\": false leaves one out", path.at(i));
      }
    }
    for (const std::string_view key : {"obstacles", "phases"})
      if (const Json* value = given(root, key); value != nullptr && !(value->array() != nullptr && value->array()->empty()))
        fields_.fail("not available yet", top.at(key));
  }

  void read_batch(const Json& root) {
    const JsonPath top, path = top.at("batch");
    const Json* batch = given(root, "batch");
    if (batch == nullptr) return;
    const Json::Array* list = fields_.array(*batch, path);
    if (list != nullptr && out_.linear) return fields_.fail("is for robots", path);
    for (std::size_t i = 0; list != nullptr && i < list->size() && !fields_.full(); ++i) {
      const JsonPath at = path.at(i);
      const Json::Object* object = fields_.object((*list)[i], at);
      if (object == nullptr) continue;
      fields_.warn_unknown(*object, at, "an entry of the batch", entry_keys);
      PlanEntry entry;
      if (const Json* x0 = given((*list)[i], "x0")) {
        numbers(*x0, at.at("x0"), entry.x0);
        if (entry.x0.size() != out_.x0.size())
          fields_.fail("needs " + std::to_string(out_.x0.size()) + " numbers, has " + std::to_string(entry.x0.size()), at.at("x0"));
      }
      if (const Json* xyz = given((*list)[i], "goal_xyz")) {
        entry.goal_xyz = fields_.vector(*xyz, at.at("goal_xyz"));
        if (!out_.goal_xyz) fields_.fail("an entry can change a goal_xyz only where the problem has one", at.at("goal_xyz"));
      }
      out_.batch.push_back(std::move(entry));
    }
  }

  // linear problems

  void read_linear(const Json& root) {
    PlanLinear& p = out_.linear.emplace();
    const JsonPath top;
    const Json* A = given(root, "A");
    p.states = A->array() != nullptr ? static_cast<int>(A->array()->size()) : 0;
    const Json* B = given(root, "B");
    if (B != nullptr && B->array() != nullptr && !B->array()->empty() && B->array()->front().array() != nullptr)
      p.inputs = static_cast<int>(B->array()->front().array()->size());
    if (p.states == 0 || p.inputs == 0)
      return fields_.fail("a linear problem needs A (states x states) and B (states x inputs)", top.at("A"));
    matrix(root, "A", p.states, p.states, p.A), matrix(root, "B", p.states, p.inputs, p.B);
    matrix(root, "Q", p.states, p.states, p.Q), matrix(root, "R", p.inputs, p.inputs, p.R);
    p.QN = p.Q;
    if (given(root, "QN") != nullptr) p.QN.clear(), matrix(root, "QN", p.states, p.states, p.QN);
    p.x_ref.assign(static_cast<std::size_t>(p.states), 0);
    if (given(root, "x_ref") != nullptr) p.x_ref.clear(), numbers(root, "x_ref", p.x_ref), check_count("x_ref", p.x_ref, p.states);
    check_count("x0", out_.x0, p.states);
    bounds(root, "x_lower", p.states, -infinity, p.x_lower), bounds(root, "x_upper", p.states, infinity, p.x_upper);
    bounds(root, "u_lower", p.inputs, -infinity, p.u_lower), bounds(root, "u_upper", p.inputs, infinity, p.u_upper);
  }

  void check_count(std::string_view key, const std::vector<double>& list, int count) {
    if (list.size() != static_cast<std::size_t>(count) && fields_.errors.empty())
      fields_.fail("needs " + std::to_string(count) + " numbers, has " + std::to_string(list.size()), JsonPath{}.at(key));
  }

  void matrix(const Json& root, std::string_view key, int rows, int columns, std::vector<double>& out) {
    const JsonPath top, path = top.at(key);
    const Json* value = given(root, key);
    if (value == nullptr) return fields_.fail("is missing", path);
    const Json::Array* list = fields_.array(*value, path);
    if (list == nullptr) return;
    if (list->size() != static_cast<std::size_t>(rows))
      return fields_.fail("needs " + std::to_string(rows) + " rows, has " + std::to_string(list->size()), path);
    for (std::size_t i = 0; i < list->size() && !fields_.full(); ++i) {
      const std::size_t before = out.size();
      numbers((*list)[i], path.at(i), out);
      if (out.size() - before != static_cast<std::size_t>(columns) && fields_.errors.empty())
        fields_.fail("needs " + std::to_string(columns) + " numbers, has " + std::to_string(out.size() - before), path.at(i));
    }
  }

  /// null: none.
  void bounds(const Json& root, std::string_view key, int count, double none, std::vector<double>& out) {
    const JsonPath top, path = top.at(key);
    out.assign(static_cast<std::size_t>(count), none);
    const Json* value = given(root, key);
    if (value == nullptr) return;
    const Json::Array* list = fields_.array(*value, path);
    if (list == nullptr) return;
    if (list->size() != out.size())
      return fields_.fail("needs " + std::to_string(count) + " bounds, has " + std::to_string(list->size()), path);
    for (std::size_t i = 0; i < out.size() && !fields_.full(); ++i) {
      if ((*list)[i].is_null()) continue;
      if (const auto bound = fields_.number((*list)[i], path.at(i))) out[i] = *bound;
    }
  }

  JsonFields fields_;
  PlanFile out_;
};

}  // namespace

Result<PlanFile> read_plan(const Json& root, std::string_view source) { return PlanReader(source).read(root); }

}  // namespace trilith::io
