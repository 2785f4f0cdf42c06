// Time per state of forward dynamics with end effector, and of its linearisation, one state at a time and over lanes, with pinocchio as a
// peer in the same run. Bars: issue of the kernels. Answers are compared before anything is timed. `chrt -f 10` makes the times steady.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/isa.h"
#include "base/rng.h"
#include "bench_support.h"
#include "multibody/linearise.h"
#include "multibody_models.h"
#include "pinocchio_peer.h"

namespace {

using namespace trilith;             // NOLINT(google-build-using-namespace): a program of one file
using namespace trilith::multibody;  // NOLINT(google-build-using-namespace): likewise

constexpr int states = 64;
constexpr int repetitions = 3000;
constexpr double budget_s = 2;
constexpr Vec3d gravity{0, 0, -9.81};

/// The same random states, one after the other, and interleaved in groups.
struct States {
  std::vector<double> q, v, tau;
};
States make_states(const Tree& tree) {
  Rng rng(11);
  States s;
  const auto fill = [&rng](std::vector<double>& x, std::int64_t count, double size) {
    for (std::int64_t i = 0; i < count * states; ++i) x.push_back(rng.uniform(-size, size));
  };
  fill(s.q, tree.coordinates(), 1), fill(s.v, tree.dofs(), 1), fill(s.tau, tree.dofs(), 10);
  return s;
}

template <class S>
void in_groups(const std::vector<double>& x, std::size_t count, std::size_t lanes, std::span<S> out) {
  for (std::size_t k = 0; k < states; ++k)
    for (std::size_t i = 0; i < count; ++i) out[(k / lanes * count + i) * lanes + k % lanes] = static_cast<S>(x[k * count + i]);
}

/// Our side: all states in groups of `lanes`.
template <class S>
class Ours {
 public:
  Ours(const Tree& tree, const States& s, int lanes)
      : tree_(tree),
        w_(tree, lanes),
        lanes_(static_cast<std::size_t>(lanes)),
        n_(static_cast<std::size_t>(tree.dofs())),
        arena_(bytes(tree)),
        q_(take(s.q.size())),
        v_(take(s.v.size())),
        tau_(take(s.v.size())),
        a_(take(s.v.size())),
        by_q_(take(n_ * n_ * states)),
        by_v_(take(n_ * n_ * states)),
        inertia_(take(n_ * n_ * states)),
        position_(take(3 * states)),
        jacobian_(take(3 * n_ * states)) {
    in_groups(s.q, static_cast<std::size_t>(tree.coordinates()), lanes_, q_);
    in_groups(s.v, n_, lanes_, v_), in_groups(s.tau, n_, lanes_, tau_);
  }

  void linearise(LineariseForm form) {
    for (std::size_t g = 0; g < states / lanes_; ++g) {
      const Linearisation<S> out{part(a_, g), part(by_q_, g), part(by_v_, g), part(inertia_, g), part(position_, g), part(jacobian_, g)};
      bad_ += multibody::linearise<S>(tree_, knots(g), form, w_, out);
    }
  }
  void accelerate() {
    for (std::size_t g = 0; g < states / lanes_; ++g)
      bad_ += multibody::accelerate<S>(tree_, knots(g), w_, part(a_, g), part(position_, g));
  }
  bool good() const { return bad_ == 0; }
  /// Accelerations and da/dq of the last state.
  std::vector<double> last_answer() const {
    std::vector<double> answer;
    const std::size_t group = states / lanes_ - 1, lane = lanes_ - 1;
    for (std::size_t i = 0; i < n_; ++i) answer.push_back(double(a_[(group * n_ + i) * lanes_ + lane]));
    for (std::size_t i = 0; i < n_ * n_; ++i) answer.push_back(double(by_q_[(group * n_ * n_ + i) * lanes_ + lane]));
    return answer;
  }

 private:
  static std::size_t bytes(const Tree& tree) {
    const auto n = static_cast<std::size_t>(tree.dofs()), q = static_cast<std::size_t>(tree.coordinates());
    // of each array, and what lines it up
    return (q + 6 * n + 3 * n * n + 3) * states * sizeof(S) + 9 * Arena::alignment;
  }
  std::span<S> take(std::size_t count) { return arena_.take<S>(count); }
  std::span<S> part(std::span<S> x, std::size_t g) {
    const std::size_t count = x.size() * lanes_ / states;
    return {x.data() + g * count, count};
  }
  Knots<S> knots(std::size_t g) { return {part(q_, g), part(v_, g), part(tau_, g), {}, gravity, tree_.body(0)}; }

