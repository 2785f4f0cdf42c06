#include "control/solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "robots.h"
#include "support/allocation.h"

namespace trilith::control {
namespace {

constexpr int knots = 12;
constexpr double dt = 0.02;

/// A start, a random trajectory with defects, a reference that moves.
void fill(Solver& solver, std::uint64_t seed, double size = 0.3) {
  for (int b = 0; b < solver.batch(); ++b) {
    test::Random random(seed + static_cast<std::uint64_t>(b));
    const KnotSizes& s = solver.sizes();
    std::vector<double> x(static_cast<std::size_t>(s.state())), guess;
    for (int i = 0; i < s.state(); ++i) x[static_cast<std::size_t>(i)] = random.uniform(-size, size);
    if (s.coordinates != s.tangent) x[3] = 1, x[4] = x[5] = x[6] = 0;
    for (int k = 0; k < solver.knots(); ++k) {
      std::vector<double> knot = x;
      for (double& v : knot) v += random.uniform(-0.1, 0.1) * size;
      guess.insert(guess.end(), knot.begin(), knot.end());
      for (int i = 0; k + 1 < solver.knots() && i < s.inputs; ++i) guess.push_back(random.uniform(-2, 2));
    }
    std::vector<double> points;
    for (int k = 0; k < solver.knots(); ++k) points.insert(points.end(), {0.2 + 0.01 * k, -0.1, 0.6});
    solver.set_start(b, x), solver.set_trajectory(b, guess), solver.set_reference(b, points);
  }
}

std::vector<double> plan_of(const Solver& solver, int entry = 0) {
  std::vector<double> xu(solver.length());
  solver.write_trajectory(entry, xu);
  return xu;
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst;
}

CostWeights all_terms() {
  CostWeights w;
  w.posture = 0.3, w.posture_terminal = 0.5, w.velocity = 1e-2, w.input = 1e-4, w.velocity_barrier = 1e-3, w.input_barrier = 1e-3;
  return w;
}

SolverOptions one_iteration(LinearSystem system) {
  SolverOptions o;
  o.most_iterations = 1, o.linear_system = system;
  return o;
}

TEST(SolverTest, AccelerationCoordinatesGiveTheStepOfDenseStages) {
  for (int dofs = 1; dofs <= 8; ++dofs)
    for (const Integrator integrator : {Integrator::euler, Integrator::semi_implicit, Integrator::frozen_acceleration}) {
      SolverOptions fast = one_iteration(LinearSystem::factor), dense = one_iteration(LinearSystem::factor_first);
      fast.integrator = dense.integrator = integrator;
      Solver a(test::arm_of(dofs), knots, dt, 1, fast, all_terms()), b(test::arm_of(dofs), knots, dt, 1, dense, all_terms());
      fill(a, 7), fill(b, 7);
      (void)a.solve(), (void)b.solve();
      ASSERT_GT(a.statistics().step_size[0], 0) << dofs;
      EXPECT_EQ(a.statistics().step_size[0], b.statistics().step_size[0]);
      EXPECT_NEAR(a.statistics().step_norm[0], b.statistics().step_norm[0], 1e-9 * (1 + b.statistics().step_norm[0]));
      EXPECT_LT(worst_difference(plan_of(a), plan_of(b)), 1e-9 * (1 + b.statistics().step_norm[0])) << dofs;
    }
}

TEST(SolverTest, ConjugateGradientsGiveTheStepOfTheFactor) {
  SolverOptions direct = one_iteration(LinearSystem::factor), iterative = one_iteration(LinearSystem::pcg);
  iterative.pcg_tolerance = 0, iterative.pcg_floor = 1e-22, iterative.most_pcg_iterations = 2000;
  Solver a(test::arm_of(3), knots, dt, 1, direct, all_terms()), b(test::arm_of(3), knots, dt, 1, iterative, all_terms());
  fill(a, 7), fill(b, 7);
  (void)a.solve(), (void)b.solve();
  EXPECT_LT(worst_difference(plan_of(a), plan_of(b)), 1e-5 * a.statistics().step_norm[0]);
  EXPECT_GT(b.statistics().pcg_iters[0], 1);
  EXPECT_EQ(a.statistics().pcg_iters[0], 1);
}

/// The step closes the linearised defects, so what is left of a part t of it is (1 - t) of them and a rest of second order in t: true only
/// where every derivative of the dynamics is right.
void expect_second_order(const std::shared_ptr<const Robot>& robot, const SolverOptions& options, const std::string& what) {
  SolverOptions o = options;
  o.most_iterations = 1, o.proximal = 1;
  Solver solver(robot, knots, dt, 1, o, all_terms());
  fill(solver, 11, 0.1);
  const std::vector<double> before = plan_of(solver);
  const double defect = solver.measure(0).defect_sum;
  (void)solver.solve();
  // the step, from the trajectory after a known length
  const double length = solver.statistics().step_size[0];
  ASSERT_GT(length, 0) << what;
  const std::vector<double> after = plan_of(solver);
  std::vector<double> rest;
  for (const double t : {0.02, 0.01}) {
    std::vector<double> moved = before;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += t / length * (after[i] - before[i]);
    solver.set_trajectory(0, moved);
    rest.push_back(std::fabs(solver.measure(0).defect_sum - (1 - t) * defect));
  }
  EXPECT_LT(rest[0], 1e-3 * 0.02 * defect + 50 * 0.02 * 0.02 * defect) << what;
  EXPECT_LT(rest[1], 0.3 * rest[0] + 1e-10 * defect) << what << ": halving the step must quarter the rest";
}

TEST(SolverTest, DerivativesOfEveryIntegratorAreRight) {
  for (const Integrator integrator : {Integrator::euler, Integrator::semi_implicit, Integrator::frozen_acceleration})
    for (const int substeps : {1, 3}) {
      SolverOptions o;
      o.integrator = integrator, o.substeps = substeps;
      const std::string what = "integrator " + std::to_string(static_cast<int>(integrator)) + " x " + std::to_string(substeps);
      expect_second_order(test::arm_of(4), o, what + " arm");
      expect_second_order(test::arm_of(9), o, what + " nine joints");
      auto underactuated = test::arm_of(2);
      underactuated->input_names = {"motor"}, underactuated->input_map = {1.5, 0}, underactuated->effort = {{-9}, {9}};
      expect_second_order(underactuated, o, what + " one motor");
    }
}

TEST(SolverTest, APlanThatNeedsNoStepCannotBeImproved) {
  SolverOptions o;
  o.most_iterations = 200, o.step_tolerance = 1e-8, o.defect_tolerance = 1e-9;
  CostWeights w = all_terms();
  w.input = 1e-2;
  Solver solver(test::arm_of(3), knots, dt, 1, o, w);
  fill(solver, 5);
  ASSERT_EQ(solver.solve(), SolveStatus::solved);
  EXPECT_EQ(solver.statistics().kkt_converged[0], 1);
  const std::vector<double> plan = plan_of(solver);
  const std::size_t nx = 6, nu = 3;
  // the cost as a function of the inputs alone: stationary
  const auto cost = [&](std::size_t knot, std::size_t input, double change) {
    std::vector<double> xu = plan, next(nx);
    xu[knot * (nx + nu) + nx + input] += change;
    for (std::size_t k = 0; k + 1 < knots; ++k) {
      const std::span<double> all(xu);
      solver.simulate_forward(all.subspan(k * (nx + nu), nx), all.subspan(k * (nx + nu) + nx, nu), dt, next);
      std::copy(next.begin(), next.end(), xu.begin() + static_cast<std::ptrdiff_t>((k + 1) * (nx + nu)));
    }
    solver.set_trajectory(0, xu);
    return solver.measure(0).cost;
  };
  const double best = cost(0, 0, 0);
  for (std::size_t k = 0; k + 1 < knots; k += 3)
    for (std::size_t i = 0; i < nu; ++i) {
      EXPECT_NEAR((cost(k, i, 1e-3) - cost(k, i, -1e-3)) / 2e-3, 0, 1e-6 * (1 + best));
      EXPECT_GT(cost(k, i, 0.1), best);
    }
}

TEST(SolverTest, StepsAreTakenOnlyWhereTheMeritFalls) {
  SolverOptions o;
  o.most_iterations = 30;
  Solver solver(test::arm_of(7), knots, dt, 1, o);
  fill(solver, 3, 1.0);
  EXPECT_EQ(solver.solve(), SolveStatus::iteration_limit);
  const Statistics& s = solver.statistics();
  double merit = s.initial_merit[0];
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(s.min_merit[i] < merit, s.step_size[i] > 0);
    EXPECT_LE(s.min_merit[i], merit);
    merit = s.min_merit[i];
  }
  EXPECT_EQ(s.final_merit[0], merit);
  const Measure m = solver.measure(0);
  EXPECT_NEAR(m.cost + m.defect_sum, merit, 1e-12 * merit);
}

TEST(SolverTest, TheTrustRegionFollowsItsRule) {
  SolverOptions o;
  o.most_iterations = 12, o.proximal = 0.5;
  Solver solver(test::arm_of(3), knots, dt, 1, o);
  fill(solver, 3);
  (void)solver.solve();
  const Statistics& s = solver.statistics();
  double proximal = 0.5, rate = 1;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(s.proximal[i], proximal) << i;
    rate = s.step_size[i] > 0 ? std::min(rate / 1.2, 1 / 1.2) : std::max(rate * 1.2, 1.2);
    proximal = std::clamp(proximal * rate, 1e-8, 10.0);
  }
  solver.reset_proximal(), fill(solver, 3);
  (void)solver.solve();
  EXPECT_EQ(s.proximal[0], 0.5);
}

