// Experiment of docs/decisions/0002: one hash of two kernels, scalar and in lanes. Not part of the build; the record names the commands.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "base/lanes.h"

namespace {

using trilith::Lanes;
constexpr int size = 7;

/// Cholesky factor of a full symmetric matrix, lower triangle in place.
template <class T>
void factor(T (&a)[size][size]) {
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < size; ++i) a[i][j] = a[i][j] - a[i][k] * a[j][k];
    const T pivot = trilith::sqrt(a[j][j]);
    for (int i = j; i < size; ++i) a[i][j] = a[i][j] / pivot;
  }
}

/// Friction cone: tangential length and foot of the projection onto the generator.
template <class T>
T cone_foot(T n, T t1, T t2, T mu) {
  const T r = trilith::sqrt(t1 * t1 + t2 * t2);
  return trilith::select(r <= mu * n, n, (mu * r + n) / (mu * mu + T(1)));
}

std::uint64_t random_state = 1;
double uniform() {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(random_state >> 11) * 0x1p-53;
}

void mix(std::uint64_t& hash, double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  for (int byte = 0; byte < 8; ++byte) hash = (hash ^ ((bits >> (8 * byte)) & 255)) * 1099511628211u;
}

/// Fills one problem per lane, runs the two kernels, mixes every lane in the order of the problems.
template <int N>
std::uint64_t run(int problems) {
  random_state = 1;
  std::uint64_t hash = 14695981039346656037u;
  for (int first = 0; first < problems; first += N) {
    Lanes<double, N> a[size][size], n(0), t1(0), t2(0);
    for (int lane = 0; lane < N; ++lane) {
      for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) {
          const double value = uniform() + (i == j ? size : 0);
          a[i][j].set(lane, value);
          a[j][i].set(lane, value);
        }
      n.set(lane, uniform() - 0.5);
      t1.set(lane, uniform() - 0.5);
      t2.set(lane, uniform() - 0.5);
    }
    factor(a);
    const Lanes<double, N> foot = cone_foot(n, t1, t2, Lanes<double, N>(0.84));
    for (int lane = 0; lane < N; ++lane) {
      for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) mix(hash, a[i][j][lane]);
      mix(hash, foot[lane]);
    }
  }
  return hash;
}

/// The same on plain doubles.
std::uint64_t run_scalar(int problems) {
  random_state = 1;
  std::uint64_t hash = 14695981039346656037u;
  for (int problem = 0; problem < problems; ++problem) {
    double a[size][size];
    for (int i = 0; i < size; ++i)
      for (int j = 0; j <= i; ++j) a[i][j] = a[j][i] = uniform() + (i == j ? size : 0);
    const double n = uniform() - 0.5, t1 = uniform() - 0.5, t2 = uniform() - 0.5;
    factor(a);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j <= i; ++j) mix(hash, a[i][j]);
    mix(hash, cone_foot(n, t1, t2, 0.84));
  }
  return hash;
}

/// Smallest time of one factorization of the 8-lane kernel, ns per matrix.
double time_lanes() {
  using Clock = std::chrono::steady_clock;
  constexpr int repeats = 20000;
  Lanes<double, 8> start[size][size], a[size][size];
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) start[i][j] = Lanes<double, 8>(i == j ? size + 1 : 0.1 * (i + j));
  double best = 1e9;
  for (int round = 0; round < 60; ++round) {
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < repeats; ++k) {
      std::memcpy(&a, &start, sizeof a);
      factor(a);
      asm volatile("" : : "r"(&a) : "memory");
    }
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / repeats / 8);
  }
  return best;
}

}  // namespace

int main() {
  constexpr int problems = 16384;
  std::printf("%016llx %016llx %016llx %.1f ns\n", static_cast<unsigned long long>(run_scalar(problems)),
              static_cast<unsigned long long>(run<4>(problems)), static_cast<unsigned long long>(run<8>(problems)), time_lanes());
}
