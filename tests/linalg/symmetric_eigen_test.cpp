#include "linalg/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trilith::linalg {
namespace {

double largest(const Mat3d& a) {
  double most = 0;
  for (const double x : a.m) most = std::max(most, std::abs(x));
  return most;
}

TEST(SymmetricEigenTest, RebuildsRandomMatricesWithARotation) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::exp(4 * normal(rng)), a = normal(rng), b = normal(rng), c = normal(rng);
    const Mat3d m = scale * Mat3d{{normal(rng), a, b, a, normal(rng), c, b, c, normal(rng)}};
    const SymmetricEigen eigen = symmetric_eigen(m);
    EXPECT_LE(largest(eigen.vectors * diagonal3(eigen.values) * transpose(eigen.vectors) - m), 1e-14 * largest(m));
    EXPECT_LE(largest(eigen.vectors * transpose(eigen.vectors) - identity3<double>()), 1e-14);
    EXPECT_NEAR(determinant(eigen.vectors), 1, 1e-14);
    EXPECT_LE(eigen.values.x, eigen.values.y);
    EXPECT_LE(eigen.values.y, eigen.values.z);
  }
}

TEST(SymmetricEigenTest, DiagonalEntriesStayExact) {
  const SymmetricEigen eigen = symmetric_eigen({{2.4e-6, 0, 0, 0, 3e-7, 0, 0, 0, 9e-7}});
  EXPECT_EQ(eigen.values.x, 3e-7);
  EXPECT_EQ(eigen.values.y, 9e-7);
  EXPECT_EQ(eigen.values.z, 2.4e-6);
}

TEST(SymmetricEigenTest, TheEigenvaluesOfAnIntegerMatrixAreRight) {
  const SymmetricEigen eigen = symmetric_eigen({{1, 5, 0, 5, 1, 0, 0, 0, 1}});
  EXPECT_NEAR(eigen.values.x, -4, 1e-15);
  EXPECT_NEAR(eigen.values.y, 1, 1e-15);
  EXPECT_NEAR(eigen.values.z, 6, 1e-14);
}

TEST(SymmetricEigenTest, SmallEigenvaluesOfGradedMatricesAreAccurate) {
  // diag(1, e, e^2) scaled from the well-conditioned matrix 1 + ones: relative accuracy needs Jacobi
  const double e = 1e-8;
  const SymmetricEigen eigen = symmetric_eigen({{2, e, e * e, e, 2 * e * e, e * e * e, e * e, e * e * e, 2 * e * e * e * e}});
  EXPECT_NEAR(eigen.values.z, 2, 1e-15);
  EXPECT_NEAR(eigen.values.y / (1.5 * e * e), 1, 1e-14);
  EXPECT_NEAR(eigen.values.x / (4.0 / 3 * e * e * e * e), 1, 1e-13);
}

}  // namespace
}  // namespace trilith::linalg
