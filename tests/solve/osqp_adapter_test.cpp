// OSQP through its adapter on programs with known answers; where it is absent, that this is said.
#include "solve/osqp_adapter.h"

#include <gtest/gtest.h>

#include <limits>

namespace trilith::solve {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// x^2/2 + y^2 - 3 x - 2 y with x + y <= 2 and x, y >= 0.
SparseProgram bounded_quadratic() {
  SparseProgram program;
  program.q = {-3, -2};
  program.lower = {-infinity, 0, 0};
  program.upper = {2, infinity, infinity};
  program.A.rows = 3;
  program.P.rows = 2;
  for (int j = 0; j < 2; ++j) {
    program.A.put(0, 1);
    program.A.put(1 + j, 1);
    program.A.end_column();
    program.P.put(j, 1 + j);
    program.P.end_column();
  }
  return program;
}

TEST(OsqpAdapterTest, ABoundedQuadraticMeetsItsClosedFormOrTheLibraryIsSaidToBeAbsent) {
  const OsqpReport report = solve_osqp(bounded_quadratic(), {}, {});
  if (!osqp_availability().available) {
    EXPECT_EQ(report.status, SolveStatus::not_run);
    EXPECT_EQ(report.word, osqp_availability().note);
    EXPECT_NE(why_not_available("osqp"), "");
    GTEST_SKIP() << "OSQP is absent";
  }
  EXPECT_EQ(why_not_available("osqp"), "");
  ASSERT_EQ(report.status, SolveStatus::solved) << report.word;
  EXPECT_NEAR(report.x[0], 5.0 / 3, 1e-5);
  EXPECT_NEAR(report.x[1], 1.0 / 3, 1e-5);
  EXPECT_NEAR(report.y[0], 4.0 / 3, 1e-5);
}

TEST(OsqpAdapterTest, ContradictionsAndUnboundedCostsComeWithTheirRays) {
  if (!osqp_availability().available) GTEST_SKIP() << "OSQP is absent";
  SparseProgram program = bounded_quadratic();
  program.lower[1] = 3;
  OsqpReport report = solve_osqp(program, {}, {});
  ASSERT_EQ(report.status, SolveStatus::primal_infeasible);
  // x + y <= 2, x >= 3, y >= 0: multipliers 1, -1, -1
  EXPECT_NEAR(report.y[1] / report.y[0], -1, 1e-4);
  program = bounded_quadratic();
  program.P.value = {0, 0};
  program.upper[0] = infinity;
  report = solve_osqp(program, {}, {});
  ASSERT_EQ(report.status, SolveStatus::dual_infeasible);
  EXPECT_GT(report.x[0] + report.x[1], 0);
}

TEST(OsqpAdapterTest, APassedDeadlineAndACapAreNoAnswers) {
  if (!osqp_availability().available) GTEST_SKIP() << "OSQP is absent";
  OsqpSettings settings;
  settings.iteration_limit = 1;
  EXPECT_EQ(solve_osqp(bounded_quadratic(), settings, {}).status, SolveStatus::iteration_limit);
}

TEST(RegistryTest, ListsEverySolverOnceAndKnowsItByName) {
  for (const SolverEntry& entry : list_solvers()) {
    EXPECT_EQ(find_solver(entry.name), &entry);
    EXPECT_FALSE(entry.what.empty());
    EXPECT_EQ(why_not_available(entry.name).empty(), entry.availability.available);
  }
  EXPECT_EQ(find_solver("nothing"), nullptr);
}

}  // namespace
}  // namespace trilith::solve
