// The dense backend against products written out.
#include "solve/dense_system.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "rows/patch_rows.h"

namespace trilith::solve {
namespace {

constexpr std::size_t lanes = rows::patch_lanes;

struct Example {
  int n = 4;
  std::vector<double> P, G;
  std::vector<DensePoint> points{{0, 1}, {1, 1}, {rows::slot_rows + 2, 3}};  // two rays and a cone
  std::size_t rows = 2 * rows::slot_rows;

  Example() {
    Rng rng(3);
    G.resize(5 * 4);
    for (double& v : G) v = 2 * rng.uniform() - 1;
    P.assign(16, 0);
    for (std::size_t i = 0; i < 4; ++i) P[i * 4 + i] = 1.0 + static_cast<double>(i);
    P[1] = P[4] = 0.5;
  }
  DenseSystem make() const { return {n, P, G, points, rows, 1e-14}; }
  std::size_t place(int row) const {  // of a natural row in a row vector
    return row < 2 ? static_cast<std::size_t>(row) : points[2].row + static_cast<std::size_t>(row - 2) * lanes;
  }
};

TEST(DenseSystemTest, SolvesWithWeightsOfEveryShape) {
  const Example e;
  for (const auto shape : {RowWeights::Shape::identity, RowWeights::Shape::diagonal, RowWeights::Shape::triple}) {
    DenseSystem system = e.make();
    std::vector<double> weights(shape == RowWeights::Shape::triple ? 2 * e.rows : e.rows, 0.0);
    double C[5][5] = {};
    for (std::size_t i = 0; i < 5; ++i) C[i][i] = 1;
    if (shape == RowWeights::Shape::diagonal)
      for (int i = 0; i < 5; ++i) weights[e.place(i)] = C[i][i] = 1 + i;
    if (shape == RowWeights::Shape::triple) {
      const std::size_t slot[3] = {0, 0, 1}, lane[3] = {0, 1, 2};
      const double upper[6] = {3, 0.5, -0.25, 2, 0.125, 4};
      weights[slot[0] * 6 * lanes + lane[0]] = C[0][0] = 7;
      weights[slot[1] * 6 * lanes + lane[1]] = C[1][1] = 5;
      std::size_t k = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j, ++k) {
          weights[(slot[2] * 6 + k) * lanes + lane[2]] = upper[k];
          C[2 + i][2 + j] = C[2 + j][2 + i] = upper[k];
        }
    }
    system.set_weights({shape, weights});
    ASSERT_TRUE(system.factor().finite);
    std::vector<double> x{1, -2, 3, 0.5}, b(4, 0.0);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double m = e.P[i * 4 + j];
        for (std::size_t r = 0; r < 5; ++r)
          for (std::size_t s = 0; s < 5; ++s) m += e.G[r * 4 + i] * C[r][s] * e.G[s * 4 + j];
        b[i] += m * x[j];
      }
    std::vector<double> two(8);
    for (std::size_t i = 0; i < 4; ++i) {
      two[2 * i] = b[i];
      two[2 * i + 1] = 2 * b[i];
    }
    system.solve(two, 2);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(two[2 * i], x[i], 1e-12);
      EXPECT_NEAR(two[2 * i + 1], 2 * x[i], 1e-12);
    }

    // products: G x, its weights, G' of that, P x make M x
    std::vector<double> row(e.rows), out(4), px(4);
    system.apply(x, row);
    for (int r = 0; r < 5; ++r) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += e.G[static_cast<std::size_t>(r) * 4 + j] * x[j];
      EXPECT_NEAR(row[e.place(r)], sum, 1e-15);
    }
    system.apply_weights(row);
    system.apply_transposed(row, out);
    system.apply_quadratic(x, px);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(out[i] + px[i], b[i], 1e-12);
  }
}

TEST(DenseSystemTest, WithoutQuadraticOrRowsItIsEmpty) {
  DenseSystem system(2, {}, {}, {}, 0, 1e-14);
  system.set_weights({});
  EXPECT_EQ(system.factor().dropped_pivots, 2);
}

}  // namespace
}  // namespace trilith::solve
