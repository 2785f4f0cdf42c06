// Programs through the splitting: the same answers as the interior point, each with its proof.
#include "solve/admm_qp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "programs.h"

namespace trilith::solve {
namespace {

using test::judge;
using test::no_bound;
using test::Program;

TEST(AdmmQpTest, BothEnginesAgreeOnRandomPrograms) {
  Rng rng(7);
  for (int k = 0; k < 200; ++k) {
    const int n = 2 + static_cast<int>(rng.uniform() * 12), m = static_cast<int>(rng.uniform() * 6);
    Program program = test::random_program(rng, n, std::min(m, n - 1), k % 2 == 0);
    const ConicQpReport conic = solve_conic_qp(program.view(), {}, {}), splitting = solve_admm_qp(program.view(), {}, {});
    ASSERT_EQ(splitting.status, SolveStatus::solved) << k;
    EXPECT_TRUE(judge(program.view(), splitting).accepted) << k;
    for (std::size_t i = 0; i < conic.point.x.size(); ++i) EXPECT_NEAR(splitting.point.x[i], conic.point.x[i], 2e-4) << k;
  }
}

TEST(AdmmQpTest, ALongNormBoundIsAChainOfCones) {
  // the point of the ball of radius 2 in 14 dimensions that is furthest along (1, ..., 1)
  const int n = 14;
  Program program{n, {}, std::vector<double>(14, -1.0), {}, {}, {}, {{2, {}}}};
  for (int i = 0; i < n; ++i) program.norms[0].entries.push_back(i);
  const ConicQpReport report = solve_admm_qp(program.view(), {}, {});
  ASSERT_EQ(report.status, SolveStatus::solved);
  for (const double x : report.point.x) EXPECT_NEAR(x, 2 / std::sqrt(14.0), 1e-7);
  EXPECT_TRUE(judge(program.view(), report).accepted);
}

TEST(AdmmQpTest, ContradictionsAndOpenCostsAreProved) {
  Program outside{2, {}, {0, 0}, {1, 0}, {1.5}, {no_bound}, {{1, {0, 1}}}};
  EXPECT_EQ(solve_admm_qp(outside.view(), {}, {}).status, SolveStatus::primal_infeasible);
  EXPECT_TRUE(judge(outside.view(), solve_admm_qp(outside.view(), {}, {})).accepted);
  Program open{2, {1, 0, 0, 0}, {0, -1}, {1, 0}, {0}, {1}, {}};
  EXPECT_EQ(solve_admm_qp(open.view(), {}, {}).status, SolveStatus::dual_infeasible);
  EXPECT_TRUE(judge(open.view(), solve_admm_qp(open.view(), {}, {})).accepted);
}

/// A linear program whose coefficients are each 10^(+-decades / 2) times what they were, around a feasible point.
Program spread_program(Rng& rng, double decades) {
  const int n = 3 + static_cast<int>(rng.uniform() * 6);
  Program program = test::random_program(rng, n, 2, false);
  program.P.clear();
  const auto width = static_cast<std::size_t>(n);
  std::vector<double> point(width);
  for (double& x : point) x = rng.uniform();
  const auto stretch = [&] { return std::pow(10.0, decades * (rng.uniform() - 0.5)); };
  for (std::size_t i = 0; i < program.lower.size(); ++i) {
    double value = 0, largest = 0;
    for (std::size_t j = 0; j < width; ++j) {
      double& a = program.A[i * width + j];
      if (a != 0) a *= stretch();
      value += a * point[j];
      largest = std::max(largest, std::abs(a));
    }
    const bool equality = program.lower[i] == program.upper[i];
    if (std::isfinite(program.lower[i])) program.lower[i] = equality ? value : value - largest * (0.1 + rng.uniform());
    if (std::isfinite(program.upper[i])) program.upper[i] = equality ? value : value + largest * (0.1 + rng.uniform());
  }
  for (double& q : program.q) q *= stretch();
  return program;
}

TEST(AdmmQpTest, WhereTheInteriorPointIsInaccurateThePolishProvesTheAnswer) {
  Rng rng(5);
  int inaccurate = 0, taken = 0;
  for (int k = 0; k < 100; ++k) {
    Program program = spread_program(rng, 6);
    inaccurate += is_proved(program.view(), solve_conic_qp(program.view(), {}, {})) ? 0 : 1;
    bool polished = false;
    const ConicQpReport report = solve_program(program.view(), {}, {}, {}, polished);
    taken += polished ? 1 : 0;
    EXPECT_EQ(report.status, SolveStatus::solved) << k;
    EXPECT_TRUE(judge(program.view(), report).accepted) << k;
  }
  EXPECT_GT(inaccurate, 0);
  EXPECT_EQ(inaccurate, taken);
}

TEST(AdmmQpTest, LimitsAreKept) {
  Program program{2, {1, 0, 0, 2}, {-3, -2}, {1, 1}, {-no_bound}, {2}, {}};
  EXPECT_EQ(solve_admm_qp(program.view(), {}, Deadline::after(0)).status, SolveStatus::time_limit);
  Program conic{2, {1, 0, 0, 2}, {-3, -2}, {1, 1}, {-no_bound}, {2}, {{0.1, {0, 1}}}};
  AdmmQpSettings few;
  few.loop.iteration_limit = 1;
  EXPECT_EQ(solve_admm_qp(conic.view(), few, {}).status, SolveStatus::iteration_limit);
}

}  // namespace
}  // namespace trilith::solve
