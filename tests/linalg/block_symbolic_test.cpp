#include "linalg/block_symbolic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "block_systems.h"

namespace trilith::linalg {
namespace {

TEST(BlockSymbolicTest, NoBlocks) {
  const auto symbolic = make_block_symbolic(BlockPattern{}, {}, Ordering::amd);
  EXPECT_EQ(symbolic->blocks(), 0);
  EXPECT_EQ(symbolic->rows(), 0);
  EXPECT_EQ(symbolic->pair_count(), 0);
}

TEST(BlockSymbolicTest, PositionsAndRowsFollowTheSizes) {
  const std::vector<int> size{3, 1, 6, 2, 9};
  const auto symbolic = make_block_symbolic(make_block_pattern(5, test::chain(5)), size, Ordering::amd);
  int row = 0;
  for (int p = 0; p < 5; ++p) {
    EXPECT_EQ(symbolic->position(symbolic->block_at(p)), p);
    EXPECT_EQ(symbolic->size_of(p), size[symbolic->block_at(p)]);
    EXPECT_EQ(symbolic->row_of(p), row);
    row += symbolic->size_of(p);
  }
  EXPECT_EQ(symbolic->rows(), row);
}

TEST(BlockSymbolicTest, PairsAreNumberedOncePerNeighbourhood) {
  test::Random random(5);
  for (int round = 0; round < 30; ++round) {
    const int n = 2 + int(random.index(20));
    const BlockPattern pattern = make_block_pattern(n, test::random_edges(n, int(random.index(60)), random));
    const auto symbolic = make_block_symbolic(pattern, std::vector<int>(n, 6), Ordering::amd);
    std::set<int> seen;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        const bool near =
            std::binary_search(pattern.neighbour.begin() + pattern.start[a], pattern.neighbour.begin() + pattern.start[a + 1], b);
        EXPECT_EQ(symbolic->pair(a, b) >= 0, near);
        EXPECT_EQ(symbolic->pair(a, b), symbolic->pair(b, a));
        if (near) seen.insert(symbolic->pair(a, b));
      }
    EXPECT_EQ(int(seen.size()), symbolic->pair_count());
    EXPECT_EQ(seen.empty() ? -1 : *seen.rbegin(), symbolic->pair_count() - 1);
  }
}

TEST(BlockSymbolicTest, DenseFactorCountsItsTriangle) {
  const auto symbolic = make_block_symbolic(make_block_pattern(7, test::complete(7)), std::vector<int>(7, 6), Ordering::amd);
  EXPECT_EQ(symbolic->factor_entries(), 42 * 43 / 2);
  EXPECT_NEAR(symbolic->factor_flops(), 42.0 * 42 * 42 / 3, 1e-6);
}

TEST(BlockSymbolicTest, MinimumDegreeBeatsTheNaturalOrderOfAGrid) {
  const BlockPattern pattern = make_block_pattern(900, test::grid(30, 30));
  const std::vector<int> size(900, 6);
  EXPECT_LT(make_block_symbolic(pattern, size, Ordering::amd)->factor_flops(),
            0.6 * make_block_symbolic(pattern, size, Ordering::natural)->factor_flops());
}

TEST(BlockSymbolicTest, FrontsAndBuffersArePadded) {
  const auto symbolic = make_block_symbolic(make_block_pattern(100, test::grid(10, 10)), std::vector<int>(100, 5), Ordering::amd);
  for (const Front& front : symbolic->impl().fronts) {
    EXPECT_EQ(front.top % front_padding, 0);
    EXPECT_EQ(front.tail % front_padding, 0);
    EXPECT_EQ(front.stride % front_padding, 0);
    EXPECT_EQ(front.update_stride % front_padding, 0);
    EXPECT_EQ(front.panel % front_padding, 0);
    EXPECT_EQ(front.update % front_padding, 0);
    EXPECT_GE(front.top, front.width);
    EXPECT_GE(front.tail, front.below);
  }
}

std::int64_t update_end(const Front& f) { return f.update + std::int64_t(f.update_stride) * f.tail; }

/// Fronts in the order of a factorization: branch by branch, then the trunk.
std::vector<int> elimination_of_fronts(const BlockSymbolic::Impl& plan) {
  std::vector<int> order;
  for (const Branch& branch : plan.branches)
    for (int f = branch.begin; f < branch.end; ++f) order.push_back(f);
  order.insert(order.end(), plan.trunk.begin(), plan.trunk.end());
  return order;
}

// While a front is eliminated, its own update matrix and those of its children are alive: none may overlap.
TEST(BlockSymbolicTest, LiveUpdateMatricesNeverOverlap) {
  test::Random random(17);
  for (int round = 0; round < 22; ++round) {
    const int n = round < 20 ? 5 + int(random.index(200)) : 900;
    const auto edges = round < 20 ? test::random_edges(n, 2 * n, random) : test::grid(30, 30);
    const auto symbolic = make_block_symbolic(make_block_pattern(n, edges), std::vector<int>(n, 6), Ordering::amd);
    const BlockSymbolic::Impl& plan = symbolic->impl();
    const std::vector<int> order = elimination_of_fronts(plan);
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), plan.fronts.size());
    EXPECT_EQ(order.size(), plan.fronts.size());
    std::set<int> live;
    for (const int f : order) {
      const Front& front = plan.fronts[f];
      EXPECT_LE(update_end(front), plan.update_entries);
      for (const int g : live) EXPECT_TRUE(update_end(plan.fronts[g]) <= front.update || update_end(front) <= plan.fronts[g].update);
      for (int c = front.child_begin; c < front.child_end; ++c) EXPECT_EQ(live.erase(plan.child[c]), 1u);
      if (front.below > 0) live.insert(f);
    }
    EXPECT_TRUE(live.empty());
  }
}

// Threads take them in any order.
TEST(BlockSymbolicTest, BranchesShareNoMemory) {
  const auto symbolic = make_block_symbolic(make_block_pattern(1600, test::grid(40, 40)), std::vector<int>(1600, 6), Ordering::amd);
  const BlockSymbolic::Impl& plan = symbolic->impl();
  ASSERT_GE(plan.branches.size(), 8u);
  std::vector<std::pair<std::int64_t, std::int64_t>> extents;
  for (const Branch& branch : plan.branches) {
    std::int64_t low = plan.update_entries, high = 0;
    for (int f = branch.begin; f < branch.end; ++f) {
      low = std::min(low, plan.fronts[f].update);
      high = std::max(high, update_end(plan.fronts[f]));
      for (int c = plan.fronts[f].child_begin; c < plan.fronts[f].child_end; ++c) {
        EXPECT_GE(plan.child[c], branch.begin);
        EXPECT_LT(plan.child[c], branch.end);
      }
    }
    extents.emplace_back(low, high);
  }
  std::sort(extents.begin(), extents.end());
  for (std::size_t i = 1; i < extents.size(); ++i) EXPECT_LE(extents[i - 1].second, extents[i].first);
}

TEST(BlockSymbolicDeathTest, SizesMustMatchThePattern) {
  EXPECT_DEATH(make_block_symbolic(make_block_pattern(3, {}), std::vector<int>(2, 6), Ordering::amd), "");
  EXPECT_DEATH(make_block_symbolic(make_block_pattern(1, {}), std::vector<int>(1, 0), Ordering::amd), "");
}

}  // namespace
}  // namespace trilith::linalg
