#include "statics/gate.h"

#include <cmath>
#include <set>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/file.h"
#include "io/load_assembly.h"
#include "model/make_assembly.h"
#include "results/gate_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"STONE", "one stone: OBJ, STL, PLY, GLB or assembly JSON; FILE#NAME picks one of several"}};
constexpr Option options[] = {
    {"--support", "FILE", "what it may rest on: a mesh or an assembly, all of whose blocks are taken; may be repeated", true, true},
    {"--seats", "FILE", "candidate seats: JSON array of {id, pos: [x,y,z]} (laid by the placing rule) or with quat [w,x,y,z] (as said)",
     false, true},
    {"--margin", "M", "least clearance of the centre of mass from the edge of its support, m (0)"},
    {"--nbo-margin", "R", "least margin of the resting face, over the root of its area (0)"},
    {"--min-depth-ratio", "R", "least extent into the wall over height (.5)"},
    {"--weights", "w1,w3,wu,ws", "of support, offset, hollow and seat in the objective (1,1,1,.5)"},
    {"--cell", "M", "distance of the sampled columns, m (1/20 of the stone's width)"},
    {"--into", "x,y,z", "direction into the wall (default: the short side of the support's outline)"},
    {"--gravity", "x,y,z", "direction of gravity (0,0,-9.80665)"},
    {"--unit", "UNIT", "length unit of all files: mm, cm, m, in, ft (default: what they say, else m)"},
};

/// Places further from the origin are refused, as in every file.
bool is_near(const Vec3d& p) { return max(max(abs(p.x), abs(p.y)), abs(p.z)) <= model::AssemblyLimits{}.largest_coordinate; }

/// A file's meshes in metres.
struct Shape {
  std::vector<model::BlockInput> blocks;
  std::string sha256;
};

Result<Shape> load_shape(const std::string& path, const std::optional<std::string>& unit, std::vector<Warning>& warnings) {
  auto input = io::load_assembly(path);
  if (!input) return input.errors();
  model::AssemblyInput& read = input.value();
  const std::string said = unit.value_or(read.unit.value_or("m"));
  const std::optional<double> metres = model::metres_per_unit(said);
  if (!metres) return Error{"unknown unit \"" + said + "\"", path};
  for (model::BlockInput& block : read.blocks)
    for (Vec3d& p : block.mesh.vertices) {
      p = {*metres * p.x, *metres * p.y, *metres * p.z};
      if (!is_near(p)) return Error{"\"" + block.id + "\" has a vertex beyond 1e9 m", block.where};
    }
  warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
  return Shape{std::move(read.blocks), read.sha256};
}

/// "FILE#NAME" or "FILE" with one stone.
Result<Shape> load_stone(const std::string& reference, const std::optional<std::string>& unit, std::vector<Warning>& warnings) {
  const std::size_t mark = reference.rfind('#');
  const std::string path = reference.substr(0, mark);
  auto shape = load_shape(path, unit, warnings);
  if (!shape) return shape;
  auto& blocks = shape.value().blocks;
  if (mark != std::string::npos) {
    std::vector<std::string_view> names;
    for (const model::BlockInput& block : blocks) names.push_back(block.id);
    const std::string wanted = reference.substr(mark + 1);
    const std::string_view near = nearest_name(wanted, names);
    const std::string hint = near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?";
    std::erase_if(blocks, [&](const model::BlockInput& block) { return block.id != wanted; });
    if (blocks.empty()) return Error{"has no stone \"" + wanted + "\"" + hint, path};
  }
  if (blocks.size() != 1) return Error{"holds " + std::to_string(blocks.size()) + " stones: name one as FILE#NAME", path};
  return shape;
}

void append(const geom::Mesh& mesh, geom::Mesh& to) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : mesh.face(f)) corners.push_back(first + v);
    to.add_face(corners);
  }
}

/// A place to try: over or under `pos` by the placing rule, or exactly as `quat` says with the stone's origin at `pos`.
struct Seat {
  std::string id;
  Vec3d pos{};
  std::optional<Quaterniond> quat;
};

