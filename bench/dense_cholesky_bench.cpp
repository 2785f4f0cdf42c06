// Time per matrix of dense Cholesky: one at a time in double, and over 8 double or 16 float lanes on the active instruction set. Every
// benchmark solves with its factor and fails where the answer is wrong. Compare times only as ratios inside one run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "base/isa.h"
#include "base/rng.h"
#include "linalg/dense_cholesky.h"

namespace {

using trilith::linalg::FactorReport;
using trilith::linalg::FactorSettings;

/// `group` copies of a diagonally dominant symmetric matrix of size n, interleaved, each a little different.
template <class S>
std::vector<S> make_matrices(int n, int group) {
  trilith::Rng rng(5);
  std::vector<S> a(static_cast<std::size_t>(n * n * group));
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      for (int k = 0; k < group; ++k) {
        const auto value = static_cast<S>(i == j ? n + rng.uniform() : rng.uniform(-1, 1));
        a[static_cast<std::size_t>((j * n + i) * group + k)] = value;
        a[static_cast<std::size_t>((i * n + j) * group + k)] = value;
      }
    }
  }
  return a;
}

/// Largest |A x - 1| over the group, x from the factor.
template <class S>
double worst_residual(const std::vector<S>& a, const std::vector<S>& x, int n, int group) {
  double worst = 0;
  for (int k = 0; k < group; ++k) {
    for (int i = 0; i < n; ++i) {
      double sum = -1;
      for (int j = 0; j < n; ++j) {
        sum += static_cast<double>(a[static_cast<std::size_t>((j * n + i) * group + k)]) *
               static_cast<double>(x[static_cast<std::size_t>(j * group + k)]);
      }
      worst = std::max(worst, std::fabs(sum));
    }
  }
  return worst;
}

template <class S>
void finish(benchmark::State& state, const std::vector<S>& a, const std::vector<S>& x, int group) {
  const double limit = sizeof(S) == 8 ? 1e-13 : 1e-5;
  if (worst_residual(a, x, static_cast<int>(state.range(0)), group) > limit) state.SkipWithError("wrong answer");
  state.counters["ns_per_matrix"] =
      benchmark::Counter(static_cast<double>(state.iterations() * group) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(std::string(name(trilith::active_isa())));
}

void factor_one(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const std::vector<double> a = make_matrices<double>(n, 1);
  std::vector<double> l = a, x(static_cast<std::size_t>(n), 1.0);
  for (auto _ : state) {
    l = a;
    benchmark::DoNotOptimize(trilith::linalg::factor_dense(l, n, FactorSettings{}));
    benchmark::ClobberMemory();
  }
  trilith::linalg::solve_dense(l, n, x);
  finish(state, a, x, 1);
}

template <class S, int Group>
void factor_lanes(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const std::vector<S> a = make_matrices<S>(n, Group);
  std::vector<S> l = a, x(static_cast<std::size_t>(n * Group), S(1));
  std::vector<FactorReport> report(Group);
  for (auto _ : state) {
    l = a;
    trilith::linalg::factor_dense_batch(l, n, FactorSettings{}, report);
    benchmark::ClobberMemory();
  }
  trilith::linalg::solve_dense_batch(l, n, x);
  finish(state, a, x, Group);
}

BENCHMARK(factor_one)->Arg(6)->Arg(7)->Arg(14);
BENCHMARK(factor_lanes<double, trilith::linalg::double_group>)->Name("factor_8_double_lanes")->Arg(6)->Arg(7)->Arg(14);
BENCHMARK(factor_lanes<float, trilith::linalg::float_group>)->Name("factor_16_float_lanes")->Arg(6)->Arg(7)->Arg(14);

}  // namespace
