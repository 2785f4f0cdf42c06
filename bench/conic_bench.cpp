// The bars of the exact verdict: conic rung and whole check, with CHOLMOD and OSQP on the same equilibrium in the same run. Arguments:
// --heavy (to 100,000 blocks, minutes), names of parts (armadillo, small, sideways, wall, arches, threads, growth; none: all). Times are
// CPU seconds of one thread unless a line says wall. Exit code 1 where an answer is wrong; a missed bar is told and is no failure.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/isa.h"
#include "base/parallel.h"
#include "bench_support.h"
#include "cholmod_peer.h"
#include "conic_cases.h"
#include "constraints/contact_rows.h"
#include "io/assembly_json.h"
#include "io/file.h"
#include "io/json.h"
#include "io/load_assembly.h"
#include "model/find_interfaces.h"
#include "model/make_assembly.h"
#include "osqp_peer.h"
#include "solve/body_graph.h"
#include "solve/interior_point.h"
#include "statics/check.h"
#include "statics/proof_view.h"

namespace trilith::bench {
namespace {

// --------------------------------------------------------------------------------------------------------------- one case

struct Timed {
  Seconds seconds;
  statics::CheckResult result;  ///< of the last run
};

/// Rows, ordering, solve, proof and its verification: everything but reading and the search for contacts.
Timed time_check(const BenchCase& c, statics::SolverChoice solver, int repetitions, double budget_s) {
  Timed timed;
  statics::CheckSettings settings;
  settings.solver = solver;
  timed.seconds = least_time(repetitions, budget_s, [&] {
    timed.result = statics::check(c.assembly, settings);
    return c.want.empty() || timed.result.verdict == Verdict::undecided || c.want == name(timed.result.verdict);
  });
  return timed;
}

std::string told(const statics::CheckResult& result) {
  std::string text(name(result.verdict));
  for (const solve::RungReport& rung : result.rungs)
    if (rung.name == "ipm") text += ", " + std::to_string(rung.iterations) + " factorizations";
  return text;
}

bool proved(const Timed& timed) { return timed.result.verification.accepted; }

/// Forming and factoring A H A' once, H a full 3 x 3 block per contact point: what one step of the conic rung needs at least.
double time_factor(const constraints::ContactRows& contacts, int repetitions, double budget_s) {
  solve::BodyGraph system(contacts.rows);
  std::vector<double> weight(2 * contacts.rows.size(), 0.0);
  for (std::size_t slot = 0; slot < contacts.rows.slots().size(); ++slot)
    for (const int diagonal : {0, 3, 5})
      std::fill_n(weight.begin() + static_cast<std::ptrdiff_t>((6 * slot + static_cast<std::size_t>(diagonal)) * rows::patch_lanes),
                  rows::patch_lanes, 1.0);
  return least_time(repetitions, budget_s,
                    [&] {
                      system.set_weights({solve::RowWeights::Shape::triple, weight});
                      return system.factor().finite;
                    })
      .cpu;
}

/// Where the time of the conic rung goes, CPU seconds, each the least of several runs.
void tell_stages(const BenchCase& c, int repetitions) {
  constexpr const char* stages[] = {"rows", "plan", "work space", "propose", "proof"};
  double least[5] = {1e300, 1e300, 1e300, 1e300, 1e300};
  for (int i = 0; i < repetitions; ++i) {
    double at[6] = {thread_cpu_seconds()};
    const constraints::ContactRows contacts = constraints::make_contact_rows(c.assembly);
    at[1] = thread_cpu_seconds();
    solve::BodyGraphSettings settings;
    settings.factor.pivot_tolerance = statics::CheckSettings{}.conic_pivot_tolerance;
    solve::BodyGraph system(contacts.rows, settings);
    at[2] = thread_cpu_seconds();
    solve::InteriorPoint rung(contacts.rows);
    std::vector<double> force(contacts.rows.size(), 0.0), velocity(contacts.load.size(), 0.0);
    at[3] = thread_cpu_seconds();
    const solve::ConicReport report = rung.propose({contacts.rows, contacts.load}, system, {}, force, velocity);
    at[4] = thread_cpu_seconds();
    const statics::ProofView view(c.assembly);
    if (report.status == SolveStatus::solved) {
      std::vector<Vec3d> world(static_cast<std::size_t>(contacts.first_vertex.back()));
      constraints::write_world_forces(contacts, c.assembly, force, world);
      (void)certify::verify_force_state(view.problem(), world, {});
    }
    at[5] = thread_cpu_seconds();
    for (int k = 0; k < 5; ++k) least[k] = std::min(least[k], at[k + 1] - at[k]);
  }
  std::printf("  by stage:");
  for (int k = 0; k < 5; ++k) std::printf(" %s %.6f", stages[k], least[k]);
  std::printf("\n");
}

double time_cholmod(const constraints::ContactRows& contacts, int repetitions) {
  CholmodPeer peer(contacts);
  for (int i = 0; i < repetitions; ++i) peer.run();
  return peer.best();
}

/// One run of OSQP, cut off after a limit.
void tell_osqp(const constraints::ContactRows& contacts, double ours_s, double limit_s) {
  const OsqpAnswer answer = run_osqp(contacts, 1e-6, limit_s);
  if (answer.cpu_s == 0) return;
  std::printf("  %-58s %9s   %9.4f s %s %.4f  %s, %d iterations, imbalance %.1e of the mean weight (a proof needs 1e-8)\n",
              "  OSQP at 1e-6", "", answer.cpu_s, answer.finished ? " " : ">", ours_s / answer.cpu_s, answer.status.c_str(),
              answer.iterations, answer.imbalance);
  std::fflush(stdout);
}

// ------------------------------------------------------------------------------------------------------------------ parts

struct Bench {
  Table table;
  ScratchFolder folder;
  bool heavy = false;
};

void bench_armadillo(Bench& bench) {
  const auto c = reference_case("cra_armadillo");
  if (!c) return;
  bench.table.head("armadillo, stored contacts, conic rung alone");
  const constraints::ContactRows contacts = constraints::make_contact_rows(c->assembly);
  const Timed timed = time_check(*c, statics::SolverChoice::ipm, 100, 1);
  const double once = time_factor(contacts, 200, 0.5), cholmod = time_cholmod(contacts, 20);
  bench.table.fact("armadillo is proved", proved(timed), told(timed.result));
  bench.table.time("rows, ordering, solve, proof verified", timed.seconds.cpu, .02, cholmod, "peer: CHOLMOD analyse + factor once");
  bench.table.time("  form and factor A H A' once", once, 0, cholmod);
  bench.table.number("whole rung over form and factor once", timed.seconds.cpu / once, 10, "times");
  tell_stages(*c, 50);
  tell_osqp(contacts, timed.seconds.cpu, 20);
}

void bench_small(Bench& bench) {
  bench.table.head("every case below 300 free blocks, conic rung alone");
  constexpr int most_blocks = 299;
  constexpr double bar = 2e-3;
  std::vector<BenchCase> cases = reference_cases(most_blocks);
  for (BenchCase& c : generated_cases())
    if (c.free_blocks() <= most_blocks) cases.push_back(std::move(c));
  std::vector<std::pair<double, std::string>> slow;
  int undecided = 0;
  for (const BenchCase& c : cases) {
    const Timed timed = time_check(c, statics::SolverChoice::ipm, 200, .05);
    if (!proved(timed)) ++undecided;
    slow.emplace_back(timed.seconds.cpu, c.name + ", " + std::to_string(c.free_blocks()) + " blocks: " + told(timed.result));
  }
  std::sort(slow.rbegin(), slow.rend());
  const auto over = std::count_if(slow.begin(), slow.end(), [](const auto& entry) { return entry.first > bar; });
  std::printf("  %zu cases, %d not proved by this rung alone, %d above the bar; the slowest:\n", cases.size(), undecided,
              static_cast<int>(over));
  for (std::size_t i = 0; i < slow.size() && (i < 4 || slow[i].first > bar); ++i)
    bench.table.time("below 300 blocks", slow[i].first, bar, 0, slow[i].second);
}

void bench_sideways(Bench& bench) {
  const BenchCase c = wall_case(25, 40, .49);
  bench.table.head("wall of 1,020 blocks with .49 of its weight sideways");
  const Timed all = time_check(c, statics::SolverChoice::automatic, 5, 2), rung = time_check(c, statics::SolverChoice::ipm, 5, 2);
  const constraints::ContactRows contacts = constraints::make_contact_rows(c.assembly);
  const double once = time_factor(contacts, 50, .5);
  bench.table.fact("it is proved to fall", proved(all) && all.result.verdict == Verdict::falls, told(all.result));
  bench.table.time("whole ladder, proof verified", all.seconds.cpu, .3, time_cholmod(contacts, 5), "peer: CHOLMOD analyse + factor once");
  bench.table.time("  conic rung alone", rung.seconds.cpu, 0);
  bench.table.time("  form and factor A H A' once", once, 0);
  double rungs = 0;
  for (const solve::RungReport& report : all.result.rungs) rungs += report.seconds;
  bench.table.time("  the rungs of the ladder (wall, last run); the rest tells the motion", rungs, 0);
  tell_osqp(contacts, all.seconds.cpu, bench.heavy ? 60 : 5);

  const BenchCase upright = wall_case(25, 40);
  bench.table.head("the same wall upright, conic rung alone");
  const Timed stands = time_check(upright, statics::SolverChoice::ipm, 20, 1);
  const constraints::ContactRows upright_contacts = constraints::make_contact_rows(upright.assembly);
  bench.table.fact("it is proved to stand", proved(stands), told(stands.result));
  bench.table.time("conic rung, proof verified", stands.seconds.cpu, 0, time_cholmod(upright_contacts, 5), "peer: CHOLMOD");
  tell_osqp(upright_contacts, stands.seconds.cpu, bench.heavy ? 60 : 5);
}

/// A wall as a file, for the program.
std::string write_wall(const Bench& bench, int columns, int rows) {
  const std::string path = bench.folder.file("wall_" + std::to_string(columns) + ".json");
  model::AssemblyInput input = wall_input(columns, rows);
  input.friction = 0.84;
  input.density = 2400;
  if (!io::write_file_atomically(path, io::write_assembly_json(input), true).ok()) std::printf("%s cannot be written\n", path.c_str());
  return path;
}

struct WholeCheck {
  Child least;  ///< each number the least of all runs; peak: the largest
  io::Json result;
};

/// Runs the program on a file, `repetitions` times; with its JSON result where `json` asks for it.
WholeCheck run_program(const Bench& bench, const std::string& path, int threads, int repetitions, bool json) {
  WholeCheck whole;
  const std::string out = bench.folder.file("result.json");
  std::vector<std::string> words{TRILITH_PROGRAM, "check", path, "--threads", std::to_string(threads)};
  if (json) words.insert(words.end(), {"--json", out, "--force"});
  for (int i = 0; i < repetitions; ++i) {
    const Child now = run_child(words);
    if (i == 0) whole.least = now;
    whole.least.cpu_s = std::min(whole.least.cpu_s, now.cpu_s);
    whole.least.wall_s = std::min(whole.least.wall_s, now.wall_s);
    whole.least.peak_byte = std::max(whole.least.peak_byte, now.peak_byte);
    if (now.exit != 0) whole.least.exit = now.exit;
  }
  if (!json) return whole;
  if (auto text = io::read_file(out); text.ok())
    if (auto parsed = io::parse_json(text.value(), out); parsed.ok()) whole.result = std::move(parsed).value();
  return whole;
}

void tell_whole_check(Bench& bench, const WholeCheck& whole, double bar_s, double bar_gb) {
  char wall[60];
  std::snprintf(wall, sizeof wall, "wall time %.3f s", whole.least.wall_s);
  bench.table.fact("the program proves that it stands", whole.least.exit == 0);
  bench.table.time("whole check by the program, start to end", whole.least.cpu_s, bar_s, 0, wall);
  bench.table.number("its largest memory", whole.least.peak_byte * 1e-9, bar_gb, "GB");
}

void bench_wall(Bench& bench) {
  const BenchCase c = wall_case(100, 100);
  bench.table.head("wall of 10,050 blocks");
  const constraints::ContactRows contacts = constraints::make_contact_rows(c.assembly);
  const Timed rung = time_check(c, statics::SolverChoice::ipm, 5, 4);
  const double once = time_factor(contacts, 3, 1), cholmod = time_cholmod(contacts, 2);
  bench.table.fact("the conic rung proves that it stands", proved(rung), told(rung.result));
  bench.table.time("conic rung, proof verified", rung.seconds.cpu, 1.2, cholmod, "peer: CHOLMOD analyse + factor once");
  bench.table.time("  form and factor A H A' once", once, 0, cholmod);
  tell_stages(c, 3);
  tell_whole_check(bench, run_program(bench, write_wall(bench, 100, 100), 1, bench.heavy ? 10 : 3, false), 2, .5);
  if (bench.heavy) tell_osqp(contacts, rung.seconds.cpu, 120);
}

void bench_arches(Bench& bench) {
  constexpr double least = 0.10747047998011111;  // thickness over mean radius of 301 voussoirs
  bench.table.head("semicircular arches of 301 stones at 1 +- 1e-6 of their least thickness, conic rung alone");
  for (const double shift : {1e-6, -1e-6}) {
    BenchCase c = arch_case(301, least * (1 + shift));
    c.want = shift > 0 ? "stands" : "falls";
    const Timed timed = time_check(c, statics::SolverChoice::ipm, 10, .5);
    bench.table.fact(c.want + " is proved", proved(timed), told(timed.result));
    for (const solve::RungReport& rung : timed.result.rungs)
      if (rung.name == "ipm") bench.table.number("  factorizations", rung.iterations, 20, "");
    bench.table.time("  time", timed.seconds.cpu, 0);
  }
}

/// The result without what a clock says.
std::string timeless(const io::Json& json) {
  if (const io::Json::Array* list = json.array()) {
    std::string text = "[";
    for (const io::Json& value : *list) text += timeless(value) + ",";
    return text + "]";
  }
  if (const io::Json::Object* object = json.object()) {
    std::string text = "{";
    for (const auto& [key, value] : *object)
      if (key != "time_s" && key != "threads") text += key + ":" + timeless(value) + ",";
    return text + "}";
  }
  return io::write_json(json, 0);
}

/// Work without memory, a share per thread: what a second processor is worth at this moment.
void spin(int threads) {
  constexpr int steps = 1 << 24;
  double left[2 * 64 / sizeof(double)];  // a cache line for each
  parallel_for(2, threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      volatile double x = 1;
      for (int k = 0; k < steps / 2; ++k) x = x * .999999 + 1e-6;
      left[i * 8] = x;
    }
  });
  if (!(left[0] + left[8] > 0)) std::printf("WRONG ANSWER\n");
}

