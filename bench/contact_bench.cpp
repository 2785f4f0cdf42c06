// Steps per second with contacts, one environment, one thread, beside Debian's MuJoCo (2.2.2): the same model, options, tolerance and start
// in one run, and where the time goes in both. MuJoCo 3.12.1 is 1.3 to 2.2 times faster than 2.2.2 (specification of dynamics), so 1 / 2.2
// of the peer's time is on a par with it. Motions part soon (contacts amplify rounding); counts tell whether both had the same work.
//   contact_bench               short cases
//   contact_bench pile100 ...   only these; boxes1000 and boxes10000 run only when they are named
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "bench_support.h"
#include "contact_cases.h"
#include "contact_peer.h"
#include "dynamics/simulator.h"
#include "dynamics/stages.h"
#include "io/load_model.h"

namespace trilith::bench {
namespace {

constexpr int repetitions = 7;
constexpr double budget_s = 4, par = 1 / 2.2;

const ContactCase short_cases[] = {
    {.name = "arm_hand", .file = "arm_hand.xml", .settle = 100, .swing = 0.3, .steps = 1000, .bar = par, .keyframe = "ready"},
    {.name = "figure27", .file = "figure27.xml", .settle = 600, .swing = 0.1, .steps = 300, .bar = par},
    {.name = "pile20", .file = "pile20.xml", .boxes = 20, .settle = 200, .steps = 50, .bar = par},
    {.name = "pile100", .file = "pile100.xml", .boxes = 100, .settle = 200, .steps = 8, .bar = par},
};
const ContactCase named_cases[] = {
    {.name = "boxes1000", .boxes = 1000, .settle = 30, .steps = 5, .bar = par},
    {.name = "boxes10000", .boxes = 10000, .settle = 0, .steps = 30, .peer = false},
};

std::string path_of(const ContactCase& c, const ScratchFolder& folder) {
  if (!c.file.empty()) return TRILITH_SOURCE_DIR "/models/" + c.file;
  const std::string path = folder.file(c.name + ".xml");
  std::ofstream(path) << pile_text(c.boxes);
  return path;
}

/// Ours on one model.
class Own {
 public:
  explicit Own(const std::string& path) {
    const auto model = std::make_shared<const model::Model>(io::load_model(path).value());
    const double begin = thread_cpu_seconds();
    system_ = dynamics::make_system(model, model->options).value().system;
    simulator_ = std::make_unique<dynamics::Simulator>(system_);
    setup_s = thread_cpu_seconds() - begin;
  }

  ContactStart settle(const ContactCase& c) {
    dynamics::State& state = simulator_->state();
    for (const model::Keyframe& key : system_->model->keyframes)
      if (key.name == c.keyframe) dynamics::apply_keyframe(*system_->model, key, state);
    for (int step = 0; step < c.settle; ++step) (void)simulator_->step();
    return {state.q, state.v, state.act, state.warm_start};
  }

  void reset(const ContactStart& start) {
    simulator_->state() = dynamics::make_state(*system_->model);
    simulator_->state().q = start.q, simulator_->state().v = start.v, simulator_->state().act = start.act;
    simulator_->state().warm_start = start.warm_start;
  }

  bool run(const ContactCase& c, const ContactStart& start, ContactCounts* counts) {
    reset(start);
    bool right = true;
    for (int step = 0; step < c.steps; ++step) {
      steer(c, step);
      const dynamics::StepReport report = simulator_->step();
      right = right && report.status == dynamics::StepStatus::done && !report.constraints.touches_full;
      if (counts != nullptr) add(report.constraints, 1.0 / c.steps, *counts);
    }
    return right;
  }

  /// The stages once more by themselves at the states of a run.
  ContactTimes profile(const ContactCase& c, const ContactStart& start) {
    const dynamics::ConstraintSetup& setup = *system_->constraints;
    dynamics::Workspace smooth(*system_);
    constraints::TouchScratch scratch(setup.touches);
    std::vector<constraints::Touch> touches(setup.most_touches);
    constraints::SoftRows rows(setup.capacity, setup.widest_row);
    constraints::TouchRows touch_rows(system_->nv());
    constraints::EqualityRows equality_rows(system_->nv());
    const std::vector<char> active(system_->model->equalities.size(), 1);
    ContactTimes sum;
    reset(start);
    for (int step = 0; step < c.steps; ++step) {
      steer(c, step);
      double mark = thread_cpu_seconds();
      const auto lap = [&mark] {
        const double now = thread_cpu_seconds(), spent = now - mark - clock_cost();
        mark = now;
        return spent;
      };
      (void)dynamics::update_smooth(*system_, simulator_->state(), smooth);
      sum.smooth += lap();
      bool full = false;
      const std::size_t count = setup.touches.find(smooth.X_WB, scratch, touches, full);
      sum.collision += lap();
      const constraints::SoftScene scene = simulator_->constraints().scene(*system_, simulator_->state(), smooth);
      rows.clear();
      equality_rows.add(scene, setup.holds, active, rows);
      add_loss_rows(scene, rows);
      add_limit_rows(scene, rows);
      touch_rows.add(scene, std::span(touches).first(count), rows);
      sum.rows += lap();
      (void)simulator_->step();
    }
    for (double* time : {&sum.smooth, &sum.collision, &sum.rows}) *time /= c.steps;
    return sum;
  }

  double setup_s = 0;

