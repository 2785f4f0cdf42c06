// One more row across all unknowns, against the dense system that has it among its rows.
#include "solve/bordered_system.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "rows/patch_rows.h"
#include "solve/dense_system.h"

namespace trilith::solve {
namespace {

constexpr std::size_t lanes = rows::patch_lanes;

TEST(BorderedSystemTest, EqualsTheSystemThatHoldsTheRow) {
  Rng rng(4);
  const int n = 5;
  std::vector<double> P(25, 0.0), G, a(5);
  for (std::size_t i = 0; i < 5; ++i) P[i * 5 + i] = 1 + 0.1 * static_cast<double>(i);
  for (int k = 0; k < 3 * 5; ++k) G.push_back(2 * rng.uniform() - 1);
  for (double& v : a) v = 2 * rng.uniform() - 1;
  std::vector<double> all = G;
  all.insert(all.end(), a.begin(), a.end());
  const DensePoint cone{0, 3}, ray{rows::slot_rows, 1};
  DenseSystem inner(n, P, G, {cone}, rows::slot_rows, 1e-14), whole(n, P, all, {cone, ray}, 2 * rows::slot_rows, 1e-14);
  BorderedSystem bordered(inner, a);
  ASSERT_EQ(bordered.rows(), whole.rows());
  ASSERT_EQ(bordered.border(), ray.row);

  std::vector<double> weights(2 * whole.rows(), 0.0);
  const double upper[6] = {3, 0.5, -0.25, 2, 0.125, 4};
  for (std::size_t k = 0; k < 6; ++k) weights[k * lanes] = upper[k];
  weights[2 * rows::slot_rows] = 1e3;  // of the border
  for (WeightedSystem* system : {static_cast<WeightedSystem*>(&bordered), static_cast<WeightedSystem*>(&whole)}) {
    system->set_weights({RowWeights::Shape::triple, weights});
    ASSERT_TRUE(system->factor().finite);
  }
  std::vector<double> x(10), y;
  for (double& v : x) v = 2 * rng.uniform() - 1;
  y = x;
  bordered.solve(x, 2);
  whole.solve(y, 2);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12);

  std::vector<double> one(x.begin(), x.begin() + 5), row(whole.rows()), same(whole.rows()), back(5), same_back(5);
  bordered.apply(one, row);
  whole.apply(one, same);
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], same[i], 1e-14) << i;
  bordered.apply_weights(row);
  whole.apply_weights(same);
  bordered.apply_transposed(row, back);
  whole.apply_transposed(same, same_back);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(back[i], same_back[i], 1e-10);
  bordered.apply_quadratic(one, back);
  whole.apply_quadratic(one, same_back);
  EXPECT_EQ(back, same_back);
}

}  // namespace
}  // namespace trilith::solve
