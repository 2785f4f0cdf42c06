#include "linalg/project_semidefinite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random.h"

namespace trilith::linalg {
namespace {

/// Q diag(values) Q' with Q a product of random reflections.
std::vector<double> matrix_with(const std::vector<double>& values, std::uint64_t seed) {
  const std::size_t n = values.size();
  test::Random random(seed);
  std::vector<double> Q(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) Q[i * n + i] = 1;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> w(n);
    double square = 0;
    for (double& v : w) v = random.uniform(-1, 1), square += v * v;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += Q[i * n + j] * w[j];
      for (std::size_t j = 0; j < n; ++j) Q[i * n + j] -= 2 * sum * w[j] / square;
    }
  }
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) a[i * n + j] += Q[i * n + k] * values[k] * Q[j * n + k];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
  return a;
}

TEST(ProjectSemidefiniteTest, NegativeEigenvaluesBecomeZeroAndTheOthersStay) {
  std::vector<double> values = {-3, 2, 0.5, -1e-3, 7, 4, 0, -20, 1, 1, 1, 3}, kept = values;
  for (double& v : kept) v = std::fmax(v, 0);
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    std::vector<double> a = matrix_with(values, seed), scratch(a.size());
    const std::vector<double> want = matrix_with(kept, seed);
    EXPECT_GE(project_semidefinite(a, 12, scratch), 3);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], want[i], 1e-13) << i;
  }
}

TEST(ProjectSemidefiniteTest, WhatIsSemidefiniteKeepsItsBits) {
  std::vector<double> a = matrix_with({1, 2, 3, 4, 5}, 3), scratch(a.size());
  const std::vector<double> before = a;
  EXPECT_EQ(project_semidefinite(a, 5, scratch), 0);
  EXPECT_EQ(a, before);
  a[7] = a[11] = std::nan("");
  EXPECT_EQ(project_semidefinite(a, 5, scratch), -1);
}

}  // namespace
}  // namespace trilith::linalg
