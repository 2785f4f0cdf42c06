// Margins against verdicts in one run: a load factor with both its ends proved, beside the verdict of the interior point with its proof.
// Answers are compared with known limits; times are CPU seconds of one thread, the least of several.
#include <cmath>
#include <cstdio>

#include "bench_support.h"
#include "conic_cases.h"
#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "statics/check.h"
#include "statics/margin_report.h"

namespace trilith::bench {
namespace {

constexpr int repetitions = 5;
constexpr double budget_s = 4;

struct Bars {
  double factor_s = 0;  ///< 0: none
  double ratio = 0;
};

/// Time of the verdict of the interior point with its proof, with `share` of the weight sideways.
Seconds time_verdict(const model::Assembly& assembly, double share, Verdict want) {
  model::Assembly leaning = assembly;
  leaning.gravity = assembly.gravity + Vec3d{share * norm(assembly.gravity), 0, 0};
  statics::CheckSettings settings;
  settings.solver = statics::SolverChoice::ipm;
  return least_time(repetitions, budget_s, [&] { return statics::check(leaning, settings).verdict == want; });
}

/// Verdict and load factor of one case, and their ratio. `want`: the known factor, 0: none is known.
void compare(Table& table, const BenchCase& bench, double want, const Bars& bars) {
  const model::Assembly& assembly = bench.assembly;
  const Seconds verdict = time_verdict(assembly, 0, Verdict::stands);
  statics::LimitLoad limit;
  const Seconds factor = least_time(repetitions, budget_s, [&] {
    statics::Margins margins(assembly, {});
    limit = margins.limit_load(margins.weight_along({1, 0, 0}));
    return limit.decided && (want == 0 || std::abs(limit.state - want) <= 2e-6 * (1 + want));
  });
  char note[120];
  std::snprintf(note, sizeof note, "%.7f..%.7f, %d factorizations", limit.state, limit.collapse_at, limit.factorizations);
  table.time(bench.name + ": verdict", verdict.cpu, 0);
  table.time(bench.name + ": load factor along x", factor.cpu, bars.factor_s, verdict.cpu, note);
  table.number(bench.name + ": margin over verdict", factor.cpu / verdict.cpu, bars.ratio, "");
  for (const double share : {0.99, 1.01}) {
    const Seconds near = time_verdict(assembly, share * limit.state, share < 1 ? Verdict::stands : Verdict::falls);
    table.number(bench.name + (share < 1 ? ": margin over verdict at .99 of it" : ": margin over verdict at 1.01 of it"),
                 factor.cpu / near.cpu, bars.ratio, "");
  }
  table.fact(bench.name + ": both ends within 1e-6", limit.collapse_at - limit.state <= 1e-6 * std::fmax(1, std::fabs(limit.state)));
}

/// A sweep of azimuths shares contacts and order; friction by bisection.
void sweep(Table& table, const BenchCase& bench) {
  statics::MarginQuestions questions;
  for (int i = 0; i < 8; ++i) questions.tilt_deg.push_back(45.0 * i);
  const Seconds tilt = least_time(1, budget_s, [&] { return statics::find_margins(bench.assembly, questions, {}).decided(); });
  table.time(bench.name + ": tilt towards 8 azimuths", tilt.cpu, 0);
  int verdicts = 0;
  const Seconds friction = least_time(1, budget_s, [&] {
    const statics::ParameterLimit limit = statics::find_friction_limit(bench.assembly, {});
    verdicts = limit.verdicts;
    return limit.decided;
  });
  table.time(bench.name + ": critical friction", friction.cpu, 0, 0, std::to_string(verdicts) + " verdicts");
}

BenchCase made(const char* name, model::AssemblyInput input) {
  BenchCase bench{name, "stands", {}};
  bench.assembly = model::make_assembly(std::move(input), {}).value();
  model::find_interfaces(bench.assembly, {}, 1);
  return bench;
}

int run() {
  Table table;
  table.head("Margins, one thread, load " + std::to_string(machine_load()));
  if (const auto armadillo = reference_case("cra_armadillo")) {
    compare(table, *armadillo, 0, {0.1, 5});
    sweep(table, *armadillo);
  }
  compare(table, wall_case(34, 30), 0, {0.5, 5});
  compare(table, made("published wall 2", model::generate_published_wall({2})), 0.579999, {0, 5});
  model::BarrelVaultOptions vault;
  vault.count = 30;
  vault.columns = 15;
  compare(table, made("barrel vault of 465 stones", model::generate_barrel_vault(vault)), 0, {2, 5});
  model::PorticoOptions portico;
  portico.columns = 100;
  portico.drums = 19;
  compare(table, made("portico of 1,999 stones", model::generate_portico(portico)), 0, {2, 5});
  std::puts(table.summary().c_str());
  return table.wrong() ? 1 : 0;
}

}  // namespace
}  // namespace trilith::bench

int main() {
  trilith::bench::keep_memory();
  return trilith::bench::run();
}
