#include "linalg/block_cholesky.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/hash.h"
#include "base/isa.h"
#include "block_systems.h"
#include "linalg/block_storage.h"
#include "linalg/block_symbolic.h"
#include "support/allocation.h"

namespace trilith::linalg {
namespace {

using test::Edges;
using test::Random;
using test::System;

std::vector<int> sixes(int blocks) { return std::vector<int>(blocks, 6); }

std::vector<int> mixed_sizes(int blocks, int largest, Random& random) {
  std::vector<int> size;
  for (int i = 0; i < blocks; ++i) size.push_back(1 + int(random.index(largest)));
  return size;
}

/// Factors, solves one side, and compares with the textbook.
void expect_textbook_solution(const System& s, Random& random, double tolerance = 1e-11) {
  for (const Ordering ordering : {Ordering::amd, Ordering::natural}) {
    BlockCholesky cholesky = test::make_cholesky(s, ordering);
    const FactorReport report = cholesky.factor({});
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.dropped_pivots, 0);
    EXPECT_GT(report.smallest_pivot_ratio, 0);
    EXPECT_LE(report.smallest_pivot_ratio, 1);
    const std::vector<double> b = test::random_vector(s.rows(), random);
    EXPECT_LE(test::relative_difference(test::solve(s, cholesky, {b})[0], test::dense_solve(s, b)), tolerance);
  }
}

// ------------------------------------------------------------------------------------------------- known answers

TEST(BlockCholeskyTest, OneNumber) {
  System s = test::make_system(1, {}, {1});
  s.at(0, 0) = 4;
  BlockCholesky cholesky = test::make_cholesky(s);
  EXPECT_EQ(cholesky.factor({}).smallest_pivot_ratio, 1);
  EXPECT_EQ(test::solve(s, cholesky, {{10}})[0][0], 2.5);
}

TEST(BlockCholeskyTest, NoBlocks) {
  BlockCholesky cholesky(make_block_symbolic(BlockPattern{}, {}, Ordering::amd));
  cholesky.set_zero();
  const FactorReport report = cholesky.factor({});
  EXPECT_EQ(report.dropped_pivots, 0);
  EXPECT_TRUE(report.finite);
  cholesky.solve({}, 1);
}

// The second difference with fixed ends: x_i = i (n + 1 - i) / 2 solves it for b = 1.
TEST(BlockCholeskyTest, LongChainsHaveTheParabolaAsAnswer) {
  const int n = 10000;
  for (const int size : {1, 6}) {
    const BlockPattern pattern = make_block_pattern(n, test::chain(n));
    const auto symbolic = make_block_symbolic(pattern, std::vector<int>(n, size), Ordering::amd);
    BlockCholesky cholesky(symbolic);
    cholesky.set_zero();
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < size; ++k) {
        cholesky.diagonal(i)[std::size_t(k) * (size + 1)] = 2;
        if (i + 1 < n) cholesky.off_diagonal(symbolic->pair(i, i + 1))[std::size_t(k) * (size + 1)] = -1;
      }
    EXPECT_EQ(cholesky.factor({}).dropped_pivots, 0);
    std::vector<double> x(std::size_t(n) * size, 1.0);
    cholesky.solve(x, 1);
    double error = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < size; ++k) {
        const double exact = (i + 1.0) * (n - i) / 2;
        error = std::max(error, std::abs(x[std::size_t(symbolic->row_of(symbolic->position(i))) + k] / exact - 1));
      }
    EXPECT_LE(error, 1e-7) << "size " << size;
  }
}

// ---------------------------------------------------------------------------------------------- against the textbook

TEST(BlockCholeskyTest, GraphsOfEveryShapeAgreeWithTheTextbook) {
  Random random(1);
  const std::pair<int, Edges> graphs[] = {{1, {}},
                                          {9, {}},
                                          {2, test::chain(2)},
                                          {60, test::chain(60)},
                                          {48, test::grid(8, 6)},
                                          {63, test::binary_tree(63)},
                                          {20, test::complete(20)},
                                          {12, {{0, 1}, {1, 2}, {5, 6}, {6, 7}, {7, 5}}}};
  for (const auto& [blocks, edges] : graphs) expect_textbook_solution(test::random_system(blocks, edges, sixes(blocks), random), random);
}

