// Projection of contacts onto their friction cones: one at a time against the kernels of every instruction set. Time per contact is
// 1e9 / items_per_second; the answer is checked, and a wrong one fails the benchmark.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "base/isa.h"
#include "cones/cones_kernel.h"
#include "cones/elliptic.h"
#include "cones/pyramid.h"

namespace trilith {
namespace {

constexpr std::size_t count = 4096;  // fits the second-level cache

/// Contacts in every zone, and what the projection must give.
struct Contacts {
  std::vector<double> mu, n, t1, t2, expected_n;
  Contacts() {
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<double>(i);
      mu.push_back(0.2 + 0.8 * (k / count));
      n.push_back(std::sin(0.7 * k));
      t1.push_back(std::cos(1.3 * k));
      t2.push_back(std::sin(2.1 * k));
      const double r = std::hypot(t1[i], t2[i]), m = mu[i];
      expected_n.push_back(r <= m * n[i] ? n[i] : m * r <= -n[i] ? 0 : (n[i] + m * r) / (1 + m * m));
    }
  }
  /// Largest error of the normal components.
  double error(const std::vector<double>& projected) const {
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) worst = std::max(worst, std::abs(projected[i] - expected_n[i]));
    return worst;
  }
};

void finish(benchmark::State& state, const Contacts& given, const std::vector<double>& projected) {
  if (given.error(projected) > 1e-14) state.SkipWithError("wrong projection");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

void project_one_by_one(benchmark::State& state) {
  const Contacts given;
  Contacts c = given;
  for (auto _ : state) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto p = cones::project(cones::Contact3<double>{given.n[i], given.t1[i], given.t2[i]}, given.mu[i]);
      c.n[i] = p.n, c.t1[i] = p.t1, c.t2[i] = p.t2;
    }
    benchmark::ClobberMemory();
  }
  finish(state, given, c.n);
}
BENCHMARK(project_one_by_one);

void project_kernel(benchmark::State& state) {
  const Isa isa = static_cast<Isa>(state.range(0));
  state.SetLabel(std::string(name(isa)));
  if (!has_isa(isa)) return state.SkipWithError("this CPU has no such instruction set");
  const Contacts given;
  Contacts c = given;
  // the projection of a projection is itself: repeated runs in place do the same work
  for (auto _ : state) {
    cones::cones_kernel_of(isa).project_contacts(count, c.mu.data(), c.n.data(), c.t1.data(), c.t2.data());
    benchmark::ClobberMemory();
  }
  finish(state, given, c.n);
}
BENCHMARK(project_kernel)->DenseRange(0, 2);

/// Energy, force and Hessian of elliptic contacts, the inner block of a Newton step.
void respond_to_contacts(benchmark::State& state) {
  const Contacts given;
  double total = 0;
  for (auto _ : state) {
    total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const cones::Elliptic<double, 3> set = {{{given.mu[i], given.mu[i]}}};
      const auto r = respond_contact(set, {{given.n[i], given.t1[i], given.t2[i]}}, 1e-3, 1e-4, cones::filled<double, 3>(0.0));
      total += r.value + r.force[0] + r.hessian.m[1][2];
    }
    benchmark::DoNotOptimize(total);
  }
  if (!(total > 0)) state.SkipWithError("wrong energy");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(respond_to_contacts);

/// Elliptic cones under weights that leave no closed form.
void project_uneven_cones(benchmark::State& state) {
  const Contacts given;
  double worst = 0;
  for (auto _ : state) {
    worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const cones::Elliptic<double, 3> set = {{{given.mu[i], 0.5}}};
      const auto p = set.projection({{given.n[i], given.t1[i], given.t2[i]}}, {{1, 2, 3}}).point;
      worst = std::max(worst, std::hypot(p[1] / given.mu[i], p[2] / 0.5) - p[0]);
    }
    benchmark::DoNotOptimize(worst);
  }
  if (worst > 1e-14) state.SkipWithError("wrong projection");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(project_uneven_cones);

void project_pyramids(benchmark::State& state) {
  const Contacts given;
  const cones::PyramidFaces faces = cones::make_pyramid_faces(static_cast<int>(state.range(0))).value();
  double worst = 0;
  for (auto _ : state) {
    worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto pyramid = cones::make_pyramid<double>(faces, given.mu[i]);
      const auto p = pyramid.project({{given.n[i], given.t1[i], given.t2[i]}});
      worst = std::max(worst, p[1] - given.mu[i] * p[0]);
    }
    benchmark::DoNotOptimize(worst);
  }
  if (worst > 1e-14) state.SkipWithError("wrong projection");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(project_pyramids)->Arg(4)->Arg(8);

}  // namespace
}  // namespace trilith