TEST(SolverTest, FirstTakesTheLongestThatFalls) {
  SolverOptions all = one_iteration(LinearSystem::factor), first = all;
  first.line_search = LineSearch::first;
  Solver a(test::arm_of(6), knots, dt, 1, all), b(test::arm_of(6), knots, dt, 1, first);
  fill(a, 9, 1.5), fill(b, 9, 1.5);
  (void)a.solve(), (void)b.solve();
  ASSERT_GT(a.statistics().step_size[0], 0);
  EXPECT_GE(b.statistics().step_size[0], a.statistics().step_size[0]);
  EXPECT_GE(b.statistics().min_merit[0], a.statistics().min_merit[0]);
}

TEST(SolverTest, WrenchesActOnPlans) {
  SolverOptions o;
  o.most_iterations = 60, o.step_tolerance = 1e-9;
  Solver solver(test::arm_of(3), knots, dt, 1, o, all_terms());
  fill(solver, 5);
  solver.set_applied(0, std::vector<double>{1, -2, 5, 0.1, 0.2, 0});
  ASSERT_EQ(solver.solve(), SolveStatus::solved);
  EXPECT_LT(solver.measure(0).defect_max, 1e-6);
  solver.set_applied(0, {});
  EXPECT_GT(solver.measure(0).defect_max, 1e-3) << "without the wrench the same plan does not fit the dynamics";
}

