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

/// A simplex and the data it was given.
struct Case {
  int columns, rows;
  std::vector<double> matrix;
  std::vector<Bounds> bounds;
  double entry(int row, int column) const { return matrix[static_cast<std::size_t>(row * columns + column)]; }
};

void expect_point(const Case& it, const BoundedSimplex& simplex) {
  for (int v = 0; v < it.columns + it.rows; ++v) {
    double value = 0;
    if (v < it.columns) value = simplex.value(v);
    for (int j = 0; v >= it.columns && j < it.columns; ++j) value += it.entry(v - it.columns, j) * simplex.value(j);
    EXPECT_GE(value, it.bounds[static_cast<std::size_t>(v)].lower - 1e-6);
    EXPECT_LE(value, it.bounds[static_cast<std::size_t>(v)].upper + 1e-6);
  }
}

void expect_ray(const Case& it, const BoundedSimplex& simplex) {
  std::vector<double> c(static_cast<std::size_t>(it.columns + it.rows), 0.0);
  for (int i = 0; i < it.rows; ++i) {
    const double y = simplex.ray()[static_cast<std::size_t>(i)];
    c[static_cast<std::size_t>(it.columns + i)] = y;
    for (int j = 0; j < it.columns; ++j) c[static_cast<std::size_t>(j)] -= y * it.entry(i, j);
  }
  EXPECT_GT(least(c, it.bounds), 0);
}

TEST(BoundedSimplexTest, EveryAnswerHasItsProofWhileBoundsComeAndGo) {
  test::Random random(3);
  int points = 0, rays = 0;
  for (int problem = 0; problem < 40; ++problem) {
    Case it{3 + problem % 5, 4 + problem % 7, {}, {}};
    const int all = it.columns + it.rows;
    for (int i = 0; i < it.rows * it.columns; ++i) it.matrix.push_back(random.uniform(-1, 1));
    BoundedSimplex simplex(it.columns, it.rows, it.matrix);
    it.bounds.assign(static_cast<std::size_t>(all), {-none, none});
    for (int change = 0; change < 30; ++change) {
      const int variable = static_cast<int>(random.uniform(0, all - .001));
      const double a = random.uniform(-2, 2), b = a + random.uniform(0, 2);
      const Bounds choice = change % 3 == 0 ? Bounds{-none, none} : change % 3 == 1 ? Bounds{a, b} : Bounds{a, none};
      it.bounds[static_cast<std::size_t>(variable)] = choice;
      simplex.set_bounds(variable, choice.lower, choice.upper);
      const SolveStatus status = simplex.check();
      if (status == SolveStatus::solved) {
        ++points;
        expect_point(it, simplex);
        continue;
      }
      ASSERT_EQ(status, SolveStatus::primal_infeasible);
      ++rays;
      expect_ray(it, simplex);
    }
  }
  EXPECT_GT(points, 300);
  EXPECT_GT(rays, 100);
}

}  // namespace
}  // namespace trilith::solve