TEST(BlockCholeskyTest, EveryBlockSizeAgreesWithTheTextbook) {
  Random random(2);
  for (int size = 1; size <= 20; ++size) {
    expect_textbook_solution(test::random_system(1, {}, {size}, random), random);
    expect_textbook_solution(test::random_system(12, test::grid(4, 3), std::vector<int>(12, size), random), random);
  }
}

TEST(BlockCholeskyTest, RandomMixedBlocksAgreeWithTheTextbook) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + int(random.index(30));
    const Edges edges = test::random_edges(n, int(random.index(2 * n)), random);
    expect_textbook_solution(test::random_system(n, edges, mixed_sizes(n, 11, random), random), random);
  }
}

TEST(BlockCholeskyTest, SeveralSidesHaveTheBitsOfOne) {
  Random random(4);
  const System s = test::random_system(30, test::grid(6, 5), mixed_sizes(30, 9, random), random);
  BlockCholesky cholesky = test::make_cholesky(s);
  (void)cholesky.factor({});
  std::vector<std::vector<double>> b;
  for (int q = 0; q < 4; ++q) b.push_back(test::random_vector(s.rows(), random));
  for (int sides = 1; sides <= 4; ++sides) {
    const auto together = test::solve(s, cholesky, {b.begin(), b.begin() + sides});
    for (int q = 0; q < sides; ++q) EXPECT_EQ(together[q], test::solve(s, cholesky, {b[q]})[0]);
  }
}

TEST(BlockCholeskyTest, OnlyTheLowerTriangleOfADiagonalBlockIsRead) {
  Random random(5);
  const System s = test::random_system(20, test::grid(5, 4), mixed_sizes(20, 9, random), random);
  BlockCholesky clean = test::make_cholesky(s), dirty = test::make_cholesky(s);
  for (int p = 0; p < 20; ++p) {
    const int size = dirty.symbolic().size_of(p);
    for (int c = 0; c < size; ++c)
      for (int r = 0; r < c; ++r) dirty.diagonal(p)[std::size_t(c) * size + r] = std::numeric_limits<double>::quiet_NaN();
  }
  EXPECT_TRUE(clean.factor({}).finite);
  EXPECT_TRUE(dirty.factor({}).finite);
  const std::vector<double> b = test::random_vector(s.rows(), random);
  EXPECT_EQ(test::solve(s, clean, {b}), test::solve(s, dirty, {b}));
}

// Callers write six by six blocks straight into this memory.
TEST(BlockCholeskyTest, BlocksLieOneAfterTheOther) {
  Random random(6);
  const System s = test::random_system(25, test::grid(5, 5), sixes(25), random);
  BlockCholesky cholesky = test::make_cholesky(s);
  for (int p = 0; p < 25; ++p) EXPECT_EQ(cholesky.diagonal(p).data(), cholesky.diagonal(0).data() + 36 * p);
  for (int e = 0; e < cholesky.symbolic().pair_count(); ++e)
    EXPECT_EQ(cholesky.off_diagonal(e).data(), cholesky.off_diagonal(0).data() + 36 * e);
}

// ------------------------------------------------------------------------------------------------------------ reuse

TEST(BlockCholeskyTest, ManyFactorizationsShareOnePlan) {
  Random random(7);
  const auto symbolic = make_block_symbolic(make_block_pattern(20, test::grid(5, 4)), sixes(20), Ordering::amd);
  BlockCholesky reused(symbolic);
  for (int round = 0; round < 20; ++round) {
    const System s = test::random_system(20, test::grid(5, 4), sixes(20), random);
    const std::vector<double> b = test::random_vector(s.rows(), random);
    BlockCholesky fresh(symbolic);
    for (BlockCholesky* cholesky : {&reused, &fresh}) {
      test::fill(s, *cholesky);
      (void)cholesky->factor({});
    }
    EXPECT_EQ(test::solve(s, reused, {b}), test::solve(s, fresh, {b}));
  }
}

TEST(BlockCholeskyTest, FactorLeavesTheBlocksAlone) {
  Random random(8);
  const System s = test::random_system(20, test::grid(5, 4), sixes(20), random);
  BlockCholesky cholesky = test::make_cholesky(s);
  const std::vector<double> b = test::random_vector(s.rows(), random);
  (void)cholesky.factor({});
  const auto first = test::solve(s, cholesky, {b});
  (void)cholesky.factor({});
  EXPECT_EQ(first, test::solve(s, cholesky, {b}));
}