TEST(SolverTest, AFreeBodyPlansOnItsManifold) {
  SolverOptions o;
  o.integrator = Integrator::semi_implicit, o.most_iterations = 60, o.step_tolerance = 1e-7;
  CostWeights w = all_terms();
  w.position_barrier = w.velocity_barrier = w.input_barrier = 0;
  Solver solver(test::floating_robot(), knots, dt, 1, o, w);
  fill(solver, 5);
  ASSERT_EQ(solver.solve(), SolveStatus::solved);
  EXPECT_LT(solver.measure(0).defect_max, 1e-6);
  const std::vector<double> plan = plan_of(solver);
  for (std::size_t k = 0; k < knots; ++k) {
    const double* q = &plan[k * (9 + 8 + 2)];
    EXPECT_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1, 1e-12);
  }
}

TEST(SolverTest, NothingIsAllocatedAndThreadsChangeNoBit) {
  std::vector<std::vector<double>> plans;
  for (const int threads : {1, 2}) {
    SolverOptions o;
    o.most_iterations = 4, o.threads = threads;
    Solver solver(test::arm_of(7), knots, dt, 5, o, all_terms());
    fill(solver, 21);
    (void)solver.solve();  // the pool grows here
    fill(solver, 21), solver.reset();
    const test::AllocationCount count;
    (void)solver.solve();
    EXPECT_EQ(count.delta(), 0) << threads;
    plans.emplace_back();
    for (int b = 0; b < 5; ++b)
      for (const double v : plan_of(solver, b)) plans.back().push_back(v);
  }
  EXPECT_EQ(plans[0], plans[1]);
}

TEST(SolverTest, ANumberThatIsNoneIsToldAndLeavesTheTrajectory) {
  Solver solver(test::arm_of(2), knots, dt, 2, {});
  fill(solver, 3);
  std::vector<double> bad = plan_of(solver, 1);
  bad[5] = std::nan("");
  solver.set_trajectory(1, bad);
  EXPECT_EQ(solver.solve(), SolveStatus::numerical_failure);
  EXPECT_TRUE(solver.diverged(1));
  EXPECT_FALSE(solver.diverged(0));
  EXPECT_GT(solver.statistics().step_size[0], 0) << "the other entry goes on";
}

TEST(SolverTest, OneStepOfTheDynamicsClosesADefect) {
  for (const Integrator integrator : {Integrator::euler, Integrator::semi_implicit, Integrator::frozen_acceleration}) {
    SolverOptions o;
    o.integrator = integrator, o.substeps = 2;
    Solver solver(test::arm_of(5), 2, dt, 1, o);
    fill(solver, 3);
    std::vector<double> xu = plan_of(solver);
    const std::span<double> all(xu);
    solver.simulate_forward(all.first(10), all.subspan(10, 5), dt, all.subspan(15, 10));
    solver.set_start(0, all.first(10)), solver.set_trajectory(0, xu);
    EXPECT_LT(solver.measure(0).defect_max, 1e-14);
  }
}

