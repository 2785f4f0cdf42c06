#include "linalg/block_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "block_systems.h"

namespace trilith {
namespace {

using linalg::BlockPattern;
using linalg::make_block_pattern;

TEST(BlockPatternTest, HoldsBothDirectionsSorted) {
  const BlockPattern p = make_block_pattern(4, test::Edges{{2, 0}, {3, 2}, {0, 1}});
  EXPECT_EQ(p.start, (std::vector<int>{0, 2, 3, 5, 6}));
  EXPECT_EQ(p.neighbour, (std::vector<int>{1, 2, 0, 0, 3, 2}));
}

TEST(BlockPatternTest, DropsRepeatsAndLoops) {
  const BlockPattern p = make_block_pattern(3, test::Edges{{0, 1}, {1, 0}, {1, 1}, {0, 1}, {2, 2}});
  EXPECT_EQ(p.start, (std::vector<int>{0, 1, 2, 2}));
  EXPECT_EQ(p.neighbour, (std::vector<int>{1, 0}));
}

TEST(BlockPatternTest, NoBlocksAndNoEdges) {
  EXPECT_EQ(make_block_pattern(0, {}).blocks(), 0);
  const BlockPattern p = make_block_pattern(5, {});
  EXPECT_EQ(p.blocks(), 5);
  EXPECT_TRUE(p.neighbour.empty());
}

TEST(BlockPatternTest, RandomEdgesAgreeWithSets) {
  test::Random random(3);
  for (int round = 0; round < 50; ++round) {
    const int n = 1 + int(random.index(30));
    const test::Edges edges = test::random_edges(n, int(random.index(120)), random);
    std::vector<std::set<int>> sets(n);
    for (const auto& [a, b] : edges)
      if (a != b) sets[a].insert(b), sets[b].insert(a);
    const BlockPattern p = make_block_pattern(n, edges);
    for (int i = 0; i < n; ++i) {
      const std::vector<int> row(p.neighbour.begin() + p.start[i], p.neighbour.begin() + p.start[i + 1]);
      EXPECT_EQ(row, std::vector<int>(sets[i].begin(), sets[i].end()));
    }
  }
}

TEST(BlockPatternDeathTest, IndexOutOfRangeIsAProgrammerError) {
  EXPECT_DEATH(make_block_pattern(2, test::Edges{{0, 2}}), "");
  EXPECT_DEATH(make_block_pattern(2, test::Edges{{-1, 0}}), "");
}

}  // namespace
}  // namespace trilith