TEST(BlockCholeskyTest, FactorAndSolveDoNotAllocate) {
  Random random(9);
  const System s = test::random_system(64, test::grid(8, 8), sixes(64), random);
  BlockCholesky cholesky = test::make_cholesky(s);
  std::vector<double> x(std::size_t(s.rows()) * 4, 1.0);
  (void)active_isa();
  const test::AllocationCount heap;
  cholesky.set_zero();
  for (int sides = 1; sides <= 4; ++sides) {
    (void)cholesky.factor({});
    cholesky.solve(std::span(x).first(std::size_t(s.rows()) * sides), sides);
  }
  EXPECT_EQ(heap.delta(), 0);
}

TEST(BlockCholeskyTest, MovingKeepsTheFactor) {
  Random random(10);
  const System s = test::random_system(6, test::chain(6), sixes(6), random);
  BlockCholesky first = test::make_cholesky(s);
  (void)first.factor({});
  const std::vector<double> b = test::random_vector(s.rows(), random);
  const auto x = test::solve(s, first, {b});
  BlockCholesky second(std::move(first));
  EXPECT_EQ(test::solve(s, second, {b}), x);
}

// ------------------------------------------------------------------------------------------------------------- rank

/// Stiffness between free blocks only: translating all of them together costs nothing, so `nullity` directions per part are free.
System laplacian(int blocks, const Edges& edges, int size, Random& random) {
  System s = test::make_system(blocks, edges, std::vector<int>(blocks, size));
  const System one = test::random_system(1, {}, {size}, random);
  for (int i = 0; i < blocks; ++i)
    for (int k = s.pattern.start[i]; k < s.pattern.start[i + 1]; ++k)
      for (int c = 0; c < size; ++c)
        for (int r = 0; r < size; ++r) {
          s.at(s.row[i] + r, s.row[i] + c) += one.at(r, c);
          s.at(s.row[i] + r, s.row[s.pattern.neighbour[k]] + c) -= one.at(r, c);
        }
  return s;
}

TEST(BlockCholeskyTest, AFloatingPairLosesSixPivots) {
  Random random(11);
  for (int round = 0; round < 50; ++round) {
    // blocks 0..3 hold each other and the ground, 4 and 5 only each other
    System s = test::random_system(6, {{0, 1}, {1, 2}, {2, 3}}, sixes(6), random);
    const System pair = laplacian(2, {{0, 1}}, 6, random);
    s.pattern = make_block_pattern(6, Edges{{0, 1}, {1, 2}, {2, 3}, {4, 5}});
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) s.at(24 + i, 24 + j) = pair.at(i, j);
    BlockCholesky cholesky = test::make_cholesky(s);
    const FactorReport report = cholesky.factor({.pivot_tolerance = 1e-12});
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.dropped_pivots, 6);
    EXPECT_GT(report.smallest_pivot_ratio, 1e-6);

    // a load that the pair can carry (equal and opposite) is carried, and the dropped block stays at zero
    std::vector<double> y = test::random_vector(s.rows(), random);
    const std::vector<double> b = test::multiply(s, y), x = test::solve(s, cholesky, {b})[0];
    EXPECT_LE(test::relative_difference(test::multiply(s, x), b), 1e-11);
    const bool first_is_zero = std::all_of(x.begin() + 24, x.begin() + 30, [](double v) { return v == 0; });
    const bool second_is_zero = std::all_of(x.begin() + 30, x.end(), [](double v) { return v == 0; });
    EXPECT_TRUE(first_is_zero != second_is_zero);
  }
}

TEST(BlockCholeskyTest, EveryFloatingPartLosesItsOwnPivots) {
  Random random(12);
  for (const int size : {1, 3, 6, 7}) {
    for (const auto& [blocks, edges, parts] :
         {std::tuple{16, test::grid(4, 4), 1}, std::tuple{20, test::chain(20), 1}, std::tuple{6, Edges{{0, 1}, {2, 3}, {4, 5}}, 3}}) {
      const System s = laplacian(blocks, edges, size, random);
      BlockCholesky cholesky = test::make_cholesky(s);
      EXPECT_EQ(cholesky.factor({.pivot_tolerance = 1e-11}).dropped_pivots, parts * size);
      const std::vector<double> b = test::multiply(s, test::random_vector(s.rows(), random));
      EXPECT_LE(test::relative_difference(test::multiply(s, test::solve(s, cholesky, {b})[0]), b), 1e-9);
    }
  }
}

