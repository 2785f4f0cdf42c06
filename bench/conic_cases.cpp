#include "conic_cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "support/reference_case.h"
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

/// Nothing where the case stores no contacts or has too many blocks.
std::optional<BenchCase> read_case(const fs::path& path, int most_blocks) {
  auto stored = test::read_reference_case(path, "n_free", most_blocks);
  if (!stored || !stored->stored_interfaces) return std::nullopt;
  test::add_stored_interfaces(*stored->stored_interfaces, stored->input);
  BenchCase c{stored->name, stored->want, {}};
  c.assembly = finished(std::move(stored->input), c.name);
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
