// Contacts of running-bond walls, one thread: mending of the meshes and the whole search. The number of contacts is checked, time is
// recorded.
#include <benchmark/benchmark.h>

#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"

namespace {

namespace model = trilith::model;

model::AssemblyInput wall(std::int64_t rows) {
  model::WallOptions options;
  options.rows = options.columns = static_cast<int>(rows);
  return model::generate_wall(options);
}

/// Joints of a wall with n columns and rows: on the ground, heads, beds.
std::size_t expected_contacts(std::int64_t n) {
  const std::int64_t odd = n / 2, even = n - odd;
  return static_cast<std::size_t>(n + even * (n - 1) + odd * n + (n - 1) * 2 * n);
}

void make_wall_assembly(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    model::AssemblyInput input = wall(state.range(0));
    state.ResumeTiming();
    auto made = model::make_assembly(std::move(input), {});
    if (!made.ok()) state.SkipWithError("refused");
    state.counters["blocks"] = static_cast<double>(made.value().blocks.size());
  }
}

void find_wall_interfaces(benchmark::State& state) {
  model::Assembly assembly = std::move(model::make_assembly(wall(state.range(0)), {})).value();
  for (auto _ : state) {
    model::find_interfaces(assembly, {}, 1);
    if (assembly.interfaces.size() != expected_contacts(state.range(0))) state.SkipWithError("wrong number of contacts");
  }
  state.counters["contacts"] = static_cast<double>(assembly.interfaces.size());
}

BENCHMARK(make_wall_assembly)->Arg(10)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(find_wall_interfaces)->Arg(10)->Arg(32)->Arg(100)->Arg(316)->Unit(benchmark::kMillisecond);

}  // namespace
