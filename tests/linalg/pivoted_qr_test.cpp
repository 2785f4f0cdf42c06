#include "linalg/pivoted_qr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace trilith::linalg {
namespace {

std::vector<double> random_matrix(int rows, int columns, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> a(static_cast<std::size_t>(rows * columns));
  for (double& v : a) v = 2 * rng.uniform() - 1;
  return a;
}

TEST(PivotedQrTest, FactorsGiveTheMatrixBack) {
  for (const auto& [rows, columns] : {std::pair{5, 3}, {3, 5}, {4, 4}, {1, 1}}) {
    const std::vector<double> a = random_matrix(rows, columns, 5);
    const PivotedQr qr(a, rows, columns, 1e-12);
    ASSERT_EQ(qr.rank(), std::min(rows, columns));
    for (int k = 0; k < columns; ++k) {
      std::vector<double> column(static_cast<std::size_t>(rows), 0.0);
      for (int i = 0; i < std::min(qr.rank(), k + 1); ++i) column[static_cast<std::size_t>(i)] = qr.r(i, k);
      if (k >= qr.rank())
        for (int i = 0; i < qr.rank(); ++i) column[static_cast<std::size_t>(i)] = qr.r(i, k);
      qr.multiply_q(column);
      for (int i = 0; i < rows; ++i)
        EXPECT_NEAR(column[static_cast<std::size_t>(i)], a[static_cast<std::size_t>(qr.column(k) * rows + i)], 1e-14);
    }
  }
}

TEST(PivotedQrTest, QIsOrthogonalAndItsTransposeUndoesIt) {
  const PivotedQr qr(random_matrix(6, 4, 9), 6, 4, 1e-12);
  std::vector<double> x{1, 2, 3, 4, 5, 6}, y = x;
  qr.multiply_q(y);
  double before = 0, after = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    before += x[i] * x[i];
    after += y[i] * y[i];
  }
  EXPECT_NEAR(after, before, 1e-12);
  qr.multiply_q_transposed(y);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(y[i], x[i], 1e-14);
}

TEST(PivotedQrTest, DependentColumnsAreFound) {
  std::vector<double> a = random_matrix(5, 4, 2);
  for (std::size_t i = 0; i < 5; ++i) a[15 + i] = a[i] - 2 * a[5 + i];
  EXPECT_EQ(PivotedQr(a, 5, 4, 1e-12).rank(), 3);
  EXPECT_EQ(PivotedQr(std::vector<double>(6, 0.0), 3, 2, 1e-12).rank(), 0);
  EXPECT_EQ(PivotedQr({}, 3, 0, 1e-12).rank(), 0);
}

TEST(PivotedQrTest, TriangularSolvesInvertR) {
  const PivotedQr qr(random_matrix(4, 4, 12), 4, 4, 1e-12);
  const std::vector<double> x{1, -1, 2, 0.5};
  std::vector<double> rx(4, 0.0), rtx(4, 0.0);
  for (int i = 0; i < 4; ++i)
    for (int k = i; k < 4; ++k) {
      rx[static_cast<std::size_t>(i)] += qr.r(i, k) * x[static_cast<std::size_t>(k)];
      rtx[static_cast<std::size_t>(k)] += qr.r(i, k) * x[static_cast<std::size_t>(i)];
    }
  qr.solve_r(rx);
  qr.solve_r_transposed(rtx);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(rx[i], x[i], 1e-12);
    EXPECT_NEAR(rtx[i], x[i], 1e-12);
  }
}

}  // namespace
}  // namespace trilith::linalg
