// The splitting on the penalty program (PEN-1) beside OSQP on the same program in the same run: time per iteration and to a solution; its
// two linear solvers; the certified verdict beside OSQP at 1e-6. Arguments: --heavy (10,050 blocks). CPU seconds of one thread. Exit code 1
// where an answer is wrong; a missed bar is told and is no failure.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench_support.h"
#include "conic_cases.h"
#include "solve/osqp_adapter.h"
#include "statics/check.h"
#include "statics/rbe.h"

namespace trilith::bench {
namespace {

constexpr double never = 1e-300;  // a tolerance that is not met: every iteration is run

struct Run {
  double seconds = 0;
  statics::RbeReport report;
};

Run run(const BenchCase& c, const statics::RbeSettings& settings) {
  Run result;
  const double start = thread_cpu_seconds();
  result.report = statics::solve_rbe(c.assembly, settings);
  result.seconds = thread_cpu_seconds() - start;
  return result;
}

/// From two caps: what both runs share (rows, ordering, first factor, the polish that follows) drops out. No steps of Newton.
double time_iteration(const BenchCase& c, statics::RbeSettings settings, int few, int many) {
  settings.tolerance = never;
  settings.newton.iteration_limit = 0;
  settings.newton.first_ridge = 0;
  settings.splitting.rho_rule = solve::RhoRule::fixed;
  double least[2] = {1e300, 1e300};
  for (int repetition = 0; repetition < 3; ++repetition)
    for (const int side : {0, 1}) {
      settings.splitting.iteration_limit = side == 0 ? few : many;
      least[side] = std::min(least[side], run(c, settings).seconds);
    }
  return (least[1] - least[0]) / (many - few);
}

void tell_solution(const char* what, const Run& run) {
  std::printf("  %-34s %9.4f s  %6d iterations  %-18s objective %.9g (%s)\n", what, run.seconds, run.report.iterations,
              std::string(name(run.report.status)).c_str(), run.report.objective.value_or(std::nan("")), run.report.engine.c_str());
}

void bench_case(const BenchCase& c, bool has_osqp, Table& table) {
  table.head(c.name + ", " + std::to_string(c.free_blocks()) + " free blocks: penalty program, net, 8 faces inscribed");
  statics::RbeSettings ours, theirs;
  ours.engine = statics::RbeEngine::admm;
  theirs.engine = statics::RbeEngine::osqp;
  const int few = c.free_blocks() > 5000 ? 20 : 100, many = 3 * few;
  const double mine = time_iteration(c, ours, few, many), peer = has_osqp ? time_iteration(c, theirs, few, many) : 0;
  table.time("one iteration of the splitting", mine, 1.5 * peer, peer, "peer: OSQP");

  statics::RbeSettings iterated = ours;
  iterated.direct_limit = 0;
  table.time("  the same without a factor", time_iteration(c, iterated, few / 10, many / 10), 0, mine, "peer: with it");

  const Run newton = run(c, {});
  tell_solution("Newton on the dual (auto)", newton);
  const Run splitting = run(c, ours);
  tell_solution("splitting to 1e-7, polished", splitting);
  const auto agree = [&](const Run& other) {
    return newton.report.objective && other.report.objective && std::abs(*other.report.objective / *newton.report.objective - 1) < 1e-6;
  };
  table.fact("the splitting finds the minimum of Newton", agree(splitting));
  if (!has_osqp) return;
  statics::RbeSettings usual = theirs;
  usual.tolerance = 1e-6;
  usual.splitting.iteration_limit = 100000;
  usual.deadline = Deadline::after(60);
  const Run outside = run(c, usual);
  tell_solution("OSQP to 1e-6, polished", outside);

  statics::CheckSettings settings;
  const Seconds check = least_time(20, 1, [&] { return statics::check(c.assembly, settings).verdict == Verdict::stands; });
  table.time("certified verdict, the whole ladder", check.cpu, outside.seconds / 50, outside.seconds, "peer: OSQP to 1e-6, decoded");
}

int run_all(int argc, char** argv) {
  keep_memory();
  const solve::Availability osqp = solve::osqp_availability();
  std::printf("OSQP: %s\n", osqp.note.c_str());
  Table table;
  if (const auto armadillo = reference_case("cra_armadillo")) bench_case(*armadillo, osqp.available, table);
  bench_case(wall_case(25, 40), osqp.available, table);
  if (argc > 1 && std::string(argv[1]) == "--heavy") bench_case(wall_case(100, 100), osqp.available, table);
  std::printf("\n%s\n", table.summary().c_str());
  return table.wrong() ? 1 : 0;
}

}  // namespace
}  // namespace trilith::bench

int main(int argc, char** argv) { return trilith::bench::run_all(argc, argv); }
