#include "linalg/dense_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"
#include "linalg/dense_cholesky_kernel.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::linalg {
namespace {

constexpr FactorSettings double_settings{.pivot_tolerance = 1e-13};
constexpr FactorSettings float_settings{.pivot_tolerance = 1e-4};

/// B B' + shift on the diagonal, B n x rank of normal numbers: column-major, both triangles.
std::vector<double> gram_matrix(test::Random& random, int n, int rank, double shift) {
  std::vector<double> b(static_cast<std::size_t>(n) * static_cast<std::size_t>(rank)),
      a(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (double& v : b) v = random.gauss();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < rank; ++k) sum += b[static_cast<std::size_t>(k * n + i)] * b[static_cast<std::size_t>(k * n + j)];
      a[static_cast<std::size_t>(j * n + i)] = sum;
    }
  }
  return a;
}

std::vector<double> times(const std::vector<double>& a, const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> y(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) y[i] += a[j * n + i] * x[j];
  return y;
}

double largest(const std::vector<double>& a) {
  double size = 0;
  for (const double v : a) size = std::max(size, std::fabs(v));
  return size;
}

TEST(DenseCholeskyTest, FactorsAHandMadeMatrix) {
  // [4 2 6; 2 5 5; 6 5 14] = L L' with L = [2; 1 2; 3 1 2]
  std::vector<double> a{4, 2, 6, -99, 5, 5, -99, -99, 14};
  const FactorReport report = factor_dense(a, 3, double_settings);
  EXPECT_EQ(report.dropped_pivots, 0);
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(a, (std::vector<double>{0.5, 1, 3, -99, 0.5, 1, -99, -99, 0.5}));  // reciprocal diagonal; the upper triangle is not touched
  EXPECT_DOUBLE_EQ(report.smallest_pivot_ratio, 4.0 / 14);
  std::vector<double> x{12, 12, 25};
  solve_dense(a, 3, x);
  for (const double v : x) EXPECT_NEAR(v, 1, 1e-15);
}

TEST(DenseCholeskyTest, SolvesRandomMatricesOfEverySizeUpTo64) {
  test::Random random(3);
  for (int n = 1; n <= 64; ++n) {
    const std::vector<double> a = gram_matrix(random, n, n, 0.5);
    std::vector<double> l = a, x(static_cast<std::size_t>(n));
    for (double& v : x) v = random.gauss();
    const std::vector<double> b = x;
    const FactorReport report = factor_dense(l, n, double_settings);
    ASSERT_EQ(report.dropped_pivots, 0) << n;
    solve_dense(l, n, x);
    std::vector<double> residual = times(a, x);
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] -= b[i];
    EXPECT_LT(largest(residual), 1e-14 * n * largest(a) * (1 + largest(x))) << n;
  }
}

TEST(DenseCholeskyTest, CountsDependentDirectionsAndStillSolvesInTheOthers) {
  test::Random random(4);
  for (const int rank : {1, 3, 5, 6}) {
    const std::vector<double> a = gram_matrix(random, 7, rank, 0);
    std::vector<double> l = a;
    const FactorReport report = factor_dense(l, 7, double_settings);
    EXPECT_EQ(report.dropped_pivots, 7 - rank);
    EXPECT_TRUE(report.finite);
    // a right-hand side in the range has a solution with zeros in the dropped directions
    std::vector<double> z(7);
    for (double& v : z) v = random.gauss();
    const std::vector<double> b = times(a, z);
    std::vector<double> x = b;
    solve_dense(l, 7, x);
    std::vector<double> residual = times(a, x);
    int zeros = 0;
    for (std::size_t i = 0; i < 7; ++i) residual[i] -= b[i], zeros += x[i] == 0 ? 1 : 0;
    EXPECT_LT(largest(residual), 1e-8 * largest(b)) << rank;
    EXPECT_EQ(zeros, 7 - rank);
  }
}