/// A reference far out of reach: what Gauss and Newton leave out is as large as what they keep.
Solver far_reach(Hessian hessian) {
  SolverOptions o;
  o.most_iterations = 300, o.step_tolerance = 1e-5, o.hessian = hessian, o.adapt_merit_weight = true;
  CostWeights w = all_terms();
  w.posture = w.posture_terminal = 0, w.end_effector = 5, w.end_effector_terminal = 50;
  Solver solver(test::arm_of(3), knots, 0.05, 1, o, w);
  fill(solver, 5);
  std::vector<double> points;
  for (int k = 0; k < knots; ++k) points.insert(points.end(), {1.5, 1.0, 0.4});
  solver.set_reference(0, points);
  return solver;
}

TEST(SolverTest, TheExactHessianEndsWhereGaussNewtonCrawls) {
  Solver exact = far_reach(Hessian::exact), plain = far_reach(Hessian::gauss_newton);
  ASSERT_EQ(exact.solve(), SolveStatus::solved);
  (void)plain.solve();
  const auto& s = exact.statistics();
  EXPECT_LT(3 * s.sqp_iters[0], plain.statistics().sqp_iters[0]);
  // the last steps shrink faster and faster
  const auto last = static_cast<std::size_t>(s.sqp_iters[0]) - 1;
  EXPECT_LT(s.step_norm[last], 0.01 * s.step_norm[last - 1]);
  EXPECT_LT(s.step_norm[last - 1], 0.05 * s.step_norm[last - 2]);
  // and end where Gauss and Newton find no step either
  plain.set_trajectory(0, plan_of(exact)), plain.reset();
  (void)plain.solve();
  EXPECT_LT(plain.statistics().step_norm[0], 1e-3);
}

TEST(SolverTest, PlansHaveTheSameBitsOnEveryCpuAndCompiler) {
  SolverOptions o;
  o.most_iterations = 6;
  std::vector<double> all;
  for (const LinearSystem system : {LinearSystem::factor, LinearSystem::pcg}) {
    o.linear_system = system;
    Solver solver(test::arm_of(6), knots, dt, 1, o, all_terms());
    fill(solver, 31);
    (void)solver.solve();
    const std::vector<double> plan = plan_of(solver);
    all.insert(all.end(), plan.begin(), plan.end());
  }
  EXPECT_EQ(hex(hash_of(all)), "0x0d1778adbf61e8e0");
}

/// Published values of the double integrator, from an independent recursion.
TEST(SolverTest, ALinearRegulatorIsExactInOneIteration) {
  auto p = std::make_shared<LinearProblem>();
  p->states = 2, p->inputs = 1, p->inputs_in_time = 20;
  p->A = {1, 0.1, 0, 1}, p->B = {0.005, 0.1}, p->Q = {1, 0, 0, 1}, p->R = {0.1}, p->QN = {10, 0, 0, 10}, p->reference = {0, 0};
  SolverOptions o;
  o.proximal = 0, o.adapt_proximal = false, o.adapt_merit_weight = true, o.step_tolerance = 1e-9, o.most_iterations = 5;
  Solver solver(p, 1, o);
  solver.set_start(0, std::vector<double>{1, 0});
  EXPECT_EQ(solver.solve(), SolveStatus::solved);
  EXPECT_EQ(solver.statistics().step_size[0], 1);
  EXPECT_LE(solver.statistics().step_norm[1], 1e-12) << "the second iteration finds nothing to do";
  EXPECT_NEAR(solver.measure(0).cost, 6.716326841, 1e-8);
  std::vector<double> K(2), P(4);
  ASSERT_TRUE(solver.write_feedback(0, K, P));
  EXPECT_NEAR(K[0], 2.61683504, 1e-7);
  EXPECT_NEAR(K[1], 3.45337243, 1e-7);
  EXPECT_NEAR(0.5 * P[0], 6.716326841, 1e-8);
}

TEST(SolverTest, FeedbackOfAnArmIsThatOfItsDenseStages) {
  std::vector<std::vector<double>> gains, costs;
  for (const LinearSystem system : {LinearSystem::factor, LinearSystem::factor_first}) {
    Solver solver(test::arm_of(4), knots, dt, 1, one_iteration(system), all_terms());
    fill(solver, 3);
    std::vector<double> K(4 * 8), P(8 * 8);
    ASSERT_TRUE(solver.write_feedback(0, K, P));
    gains.push_back(K), costs.push_back(P);
  }
  double size = 0;
  for (const double v : gains[0]) size = std::max(size, std::fabs(v));
  EXPECT_LT(worst_difference(gains[0], gains[1]), 1e-8 * size);
  for (const double v : costs[0]) size = std::max(size, std::fabs(v));
  EXPECT_LT(worst_difference(costs[0], costs[1]), 1e-8 * size);
}

}  // namespace
}  // namespace trilith::control
