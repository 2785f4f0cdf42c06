// Steps per second without constraints, one thread, beside Debian's MuJoCo (2.2.2) on the same models from the same states in one run.
// MuJoCo 3.12.1 is 1.3 to 2.2 times faster than 2.2.2 (specification of dynamics), so half a peer's time is on a par with it.
#include <cmath>
#include <cstdio>

#include "bench_support.h"
#include "dynamics/simulator.h"
#include "io/load_model.h"

#ifdef TRILITH_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

namespace trilith::bench {
namespace {

constexpr int steps = 2000, repetitions = 7;
constexpr double budget_s = 3;

/// The same small swing of all controls for both.
double control(int step, int i) { return 0.3 * std::sin(0.01 * step + i); }

struct Case {
  const char *name, *file;
  model::Integrator integrator;
  double bar;  ///< largest share of the peer's time; 0: none
};

double ours(const Case& c, std::vector<double>& end) {
  const auto model = std::make_shared<const model::Model>(io::load_model(std::string(TRILITH_SOURCE_DIR "/models/") + c.file).value());
  model::SimulationOptions options = model->options;
  options.constraints = false;
  options.integrator = c.integrator;
  const auto system = dynamics::make_system(model, options).value().system;
  dynamics::Simulator simulator(system);
  const dynamics::State start = simulator.state();
  const Seconds time = least_time(repetitions, budget_s, [&] {
    simulator.state() = start;
    bool right = true;
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < start.ctrl.size(); ++i) simulator.state().ctrl[i] = control(step, static_cast<int>(i));
      right = simulator.step().status == dynamics::StepStatus::done && right;
    }
    return right;
  });
  end = simulator.state().q;
  return time.cpu / steps;
}

#ifdef TRILITH_HAVE_MUJOCO
double theirs(const Case& c, std::vector<double>& end) {
  char error[1000] = "";
  mjModel* m = mj_loadXML((std::string(TRILITH_SOURCE_DIR "/models/") + c.file).c_str(), nullptr, error, sizeof error);
  if (m == nullptr) {
    std::printf("%s: MuJoCo cannot read it: %s\n", c.name, error);
    return 0;
  }
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  m->opt.integrator = c.integrator == model::Integrator::rk4        ? mjINT_RK4
                      : c.integrator == model::Integrator::implicit ? mjINT_IMPLICIT
                                                                    : mjINT_EULER;
  mjData* d = mj_makeData(m);
  const Seconds time = least_time(repetitions, budget_s, [&] {
    mj_resetData(m, d);
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < m->nu; ++i) d->ctrl[i] = control(step, i);
      mj_step(m, d);
    }
    return d->warning[mjWARN_BADQACC].number == 0;
  });
  end.assign(d->qpos, d->qpos + m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
  return time.cpu / steps;
}
#endif

void compare(Table& table, const Case& c) {
  std::vector<double> our_end, their_end;
  const double own = ours(c, our_end);
  double peer = 0;
#ifdef TRILITH_HAVE_MUJOCO
  peer = theirs(c, their_end);
#endif
  char note[80];
  std::snprintf(note, sizeof note, "%.0f steps/s", 1 / own);
  table.time(std::string(c.name) + ": a step", own, 0, peer, note);
  if (peer > 0) table.number(std::string(c.name) + ": share of the peer's time", own / peer, c.bar, "");
  double apart = 0;
  for (std::size_t i = 0; i < our_end.size() && i < their_end.size(); ++i) apart = std::fmax(apart, std::fabs(our_end[i] - their_end[i]));
  if (peer > 0) table.number(std::string(c.name) + ": apart after " + std::to_string(steps) + " steps", apart, 0, "rad or m");
}

}  // namespace
}  // namespace trilith::bench

int main() {
  using namespace trilith;
  bench::keep_memory();
  bench::Table table;
  table.head("Steps without constraints, one thread");
#ifndef TRILITH_HAVE_MUJOCO
  std::printf("MuJoCo is absent (libmujoco-dev): no peer\n");
#endif
  const bench::Case cases[] = {
      {"figure, 27 dof, euler", "figure27.xml", model::Integrator::euler, 0.5},
      {"figure, 27 dof, implicit", "figure27.xml", model::Integrator::implicit, 0.5},
      {"figure, 27 dof, rk4", "figure27.xml", model::Integrator::rk4, 0.5},
      {"arm with hand, 15 dof, euler", "arm_hand.xml", model::Integrator::euler, 0.5},
      {"20 boxes, 120 dof, euler", "pile20.xml", model::Integrator::euler, 0.5},
  };
  for (const bench::Case& c : cases) bench::compare(table, c);
  std::printf("%s\n", table.summary().c_str());
  return table.wrong() ? 1 : 0;
}