TEST(DenseCholeskyTest, IndefiniteAndZeroMatricesDropPivots) {
  std::vector<double> negative{-1, 0, 0, 4};
  EXPECT_EQ(factor_dense(negative, 2, double_settings).dropped_pivots, 1);
  std::vector<double> zero(9, 0.0), x{1, 2, 3};
  EXPECT_EQ(factor_dense(zero, 3, double_settings).dropped_pivots, 3);
  EXPECT_EQ(factor_dense(zero, 3, double_settings).smallest_pivot_ratio, 1);
  solve_dense(zero, 3, x);
  EXPECT_EQ(x, (std::vector<double>{0, 0, 0}));
}

TEST(DenseCholeskyTest, NanAndInfinityAreReportedWhereverTheyStand) {
  test::Random random(5);
  const std::vector<double> good = gram_matrix(random, 5, 5, 1);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t i = j; i < 5; ++i) {
        std::vector<double> a = good;
        a[5 * j + i] = bad;
        EXPECT_FALSE(factor_dense(a, 5, double_settings).finite) << i << " " << j << " " << bad;
      }
    }
  }
}

TEST(DenseCholeskyTest, TheSmallestRatioShowsHowCloseToSingularItIs) {
  for (const double gap : {1e-2, 1e-5, 1e-8}) {
    std::vector<double> a{1, 1, 0, 1 + gap};
    EXPECT_NEAR(factor_dense(a, 2, double_settings).smallest_pivot_ratio / gap, 1, 1e-2);
  }
}

/// Matrices of one group, problem k in lane k.
template <class S, int Group>
struct Batch {
  std::vector<std::vector<double>> matrix;
  std::vector<S> a, x;
};
template <class S, int Group>
Batch<S, Group> make_batch(int n, int groups, std::uint64_t seed) {
  test::Random random(seed);
  const auto size = static_cast<std::size_t>(n);
  Batch<S, Group> batch;
  batch.a.resize(static_cast<std::size_t>(groups) * Group * size * size);
  batch.x.resize(static_cast<std::size_t>(groups) * Group * size);
  for (std::size_t p = 0; p < static_cast<std::size_t>(groups) * Group; ++p) {
    // every third problem has dependent directions
    const int rank = p % 3 == 2 ? std::max(1, n - 2) : n;
    batch.matrix.push_back(gram_matrix(random, n, rank, rank < n ? 0 : 1));
    const std::size_t g = p / Group, k = p % Group;
    for (std::size_t e = 0; e < size * size; ++e) batch.a[(g * size * size + e) * Group + k] = static_cast<S>(batch.matrix.back()[e]);
    for (std::size_t i = 0; i < size; ++i) batch.x[(g * size + i) * Group + k] = static_cast<S>(random.gauss());
  }
  return batch;
}

TEST(DenseCholeskyTest, ABatchHasTheBitsOfEachMatrixAlone) {
  for (const int n : {1, 3, 6, 7, 14, 33}) {
    auto batch = make_batch<double, double_group>(n, 3, static_cast<std::uint64_t>(n));
    const std::vector<double> right = batch.x;
    std::vector<FactorReport> report(batch.matrix.size());
    factor_dense_batch(batch.a, n, double_settings, report);
    solve_dense_batch(batch.a, n, batch.x);
    const auto size = static_cast<std::size_t>(n);
    for (std::size_t p = 0; p < batch.matrix.size(); ++p) {
      const std::size_t g = p / double_group, k = p % double_group;
      std::vector<double> l = batch.matrix[p], x(size);
      for (std::size_t i = 0; i < size; ++i) x[i] = right[(g * size + i) * double_group + k];
      const FactorReport alone = factor_dense(l, n, double_settings);
      solve_dense(l, n, x);
      ASSERT_EQ(report[p].dropped_pivots, alone.dropped_pivots);
      ASSERT_EQ(report[p].smallest_pivot_ratio, alone.smallest_pivot_ratio);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(batch.x[(g * size + i) * double_group + k], x[i]) << n << " " << p;
    }
  }
}