 private:
  void steer(const ContactCase& c, int step) {
    for (std::size_t i = 0; i < simulator_->state().ctrl.size(); ++i) simulator_->state().ctrl[i] = control(c, step, static_cast<int>(i));
  }
  static void add(const dynamics::ConstraintReport& report, double share, ContactCounts& counts) {
    counts.contacts += share * static_cast<double>(report.touches), counts.rows += share * static_cast<double>(report.rows);
    counts.iterations += share * report.descent.iterations;
  }

  std::shared_ptr<const dynamics::System> system_;
  std::unique_ptr<dynamics::Simulator> simulator_;
};

void print_counts(const char* who, const ContactCounts& n) {
  std::printf("    %-58s %.1f contacts, %.1f rows, %.2f iterations a step\n", who, n.contacts, n.rows, n.iterations);
}

/// Least of each stage over the repetitions.
template <class Profile>
ContactTimes least_times(const Profile& profile) {
  ContactTimes least{1e300, 1e300, 1e300, 1e300};
  const double begin = wall_seconds();
  for (int i = 0; i < repetitions && (i == 0 || wall_seconds() - begin < budget_s / 2); ++i) {
    const ContactTimes t = profile();
    least = {std::min(least.collision, t.collision), std::min(least.rows, t.rows), std::min(least.solve, t.solve),
             std::min(least.smooth, t.smooth)};
  }
  return least;
}

void print_stage(const char* what, double own_s, double peer_s) {
  std::printf("    %-56s %8.2f us", what, 1e6 * own_s);
  if (peer_s > 0) std::printf("  %8.2f us %7.3f", 1e6 * peer_s, own_s / peer_s);
  std::printf("\n");
}

void print_stages(const ContactTimes& own, const ContactTimes& peer) {
  print_stage("contacts", own.collision, peer.collision);
  print_stage("rows", own.rows, peer.rows);
  print_stage("solve (ours: and integration)", own.solve, peer.solve);
  print_stage("without constraints (the peer's: and integration)", own.smooth, peer.smooth);
}

/// Both programs with the same steps from the same start.
void compare(Table& table, const ContactCase& c, const ScratchFolder& folder) {
  const std::string path = path_of(c, folder);
  Own own(path);
  std::unique_ptr<ContactPeer> peer = c.peer ? std::make_unique<ContactPeer>(path, c.boxes) : nullptr;
  if (peer && !peer->ok()) peer = nullptr;
  const ContactStart start = peer ? peer->settle(c) : own.settle(c);
  ContactCounts own_counts, peer_counts;
  (void)own.run(c, start, &own_counts);
  const double own_s = least_time(repetitions, budget_s, [&] { return own.run(c, start, nullptr); }).cpu / c.steps;
  double peer_s = 0;
  ContactTimes times = least_times([&] { return own.profile(c, start); }), peer_times;
  times.solve = own_s - times.smooth - times.collision - times.rows;
  if (peer) {
    (void)peer->run(c, start, &peer_counts, nullptr);
    peer_s = least_time(repetitions, budget_s, [&] { return peer->run(c, start, nullptr, nullptr); }).cpu / c.steps;
    peer_times = least_times([&] {
      ContactTimes t;
      (void)peer->run(c, start, nullptr, &t);
      return t;
    });
    peer_times.smooth = peer_s - peer_times.solve - peer_times.collision - peer_times.rows;
  }
  char note[80];
  std::snprintf(note, sizeof note, "%.4g steps/s; set-up %.3g s", 1 / own_s, own.setup_s);
  table.time(c.name + ": a step", own_s, 0, peer_s, note);
  if (peer) table.number(c.name + ": share of the peer's time", own_s / peer_s, c.bar, "");
  print_stages(times, peer_times);
  print_counts("ours", own_counts);
  if (peer) print_counts("MuJoCo 2.2.2", peer_counts);
}

/// In a process of its own, for its memory.
void run_alone(Table& table, const std::string& name) {
  const Child child = run_child({"/proc/self/exe", "--alone", name});
  table.fact(name + " runs", child.exit == 0);
  table.number(name + ": memory of a process of its own", child.peak_byte / (1 << 30), 2, "GiB");
}

bool run_named(Table& table, const std::string& name, const ScratchFolder& folder, bool alone) {
  for (const ContactCase& c : short_cases)
    if (c.name == name) return compare(table, c, folder), true;
  for (const ContactCase& c : named_cases) {
    if (c.name != name) continue;
    compare(table, c, folder);
    if (!alone && !c.peer) run_alone(table, name);
    return true;
  }
  return false;
}

}  // namespace
}  // namespace trilith::bench

int main(int argc, char** argv) {
  namespace bench = trilith::bench;
  bench::keep_memory();
  (void)bench::clock_cost();  // measured now, not within a stage
  bench::Table table;
  const bench::ScratchFolder folder;
  table.head("Steps with contacts, one thread");
  const bool alone = argc > 1 && std::strcmp(argv[1], "--alone") == 0;
  for (int i = alone ? 2 : 1; i < argc; ++i)
    if (!bench::run_named(table, argv[i], folder, alone)) return std::printf("no case %s\n", argv[i]), 2;
  if (argc == 1)
    for (const bench::ContactCase& c : bench::short_cases) bench::compare(table, c, folder);
  std::printf("%s\n", table.summary().c_str());
  return table.wrong() ? 1 : 0;
}