TEST(BlockCholeskyTest, AnUntouchedBlockLosesItself) {
  Random random(13);
  System s = test::random_system(5, {{0, 1}, {1, 2}}, sixes(5), random);
  for (int i = 18; i < 24; ++i)
    for (int j = 18; j < 24; ++j) s.at(i, j) = 0;
  BlockCholesky cholesky = test::make_cholesky(s);
  const FactorReport report = cholesky.factor({});
  EXPECT_EQ(report.dropped_pivots, 6);
  EXPECT_GT(report.smallest_pivot_ratio, 1e-6);
  const std::vector<double> x = test::solve(s, cholesky, {test::random_vector(s.rows(), random)})[0];
  for (int i = 18; i < 24; ++i) EXPECT_EQ(x[i], 0);
}

TEST(BlockCholeskyTest, NegativePivotsAreDropped) {
  System s = test::make_system(2, {{0, 1}}, {1, 1});
  s.at(0, 0) = s.at(1, 1) = 1;
  s.at(0, 1) = s.at(1, 0) = 2;
  BlockCholesky cholesky = test::make_cholesky(s);
  const FactorReport report = cholesky.factor({});
  EXPECT_EQ(report.dropped_pivots, 1);
  EXPECT_EQ(report.smallest_pivot_ratio, 1);
  EXPECT_TRUE(report.finite);

  s.at(0, 0) = s.at(1, 1) = -1;
  BlockCholesky negative = test::make_cholesky(s);
  EXPECT_EQ(negative.factor({}).dropped_pivots, 2);
}

TEST(BlockCholeskyTest, SmallestPivotRatioIsThatOfTheWorstRow) {
  System s = test::make_system(2, {{0, 1}}, {1, 1});
  s.at(0, 0) = s.at(1, 1) = 1;
  s.at(0, 1) = s.at(1, 0) = 0.5;
  BlockCholesky cholesky = test::make_cholesky(s);
  EXPECT_EQ(cholesky.factor({}).smallest_pivot_ratio, 0.75);
}

/// A stack of unit cubes, each joint held at its four corners, stiffer along its normal; the lowest cube stands on the ground or not.
System stack(int cubes, bool grounded) {
  System s = test::make_system(cubes, test::chain(cubes), sixes(cubes));
  for (int joint = grounded ? -1 : 0; joint + 1 < cubes; ++joint)
    for (int corner = 0; corner < 4; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        const int column = corner % 2, row = corner / 2;
        const double x = column - 0.5, y = row - 0.5, weight = axis == 2 ? 1.0 : 0.6;
        const auto wrench = [&](double z, double sign) {
          // force along the axis at (x, y, z) from the centre, and its moment
          const double moment[3][3] = {{0, z, -y}, {-z, 0, x}, {y, -x, 0}};
          std::vector<double> w(6, 0.0);
          w[axis] = sign;
          for (int i = 0; i < 3; ++i) w[3 + i] = sign * moment[axis][i];
          return w;
        };
        const std::vector<double> upper = wrench(-0.5, 1), lower = wrench(0.5, -1);
        const auto add = [&](int a, const std::vector<double>& u, int b, const std::vector<double>& v) {
          for (int i = 0; a >= 0 && b >= 0 && i < 6; ++i)
            for (int j = 0; j < 6; ++j) s.at(6 * a + i, 6 * b + j) += weight * u[i] * v[j];
        };
        add(joint + 1, upper, joint + 1, upper);
        add(joint, lower, joint, lower);
        add(joint + 1, upper, joint, lower);
        add(joint, lower, joint + 1, upper);
      }
  return s;
}

// Why the default is 1e-12: at 1e-15 rounding hides half of the rigid motions of ten floating cubes, and no grounded pivot comes near.
TEST(BlockCholeskyTest, DefaultToleranceFindsAFloatingStackAndKeepsAGroundedOne) {
  BlockCholesky floating = test::make_cholesky(stack(10, false));
  EXPECT_EQ(floating.factor({}).dropped_pivots, 6);
  EXPECT_LT(floating.factor({.pivot_tolerance = 1e-15}).dropped_pivots, 6);
  BlockCholesky grounded = test::make_cholesky(stack(300, true));
  const FactorReport report = grounded.factor({});
  EXPECT_EQ(report.dropped_pivots, 0);
  EXPECT_GT(report.smallest_pivot_ratio, 1e-3);
}