/// Least wall times with one and two threads, taken in turn, so that a busy machine slows both alike.
struct Pair {
  double one = 1e300, two = 1e300;
  void add(int threads, double seconds) {
    double& least = threads == 1 ? one : two;
    least = std::min(least, seconds);
  }
};

void bench_threads(Bench& bench) {
  bench.table.head("two threads (ours) against one (peer): 10,050 blocks, wall time");
  Pair idle, meshes, contacts, whole;
  const int rounds = bench.heavy ? 40 : 8;
  for (int round = 0; round < rounds; ++round)
    for (const int threads : {1, 2}) {
      model::AssemblyInput input = wall_input(100, 100);
      model::AssemblyOptions options;
      options.threads = threads;
      const double start = wall_seconds();
      spin(threads);
      const double spun = wall_seconds();
      auto made = model::make_assembly(std::move(input), options);
      const double ready = wall_seconds();
      model::find_interfaces(made.value(), model::contact_settings(made.value()), threads);
      contacts.add(threads, wall_seconds() - ready);
      meshes.add(threads, ready - spun);
      idle.add(threads, spun - start);
    }
  const std::string path = write_wall(bench, 100, 100);
  io::Json result[2];
  for (int round = 0; round < (bench.heavy ? 20 : 3); ++round)
    for (const int threads : {1, 2}) {
      WholeCheck now = run_program(bench, path, threads, 1, true);
      whole.add(threads, now.least.wall_s);
      result[threads - 1] = std::move(now.result);
    }
  bench.table.fact("same bits", !result[0].is_null() && timeless(result[0]) == timeless(result[1]));
  bench.table.time("a loop without memory: is a second processor free?", idle.two, 0, idle.one);
  bench.table.time("meshes checked", meshes.two, meshes.one, meshes.one);
  bench.table.time("contacts found", contacts.two, contacts.one, contacts.one);
  bench.table.time("whole check by the program, with its JSON", whole.two, whole.one, whole.one);
  if (idle.two > .75 * idle.one) std::printf("  no second processor was free: these bars say nothing\n");
}