  const Tree& tree_;
  Workspace<S> w_;
  std::size_t lanes_, n_;
  Arena arena_;  // as solvers keep such numbers: aligned
  std::span<S> q_, v_, tau_, a_, by_q_, by_v_, inertia_, position_, jacobian_;
  int bad_ = 0;
};

template <class Work>
double seconds_per_state(const Work& work) {
  return bench::least_time(repetitions, budget_s, [&] { return work(), true; }).wall / states;
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::fabs(a[i] - b[i])), size = std::max(size, std::fabs(b[i]));
  return worst / size;
}

struct Peer {
  double linearise = 0, accelerate = 0;              ///< s per state; 0: absent
  double linearise_share = 0, accelerate_share = 0;  ///< bars as shares of these times; 0: none
};

/// A line in microseconds. `share` is the bar as a share of the peer's time; 0: no bar.
void add_line(bench::Table& table, const std::string& what, double ours_s, double peer_s, double share) {
  char note[80] = "";
  if (peer_s > 0) std::snprintf(note, sizeof note, "pinocchio %.3f us, %.2f times ours", peer_s * 1e6, peer_s / ours_s);
  table.number(what, ours_s * 1e6, share * peer_s * 1e6, "us", note);
}

/// One width: the table's three lines.
template <class S>
void time_width(bench::Table& table, const Tree& tree, const States& s, const std::string& what, int lanes, const Peer& peer) {
  Ours<S> ours(tree, s, lanes);
  const double inverse = seconds_per_state([&] { ours.linearise(LineariseForm::inverse); });
  const double forward = seconds_per_state([&] { ours.linearise(LineariseForm::forward); });
  const double accelerate = seconds_per_state([&] { ours.accelerate(); });
  add_line(table, what + ": linearise, inverse form", inverse, peer.linearise, peer.linearise_share);
  add_line(table, what + ": linearise, forward form", forward, peer.linearise, 0);
  add_line(table, what + ": accelerations and end effector", accelerate, peer.accelerate, peer.accelerate_share);
  table.fact(what + ": every pivot is positive", ours.good());
}

void time_tree(bench::Table& table, const std::string& name, const TreeInput& input, bool with_peer, bool bars) {
  const Tree tree = make_tree(input);
  const States s = make_states(tree);
  Peer peer;
  table.head(name + ", microseconds per state");
  if (with_peer) {
    bench::PinocchioPeer pinocchio(input);
    pinocchio.set_states(s.q, s.v, s.tau);
    peer.linearise = seconds_per_state([&] { pinocchio.linearise(); });
    if (bars) {
      Ours<double> ours(tree, s, 1);
      ours.linearise(LineariseForm::forward);
      pinocchio.linearise();
      table.fact("the answers agree to 1e-9", worst_difference(ours.last_answer(), pinocchio.last_answer()) < 1e-9);
    }
    peer.accelerate = seconds_per_state([&] { pinocchio.accelerate(); });
  }
  const auto with_bars = [&](double linearise_share, double accelerate_share) {
    Peer p = peer;
    if (bars) p.linearise_share = linearise_share, p.accelerate_share = accelerate_share;
    return p;
  };
  time_width<double>(table, tree, s, "double", 1, with_bars(1.3, 1.3));
  time_width<double>(table, tree, s, "8 double lanes", 8, with_bars(1.0 / 12, 1.0 / 20));
  time_width<float>(table, tree, s, "16 float lanes", 16, peer);
}

}  // namespace

int main() {
  std::printf("instruction set %s\n", std::string(name(active_isa())).c_str());
  const bool with_peer = bench::have_pinocchio();
  bench::Table table;
  time_tree(table, "arm of 7 hinges", bench::arm7(), with_peer, true);
  time_tree(table, "figure of 33 degrees of freedom on a free base", bench::figure33(), with_peer, false);
  std::printf("\n%s\n", table.summary().c_str());
  return table.wrong() ? 1 : 0;
}