// The rule compares a pivot with its own diagonal entry, so units do not matter: powers of two only move the exponents.
TEST(BlockCholeskyTest, ScalingByPowersOfTwoScalesTheAnswerExactly) {
  Random random(14);
  const System s = test::random_system(24, test::grid(6, 4), mixed_sizes(24, 8, random), random);
  System scaled = s;
  std::vector<double> scale;
  for (int i = 0; i < s.rows(); ++i) scale.push_back(std::ldexp(1.0, int(random.index(200)) - 100));
  for (int i = 0; i < s.rows(); ++i)
    for (int j = 0; j < s.rows(); ++j) scaled.at(i, j) *= scale[i] * scale[j];
  std::vector<double> b = test::random_vector(s.rows(), random), scaled_b = b;
  for (int i = 0; i < s.rows(); ++i) scaled_b[i] *= scale[i];

  BlockCholesky plain = test::make_cholesky(s), stretched = test::make_cholesky(scaled);
  EXPECT_EQ(plain.factor({}).smallest_pivot_ratio, stretched.factor({}).smallest_pivot_ratio);
  std::vector<double> expected = test::solve(s, plain, {b})[0];
  for (int i = 0; i < s.rows(); ++i) expected[i] /= scale[i];
  EXPECT_EQ(test::solve(scaled, stretched, {scaled_b})[0], expected);
}

TEST(BlockCholeskyTest, NotANumberAndInfinityAreReported) {
  Random random(15);
  const System s = test::random_system(12, test::grid(4, 3), mixed_sizes(12, 7, random), random);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    BlockCholesky cholesky(make_block_symbolic(s.pattern, s.size, Ordering::amd));
    for (int p = 0; p < 12; ++p) {
      test::fill(s, cholesky);
      EXPECT_TRUE(cholesky.factor({}).finite);
      cholesky.diagonal(p)[cholesky.symbolic().size_of(p) - 1] = bad;
      EXPECT_FALSE(cholesky.factor({}).finite);
    }
    for (int e = 0; e < cholesky.symbolic().pair_count(); ++e) {
      test::fill(s, cholesky);
      cholesky.off_diagonal(e).back() = bad;
      EXPECT_FALSE(cholesky.factor({}).finite);
    }
  }
}

TEST(BlockCholeskyDeathTest, RightHandSidesMustFit) {
  BlockCholesky cholesky(make_block_symbolic(make_block_pattern(1, {}), std::vector<int>(1, 6), Ordering::amd));
  std::vector<double> x(30, 1.0);
  EXPECT_DEATH(cholesky.solve(std::span(x).first(5), 1), "");
  EXPECT_DEATH(cholesky.solve(x, 5), "");
  EXPECT_DEATH(cholesky.solve({}, 0), "");
}

// ------------------------------------------------------------------------------------------------------ determinism

/// One front in stages, its rows and columns in parts of 8 from the last to the first.
void factor_in_stages(const FactorKernel& kernel, const FactorView& view, int f, FactorReport& report) {
  const Front& front = view.front[f];
  kernel.assemble(view, f);
  kernel.triangle(view, f, {}, report);
  for (int i = front.tail - front_padding; i >= 0; i -= front_padding) kernel.tail(view, f, {i, i + front_padding});
  for (int j = front.tail - front_padding; j >= 0; j -= front_padding)
    kernel.update(view, f, {j, std::min(j + front_padding, front.below)});
}

/// Runs the kernels of one instruction set on the blocks of `cholesky`; returns one to four solutions and the inverse pivots.
std::vector<double> numbers_of(Isa isa, BlockCholesky& cholesky, const std::vector<double>& b, bool in_stages = false) {
  const BlockSymbolic::Impl& plan = cholesky.symbolic().impl();
  AlignedArray panels(plan.panel_entries), updates(plan.update_entries), scratch(4 * plan.longest_front);
  std::vector<double> inverse_pivot(cholesky.symbolic().rows());
  const FactorView view{plan.fronts.data(),
                        int(plan.fronts.size()),
                        plan.child.data(),
                        plan.runs.data(),
                        plan.segments.data(),
                        plan.diagonal_copy.data(),
                        plan.off_diagonal_copy.data(),
                        cholesky.diagonal(0).data(),
                        cholesky.symbolic().pair_count() > 0 ? cholesky.off_diagonal(0).data() : nullptr,
                        panels.data(),
                        updates.data(),
                        inverse_pivot.data(),
                        scratch.data()};
  const FactorKernel& kernel = isa == Isa::v4 ? v4::factor_kernel : isa == Isa::v3 ? v3::factor_kernel : baseline::factor_kernel;
  const auto solve = isa == Isa::v4 ? v4::solve_fronts : isa == Isa::v3 ? v3::solve_fronts : baseline::solve_fronts;
  FactorReport report;
  for (int f = 0; f < view.fronts; ++f)
    if (in_stages)
      factor_in_stages(kernel, view, f, report);
    else
      kernel.whole(view, {f, f + 1}, {}, report);
  std::vector<double> result = inverse_pivot;
  for (int sides = 1; sides <= 4; ++sides) {
    std::vector<double> x;
    for (const double v : b)
      for (int q = 0; q < sides; ++q) x.push_back(v + q);
    solve(view, x.data(), sides);
    result.insert(result.end(), x.begin(), x.end());
  }
  result.push_back(report.smallest_pivot_ratio);
  result.push_back(report.dropped_pivots);
  return result;
}

