// The splitting loop on small dense problems with known answers.
#include "solve/admm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/dense_system.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::solve {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A dense problem whose rows are one group after the other.
struct Problem {
  int unknowns;
  std::vector<double> P, q, G;
  std::vector<AdmmGroup> groups = {};

  int rows() const { return static_cast<int>(G.size()) / unknowns; }
  rows::RowGroup& add(rows::SetKind set, int count, int block, double rho_factor = 1) {
    AdmmGroup group;
    group.rows.name = "rows";
    group.rows.set = set;
    group.rows.mechanism = rows::Mechanism::admm;
    group.rows.first = groups.empty() ? 0 : groups.back().rows.end();
    group.rows.count = count;
    group.rows.block = block;
    group.rho_factor = rho_factor;
    groups.push_back(group);
    return groups.back().rows;
  }
  DenseSystem system() const {
    std::vector<DensePoint> points;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows()); ++i) points.push_back({i, 1});
    return DenseSystem(unknowns, P, G, points, static_cast<std::size_t>(rows()), 1e-16);
  }
};

struct Solved {
  AdmmReport report;
  AdmmState state;
};

Solved run(const Problem& problem, const AdmmSettings& settings = {}) {
  DenseSystem system = problem.system();
  Solved solved{{}, AdmmState(problem.unknowns, static_cast<std::size_t>(problem.rows()))};
  AdmmWatcher watcher;
  const AdmmProblem view{problem.q, problem.groups};
  start_admm(system, view, solved.state);
  solved.report = admm(system, view, solved.state, settings, {}, watcher);
  return solved;
}

AdmmSettings tight() {
  AdmmSettings settings;
  settings.tol_abs = settings.tol_rel = 1e-10;
  settings.iteration_limit = 20000;
  return settings;
}

/// x^2/2 + y^2 - 3 x - 2 y with x + y <= 2 and x, y >= 0: (5/3, 1/3), multiplier 4/3.
struct BoundedQuadratic : Problem {
  std::vector<double> lower{-infinity, 0, 0}, upper{2, infinity, infinity};
  BoundedQuadratic() : Problem{2, {1, 0, 0, 2}, {-3, -2}, {1, 1, 1, 0, 0, 1}} {
    rows::RowGroup& box = add(rows::SetKind::box, 3, 1);
    box.lower = lower;
    box.upper = upper;
  }
};

TEST(AdmmTest, ABoundedQuadraticMeetsItsClosedForm) {
  const BoundedQuadratic problem;
  for (const RhoRule rule : {RhoRule::fixed, RhoRule::by_five}) {
    AdmmSettings settings = tight();
    settings.rho_rule = rule;
    const Solved s = run(problem, settings);
    ASSERT_EQ(s.report.status, SolveStatus::solved);
    EXPECT_NEAR(s.state.x[0], 5.0 / 3, 1e-8);
    EXPECT_NEAR(s.state.x[1], 1.0 / 3, 1e-8);
    EXPECT_NEAR(s.state.y[0], 4.0 / 3, 1e-8);
  }
}

