#include "solve/soft_descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "recorded_program.h"
#include "support/allocation.h"
#include "support/json_files.h"
#include "support/random.h"
#include "support/shared_data.h"

namespace trilith::solve {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Solved {
  DescentReport report;
  std::vector<double> x, force;
};

Solved solve(const Program& p, std::vector<double> x, const DescentSettings& settings) {
  RowSystem system(room_of(p));
  EXPECT_TRUE(system.update({p.P(), {p.p_start, p.p_column, p.l_value}}, p.G(), p.groups));
  SoftDescent descent(p.unknowns, p.shift.size(), settings);
  const DescentReport report = descent.solve(p.view(), system, {}, x);
  return {report, x, {descent.force().begin(), descent.force().end()}};
}

/// Equalities, friction losses, one-sided rows and contacts of every size, on a random P.
Program random_program(test::Random& random) {
  Program p;
  const std::size_t n = 3 + random.index(8);
  std::vector<std::vector<double>> half(n, std::vector<double>(n)), P(n, std::vector<double>(n));
  for (auto& row : half)
    for (double& v : row) v = random.gauss();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      P[i][j] = i == j ? 0.5 : 0;
      for (std::size_t k = 0; k < n; ++k) P[i][j] += half[i][k] * half[j][k];
    }
  p.set_P(P);
  for (std::size_t i = 0; i < n; ++i) p.center.push_back(random.gauss());
  const std::int32_t sizes[] = {1, 1, 1, 3, 4, 6};
  std::vector<std::vector<double>> mus;
  for (const std::int32_t size : sizes) {
    const double R0 = random.scale(1e-3, 10), R1 = random.scale(1e-3, 10);
    std::vector<double> mu;
    for (std::int32_t k = 1; k < size; ++k) mu.push_back(random.uniform(0.1, 1));
    for (std::int32_t k = 0; k < size; ++k) {
      std::vector<double> row(n);
      for (double& v : row) v = random.index(3) == 0 ? 0 : random.gauss();
      p.add_row(row);
      p.shift.push_back(3 * random.gauss());
      p.R.push_back(k == 0 ? R0 : R1 * mu[0] * mu[0] / (mu[static_cast<std::size_t>(k - 1)] * mu[static_cast<std::size_t>(k - 1)]));
    }
    mus.push_back(mu);
  }
  p.numbers = {{-infinite}, {infinite}, {-0.7}, {0.7}};
  std::int32_t first = 0;
  for (std::size_t g = 0; g < 6; ++g) {
    const auto set = g < 2 ? rows::SetKind::box : g == 2 ? rows::SetKind::nonnegative : rows::SetKind::elliptic;
    p.add_group(set, first, sizes[g], sizes[g]);
    first += sizes[g];
  }
  for (const auto& mu : mus) p.numbers.push_back(mu);
  for (std::size_t g = 0; g < 2; ++g) p.groups[g].lower = p.numbers[2 * g], p.groups[g].upper = p.numbers[2 * g + 1];
  for (std::size_t g = 3; g < 6; ++g) p.groups[g].mu = p.numbers[4 + g];
  return p;
}

constexpr DescentSettings tight{.tolerance = 1e-13, .iteration_limit = 100};

TEST(SoftDescentTest, GradientVanishesAtTheMinimumOfRandomPrograms) {
  test::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Program p = random_program(random);
    const Solved found = solve(p, p.center, tight);
    EXPECT_LT(found.report.gradient, 1e-7) << i << " after " << found.report.iterations;
    EXPECT_LT(found.report.iterations, 40);
  }
}

TEST(SoftDescentTest, EveryStartEndsAtTheSameMinimum) {
  test::Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Program p = random_program(random);
    const Solved one = solve(p, p.center, tight);
    std::vector<double> start = p.center;
    for (double& v : start) v += 10 * random.gauss();
    const Solved other = solve(p, start, tight);
    for (std::size_t k = 0; k < start.size(); ++k) EXPECT_NEAR(one.x[k], other.x[k], 1e-7 * (1 + std::abs(one.x[k])));
  }
}

TEST(SoftDescentTest, NoPointIsBelowTheMinimumAndTheGapBoundHolds) {
  test::Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Program p = random_program(random);
    const Solved best = solve(p, p.center, tight);
    const Solved early = solve(p, p.center, {.tolerance = 0, .iteration_limit = 1});
    RowSystem system(room_of(p));
    ASSERT_TRUE(system.update({p.P(), {}}, p.G(), p.groups));
    SoftDescent descent(p.unknowns, p.shift.size());
    const double gap = descent.measure_change(p.view(), system, best.x, early.x);
    EXPECT_GE(gap, -1e-10);
    EXPECT_LE(gap, early.report.gap_bound * (1 + 1e-9) + 1e-10);
    std::vector<double> aside = best.x;
    for (double& v : aside) v += 1e-3 * random.gauss();
    EXPECT_GT(descent.measure_change(p.view(), system, best.x, aside), 0);
  }
}