TEST(BlockCholeskyTest, EveryInstructionSetGivesTheSameBits) {
  Random random(16);
  for (int round = 0; round < 40; ++round) {
    const int n = 1 + int(random.index(60));
    const System s = test::random_system(n, test::random_edges(n, int(random.index(2 * n)), random),
                                         round % 2 == 0 ? sixes(n) : mixed_sizes(n, 13, random), random, round % 5 == 0 ? 0 : 0.5);
    BlockCholesky cholesky = test::make_cholesky(s);
    const std::vector<double> b = test::random_vector(s.rows(), random);
    const std::vector<double> expected = numbers_of(Isa::baseline, cholesky, b);
    EXPECT_EQ(numbers_of(Isa::baseline, cholesky, b, true), expected) << "stages differ in round " << round;
    for (const Isa isa : {Isa::v3, Isa::v4})
      EXPECT_TRUE(!has_isa(isa) || numbers_of(isa, cholesky, b, round % 2 == 1) == expected) << name(isa) << " differs in round " << round;
  }
}

/// Random blocks of a grid, diagonal heavy: too large for the dense System.
void fill_at_random(BlockCholesky& cholesky) {
  Random random(18);
  for (int p = 0; p < cholesky.symbolic().blocks(); ++p)
    for (int i = 0; i < 36; ++i) cholesky.diagonal(p)[std::size_t(i)] = i % 7 == 0 ? random.uniform(20, 30) : random.uniform(-.4, .4);
  for (int k = 0; k < cholesky.symbolic().pair_count(); ++k)
    for (double& v : cholesky.off_diagonal(k)) v = random.uniform(-.7, .7);
}

// Large enough for a trunk and many branches.
TEST(BlockCholeskyTest, ThreadsDoNotChangeTheBits) {
  const auto symbolic = make_block_symbolic(make_block_pattern(1600, test::grid(40, 40)), sixes(1600), Ordering::amd);
  ASSERT_GE(symbolic->impl().branches.size(), 8u);
  ASSERT_GE(symbolic->impl().trunk.size(), 7u);
  std::vector<double> expected;
  for (const int threads : {1, 2, 3, 8, 1000}) {
    BlockCholesky cholesky(symbolic);
    fill_at_random(cholesky);
    const FactorReport report = cholesky.factor({.threads = threads});
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.dropped_pivots, 0);
    std::vector<double> x(std::size_t(symbolic->rows()), 1.0);
    cholesky.solve(x, 1);
    x.push_back(report.smallest_pivot_ratio);
    if (expected.empty()) expected = x;
    EXPECT_EQ(x, expected) << threads << " threads";
  }
}

// One constant for every compiler, optimisation level and instruction set.
TEST(BlockCholeskyTest, BitsAreThoseOfTheRecord) {
  Random random(17);
  Hash64 hash;
  for (int round = 0; round < 10; ++round) {
    const int n = 5 + 7 * round;
    const std::vector<int> size = round % 2 == 0 ? sixes(n) : mixed_sizes(n, 10, random);
    const Edges edges = test::random_edges(n, 2 * n, random);
    const System s = test::random_system(n, edges, size, random);
    const std::vector<double> b = test::random_vector(s.rows(), random), c = test::random_vector(s.rows(), random);
    BlockCholesky cholesky = test::make_cholesky(s);
    const FactorReport report = cholesky.factor({});
    hash.add(report.smallest_pivot_ratio);
    for (const auto& x : test::solve(s, cholesky, {b, c})) hash.add(std::span<const double>(x));
  }
  EXPECT_EQ(hash.value(), 13304341584945324788u);
}

}  // namespace
}  // namespace trilith::linalg
