#include "linalg/block_front.h"

#include <gtest/gtest.h>

#include "block_elimination.h"
#include "block_systems.h"
#include "linalg/block_symbolic.h"

namespace trilith::linalg {
namespace {

using test::BooleanElimination;

struct Case {
  BlockPattern pattern;
  EliminationOrder order;
  std::vector<int> size, parent;
  PairLists pairs;
};

/// Orders and postorders by the functions under the partition, which have their own tests.
Case make_case(const BlockPattern& pattern, std::vector<int> size) {
  const auto symbolic = make_block_symbolic(pattern, size, Ordering::amd);
  Case c{pattern, symbolic->impl().order, symbolic->impl().size, {}, symbolic->impl().pairs};
  c.parent = elimination_tree(c.pattern, c.order);
  return c;
}

FrontPartition partition(const Case& c) {
  const std::vector<int> below = rows_below(c.pattern, c.order, c.parent, c.size);
  return make_front_partition({c.parent, below, c.size}, c.pairs);
}

std::vector<Case> random_cases() {
  test::Random random(11);
  std::vector<Case> cases;
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + int(random.index(40));
    std::vector<int> size;
    for (int i = 0; i < n; ++i) size.push_back(1 + int(random.index(9)));
    cases.push_back(make_case(make_block_pattern(n, test::random_edges(n, int(random.index(2 * n)), random)), size));
  }
  return cases;
}

std::vector<int> rows_of(const FrontPartition& p, int f) { return {p.row.begin() + p.row_start[f], p.row.begin() + p.row_start[f + 1]}; }

// A front stores no zero: every column of L below it has exactly the rows of the front.
TEST(BlockFrontTest, FrontsHaveTheRowsOfTheirColumns) {
  for (const Case& c : random_cases()) {
    const BooleanElimination by_book(c.pattern, c.order);
    const FrontPartition p = partition(c);
    for (int f = 0; f < p.fronts(); ++f)
      for (int j = p.first[f]; j < p.first[f + 1]; ++j) {
        std::vector<int> expected;
        for (int i = j + 1; i < p.first[f + 1]; ++i) expected.push_back(i);
        for (const int i : rows_of(p, f)) expected.push_back(i);
        EXPECT_EQ(by_book.below[j], expected);
      }
  }
}

// No front could take its parent in without storing a zero.
TEST(BlockFrontTest, FrontsAreAsLargeAsTheyCanBe) {
  for (const Case& c : random_cases()) {
    const FrontPartition p = partition(c);
    for (int f = 0; f + 1 < p.fronts(); ++f) {
      const int up = c.parent[p.first[f + 1] - 1];
      if (up < p.first[f + 1] || up >= p.first[f + 2]) continue;  // the next front is not its parent
      std::vector<int> reach = rows_of(p, f + 1);
      for (int i = p.first[f + 2] - 1; i >= p.first[f + 1]; --i) reach.insert(reach.begin(), i);
      EXPECT_NE(rows_of(p, f), reach);
    }
  }
}

// The rows that a child leaves are columns or rows of its parent: the extend-add has a place for each of them.
TEST(BlockFrontTest, ParentsHoldTheRowsOfTheirChildren) {
  for (const Case& c : random_cases()) {
    const FrontPartition p = partition(c);
    int children = 0, with_rows = 0;
    for (int f = 0; f < p.fronts(); ++f) {
      const std::vector<int> rows = rows_of(p, f);
      with_rows += !rows.empty();
      for (int k = p.child_start[f]; k < p.child_start[f + 1]; ++k, ++children) {
        EXPECT_LT(p.child[k], f);
        for (const int i : rows_of(p, p.child[k]))
          EXPECT_TRUE((i >= p.first[f] && i < p.first[f + 1]) || std::binary_search(rows.begin(), rows.end(), i));
      }
    }
    EXPECT_EQ(children, with_rows);
  }
}

TEST(BlockFrontTest, DenseGraphIsOneFront) {
  const FrontPartition p = partition(make_case(make_block_pattern(9, test::complete(9)), std::vector<int>(9, 6)));
  EXPECT_EQ(p.first, (std::vector<int>{0, 9}));
}

// A chain of three in its natural order: the last two blocks share a front, the first one has a row of its own.
TEST(BlockFrontTest, ChainsEndInAPair) {
  const std::vector<int> parent{1, 2, -1}, below{6, 6, 0}, size{6, 6, 6};
  const FrontPartition p = make_front_partition({parent, below, size}, PairLists{{0, 1, 2, 2}, {1, 2}});
  EXPECT_EQ(p.first, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(rows_of(p, 0), std::vector<int>{1});
  EXPECT_EQ(p.child, std::vector<int>{0});
}

}  // namespace
}  // namespace trilith::linalg
