#include "conic_cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "io/file.h"
#include "io/json.h"
#include "io/load_assembly.h"
#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "support/shared_data.h"

namespace trilith::bench {
namespace {

namespace fs = std::filesystem;

model::Assembly finished(model::AssemblyInput input, const std::string& name) {
  auto made = model::make_assembly(std::move(input), {});
  if (!made.ok()) {
    std::printf("%s is refused: %s: %s\n", name.c_str(), made.errors()[0].where.c_str(), made.errors()[0].what.c_str());
    std::exit(1);
  }
  model::Assembly assembly = std::move(made).value();
  if (!assembly.interfaces_given) model::find_interfaces(assembly, model::contact_settings(assembly), 1);
  return assembly;
}

const io::Json* dig(const io::Json* json, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) json = json ? json->find(key) : nullptr;
  return json;
}

std::string word(const io::Json* json) { return json && json->string() ? *json->string() : ""; }

/// The true cone where known; else an inscribed pyramid that admits a state, or a circumscribed one that does not, decides.
std::string wanted(const io::Json& reference) {
  const io::Json* states = dig(&reference, {"expected", "at_mu", "force_state_exists"});
  const std::string exact = word(dig(states, {"quadratic"}));
  if (exact == "feasible") return "stands";
  if (exact == "infeasible") return "falls";
  if (word(dig(states, {"K8in"})) == "feasible") return "stands";
  return word(dig(states, {"K8circ"})) == "infeasible" || word(dig(states, {"K4circ"})) == "infeasible" ? "falls" : "";
}

Vec3d vector_of(const io::Json& json) {
  const io::Json::Array& a = *json.array();
  return {*a[0].number(), *a[1].number(), *a[2].number()};
}

void add_contacts(const io::Json& list, model::AssemblyInput& input) {
  auto& faces = input.interfaces.emplace();
  for (const io::Json& row : *list.find("interfaces")->array()) {
    model::InterfaceInput& face = faces.emplace_back();
    face.a = word(row.find("A"));
    face.b = word(row.find("B"));
    for (const io::Json& point : *row.find("points")->array()) face.polygon.push_back(vector_of(point));
    face.normal = vector_of(*row.find("n"));
    face.t1 = vector_of(*row.find("t1"));
    face.where = "interfaces";
  }
}

io::Json read_json(const fs::path& path) { return io::parse_json(io::read_file(path).value(), path.string()).value(); }

/// Nothing where the case stores no contacts or has too many blocks.
std::optional<BenchCase> read_case(const fs::path& path, int most_blocks) {
  const io::Json json = read_json(path);
  const io::Json* count = dig(&json, {"expected", "n_free"});
  const io::Json* contacts = json.find("interfaces");
  if (!contacts || !count || *count->number() > most_blocks) return std::nullopt;
  auto input = io::load_assembly((path.parent_path() / word(json.find("blocks"))).string()).value();
  input.friction = *json.find("mu")->number();
  input.gravity = vector_of(*json.find("gravity"));
  const io::Json& density = *json.find("density");
  for (model::BlockInput& block : input.blocks) {
    block.density = density.number() ? *density.number() : *density.find(block.id)->number();
    for (const io::Json& id : *json.find("fixed")->array()) block.fixed = block.fixed || *id.string() == block.id;
  }
  add_contacts(read_json(path.parent_path() / *contacts->string()), input);
  BenchCase c{path.stem().string(), wanted(json), {}};
  c.assembly = finished(std::move(input), c.name);
  return c;
}

std::optional<fs::path> reference_folder() {
  const auto shared = test::shared_data();
  fs::path folder = shared ? *shared / "reference/statics/open" : fs::path();
  if (shared && fs::is_directory(folder)) return folder;
  std::printf("the reference cases are absent: skipped\n");
  return std::nullopt;
}

}  // namespace

int BenchCase::free_blocks() const {
  return static_cast<int>(std::count_if(assembly.blocks.begin(), assembly.blocks.end(), [](const model::Block& b) { return !b.fixed; }));
}

model::AssemblyInput wall_input(int columns, int rows) {
  model::WallOptions options;
  options.columns = columns;
  options.rows = rows;
  return model::generate_wall(options);
}

BenchCase wall_case(int columns, int rows, double sideways) {
  constexpr double gravity = 9.80665;
  model::AssemblyInput input = wall_input(columns, rows);
  input.gravity = Vec3d{sideways * gravity, 0, -gravity};
  BenchCase c{"wall " + std::to_string(columns) + " x " + std::to_string(rows), sideways == 0 ? "stands" : "falls", {}};
  c.assembly = finished(std::move(input), c.name);
  return c;
}

BenchCase arch_case(int stones, double thickness_ratio) {
  model::ArchOptions options;
  options.count = stones;
  options.thickness_ratio = thickness_ratio;
  BenchCase c{"arch of " + std::to_string(stones), "", {}};
  c.assembly = finished(model::generate_arch(options), c.name);
  return c;
}

std::vector<BenchCase> generated_cases() {
  std::pair<const char*, model::AssemblyInput> inputs[] = {{"wall", model::generate_wall({})},
                                                           {"opening", model::generate_opening({})},
                                                           {"portal", model::generate_portal({})},
                                                           {"portico", model::generate_portico({})},
                                                           {"stack", model::generate_stack({})},
                                                           {"tilted stack", model::generate_tilted_stack({})},
                                                           {"overhang", model::generate_overhang({})},
                                                           {"corbel", model::generate_corbel({})},
                                                           {"incline", model::generate_incline({})},
                                                           {"h-model", model::generate_h_model({})},
                                                           {"wedge", model::generate_wedge({})},
                                                           {"arch", model::generate_arch({})},
                                                           {"pointed arch", model::generate_pointed_arch({})},
                                                           {"jack arch", model::generate_jack_arch({})},
                                                           {"barrel vault", model::generate_barrel_vault({})},
                                                           {"cross vault", model::generate_cross_vault({})},
                                                           {"dome", model::generate_dome({})},
                                                           {"polygonal wall", model::generate_polygonal_wall({})},
                                                           {"rubble", model::generate_rubble({})}};
  std::vector<BenchCase> cases;
  for (auto& [name, input] : inputs) cases.push_back({name, "", finished(std::move(input), name)});
  cases.push_back(wall_case(16, 18));
  return cases;
}

std::vector<BenchCase> reference_cases(int most_blocks) {
  const auto folder = reference_folder();
  if (!folder) return {};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(*folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<BenchCase> cases;
  for (const fs::path& file : files)
    if (auto c = read_case(file, most_blocks)) cases.push_back(std::move(*c));
  return cases;
}

std::optional<BenchCase> reference_case(const std::string& name) {
  const auto folder = reference_folder();
  if (!folder) return std::nullopt;
  return read_case(*folder / (name + ".json"), 1000000);
}

}  // namespace trilith::bench
