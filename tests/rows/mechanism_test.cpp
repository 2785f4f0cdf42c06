#include "rows/mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "rows/row_groups.h"
#include "rows/violation.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using rows::GroupDerivatives;
using rows::GroupDuals;
using rows::Mechanism;
using rows::MechanismParameters;
using rows::RowGroup;

/// Storage for one group.
struct Storage {
  std::vector<double> value, multiplier, copy, gradient, hessian, R;
  Storage(const RowGroup& group, Random& random, std::int32_t rows) {
    const auto count = static_cast<std::size_t>(group.count);
    for (std::int32_t i = 0; i < rows; ++i) value.push_back(random.gauss());
    for (std::size_t i = 0; i < count; ++i) multiplier.push_back(random.gauss()), copy.push_back(random.gauss());
    R.assign(count, 0.5);
    gradient.resize(count);
    hessian.resize(count * static_cast<std::size_t>(group.block));
  }
  GroupDuals duals() { return {multiplier, copy}; }
  GroupDerivatives out() { return {gradient, hessian}; }
};

/// Energy of a group with its derivatives at one value.
struct Evaluation {
  double energy;
  std::vector<double> gradient, hessian;
};

Evaluation evaluate_at(const RowGroup& group, const MechanismParameters& parameters, Storage& s) {
  const double energy = evaluate(group, parameters, s.duals(), s.value, s.out());
  return {energy, s.gradient, s.hessian};
}

/// Compares row `i` with central differences; false where a kink lies within the step.
bool row_matches(const RowGroup& group, const MechanismParameters& parameters, Storage& s, std::size_t i) {
  const Evaluation at = evaluate_at(group, parameters, s);
  double& x = s.value[static_cast<std::size_t>(group.first) + i];
  const double given = x, h = 1e-5;
  x = given + h;
  const Evaluation above = evaluate_at(group, parameters, s);
  x = given - h;
  const Evaluation below = evaluate_at(group, parameters, s);
  x = given;
  EXPECT_NEAR((above.energy - below.energy) / (2 * h), at.gradient[i], 2e-4 * (1 + std::abs(at.gradient[i])));
  for (std::size_t k = 0; k < at.hessian.size(); ++k)
    if (std::abs(above.hessian[k] - below.hessian[k]) > 1e-2) return false;

  const auto block = static_cast<std::size_t>(group.block);
  const std::size_t head = i - i % block;
  for (std::size_t k = 0; k < at.gradient.size(); ++k) {
    const double expected = k >= head && k < head + block ? at.hessian[i * block + (k - head)] : 0;
    EXPECT_NEAR((above.gradient[k] - below.gradient[k]) / (2 * h), expected, 1e-2 * (1 + std::abs(expected)));
  }
  return true;
}

// Gradient and Hessian of every mechanism on every set, against differences of the energy.
TEST(MechanismTest, DerivativesMatchDifferencesOfTheEnergy) {
  Random random(5);
  for (const Mechanism mechanism :
       {Mechanism::telemetry, Mechanism::respond, Mechanism::barrier, Mechanism::admm, Mechanism::augmented_lagrangian}) {
    const SampleGroups sample(mechanism);
    for (const RowGroup& group : sample.all) {
      SCOPED_TRACE(std::string(group.name) + ", " + std::string(name(mechanism)));
      int tested = 0;
      for (int trial = 0; trial < 40; ++trial) {
        Storage s(group, random, sample.rows());
        MechanismParameters parameters;
        parameters.rho = 2, parameters.barrier_weight = 0.1, parameters.barrier_delta = 0.5, parameters.R = s.R;
        ASSERT_TRUE(find_faults(group, parameters).empty());
        for (std::size_t i = 0; i < s.gradient.size(); ++i) tested += row_matches(group, parameters, s, i);
      }
      EXPECT_GT(tested, 20);
    }
  }
}

TEST(MechanismTest, TelemetryAddsNothing) {
  Random random(6);
  const SampleGroups sample;
  for (const RowGroup& group : sample.all) {
    Storage s(group, random, sample.rows());
    s.gradient.assign(s.gradient.size(), 7);
    EXPECT_EQ(evaluate(group, {}, s.duals(), s.value, s.out()), 0);
    for (const double g : s.gradient) EXPECT_EQ(g, 0);
  }
}

// min 1/2 |x - c|^2 with x in K: ADMM and the augmented Lagrangian both end at the projection of c, with the multiplier c - x.
TEST(MechanismTest, AdmmFindsTheProjection) {
  Random random(7);
  const SampleGroups sample(Mechanism::admm);
  for (const RowGroup& group : sample.all) {
    Storage s(group, random, sample.rows());
    const std::vector<double> c = s.value;
    MechanismParameters parameters;
    parameters.rho = 1.5;
    reset_duals(group, s.value, s.duals());
    rows::DualStep step;
    for (int k = 0; k < 300; ++k) {
      for (std::size_t i = 0; i < s.copy.size(); ++i)
        s.value[static_cast<std::size_t>(group.first) + i] =
            (c[static_cast<std::size_t>(group.first) + i] + parameters.rho * s.copy[i] - s.multiplier[i]) / (1 + parameters.rho);
      step = update_duals(group, parameters, s.value, s.duals());
    }
    EXPECT_LT(step.primal, 1e-10) << group.name;
    EXPECT_LT(step.dual, 1e-10) << group.name;
    EXPECT_LT(measure(group, s.value).max, 1e-9) << group.name;
    for (std::size_t i = 0; i < s.copy.size(); ++i) {
      const auto row = static_cast<std::size_t>(group.first) + i;
      EXPECT_NEAR(s.multiplier[i], c[row] - s.value[row], 1e-9) << group.name;
    }
  }
}

