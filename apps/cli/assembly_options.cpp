#include "cli/assembly_options.h"

#include <algorithm>
#include <thread>

#include "base/clock.h"
#include "io/load_assembly.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"

namespace trilith::cli {

std::vector<Option> with_assembly_options(std::span<const Option> own) {
  std::vector<Option> all(own.begin(), own.end());
  all.insert(all.end(), std::begin(assembly_options), std::end(assembly_options));
  return all;
}

model::AssemblyOptions read_assembly_options(Arguments& arguments) {
  constexpr std::string_view units[] = {"mm", "cm", "m", "in", "ft"};
  model::AssemblyOptions options;
  options.friction = arguments.number("--friction");
  options.density = arguments.number("--density");
  options.gravity = arguments.vector("--gravity");
  options.unit = arguments.choice("--unit", units);
  options.fixed = arguments.texts("--fixed");
  options.contact_gap = arguments.number("--contact-gap");
  options.contact_area = arguments.number("--contact-area");
  return options;
}

int read_threads(Arguments& arguments) {
  const int all = std::max(1u, std::thread::hardware_concurrency());
  return arguments.integer("--threads", 1, 1024).value_or(all);
}

Result<LoadedAssembly> load_checked_assembly(const std::string& path, const model::AssemblyOptions& options, int threads, bool find) {
  const double start = wall_seconds();
  auto input = io::load_assembly(path);
  if (!input) return input.errors();
  model::AssemblyOptions with_threads = options;
  with_threads.threads = threads;
  auto assembly = model::make_assembly(std::move(input).value(), with_threads);
  if (!assembly) return assembly.errors();
  LoadedAssembly loaded{std::move(assembly).value()};
  const double read = wall_seconds();
  if (find && !loaded.assembly.interfaces_given) model::find_interfaces(loaded.assembly, model::contact_settings(loaded.assembly), threads);
  loaded.read_s = read - start;
  loaded.interfaces_s = wall_seconds() - read;
  return loaded;
}

}  // namespace trilith::cli