TEST(AdmmTest, TheNearestPointOfAConeIsItsProjection) {
  // (1, 3, 0) onto |t| <= n / 2: n = (1 + 1.5) / 1.25 = 2, t = 1
  Problem problem{3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, -3, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const std::vector<double> mu{0.5};
  problem.add(rows::SetKind::friction_cone, 3, 3).mu = mu;
  const Solved s = run(problem, tight());
  ASSERT_EQ(s.report.status, SolveStatus::solved);
  EXPECT_NEAR(s.state.x[0], 2, 1e-8);
  EXPECT_NEAR(s.state.x[1], 1, 1e-8);
}

TEST(AdmmTest, ASoftSetIsMetHalfway) {
  // min 1/2 x^2 - 2 x with a spring of stiffness 3 beyond 1: x - 2 + 3 (x - 1) = 0
  Problem problem{1, {1}, {-2}, {1}};
  const std::vector<double> lower{-infinity}, upper{1};
  rows::RowGroup& box = problem.add(rows::SetKind::box, 1, 1);
  box.lower = lower;
  box.upper = upper;
  problem.groups[0].softness = 3;
  const Solved s = run(problem, tight());
  ASSERT_EQ(s.report.status, SolveStatus::solved);
  EXPECT_NEAR(s.state.x[0], 1.25, 1e-8);
}

TEST(AdmmTest, ContradictingRowsGiveARayOfMultipliers) {
  BoundedQuadratic problem;
  problem.lower[1] = 3;  // x >= 3, y >= 0, x + y <= 2
  const Solved s = run(problem);
  ASSERT_EQ(s.report.status, SolveStatus::primal_infeasible);
  const auto& y = s.state.y_ray;
  EXPECT_GT(y[0], 0);
  EXPECT_NEAR(y[1] / y[0], -1, 1e-3);
  EXPECT_NEAR(y[2] / y[0], -1, 1e-3);
}

TEST(AdmmTest, ACostWithoutLowerBoundGivesARayOfUnknowns) {
  BoundedQuadratic problem;
  problem.P = {0, 0, 0, 0};
  problem.upper[0] = infinity;
  const Solved s = run(problem);
  ASSERT_EQ(s.report.status, SolveStatus::dual_infeasible);
  EXPECT_GT(3 * s.state.x_ray[0] + 2 * s.state.x_ray[1], 0);
}

/// Refuses every ray.
class Sceptic final : public AdmmWatcher {
 public:
  bool accept_contradiction(std::span<const double>) noexcept override {
    ++asked;
    return false;
  }
  int asked = 0;
};

TEST(AdmmTest, ARefusedRayEndsNothing) {
  BoundedQuadratic problem;
  problem.lower[1] = 3;
  DenseSystem system = problem.system();
  AdmmState state(2, 3);
  Sceptic sceptic;
  AdmmSettings settings;
  settings.iteration_limit = 500;
  EXPECT_EQ(admm(system, {problem.q, problem.groups}, state, settings, {}, sceptic).status, SolveStatus::iteration_limit);
  EXPECT_GT(sceptic.asked, 0);
}

TEST(AdmmTest, AWarmStartIsSolvedAtTheFirstCheck) {
  const BoundedQuadratic problem;
  Solved s = run(problem, tight());
  DenseSystem system = problem.system();
  AdmmWatcher watcher;
  const int before = s.report.iterations;
  const AdmmReport again = admm(system, {problem.q, problem.groups}, s.state, tight(), {}, watcher);
  EXPECT_EQ(again.status, SolveStatus::solved);
  EXPECT_EQ(again.iterations, tight().check_interval);
  EXPECT_GT(before, again.iterations);
}

TEST(AdmmTest, GroupsEndTheLoopOnTheirOwnScaleAndABudgetIsABudget) {
  const BoundedQuadratic problem;
  AdmmSettings settings;
  settings.exit_rule = ExitRule::per_group;
  settings.relaxation = 1;
  settings.proximal = 0;
  settings.rho_rule = RhoRule::fixed;
  settings.rho = 1;
  settings.iteration_limit = 7;
  settings.tol_abs = settings.tol_rel = 0;
  Solved s = run(problem, settings);
  EXPECT_EQ(s.report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(s.report.iterations, 7);
  settings.tol_rel = 1e-9;
  settings.iteration_limit = 10000;
  s = run(problem, settings);
  EXPECT_EQ(s.report.status, SolveStatus::solved);
  EXPECT_NEAR(s.state.x[0], 5.0 / 3, 1e-7);
}

TEST(AdmmTest, TheRuleOfRootsChangesRhoBetweenSolvesAndStaysWithinItsReach) {
  const BoundedQuadratic problem;
  DenseSystem system = problem.system();
  AdmmState state(2, 3);
  AdmmWatcher watcher;
  AdmmSettings settings;
  settings.rho_rule = RhoRule::by_square_root;
  settings.rho = 1e-4;  // much too small: the rows are missed
  settings.iteration_limit = 5;
  settings.exit_rule = ExitRule::per_group;
  (void)admm(system, {problem.q, problem.groups}, state, settings, {}, watcher);
  EXPECT_GT(state.rho, settings.rho);
  EXPECT_LE(state.rho, settings.rho * settings.root_reach);
}

TEST(AdmmTest, ALoopDoesNotAllocate) {
  const BoundedQuadratic problem;
  DenseSystem system = problem.system();
  AdmmState state(2, 3);
  AdmmWatcher watcher;
  AdmmSettings settings = tight();
  const AdmmProblem view{problem.q, problem.groups};
  (void)admm(system, view, state, settings, {}, watcher);
  state.clear();
  const test::AllocationCount heap;
  (void)admm(system, view, state, settings, {}, watcher);
  EXPECT_EQ(heap.delta(), 0);
}

TEST(AdmmTest, APassedDeadlineIsSaid) {
  const BoundedQuadratic problem;
  DenseSystem system = problem.system();
  AdmmState state(2, 3);
  AdmmWatcher watcher;
  EXPECT_EQ(admm(system, {problem.q, problem.groups}, state, {}, Deadline::after(0), watcher).status, SolveStatus::time_limit);
}

}  // namespace
}  // namespace trilith::solve