// A soft set settles at the multiplier y = softness * violation.
TEST(MechanismTest, SoftAdmmGivesWayInProportion) {
  Random random(8);
  const SampleGroups sample(Mechanism::admm);
  for (const RowGroup& group : sample.all) {
    Storage s(group, random, sample.rows());
    const std::vector<double> c = s.value;
    MechanismParameters parameters;
    parameters.rho = 1.5, parameters.softness = 3;
    reset_duals(group, s.value, s.duals());
    for (int k = 0; k < 300; ++k) {
      for (std::size_t i = 0; i < s.copy.size(); ++i)
        s.value[static_cast<std::size_t>(group.first) + i] =
            (c[static_cast<std::size_t>(group.first) + i] + parameters.rho * s.copy[i] - s.multiplier[i]) / (1 + parameters.rho);
      update_duals(group, parameters, s.value, s.duals());
    }
    double pull = 0, worst = 0;
    for (std::int32_t b = 0; b < group.count; b += group.block) {
      double squares = 0;
      for (std::int32_t i = b; i < b + group.block; ++i) squares += std::pow(s.multiplier[static_cast<std::size_t>(i)], 2);
      pull += std::sqrt(squares);
    }
    worst = measure(group, s.value).sum;
    EXPECT_NEAR(pull, parameters.softness * worst, 1e-8) << group.name;
  }
}

// min 1/2 (x - 1)^2 with x >= 2: multiplier 1; the force set of an inequality is nonnegative.
TEST(MechanismTest, MultiplierStepsFindTheForceOfABound) {
  RowGroup group;
  group.name = "bound", group.set = rows::SetKind::nonnegative, group.mechanism = Mechanism::augmented_lagrangian, group.count = 1;
  MechanismParameters parameters;
  parameters.rho = 4;
  std::vector<double> value{0}, multiplier{0};
  const GroupDuals duals{multiplier, {}};
  reset_duals(group, value, duals);
  rows::DualStep step;
  for (int k = 0; k < 60; ++k) {
    // the gap x - 2 where (x - 1) = force(x - 2) = max(0, lambda - rho (x - 2))
    const double x = std::max(1.0, (1 + multiplier[0] + 2 * parameters.rho) / (1 + parameters.rho));
    value[0] = x - 2;
    step = update_duals(group, parameters, value, duals);
  }
  EXPECT_NEAR(multiplier[0], 1, 1e-12);
  EXPECT_NEAR(value[0], 0, 1e-12);
  EXPECT_LT(step.primal, 1e-12);
}

TEST(MechanismTest, ParametersThatCannotWorkAreNamed) {
  const SampleGroups respond(Mechanism::respond), barrier(Mechanism::barrier), admm(Mechanism::admm);
  EXPECT_EQ(find_faults(respond.all[0], {}).size(), 1u);
  const std::vector<double> zero_weights(2, 0.0);
  MechanismParameters weights;
  weights.R = zero_weights;
  EXPECT_EQ(find_faults(respond.all[0], weights).size(), 1u);
  MechanismParameters flat;
  flat.barrier_delta = 0;
  EXPECT_EQ(find_faults(barrier.all[1], flat).front().where, "group 'gap'/barrier_delta");
  MechanismParameters loose;
  loose.rho = -1, loose.softness = std::nan("");
  EXPECT_EQ(find_faults(admm.all[1], loose).size(), 2u);
  SampleGroups frictionless(Mechanism::barrier);
  frictionless.mu[0] = 0;
  EXPECT_EQ(find_faults(frictionless.all[3], {}).size(), 1u);
}

TEST(MechanismTest, NotANumberShowsInTheStep) {
  const SampleGroups sample(Mechanism::admm);
  Random random(9);
  Storage s(sample.all[3], random, sample.rows());
  s.value[static_cast<std::size_t>(sample.all[3].first)] = std::nan("");
  const rows::DualStep step = update_duals(sample.all[3], {}, s.value, s.duals());
  EXPECT_TRUE(std::isinf(step.primal));
}

TEST(MechanismTest, IterationsDoNotAllocate) {
  Random random(10);
  for (const Mechanism mechanism : {Mechanism::respond, Mechanism::barrier, Mechanism::admm, Mechanism::augmented_lagrangian}) {
    const SampleGroups sample(mechanism);
    for (const RowGroup& group : sample.all) {
      Storage s(group, random, sample.rows());
      MechanismParameters parameters;
      parameters.R = s.R;
      const AllocationCount heap;
      evaluate(group, parameters, s.duals(), s.value, s.out());
      update_duals(group, parameters, s.value, s.duals());
      EXPECT_EQ(heap.delta(), 0);
    }
  }
}

}  // namespace
}  // namespace trilith::test
