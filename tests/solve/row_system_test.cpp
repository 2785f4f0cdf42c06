// Sparse rows over blocks of unknowns against dense matrices (NEWTON-5).
#include "solve/row_system.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "soft_program.h"
#include "support/random.h"

namespace trilith::solve {
namespace {

TEST(RowSystemTest, IslandsAreWhatMatricesTieTogether) {
  Program p;
  p.unknowns = 5;
  for (int i = 0; i < 5; ++i) {
    p.p_column.push_back(i), p.p_value.push_back(2), p.l_value.push_back(2);
    p.p_start.push_back(i + 1);
  }
  p.add_row({1, 0, 0, 3, 0});
  p.shift = {0};
  RowSystemSettings settings = room_of(p);
  RowSystem system(settings);
  ASSERT_TRUE(system.update({p.P(), {}}, p.G()));
  EXPECT_EQ(system.islands(), 4);
  settings.most_factor_entries = 5;  // 3 + 1 + 1 + 1 are needed
  EXPECT_FALSE(RowSystem(settings).update({p.P(), {}}, p.G()));
  const double C[] = {0.5};
  system.set_weights({RowWeights::Shape::diagonal, C});
  EXPECT_TRUE(system.factor().finite);
  std::vector<double> x{1, 2, 4, 3, 6};
  system.solve(x, 1);
  // [2.5 1.5; 1.5 6.5] (x0, x3) = (1, 3)
  EXPECT_NEAR(x[0], 2.0 / 14, 1e-15);
  EXPECT_NEAR(x[3], 6.0 / 14, 1e-15);
  EXPECT_NEAR(x[1], 1, 1e-15);
  EXPECT_NEAR(x[4], 3, 1e-15);
}

/// P + G'C G, dense, entry by entry.
std::vector<std::vector<double>> dense_matrix(const Program& p, const std::vector<double>& weights) {
  const auto n = static_cast<std::size_t>(p.unknowns);
  std::vector<std::vector<double>> M(n, std::vector<double>(n)), G(p.shift.size(), std::vector<double>(n));
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  for (std::size_t i = 0; i < n; ++i)
    for (auto e = at(p.p_start[i]); e < at(p.p_start[i + 1]); ++e) M[i][at(p.p_column[e])] = M[at(p.p_column[e])][i] = p.p_value[e];
  for (std::size_t i = 0; i < G.size(); ++i)
    for (auto e = at(p.g_start[i]); e < at(p.g_start[i + 1]); ++e) G[i][at(p.g_column[e])] = p.g_value[e];
  std::size_t weight = 0;
  for (const rows::RowGroup& group : p.groups)
    for (auto first = at(group.first); first < at(group.end()); first += at(group.block))
      for (std::size_t r = 0; r < at(group.block); ++r)
        for (std::size_t s = 0; s < at(group.block); ++s, ++weight)
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) M[i][j] += G[first + r][i] * weights[weight] * G[first + s][j];
  return M;
}

/// `blocks` bodies with six unknowns and one with one, and sets of rows between any two of them.
Program random_bodies(test::Random& random, int blocks) {
  Program p;
  p.unknowns = 6 * blocks + 1;
  for (int i = 0; i < p.unknowns; ++i) {
    for (int j = i / 6 * 6; j <= i; ++j) p.p_column.push_back(j), p.p_value.push_back(i == j ? 5 : random.uniform(-0.4, 0.4));
    p.p_start.push_back(static_cast<std::int64_t>(p.p_column.size()));
  }
  std::vector<std::int32_t> sizes;
  for (int set = 0; set < 3 * blocks; ++set) {
    const auto one = random.index(static_cast<std::size_t>(blocks) + 1), two = random.index(static_cast<std::size_t>(blocks) + 1);
    const std::int32_t size = set % 3 == 0 ? 3 : 1, copies = set % 4 == 1 ? 5 : 1;
    for (std::int32_t copy = 0; copy < copies; ++copy) {
      sizes.push_back(size);
      for (std::int32_t r = 0; r < size; ++r) {
        std::vector<double> row(static_cast<std::size_t>(p.unknowns));
        for (const std::size_t body : {one, two})
          for (std::size_t k = 6 * body; k < std::min(6 * body + 6, row.size()); ++k) row[k] = random.gauss();
        if (set % 5 == 2 && r == 1) row[6 * one] = 0;  // a set whose rows have different columns
        p.add_row(row);
        p.shift.push_back(0), p.R.push_back(1);
      }
    }
  }
  std::int32_t first = 0;
  for (const std::int32_t size : sizes) {
    p.add_group(size == 1 ? rows::SetKind::nonnegative : rows::SetKind::elliptic, first, size, size);
    first += size;
  }
  return p;
}

TEST(RowSystemTest, WeightsOfSetsReachEveryBlock) {
  test::Random random(21);
  for (int i = 0; i < 40; ++i) {
    const Program p = random_bodies(random, 1 + static_cast<int>(random.index(8)));
    std::vector<double> weights;
    for (const rows::RowGroup& group : p.groups) {
      const bool idle = random.index(3) == 0;
      for (int r = 0; r < group.block; ++r)
        for (int s = 0; s < group.block; ++s) weights.push_back(idle ? 0 : r == s ? 4 : 1 + 0.25 * (r + s));
    }
    RowSystem system(room_of(p));
    ASSERT_TRUE(system.update({p.P(), {}}, p.G(), p.groups));
    system.set_weights({RowWeights::Shape::groups, weights, p.groups});
    EXPECT_EQ(system.factor().dropped_pivots, 0);
    const std::vector<std::vector<double>> M = dense_matrix(p, weights);
    for (const int sides : {1, 3}) {
      std::vector<double> x(static_cast<std::size_t>(p.unknowns * sides));
      for (double& v : x) v = random.gauss();
      std::vector<double> b(x.size());
      for (std::size_t k = 0; k < b.size(); ++k)
        for (std::size_t j = 0; j < M.size(); ++j)
          b[k] += M[k / static_cast<std::size_t>(sides)][j] * x[j * static_cast<std::size_t>(sides) + k % static_cast<std::size_t>(sides)];
      system.solve(b, sides);
      for (std::size_t k = 0; k < b.size(); ++k) EXPECT_NEAR(b[k], x[k], 1e-10) << i;
    }
  }
}

TEST(RowSystemTest, ProductsAreThoseOfTheRows) {
  test::Random random(22);
  const Program p = random_bodies(random, 6);
  RowSystem system(room_of(p));
  ASSERT_TRUE(system.update({p.P(), {}}, p.G(), p.groups));
  std::vector<double> x(static_cast<std::size_t>(p.unknowns)), y(p.shift.size()), Gx(y.size()), Gy(x.size());
  for (auto* vector : {&x, &y})
    for (double& v : *vector) v = random.gauss();
  system.apply(x, Gx);
  system.apply_transposed(y, Gy);
  std::vector<double> transposed(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (auto e = static_cast<std::size_t>(p.g_start[i]); e < static_cast<std::size_t>(p.g_start[i + 1]); ++e) {
      sum += p.g_value[e] * x[static_cast<std::size_t>(p.g_column[e])];
      transposed[static_cast<std::size_t>(p.g_column[e])] += p.g_value[e] * y[i];
    }
    EXPECT_NEAR(Gx[i], sum, 1e-13);
  }
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(Gy[i], transposed[i], 1e-13);
}

TEST(RowSystemTest, ThePlanIsKeptWhileTheSameBlocksMeet) {
  test::Random random(23);
  Program p = random_bodies(random, 5);
  RowSystem system(room_of(p));
  ASSERT_TRUE(system.update({p.P(), {}}, p.G(), p.groups));
  for (double& v : p.g_value) v *= 1.5;
  ASSERT_TRUE(system.update({p.P(), {}}, p.G(), p.groups));
  EXPECT_EQ(system.plans(), 1);
  const std::int64_t none[] = {0};
  ASSERT_TRUE(system.update({p.P(), {}}, {none, {}, {}}));
  EXPECT_EQ(system.plans(), 2);
  EXPECT_EQ(system.islands(), 6);
}

TEST(RowPanelKernelTest, EveryInstructionSetHasTheSameBits) {
  test::Random random(24);
  std::vector<double> J(21 * 24), x(24), row(21), weights(63);
  for (auto* vector : {&J, &x, &row, &weights})
    for (double& v : *vector) v = random.gauss();
  for (std::size_t r = 0; r < 21; ++r)
    for (std::size_t c = 19; c < 24; ++c) J[24 * r + c] = 0;
  const PanelView panel{J.data(), 21, 19, 24};
  std::vector<std::vector<double>> found;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    const RowPanelKernel& kernel = row_panel_kernel_of(isa);
    std::vector<double> out(21 + 24 + 2 * 21 * 24 + 8 * 24);
    double *a = out.data() + 45, *b = a + 21 * 24;
    kernel.apply(panel, x.data(), out.data());
    kernel.apply_transposed(panel, row.data(), out.data() + 21);
    EXPECT_EQ(kernel.weigh(panel, 3, weights.data(), a, b), 21);
    kernel.products(a, b, panel, 8, b + 21 * 24);
    found.push_back(out);
  }
  for (const auto& one : found) EXPECT_EQ(one, found[0]);
}

}  // namespace
}  // namespace trilith::solve
