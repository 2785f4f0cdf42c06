#include "linalg/block_ordering.h"

#include <gtest/gtest.h>

#include <numeric>

#include "block_elimination.h"
#include "block_systems.h"

namespace trilith::linalg {
namespace {

using test::BooleanElimination;

struct Case {
  BlockPattern pattern;
  EliminationOrder order;
};

std::vector<Case> random_cases() {
  test::Random random(7);
  std::vector<Case> cases;
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + int(random.index(40));
    Case c{make_block_pattern(n, test::random_edges(n, int(random.index(2 * n)), random)), {}};
    c.order = make_elimination_order(c.pattern, random.coin() ? Ordering::amd : Ordering::natural);
    cases.push_back(c);
  }
  return cases;
}

TEST(BlockOrderingTest, OrderIsAPermutationWithItsInverse) {
  for (const Case& c : random_cases())
    for (int i = 0; i < c.pattern.blocks(); ++i) {
      EXPECT_EQ(c.order.position[c.order.block_at[i]], i);
      EXPECT_EQ(c.order.block_at[c.order.position[i]], i);
    }
}

TEST(BlockOrderingTest, NaturalKeepsTheNumbers) {
  const EliminationOrder order = make_elimination_order(make_block_pattern(5, test::chain(5)), Ordering::natural);
  EXPECT_EQ(order.block_at, (std::vector<int>{0, 1, 2, 3, 4}));
}

// A star whose centre comes first fills up completely; minimum degree takes the leaves first.
TEST(BlockOrderingTest, MinimumDegreeTakesTheLeavesOfAStarFirst) {
  test::Edges edges;
  for (int i = 1; i < 12; ++i) edges.push_back({0, i});
  EXPECT_GE(make_elimination_order(make_block_pattern(12, edges), Ordering::amd).position[0], 10);
}

TEST(BlockOrderingTest, ParentIsTheFirstRowBelowTheDiagonal) {
  for (const Case& c : random_cases()) {
    const BooleanElimination by_book(c.pattern, c.order);
    const std::vector<int> parent = elimination_tree(c.pattern, c.order);
    for (int j = 0; j < c.pattern.blocks(); ++j) EXPECT_EQ(parent[j], by_book.below[j].empty() ? -1 : by_book.below[j][0]);
  }
}

TEST(BlockOrderingTest, RowsBelowCountsScalars) {
  test::Random random(9);
  for (const Case& c : random_cases()) {
    const BooleanElimination by_book(c.pattern, c.order);
    std::vector<int> size;
    for (int i = 0; i < c.pattern.blocks(); ++i) size.push_back(1 + int(random.index(7)));
    const std::vector<int> below = rows_below(c.pattern, c.order, elimination_tree(c.pattern, c.order), size);
    for (int j = 0; j < c.pattern.blocks(); ++j) {
      int expected = 0;
      for (const int i : by_book.below[j]) expected += size[i];
      EXPECT_EQ(below[j], expected);
    }
  }
}

TEST(BlockOrderingTest, PostorderMakesSubtreesContiguous) {
  for (const Case& c : random_cases()) {
    const std::vector<int> parent = elimination_tree(c.pattern, c.order), steps = postorder(parent), place = inverse(steps);
    std::vector<int> subtree(parent.size(), 1), first(parent.size());
    for (int k = 0; k < int(steps.size()); ++k) {
      first[steps[k]] = k - subtree[steps[k]] + 1;
      if (parent[steps[k]] >= 0) subtree[parent[steps[k]]] += subtree[steps[k]];
    }
    for (int i = 0; i < int(parent.size()); ++i) {
      if (parent[i] < 0) continue;
      EXPECT_LT(place[i], place[parent[i]]);
      EXPECT_GE(first[i], first[parent[i]]);
    }
  }
}

TEST(BlockOrderingTest, PostorderPutsTheLargestSubtreeNextToItsParent) {
  // 5 has the children 2 (with 0 and 1 below it), 3 and 4
  EXPECT_EQ(postorder(std::vector<int>{2, 2, 5, 5, 5, -1}), (std::vector<int>{3, 4, 0, 1, 2, 5}));
}

// Reordering along a postorder changes neither the fill nor the shape of the tree.
TEST(BlockOrderingTest, PostorderKeepsTheFill) {
  for (const Case& c : random_cases()) {
    const auto fill = [&](const EliminationOrder& order) {
      std::size_t sum = 0;
      for (const auto& column : BooleanElimination(c.pattern, order).below) sum += column.size();
      return sum;
    };
    EXPECT_EQ(fill(c.order), fill(reordered(c.order, postorder(elimination_tree(c.pattern, c.order)))));
  }
}

TEST(BlockOrderingTest, DeepTreesDoNotNeedAStack) {
  const int n = 300000;
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 1);
  parent.back() = -1;
  const std::vector<int> steps = postorder(parent);
  for (int i = 0; i < n; i += 1000) EXPECT_EQ(steps[i], i);
}

}  // namespace
}  // namespace trilith::linalg