TEST(DenseCholeskyTest, EveryInstructionSetHasTheSameBits) {
  for (const int n : {2, 6, 7, 14}) {
    const auto wide = make_batch<double, double_group>(n, 2, 8);
    const auto narrow = make_batch<float, float_group>(n, 2, 9);
    std::vector<std::uint64_t> hashes;
    for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
      if (!has_isa(isa)) continue;
      const DenseCholeskyKernel& kernel = dense_cholesky_kernel_of(isa);
      auto d = wide;
      auto f = narrow;
      std::vector<double> d_pivots(std::size_t{2} * 3 * double_group);
      std::vector<float> f_pivots(std::size_t{2} * 3 * float_group);
      kernel.factor_double({n, 2}, 1e-13, d.a.data(), d_pivots.data());
      kernel.solve_double({n, 2}, d.a.data(), d.x.data());
      kernel.factor_float({n, 2}, 1e-5f, f.a.data(), f_pivots.data());
      kernel.solve_float({n, 2}, f.a.data(), f.x.data());
      Hash64 hash;
      for (const std::vector<double>* v : {&d.a, &d.x, &d_pivots}) hash.add(std::span<const double>(*v));
      for (const std::vector<float>* v : {&f.a, &f.x, &f_pivots}) hash.add(std::span<const float>(*v));
      hashes.push_back(hash.value());
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]) << n;
  }
}

// one number for all compilers, optimisation levels and instruction sets
TEST(DenseCholeskyTest, ResultsAreAConstant) {
  Rng rng(12);
  constexpr int n = 7;
  std::vector<double> a(std::size_t{n} * n * double_group), x(std::size_t{n} * double_group);
  for (double& v : x) v = rng.uniform(-1, 1);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < double_group; ++k)
        a[static_cast<std::size_t>((j * n + i) * double_group + k)] = rng.uniform(-1, 1) + (i == j ? 8 : 0);
  std::vector<FactorReport> report(double_group);
  factor_dense_batch(a, n, double_settings, report);
  solve_dense_batch(a, n, x);
  EXPECT_EQ(hex(hash_of(x)), "0x5ae32d6b0b8358f9");
}

TEST(DenseCholeskyTest, FloatBatchesSolveToFloatPrecision) {
  for (const int n : {1, 6, 7, 14}) {
    auto batch = make_batch<float, float_group>(n, 1, 10);
    const std::vector<float> right = batch.x;
    std::vector<FactorReport> report(float_group);
    factor_dense_batch(batch.a, n, float_settings, report);
    solve_dense_batch(batch.a, n, batch.x);
    const auto size = static_cast<std::size_t>(n);
    for (std::size_t p = 0; p < float_group; ++p) {
      if (p % 3 == 2 && n > 2) {
        EXPECT_EQ(report[p].dropped_pivots, 2) << n << " " << p;
        continue;
      }
      std::vector<double> x(size);
      for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<double>(batch.x[i * float_group + p]);
      const std::vector<double> b = times(batch.matrix[p], x);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_NEAR(b[i], right[i * float_group + p], 1e-6 * n * largest(batch.matrix[p]) * (1 + largest(x))) << n << " " << p;
    }
  }
}

TEST(DenseCholeskyTest, NothingAllocates) {
  auto batch = make_batch<double, double_group>(7, 2, 11);
  std::vector<FactorReport> report(batch.matrix.size());
  std::vector<double> l = batch.matrix[0], x(7, 1.0);
  const test::AllocationCount heap;
  factor_dense_batch(batch.a, 7, double_settings, report);
  solve_dense_batch(batch.a, 7, batch.x);
  (void)factor_dense(l, 7, double_settings);
  solve_dense(l, 7, x);
  EXPECT_EQ(heap.delta(), 0);
}

}  // namespace
}  // namespace trilith::linalg