/// `count` finite numbers, or nothing.
std::optional<std::vector<double>> numbers(const io::Json* json, std::size_t count) {
  if (json == nullptr || json->array() == nullptr || json->array()->size() != count) return std::nullopt;
  std::vector<double> values;
  for (const io::Json& value : *json->array()) {
    if (value.number() == nullptr || !std::isfinite(*value.number())) return std::nullopt;
    values.push_back(*value.number());
  }
  return values;
}

/// A rotation from four finite numbers, not all zero, of whatever size.
std::optional<Quaterniond> quaternion(const io::Json& json) {
  auto q = numbers(&json, 4);
  if (!q) return std::nullopt;
  double largest = 0;
  for (const double part : *q) largest = max(largest, abs(part));
  if (largest == 0) return std::nullopt;
  for (double& part : *q) part /= largest;
  return normalized(Quaterniond{(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
}

Result<std::vector<Seat>> load_seats(const std::string& path, double metres, std::vector<Warning>& warnings) {
  const auto text = io::read_file(path);
  if (!text) return text.errors();
  const auto json = io::parse_json(text.value(), path);
  if (!json) return json.errors();
  const io::Json* list = json.value().array() != nullptr ? &json.value() : json.value().find("seats");
  if (list == nullptr || list->array() == nullptr || list->array()->empty())
    return Error{"expected a JSON array of seats, each with pos [x,y,z]", path};
  std::vector<Seat> seats;
  std::vector<Error> errors;
  std::set<std::string> ids;
  const auto leave_out = [&](const std::string& key, const std::string& where) {
    warnings.push_back({"unknown key \"" + key + "\" of a seat left out", where + "/" + key});
  };
  for (const io::Json& entry : *list->array()) {
    const std::string where = path + ":/" + std::to_string(seats.size());
    Seat& seat = seats.emplace_back();
    const io::Json *id = entry.find("id"), *quat = entry.find("quat");
    seat.id = id != nullptr && id->string() != nullptr ? *id->string() : std::to_string(seats.size());
    if (id != nullptr && id->string() == nullptr) errors.push_back({"an id is a text", where + "/id"});
    if (!ids.insert(seat.id).second) errors.push_back({"the id \"" + seat.id + "\" is used before", where + "/id"});
    const auto pos = numbers(entry.find("pos"), 3);
    if (pos) seat.pos = {metres * (*pos)[0], metres * (*pos)[1], metres * (*pos)[2]};
    if (!pos || !is_near(seat.pos)) errors.push_back({"needs pos, three finite numbers within 1e9 m", where + "/pos"});
    if (const io::Json::Object* members = entry.object())
      for (const auto& [key, value] : *members)
        if (key != "id" && key != "pos" && key != "quat") leave_out(key, where);
    if (quat == nullptr || quat->is_null()) continue;
    seat.quat = quaternion(*quat);
    if (!seat.quat) errors.push_back({"must be four finite numbers w,x,y,z, not all zero", where + "/quat"});
  }
  if (errors.size() > max_errors) errors.resize(max_errors);
  if (!errors.empty()) return errors;
  return seats;
}

/// Four numbers w1,w3,wu,ws, none negative.
void read_weights(Arguments& arguments, statics::GateWeights& weights) {
  const auto word = arguments.text("--weights");
  if (!word) return;
  double value[4] = {};
  std::size_t count = 0;
  for (std::size_t at = 0; at <= word->size(); ++count) {
    const std::size_t comma = std::min(word->find(',', at), word->size());
    const auto number = parse_double(std::string_view(*word).substr(at, comma - at));
    if (!number || count >= 4 || !(*number >= 0)) {
      count = 0;
      break;
    }
    value[count] = *number;
    at = comma + 1;
  }
  if (count != 4) return arguments.refuse("--weights", "expected four numbers w1,w3,wu,ws, none negative, got '" + escape(*word) + "'");
  weights = {value[0], value[1], value[2], value[3]};
}

/// A threshold of 0 or more: below 0 a gate would pass what has no support at all.
double least(Arguments& arguments, std::string_view name, double otherwise) {
  const auto value = arguments.number(name);
  if (value && *value < 0) arguments.refuse(name, "must be 0 or more");
  return value.value_or(otherwise);
}

statics::GateSettings read_settings(Arguments& arguments) {
  statics::GateSettings settings;
  settings.gravity = arguments.vector("--gravity").value_or(settings.gravity);
  settings.into = arguments.vector("--into");
  settings.margin = least(arguments, "--margin", settings.margin);
  settings.nbo_margin = least(arguments, "--nbo-margin", settings.nbo_margin);
  settings.least_depth_ratio = least(arguments, "--min-depth-ratio", settings.least_depth_ratio);
  if (const auto cell = arguments.number("--cell")) {
    if (*cell <= 0) arguments.refuse("--cell", "must be above 0");
    settings.cell = *cell;
  }
  read_weights(arguments, settings.weights);
  return settings;
}

/// The stone in every seat, best first; without candidates as it lies.
void rate_seats(const statics::GateScene& scene, const std::vector<Seat>& seats, results::GateAnswer& answer) {
  const bool rests = !scene.resting_faces().empty();
  std::vector<statics::SeatReport> reports;
  for (const Seat& seat : seats) {
    const Posed said = make_pose(seat.quat.value_or(identity_quaternion<double>()), seat.pos);
    if (!seat.quat && !rests) answer.warnings.push_back({"the stone has no face to rest on: tried as it is modelled", "seat " + seat.id});
    reports.push_back(statics::measure_seat(scene, seat.quat || !rests ? said : statics::place_stone(scene, 0, seat.pos)));
  }
  for (const std::size_t i : statics::rank_seats(reports)) answer.seats.push_back({seats[i].id, reports[i]});
  answer.candidates = !seats.empty();
  if (seats.empty()) answer.seats.push_back({"", statics::measure_seat(scene, identity_pose<double>())});
  if (!rests) return;
  const Vec3d target = transform_point(answer.seats.front().report.X_WS, scene.com());
  answer.placed = statics::measure_seat(scene, statics::place_stone(scene, 0, target));
}

}  // namespace

Exit gate(std::span<char*> words) {
  auto parsed = parse_arguments({"gate", "Is this a good seat for one stone? Quick tests of its centre of mass, its support and its pose.",
                                 positionals, options, "trilith gate stone.obj --support wall.obj --seats seats.json"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  constexpr std::string_view units[] = {"mm", "cm", "m", "in", "ft"};
  const auto unit = arguments.choice("--unit", units);
  const statics::GateSettings settings = read_settings(arguments);
  (void)arguments.integer("--threads", 1, 1024);
  if (!arguments.has("--support")) arguments.refuse("--support", "is needed: a mesh or an assembly to rest on");
  if (arguments.failed()) return Exit::usage;

  results::GateAnswer answer;
  answer.stone = arguments.positional(0);
  auto stone = load_stone(answer.stone, unit, answer.warnings);
  if (!stone) return report_errors(stone.errors());
  answer.sha256 = stone.value().sha256;
  geom::Mesh support;
  for (const std::string& path : arguments.texts("--support")) {
    answer.support += (answer.support.empty() ? "" : ", ") + path;
    const auto shape = load_shape(path, unit, answer.warnings);
    if (!shape) return report_errors(shape.errors());
    for (const model::BlockInput& block : shape.value().blocks) append(block.mesh, support);
  }
  std::vector<Seat> seats;
  if (const auto path = arguments.text("--seats")) {
    auto loaded = load_seats(*path, model::metres_per_unit(unit.value_or("m")).value_or(1), answer.warnings);
    if (!loaded) return report_errors(loaded.errors());
    seats = std::move(loaded).value();
  }
  const auto scene = statics::make_gate_scene(stone.value().blocks[0].mesh, support, settings);
  if (!scene) return report_errors(scene.errors());
  answer.warnings.insert(answer.warnings.end(), scene.value().warnings().begin(), scene.value().warnings().end());
  rate_seats(scene.value(), seats, answer);
  report_warnings(answer.warnings);
  const statics::SeatReport& first = answer.seats.front().report;
  return write_result(arguments, results::gate_json(scene.value(), answer), results::gate_text(scene.value(), answer),
                      first.stable && first.nbo.stable ? Exit::yes : Exit::no);
}

}  // namespace trilith::cli
