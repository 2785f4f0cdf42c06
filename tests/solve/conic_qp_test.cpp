// Programs with known answers, and random ones whose answer an independent judge proves.
#include "solve/conic_qp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "programs.h"

namespace trilith::solve {
namespace {

using test::judge;
using test::no_bound;
using test::Program;
using test::random_program;

ConicQpReport solve(Program& program) { return solve_conic_qp(program.view(), {}, {}); }

TEST(ConicQpTest, ABoundedQuadraticMeetsItsClosedForm) {
  // (5/3, 1/3): the constraint x + y <= 2 is active
  for (const double far : {no_bound, 1e8, 1e4}) {
    Program program{2, {1, 0, 0, 2}, {-3, -2}, {1, 1, 1, 0, 0, 1}, {-far, 0, 0}, {2, far, far}, {}};
    const ConicQpReport report = solve(program);
    ASSERT_EQ(report.status, SolveStatus::solved);
    EXPECT_NEAR(report.point.x[0], 5.0 / 3, 1e-8);
    EXPECT_NEAR(report.point.x[1], 1.0 / 3, 1e-8);
    EXPECT_NEAR(report.point.y[0], 4.0 / 3, 1e-7);
    EXPECT_TRUE(judge(program.view(), report).accepted);
    EXPECT_LE(report.iterations, 16);
  }
}

TEST(ConicQpTest, AFarBoundThatIsMetTakesPart) {
  // without the bound at 1e6 the minimiser is 1e9
  Program program{1, {1}, {-1e9}, {1, 1}, {-1, -no_bound}, {no_bound, 1e6}, {}};
  const ConicQpReport report = solve(program);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.point.x[0], 1e6, 1e-2);
  EXPECT_TRUE(judge(program.view(), report).accepted);
}

TEST(ConicQpTest, AFarBoundIsSeenInEveryUnit) {
  // 1e5 times as far as the nearest bound and passed by 1 % without it, in lengths of a nanometre
  Program program{1, {1}, {-1.01e-4}, {1, 1}, {-1e-9, -no_bound}, {no_bound, 1e-4}, {}};
  const ConicQpReport report = solve(program);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.point.x[0] / 1e-4, 1, 1e-6);
  EXPECT_TRUE(judge(program.view(), report).accepted);
}

TEST(ConicQpTest, EqualitiesHoldAndGetMultipliers) {
  // nearest point to the origin on x + y + z = 3: (1, 1, 1), multiplier -1; the second row says the same twice over
  Program program{3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1, 2, 2, 2}, {3, 6}, {3, 6}, {}};
  const ConicQpReport report = solve(program);
  ASSERT_EQ(report.status, SolveStatus::solved);
  for (const double x : report.point.x) EXPECT_NEAR(x, 1, 1e-12);
  EXPECT_NEAR(report.point.y[0] + 2 * report.point.y[1], -1, 1e-12);
}

TEST(ConicQpTest, AFixedPointNeedsNoIteration) {
  Program program{1, {1}, {0}, {1, 1, -1}, {1, -no_bound, -no_bound}, {1, 1, -1}, {}};
  const ConicQpReport report = solve(program);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_DOUBLE_EQ(report.point.x[0], 1);
}

TEST(ConicQpTest, ALinearCostOnABallEndsOnItsSurface) {
  for (const int n : {1, 2, 3, 7}) {
    const auto count = static_cast<std::size_t>(n);
    Program program{n, {}, std::vector<double>(count, 0), {}, {}, {}, {{2, {}}}};
    double length = 0;
    for (int i = 0; i < n; ++i) {
      program.q[static_cast<std::size_t>(i)] = 1 + i;
      length += (1.0 + i) * (1 + i);
      program.norms[0].entries.push_back(i);
    }
    const ConicQpReport report = solve(program);
    ASSERT_EQ(report.status, SolveStatus::solved) << n;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(report.point.x[static_cast<std::size_t>(i)], -2 * (1 + i) / std::sqrt(length), 1e-4) << n;
    EXPECT_TRUE(judge(program.view(), report).accepted) << n << judge(program.view(), report).statement;
  }
}

TEST(ConicQpTest, ABallOfRadiusZeroIsAPoint) {
  Program program{2, {1, 0, 0, 1}, {-1, -1}, {}, {}, {}, {{0, {0}}}};
  const ConicQpReport report = solve(program);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.point.x[0], 0, 1e-12);
  EXPECT_NEAR(report.point.x[1], 1, 1e-8);
  EXPECT_TRUE(judge(program.view(), report).accepted);
}

