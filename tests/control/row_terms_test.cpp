#include "control/row_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "control/solver.h"
#include "robots.h"
#include "support/allocation.h"

namespace trilith::control {
namespace {

constexpr int knots = 10, dofs = 4;
constexpr double dt = 0.02;

/// Adds 1/2 posture |q|^2 and 1/2 input |u|^2 at every knot, as diagonals or as dense blocks, in one or more rounds.
class Springs final : public RowTerms {
 public:
  Springs(double posture, double input, bool dense, int rounds) : posture_(posture), input_(input), dense_(dense), rounds_(rounds) {}
  bool has_dense_q() const noexcept override { return dense_; }
  bool has_dense_u() const noexcept override { return dense_; }
  void begin(int, const KnotVectors&) noexcept override { round_ = 0, ++iterations; }
  void add_curvature(const KnotRows& r) noexcept override {
    for (int i = 0; i < dofs; ++i) {
      double& q = dense_ ? r.dense_q[i * padded(dofs) + i] : r.terms.dq[i];
      double& u = dense_ ? r.dense_u[i * padded(dofs) + i] : r.terms.du[i];
      q += posture_;
      if (r.knot + 1 < knots) u += input_;
    }
  }
  void add_gradient(const KnotRows& r) noexcept override {
    for (int i = 0; i < dofs; ++i) {
      r.terms.gq[i] += posture_ * r.at.q[i];
      if (r.knot + 1 < knots) r.terms.gu[i] += input_ * r.at.u[i];
    }
  }
  bool finish_round(int, const KnotVectors&, const KnotVectors&) noexcept override { return ++round_ < rounds_; }
  void add_merit(int, int knot, const KnotPoint& trial, double* merit) noexcept override {
    for (int l = 0; l < 8; ++l)
      for (int i = 0; i < dofs; ++i) {
        const double q = trial.q[8 * i + l], u = trial.u[8 * i + l];
        merit[l] += 0.5 * (posture_ * q * q + (knot + 1 < knots ? input_ * u * u : 0));
      }
  }
  double merit(int, const KnotVectors& x) noexcept override {
    double sum = 0;
    for (int k = 0; k < knots; ++k)
      for (int i = 0; i < dofs; ++i)
        sum += 0.5 * (posture_ * x.q_of(k)[i] * x.q_of(k)[i] + (k + 1 < knots ? input_ * x.u_of(k)[i] * x.u_of(k)[i] : 0));
    return sum;
  }
  void end(int, const KnotVectors&, bool) noexcept override {}
  int iterations = 0;

 private:
  double posture_, input_;
  bool dense_;
  int rounds_, round_ = 0;
};

/// The plan and the merit after some iterations with weights, or with rows that stand for them.
struct Outcome {
  std::vector<double> plan;
  double merit = 0;
};
Outcome run(LinearSystem system, double posture, double input, RowTerms* rows) {
  SolverOptions o;
  o.most_iterations = 5, o.linear_system = system;
  o.pcg_tolerance = 1e-14, o.pcg_floor = 1e-20, o.most_pcg_iterations = 1000;
  CostWeights w;
  w.posture = w.posture_terminal = posture, w.input = input;
  Solver solver(test::arm_of(dofs), knots, dt, 1, o, w);
  test::Random random(3);
  const std::vector<double> x = test::uniform_numbers(random, 2 * dofs, 0.5), points(3 * knots, 0.4);
  std::vector<double> guess;
  for (int k = 0; k < knots; ++k) {
    guess.insert(guess.end(), x.begin(), x.end());
    for (int i = 0; k + 1 < knots && i < dofs; ++i) guess.push_back(random.uniform(-3, 3));
  }
  solver.set_start(0, x), solver.set_trajectory(0, guess), solver.set_reference(0, points), solver.set_rows(rows);
  const test::AllocationCount count;
  (void)solver.solve();
  EXPECT_EQ(count.delta(), 0);
  Outcome outcome{guess, solver.statistics().final_merit[0]};
  solver.write_trajectory(0, outcome.plan);
  return outcome;
}

TEST(RowTermsTest, RowsActAsTheWeightsThatTheyStandFor) {
  for (const LinearSystem system : {LinearSystem::factor, LinearSystem::factor_first}) {
    const Outcome want = run(system, 0.5, 1e-3, nullptr);
    for (const bool dense : {false, true})
      for (const int rounds : {1, 3}) {
        Springs springs(0.5, 1e-3 - 1e-5, dense, rounds);
        const Outcome got = run(system, 0, 1e-5, &springs);
        SCOPED_TRACE(testing::Message() << static_cast<int>(system) << " dense " << dense << " rounds " << rounds);
        EXPECT_NEAR(got.merit, want.merit, (system == LinearSystem::factor ? 1e-10 : 1e-6) * want.merit);
        EXPECT_EQ(springs.iterations, 5);
        double worst = 0;
        for (std::size_t i = 0; i < want.plan.size(); ++i) worst = std::max(worst, std::fabs(got.plan[i] - want.plan[i]));
        EXPECT_LT(worst, 1e-5);
      }
  }
}

TEST(RowTermsTest, RowsThatAddNothingChangeNoBit) {
  for (const LinearSystem system : {LinearSystem::factor, LinearSystem::pcg}) {
    Springs springs(0, 0, false, 1);
    const Outcome with = run(system, 0.1, 1e-4, &springs), without = run(system, 0.1, 1e-4, nullptr);
    EXPECT_EQ(with.plan, without.plan);
    EXPECT_EQ(with.merit, without.merit);
  }
}

}  // namespace
}  // namespace trilith::control