// ----------------------------------------------------------------------------------------------------------------- growth

/// Slope of log(seconds) over log(blocks).
double exponent(const std::vector<double>& blocks, const std::vector<double>& seconds) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double u = std::log(blocks[i]), v = std::log(seconds[i]);
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Reads, finds the contacts, solves and verifies in this process, one thread.
Verdict check_file(const std::string& path) {
  auto input = io::load_assembly(path);
  if (!input.ok()) return Verdict::undecided;
  auto made = model::make_assembly(std::move(input).value(), {});
  if (!made.ok()) return Verdict::undecided;
  model::find_interfaces(made.value(), model::contact_settings(made.value()), 1);
  return statics::check(made.value(), {}).verdict;
}

void bench_growth(Bench& bench) {
  const int last = bench.heavy ? 316 : 56;
  bench.table.head("cost over size: square walls");
  std::printf("  %9s %12s %12s %12s   CPU s; closed form and conic rung with their proof verified\n", "blocks", "closed form", "conic rung",
              "whole check");
  std::vector<double> blocks, cost[3];
  for (const int n : {3, 6, 10, 18, 32, 56, 100, 178, 316}) {
    if (n > last) break;
    const BenchCase c = wall_case(n, n);
    const std::string path = write_wall(bench, n, n);
    const int repetitions = n > 100 ? 2 : 50, patience = n > 200 ? 1 : repetitions;
    blocks.push_back(c.free_blocks());
    cost[0].push_back(time_check(c, statics::SolverChoice::ls, repetitions, .3).seconds.cpu);
    cost[1].push_back(time_check(c, statics::SolverChoice::ipm, patience, .3).seconds.cpu);
    cost[2].push_back(least_time(repetitions, .3, [&] { return check_file(path) == Verdict::stands; }).cpu);
    std::printf("  %9d %12.6f %12.6f %12.6f\n", c.free_blocks(), cost[0].back(), cost[1].back(), cost[2].back());
    std::fflush(stdout);
  }
  std::printf("  %9s %12.2f %12.2f %12.2f\n", "exponent", exponent(blocks, cost[0]), exponent(blocks, cost[1]), exponent(blocks, cost[2]));
  if (bench.heavy) tell_whole_check(bench, run_program(bench, write_wall(bench, 316, 316), 1, 2, false), 30, 4);
}

int run_all(int argc, char** argv) {
  choose_blas_kernels(argv);
  keep_memory();
  const struct {
    const char* name;
    void (*run)(Bench&);
  } parts[] = {{"armadillo", bench_armadillo}, {"small", bench_small},     {"sideways", bench_sideways}, {"wall", bench_wall},
               {"arches", bench_arches},       {"threads", bench_threads}, {"growth", bench_growth}};
  std::printf("kernels: %s; CPU seconds of one thread unless told; least of repeated runs\n", std::string(name(active_isa())).c_str());
  (void)announce_cholmod();
  (void)announce_osqp();
  Bench bench;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--heavy")
      bench.heavy = true;
    else
      wanted.emplace_back(argv[i]);
  }
  for (const auto& part : parts)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), part.name) != wanted.end()) part.run(bench);
  std::printf("\n%s\n", bench.table.summary().c_str());
  return bench.table.wrong() ? 1 : 0;
}

}  // namespace
}  // namespace trilith::bench

int main(int argc, char** argv) { return trilith::bench::run_all(argc, argv); }
