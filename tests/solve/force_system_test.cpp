// Forces eliminated point by point, against the dense matrix; the same system on the bodies by iteration.
#include "solve/force_system.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dense_rows.h"
#include "solve/body_graph.h"
#include "solve/body_iteration.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

struct Bodies {
  test::Random random{7};
  std::vector<test::OwnedPatch> patches = test::random_patches(5, 4, random);
  rows::PatchRows rows = test::make_rows(5, patches);
};

TEST(ForceSystemTest, SolveInvertsTheStackedMatrix) {
  Bodies given;
  for (const bool split : {false, true})
    for (const FrictionForm form : {FrictionForm::net, FrictionForm::plus}) {
      BodyGraph bodies(given.rows);
      ForceSystem system(given.rows, bodies, split, form, {1.5, 20, 0.7});
      std::vector<double> weight(system.rows());
      for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] = i < system.first_cone_row() ? 30 : i < system.first_bound_row() ? 0.2 + 0.1 * static_cast<double>(i % 3) : 0.4;
      system.set_proximal(1e-3);
      system.set_weights({RowWeights::Shape::diagonal, weight});
      ASSERT_EQ(system.factor().dropped_pivots, 0);

      // M x = b with x from solve, M applied term by term
      const auto n = static_cast<std::size_t>(system.unknowns());
      const std::vector<double> b = test::uniform_numbers(n, given.random);
      std::vector<double> x = b, row(system.rows()), image(n), cost(n);
      system.solve(x, 1);
      system.apply(x, row);
      system.apply_weights(row);
      system.apply_transposed(row, image);
      system.apply_quadratic(x, cost);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(image[i] + cost[i] + 1e-3 * x[i], b[i], 1e-10);
    }
}

TEST(ForceSystemTest, ProductsAreTransposesOfEachOther) {
  Bodies given;
  BodyGraph bodies(given.rows);
  for (const FrictionForm form : {FrictionForm::net, FrictionForm::plus}) {
    const ForceSystem system(given.rows, bodies, true, form, {});
    const std::vector<double> x = test::uniform_numbers(static_cast<std::size_t>(system.unknowns()), given.random),
                              y = test::uniform_numbers(system.rows(), given.random);
    std::vector<double> gx(system.rows()), gy(x.size());
    system.apply(x, gx);
    system.apply_transposed(y, gy);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < y.size(); ++i) left += y[i] * gx[i];
    for (std::size_t i = 0; i < x.size(); ++i) right += x[i] * gy[i];
    EXPECT_NEAR(left, right, 1e-12 * std::abs(left) + 1e-12);
  }
}

TEST(BodyIterationTest, AgreesWithTheFactorAndStartsWarm) {
  Bodies given;
  BodyGraph graph(given.rows);
  BodyIteration iteration(given.rows);
  std::vector<double> weight(given.rows.size(), 0.0);
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = 1 + 0.01 * static_cast<double>(i % 7);
  for (WeightedSystem* system : {static_cast<WeightedSystem*>(&graph), static_cast<WeightedSystem*>(&iteration)}) {
    system->set_proximal(1e-2);
    system->set_weights({RowWeights::Shape::diagonal, weight});
    (void)system->factor();
  }
  const std::vector<double> b = test::uniform_numbers(30, given.random);
  std::vector<double> x = b, y = b;
  graph.solve(x, 1);
  iteration.solve(y, 1);
  EXPECT_TRUE(iteration.converged());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-7);
  const int before = iteration.iterations();
  y = b;
  const test::AllocationCount heap;
  iteration.solve(y, 1);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_LE(iteration.iterations() - before, 2);
}

TEST(BodyIterationTest, ACapIsReported) {
  Bodies given;
  BodyIteration iteration(given.rows, {1e-14, 2});
  iteration.set_weights({});
  (void)iteration.factor();
  std::vector<double> x = test::uniform_numbers(30, given.random);
  iteration.solve(x, 1);
  EXPECT_FALSE(iteration.converged());
}

}  // namespace
}  // namespace trilith::solve
