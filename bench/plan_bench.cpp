// Time of one iteration of the trajectory optimiser, end to end: `solve` with one SQP iteration, all eight step lengths, warm. Robots are
// the reference files under $TRILITH_SHARED. Bars: issue of the optimiser. `chrt -f 10` makes the times steady.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/isa.h"
#include "bench_support.h"
#include "control/solver.h"
#include "dynamics/terms.h"
#include "io/load_model.h"

namespace {

using namespace trilith;  // NOLINT(google-build-using-namespace): a program of one file

constexpr int repetitions = 3000;
constexpr double control_period = 0.01;

std::shared_ptr<const control::Robot> load(const std::string& path, const std::string& frame) {
  model::ModelOptions options;
  options.bare = true;
  io::LoadOptions reading;
  reading.urdf.keep_going_without_meshes = true;
  const auto model = io::load_model(path, reading, options);
  if (!model) return std::printf("%s\n", model.errors().front().what.c_str()), nullptr;
  const auto named = dynamics::find_frame(model.value(), frame);
  if (!named) return nullptr;
  auto robot = control::make_robot(model.value(), {named->name, named->body, named->X_BF});
  return robot ? std::make_shared<control::Robot>(std::move(robot).value()) : nullptr;
}

/// Settings of a controller: one iteration per tick (spec of the seed, the set named MPC).
control::SolverOptions controller(int threads) {
  control::SolverOptions o;
  o.most_iterations = 1, o.merit_weight = 10, o.proximal = 0.01, o.threads = threads;
  return o;
}
control::CostWeights weights() {
  control::CostWeights w;
  w.velocity = 1e-2, w.input = 2e-6, w.position_barrier = 0.01;
  return w;
}

/// A figure of eight, from the tick on.
void set_reference(control::Solver& solver, int entry, int tick) {
  std::vector<double> points;
  for (int k = 0; k < solver.knots(); ++k) {
    const double t = 2 * 3.14159265358979 * (tick + k) * control_period / 6;
    points.insert(points.end(), {0.4 * std::sin(t), 0.5, 0.6 + 0.2 * std::sin(2 * t) + 0.2});
  }
  solver.set_reference(entry, points);
}

/// Warm: every tick starts from the plan before it, at the state that its first input leads to.
struct Warm {
  Warm(const std::shared_ptr<const control::Robot>& robot, int knots, int batch, int threads)
      : solver(robot, knots, control_period, batch, controller(threads), weights()), plan(solver.length()) {
    x.assign(2 * static_cast<std::size_t>(robot->dofs()), 0);
    for (int i = 0; i < robot->dofs(); ++i) x[static_cast<std::size_t>(i)] = i % 2 == 0 ? -0.3 : 0.6;
    std::vector<double> guess;
    const std::vector<double> still(static_cast<std::size_t>(robot->dofs()), 0.0);
    for (int k = 0; k < knots; ++k) {
      guess.insert(guess.end(), x.begin(), x.end());
      if (k + 1 < knots) guess.insert(guess.end(), still.begin(), still.end());
    }
    for (int b = 0; b < batch; ++b) solver.set_trajectory(b, guess), solver.set_start(b, x);
  }
  /// Shifts the plan and measures the state; not timed.
  void prepare(int tick) {
    const std::size_t nx = x.size(), nu = nx / 2, stage = nx + nu;
    solver.write_trajectory(0, plan);
    const std::span<const double> all(plan);
    if (tick > 0) {
      solver.simulate_forward(x, all.subspan(nx, nu), control_period, x);
      std::copy(plan.begin() + static_cast<std::ptrdiff_t>(stage), plan.end(), plan.begin());
    }
    std::copy(x.begin(), x.end(), plan.begin());
    for (int b = 0; b < solver.batch(); ++b) solver.set_trajectory(b, plan), solver.set_start(b, x), set_reference(solver, b, tick);
    solver.reset_proximal();
  }
  control::Solver solver;
  std::vector<double> plan, x;
};

struct Times {
  double least = 0, median = 0, p99 = 0;
  int accepted = 0;
};

Times time_ticks(Warm& warm, int ticks) {
  std::vector<double> all;
  Times t;
  for (int i = 0; i < ticks; ++i) {
    warm.prepare(i);
    const double begin = wall_seconds();
    (void)warm.solver.solve();
    all.push_back(wall_seconds() - begin);
    t.accepted += warm.solver.statistics().step_size[0] > 0 ? 1 : 0;
  }
  std::sort(all.begin(), all.end());
  t.least = all.front(), t.median = all[all.size() / 2], t.p99 = all[all.size() * 99 / 100];
  return t;
}

void time_robot(bench::Table& table, const std::string& name, const std::shared_ptr<const control::Robot>& robot) {
  table.head(name + ", one iteration of `solve`, eight step lengths, microseconds");
  for (const int knots : {32, 64}) {
    Warm warm(robot, knots, 1, 1);
    const Times t = time_ticks(warm, repetitions);
    char note[120];
    std::snprintf(note, sizeof note, "median %.1f, p99 %.1f; %d of %d steps taken; linear system %.1f us", t.median * 1e6, t.p99 * 1e6,
                  t.accepted, repetitions, warm.solver.statistics().pcg_times_us[0]);
    table.number("N = " + std::to_string(knots) + ", least", t.least * 1e6, knots == 32 ? 90 : 180, "us", note);
    table.fact("N = " + std::to_string(knots) + ": warm plans improve", t.accepted > repetitions / 2);
  }
  Warm one(robot, 32, 64, 1), two(robot, 32, 64, 2);
  const Times a = time_ticks(one, 40), b = time_ticks(two, 40);
  char note[80];
  std::snprintf(note, sizeof note, "one thread %.0f us, two %.0f us", a.least * 1e6, b.least * 1e6);
  table.number("batch of 64: two threads over one", b.least / a.least, 1 / 1.8, "", note);
}

}  // namespace

int main() {
  const char* shared = std::getenv("TRILITH_SHARED");
  const std::string models = std::string(shared != nullptr ? shared : "../shared") + "/models/robots/";
  std::printf("instruction set %s, load %.1f\n", std::string(name(active_isa())).c_str(), bench::machine_load());
  bench::Table table;
  const struct {
    const char *name, *path, *frame;
  } robots[] = {{"indy7", "indy7/indy7.urdf", "tcp"}, {"iiwa14", "iiwa14/iiwa14_gato.urdf", "contact"}};
  for (const auto& r : robots) {
    const auto robot = load(models + r.path, r.frame);
    if (robot == nullptr)
      std::printf("%s is absent: %s%s\n", r.name, models.c_str(), r.path);
    else
      time_robot(table, r.name, robot);
  }
  std::printf("\n%s\n", table.summary().c_str());
  return table.wrong() ? 1 : 0;
}