TEST(ConicQpTest, ContradictionsAreProved) {
  std::vector<Program> programs;
  programs.push_back({2, {}, {0, 0}, {1, 0}, {1.5}, {no_bound}, {{1, {0, 1}}}});                       // outside the ball
  programs.push_back({1, {0}, {1}, {1, 1}, {-no_bound, 1e-4}, {0, no_bound}, {}});                     // x <= 0, x >= 1e-4
  programs.push_back({2, {1, 0, 0, 1}, {0, 0}, {1, 1, 2, 2}, {1, 3}, {1, 3}, {}});                     // parallel equalities
  programs.push_back({2, {1, 0, 0, 1}, {0, 0}, {1, 0, 0, 1, 1, 1}, {1, 2, 4}, {1, 2, no_bound}, {}});  // fixed point below a bound
  for (Program& program : programs) {
    const ConicQpReport report = solve(program);
    EXPECT_EQ(report.status, SolveStatus::primal_infeasible) << &program - programs.data();
    EXPECT_TRUE(judge(program.view(), report).accepted) << &program - programs.data() << judge(program.view(), report).statement;
  }
}

TEST(ConicQpTest, ACostWithoutALowerBoundIsProved) {
  Program program{2, {1, 0, 0, 0}, {0, -1}, {1, 0}, {0}, {1}, {}};
  const ConicQpReport report = solve(program);
  EXPECT_EQ(report.status, SolveStatus::dual_infeasible);
  EXPECT_TRUE(judge(program.view(), report).accepted);
}

TEST(ConicQpTest, RandomProgramsAreSolvedToAProof) {
  Rng rng(7);
  int most = 0;
  for (int k = 0; k < 200; ++k) {
    const int n = 2 + static_cast<int>(rng.uniform() * 12), m = static_cast<int>(rng.uniform() * 6);
    Program program = random_program(rng, n, std::min(m, n - 1), k % 2 == 0);
    const ConicQpReport report = solve(program);
    ASSERT_EQ(report.status, SolveStatus::solved) << k;
    const auto verification = judge(program.view(), report);
    EXPECT_TRUE(verification.accepted) << k << " " << (verification.broken.empty() ? "" : verification.broken[0].what);
    most = std::max(most, report.iterations);
  }
  EXPECT_LE(most, 35);
}

TEST(ConicQpTest, UnitsOfRowsAndVariablesDoNotMatter) {
  Rng rng(11);
  for (int k = 0; k < 20; ++k) {
    Program program = random_program(rng, 6, 3, false);
    const ConicQpReport report = solve(program);
    ASSERT_EQ(report.status, SolveStatus::solved);
    Program scaled = program;
    std::vector<double> unit(6);
    for (double& u : unit) u = std::ldexp(1.0, static_cast<int>(rng.uniform() * 20) - 10);
    for (std::size_t i = 0; i < 6; ++i) {
      scaled.q[i] *= unit[i];
      for (std::size_t j = 0; j < 6; ++j) scaled.P[i * 6 + j] *= unit[i] * unit[j];
    }
    for (std::size_t i = 0; i < scaled.A.size(); ++i) scaled.A[i] *= unit[i % 6];
    const ConicQpReport other = solve(scaled);
    ASSERT_EQ(other.status, SolveStatus::solved) << k;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(other.point.x[i] * unit[i], report.point.x[i], 1e-6) << k;
  }
}

TEST(ConicQpTest, TheUnitOfLengthDoesNotMatter) {
  for (const double unit : {1e-9, 1e-6, 1e3, 1e9}) {
    Program program{2, {1, 0, 0, 2}, {-3 * unit, -2 * unit}, {1, 1, 1, 0, 0, 1}, {-no_bound, 0, 0}, {2 * unit, no_bound, no_bound}, {}};
    const ConicQpReport report = solve(program);
    ASSERT_EQ(report.status, SolveStatus::solved) << unit;
    EXPECT_NEAR(report.point.x[0] / unit, 5.0 / 3, 1e-8) << unit;
    EXPECT_NEAR(report.point.x[1] / unit, 1.0 / 3, 1e-8) << unit;
    EXPECT_TRUE(judge(program.view(), report).accepted) << unit;
    std::vector<double> off = report.point.x;
    off[0] *= 1 - 1e-4;
    EXPECT_FALSE(certify::verify_kkt_point(program.view(), off, {report.point.y, {}}, {}).accepted) << unit;
  }
}

TEST(ConicQpTest, LimitsOfTimeAndIterationsAreKept) {
  Program program{2, {1, 0, 0, 2}, {-3, -2}, {1, 1}, {-no_bound}, {2}, {}};
  EXPECT_EQ(solve_conic_qp(program.view(), {}, Deadline::after(0)).status, SolveStatus::time_limit);
  ConicQpSettings few;
  few.limits.iteration_limit = 1;
  EXPECT_EQ(solve_conic_qp(program.view(), few, {}).status, SolveStatus::iteration_limit);
}

}  // namespace
}  // namespace trilith::solve
