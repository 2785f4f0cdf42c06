#include "solve/bounded_simplex.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "support/random.h"

namespace trilith::solve {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

TEST(BoundedSimplexTest, TwoRowsMeetInTheirCorner) {
  // x + y >= 2, x - y >= 0, y >= 1: (1, 1) and beyond
  BoundedSimplex simplex(2, 2, {1, 1, 1, -1});
  simplex.set_bounds(1, 1, none);
  simplex.set_bounds(2, 2, none);
  simplex.set_bounds(3, 0, none);
  ASSERT_EQ(simplex.check(), SolveStatus::solved);
  EXPECT_GE(simplex.value(0) + simplex.value(1), 2 - 1e-9);
  // x <= 1/2 contradicts x >= y >= 1
  simplex.set_bounds(0, -none, .5);
  ASSERT_EQ(simplex.check(), SolveStatus::primal_infeasible);
  // and without it the same tableau finds a point again
  simplex.set_bounds(0, -none, none);
  EXPECT_EQ(simplex.check(), SolveStatus::solved);
}

struct Bounds {
  double lower, upper;
};

/// Least value of c'(x, s) within the bounds.
double least(const std::vector<double>& c, const std::vector<Bounds>& bounds) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (std::abs(c[i]) < 1e-12) continue;
    sum += c[i] * (c[i] > 0 ? bounds[i].lower : bounds[i].upper);
  }
  return sum;
}

TEST(BoundedSimplexTest, EveryAnswerHasItsProofWhileBoundsComeAndGo) {
  test::Random random(3);
  int points = 0, rays = 0;
  for (int problem = 0; problem < 40; ++problem) {
    const int columns = 3 + problem % 5, rows = 4 + problem % 7, all = columns + rows;
    std::vector<double> matrix;
    for (int i = 0; i < rows * columns; ++i) matrix.push_back(random.uniform(-1, 1));
    BoundedSimplex simplex(columns, rows, matrix);
    std::vector<Bounds> bounds(static_cast<std::size_t>(all), {-none, none});
    for (int change = 0; change < 30; ++change) {
      const int variable = static_cast<int>(random.uniform(0, all - .001));
      const double a = random.uniform(-2, 2), b = a + random.uniform(0, 2);
      const Bounds choice = change % 3 == 0 ? Bounds{-none, none} : change % 3 == 1 ? Bounds{a, b} : Bounds{a, none};
      bounds[static_cast<std::size_t>(variable)] = choice;
      simplex.set_bounds(variable, choice.lower, choice.upper);
      const SolveStatus status = simplex.check();
      if (status == SolveStatus::solved) {
        ++points;
        for (int v = 0; v < all; ++v) {
          double value = simplex.value(v);
          if (v >= columns) {
            value = 0;
            for (int j = 0; j < columns; ++j) value += matrix[static_cast<std::size_t>((v - columns) * columns + j)] * simplex.value(j);
          }
          EXPECT_GE(value, bounds[static_cast<std::size_t>(v)].lower - 1e-6);
          EXPECT_LE(value, bounds[static_cast<std::size_t>(v)].upper + 1e-6);
        }
        continue;
      }
      ASSERT_EQ(status, SolveStatus::primal_infeasible);
      ++rays;
      std::vector<double> c(static_cast<std::size_t>(all), 0.0);
      for (int i = 0; i < rows; ++i) {
        c[static_cast<std::size_t>(columns + i)] = simplex.ray()[static_cast<std::size_t>(i)];
        for (int j = 0; j < columns; ++j)
          c[static_cast<std::size_t>(j)] -= simplex.ray()[static_cast<std::size_t>(i)] * matrix[static_cast<std::size_t>(i * columns + j)];
      }
      EXPECT_GT(least(c, bounds), 0);
    }
  }
  EXPECT_GT(points, 300);
  EXPECT_GT(rays, 100);
}

}  // namespace
}  // namespace trilith::solve
