#include "control/stage_qp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/allocation.h"
#include "support/random.h"

namespace trilith::control {
namespace {

constexpr int nx = 4, nu = 2, knots = 6;

/// B'B + shift 1 for a random square B.
void positive(test::Random& random, int n, double shift, double* out) {
  std::vector<double> b(static_cast<std::size_t>(n * n));
  for (double& v : b) v = random.uniform(-1, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      out[i * n + j] = i == j ? shift : 0;
      for (int k = 0; k < n; ++k) out[i * n + j] += b[static_cast<std::size_t>(k * n + i)] * b[static_cast<std::size_t>(k * n + j)];
    }
}

void fill(StageQp& qp, bool cross) {
  test::Random random(17);
  for (int k = 0; k < knots; ++k) {
    const StageQp::Stage s = qp.stage(k);
    positive(random, nx, 0.1, s.Q);
    for (int i = 0; i < nx; ++i) s.gx[i] = random.uniform(-1, 1);
    if (k + 1 == knots) break;
    positive(random, nu, 0.3, s.R);
    for (int i = 0; i < nx * nx; ++i) s.A[i] = random.uniform(-0.6, 0.6);
    for (int i = 0; i < nx * nu; ++i) s.B[i] = random.uniform(-1, 1), s.S[i] = cross ? random.uniform(-0.2, 0.2) : 0;
    for (int i = 0; i < nx; ++i) s.e[i] = random.uniform(-1, 1);
    for (int i = 0; i < nu; ++i) s.gu[i] = random.uniform(-1, 1);
  }
  qp.use_cross(cross);
}

const std::vector<double> start = {0.3, -0.2, 0.1, 0.7};

struct Step {
  std::vector<double> dx = std::vector<double>(nx * knots), du = std::vector<double>(nu * (knots - 1));
  Step() { std::copy(start.begin(), start.end(), dx.begin()); }
};

double cost(StageQp& qp, const Step& step, double proximal) {
  double sum = 0;
  for (int k = 0; k < knots; ++k) {
    const StageQp::Stage s = qp.stage(k);
    const double *x = &step.dx[static_cast<std::size_t>(k * nx)], *u = &step.du[static_cast<std::size_t>(k * nu)];
    for (int i = 0; i < nx; ++i) {
      sum += s.gx[i] * x[i] + 0.5 * proximal * x[i] * x[i];
      for (int j = 0; j < nx; ++j) sum += 0.5 * x[i] * s.Q[i * nx + j] * x[j];
    }
    for (int i = 0; k + 1 < knots && i < nu; ++i) {
      sum += s.gu[i] * u[i];
      for (int j = 0; j < nu; ++j) sum += 0.5 * u[i] * s.R[i * nu + j] * u[j];
      for (int j = 0; j < nx; ++j) sum += u[i] * s.S[i * nx + j] * x[j];
    }
  }
  return sum;
}

/// States that follow from the inputs.
void roll(StageQp& qp, Step& step) {
  for (int k = 0; k + 1 < knots; ++k) {
    const StageQp::Stage s = qp.stage(k);
    for (int i = 0; i < nx; ++i) {
      double sum = s.e[i];
      for (int j = 0; j < nx; ++j) sum += s.A[i * nx + j] * step.dx[static_cast<std::size_t>(k * nx + j)];
      for (int j = 0; j < nu; ++j) sum += s.B[i * nu + j] * step.du[static_cast<std::size_t>(k * nu + j)];
      step.dx[static_cast<std::size_t>((k + 1) * nx + i)] = sum;
    }
  }
}

/// At the minimum no input can be changed for the better: the slope of the quadratic is zero in each of them.
void expect_minimum(StageQp& qp, const Step& step, double proximal) {
  Step rolled = step;
  roll(qp, rolled);
  for (std::size_t i = 0; i < step.dx.size(); ++i) EXPECT_NEAR(rolled.dx[i], step.dx[i], 1e-9) << "dynamics at " << i;
  for (std::size_t i = 0; i < step.du.size(); ++i) {
    Step up = step, down = step;
    up.du[i] += 1e-3, down.du[i] -= 1e-3;
    roll(qp, up), roll(qp, down);
    EXPECT_NEAR((cost(qp, up, proximal) - cost(qp, down, proximal)) / 2e-3, 0, 1e-9) << i;
  }
}

TEST(StageQpTest, RiccatiGivesTheMinimum) {
  for (const bool cross : {false, true}) {
    StageQp qp(nx, nu, knots);
    fill(qp, cross);
    Step step;
    ASSERT_EQ(qp.factor(0.05), 0);
    qp.solve(step.dx, step.du);
    expect_minimum(qp, step, 0.05);
  }
}

TEST(StageQpTest, ConjugateGradientsGiveTheSameFromAnyStart) {
  StageQp qp(nx, nu, knots);
  fill(qp, false);
  Step direct, iterated;
  ASSERT_EQ(qp.factor(0.05), 0);
  qp.solve(direct.dx, direct.du);
  ASSERT_EQ(qp.form_multiplier_system(0.05), 0);
  test::Random random(3);
  std::vector<double> multipliers(nx * knots);
  for (double& v : multipliers) v = random.uniform(-3, 3);
  const PcgReport report = qp.solve_multipliers(multipliers, {200, 0, 1e-24}, iterated.dx, iterated.du);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, nx * knots);
  for (std::size_t i = 0; i < direct.dx.size(); ++i) EXPECT_NEAR(iterated.dx[i], direct.dx[i], 1e-9);
  for (std::size_t i = 0; i < direct.du.size(); ++i) EXPECT_NEAR(iterated.du[i], direct.du[i], 1e-9);
  std::copy(start.begin(), start.end(), iterated.dx.begin());
  const PcgReport again = qp.solve_multipliers(multipliers, {200, 1e-4, 1e-6}, iterated.dx, iterated.du);
  EXPECT_TRUE(again.at_start) << "warm multipliers need no iteration";
  EXPECT_EQ(again.iterations, 0);
}

TEST(StageQpTest, AStairPreconditionerTakesHalfTheIterationsOfNone) {
  StageQp qp(nx, nu, knots);
  fill(qp, false);
  ASSERT_EQ(qp.form_multiplier_system(0.05), 0);
  Step step;
  std::vector<double> multipliers(nx * knots, 0.0);
  const PcgReport report = qp.solve_multipliers(multipliers, {200, 1e-12, 0}, step.dx, step.du);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, nx * knots / 2);
}

TEST(StageQpTest, ACapIsToldAndNegativeCurvatureIsCounted) {
  StageQp qp(nx, nu, knots);
  fill(qp, false);
  ASSERT_EQ(qp.form_multiplier_system(0.05), 0);
  Step step;
  std::vector<double> multipliers(nx * knots, 0.0);
  const PcgReport report = qp.solve_multipliers(multipliers, {2, 1e-12, 0}, step.dx, step.du);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2);
  qp.stage(3).R[0] = -1e6;
  EXPECT_GT(qp.factor(0.05), 0);
  EXPECT_GT(qp.form_multiplier_system(0.05), 0);
}

TEST(StageQpTest, NothingIsAllocated) {
  StageQp qp(nx, nu, knots);
  fill(qp, false);
  Step step;
  std::vector<double> multipliers(nx * knots, 0.0);
  const test::AllocationCount count;
  (void)qp.factor(0.05), qp.solve(step.dx, step.du);
  (void)qp.form_multiplier_system(0.05), qp.solve_multipliers(multipliers, {}, step.dx, step.du);
  EXPECT_EQ(count.delta(), 0);
}

}  // namespace
}  // namespace trilith::control