TEST(SoftDescentTest, OnlyEqualitiesAreSolvedInOneStep) {
  Program p;
  p.set_P({{2, 0}, {0, 1}});
  p.center = {1, 1};
  p.shift = {0};
  p.R = {1e-3};
  p.add_row({1, 1});
  p.numbers = {{-infinite}, {infinite}};
  rows::RowGroup& group = p.add_group(rows::SetKind::box, 0, 1, 1);
  group.lower = p.numbers[0], group.upper = p.numbers[1];
  const Solved found = solve(p, {0, 0}, tight);
  EXPECT_LE(found.report.iterations, 2);
  // f = -(x + y) / R; 2 (x - 1) = f, y - 1 = f
  const double f = -2 / (1e-3 + 1.5);
  EXPECT_NEAR(found.force[0], f, 1e-10);
  EXPECT_NEAR(found.x[0], 1 + f / 2, 1e-12);
  EXPECT_NEAR(found.x[1], 1 + f, 1e-12);
}

TEST(SoftDescentTest, StopRulesDiffer) {
  test::Random random(8);
  int more = 0;
  for (int i = 0; i < 50; ++i) {
    const Program p = random_program(random);
    const Solved either = solve(p, p.center, {.tolerance = 1e-6, .stop = StopRule::either});
    const Solved both = solve(p, p.center, {.tolerance = 1e-6, .stop = StopRule::both});
    EXPECT_LE(either.report.iterations, both.report.iterations);
    more += both.report.iterations > either.report.iterations;
    EXPECT_LT(both.report.gradient, 1e-6);
  }
  EXPECT_GT(more, 0);
}

TEST(SoftDescentTest, ConjugateGradientsEndAtTheSameMinimum) {
  test::Random random(12);
  for (int i = 0; i < 60; ++i) {
    const Program p = random_program(random);
    const Solved newton = solve(p, p.center, tight);
    for (const DescentMethod method : {DescentMethod::hager_zhang, DescentMethod::polak_ribiere}) {
      const Solved found = solve(p, p.center, {.method = method, .tolerance = 1e-10, .iteration_limit = 5000, .stop = StopRule::both});
      EXPECT_EQ(found.report.factorizations, 0);
      for (std::size_t k = 0; k < newton.x.size(); ++k) EXPECT_NEAR(found.x[k], newton.x[k], 1e-5 * (1 + std::abs(newton.x[k])));
    }
  }
}

TEST(SoftDescentTest, NothingIsAllocatedWhileThePlanIsKept) {
  test::Random random(9);
  const Program p = random_program(random);
  RowSystem system(room_of(p));
  SoftDescent descent(p.unknowns, p.shift.size(), tight);
  std::vector<double> x = p.center;
  const SoftProgram view = p.view();
  ASSERT_TRUE(system.update({p.P(), {}}, {}));
  const test::AllocationCount count;
  ASSERT_TRUE(system.update({p.P(), {p.p_start, p.p_column, p.l_value}}, p.G(), p.groups));
  const DescentReport report = descent.solve(view, system, {}, x);
  EXPECT_EQ(count.delta(), 0);
  EXPECT_EQ(report.status, SolveStatus::solved);
}

TEST(SoftDescentTest, ANumberThatIsNoneEndsTheSolve) {
  test::Random random(10);
  Program p = random_program(random);
  p.g_value[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(p, p.center, tight).report.status, SolveStatus::numerical_failure);
}

TEST(SoftDescentTest, RecordedRowsGiveTheRecordedOptimum) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  int states = 0, most_iterations = 0, by_rule[2] = {};
  double worst = 0, worst_force = 0;
  for (const auto& file : test::files_of(*shared / "reference" / "dynamics" / "open", ".json")) {
    const io::Json dump = test::read_json_file(file);
    if (!dump.find("snapshots")) continue;
    for (const io::Json& snapshot : *dump.find("snapshots")->array()) {
      if (*snapshot.find("efc")->find("n")->number() == 0) continue;
      const Program p = recorded_program(snapshot, *dump.find("compiled"));
      const Solved found = solve(p, p.center, tight);
      const auto want = test::numbers(snapshot.find("qacc_opt")), want_force = test::numbers(snapshot.find("efc_force_opt"));
      double size = 1, error = 0, force_size = 1, force_error = 0;
      for (std::size_t i = 0; i < want.size(); ++i)
        size = std::max(size, std::abs(want[i])), error = std::max(error, std::abs(found.x[i] - want[i]));
      for (std::size_t i = 0; i < want_force.size(); ++i)
        force_size = std::max(force_size, std::abs(want_force[i])),
        force_error = std::max(force_error, std::abs(found.force[i] - want_force[i]));
      EXPECT_LT(error / size, 1e-7) << file.filename() << " step " << *snapshot.find("step")->number() << " iterations "
                                    << found.report.iterations;
      EXPECT_LT(force_error / force_size, 1e-6) << file.filename();
      worst = std::max(worst, error / size), worst_force = std::max(worst_force, force_error / force_size);
      most_iterations = std::max(most_iterations, found.report.iterations);
      ++states;
      int rule = 0;
      for (const DescentMethod method : {DescentMethod::hager_zhang, DescentMethod::polak_ribiere})
        by_rule[rule++] += solve(p, p.center, {.method = method, .tolerance = 1e-8, .iteration_limit = 1000}).report.iterations;
    }
  }
  EXPECT_GE(states, 150);
  std::printf("%d states, worst acceleration %.1e, worst force %.1e, at most %d iterations; conjugate gradients %d and %d in all\n", states,
              worst, worst_force, most_iterations, by_rule[0], by_rule[1]);
  EXPECT_LT(by_rule[0], 100 * states);
}

}  // namespace
}  // namespace trilith::solve
