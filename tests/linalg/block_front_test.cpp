#include "linalg/block_front.h"

#include <gtest/gtest.h>

#include "block_elimination.h"
#include "block_systems.h"
#include "linalg/block_symbolic.h"

namespace trilith {
namespace {

using namespace linalg;
using test::BooleanElimination;

constexpr Relaxation exact{{{INT_MAX, 0}, {INT_MAX, 0}, {INT_MAX, 0}, {INT_MAX, 0}}};
constexpr Relaxation greedy{{{INT_MAX, 1}, {INT_MAX, 1}, {INT_MAX, 1}, {INT_MAX, 1}}};

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

FrontPartition partition(const Case& c, const Relaxation& relaxation) {
  const std::vector<int> below = rows_below(c.pattern, c.order, c.parent, c.size);
  return make_front_partition({c.parent, below, c.size}, c.pairs, relaxation);
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

// Without relaxation a front stores no zero: every column of L below it has exactly the rows of the front.
TEST(BlockFrontTest, ExactFrontsHaveTheRowsOfTheirColumns) {
  for (const Case& c : random_cases()) {
    const BooleanElimination by_book(c.pattern, c.order);
    const FrontPartition p = partition(c, exact);
    for (int f = 0; f < p.fronts(); ++f)
      for (int j = p.first[f]; j < p.first[f + 1]; ++j) {
        std::vector<int> expected;
        for (int i = j + 1; i < p.first[f + 1]; ++i) expected.push_back(i);
        for (const int i : rows_of(p, f)) expected.push_back(i);
        EXPECT_EQ(by_book.below[j], expected);
      }
  }
}

TEST(BlockFrontTest, RelaxedFrontsCoverTheRowsOfTheirColumns) {
  for (const Case& c : random_cases()) {
    const BooleanElimination by_book(c.pattern, c.order);
    for (const Relaxation& relaxation : {Relaxation{}, greedy}) {
      const FrontPartition p = partition(c, relaxation);
      for (int f = 0; f < p.fronts(); ++f) {
        const std::vector<int> rows = rows_of(p, f);
        for (int j = p.first[f]; j < p.first[f + 1]; ++j)
          for (const int i : by_book.below[j]) EXPECT_TRUE(i < p.first[f + 1] || std::binary_search(rows.begin(), rows.end(), i));
      }
    }
  }
}

// The rows that a child leaves are columns or rows of its parent: the extend-add has a place for each of them.
TEST(BlockFrontTest, ParentsHoldTheRowsOfTheirChildren) {
  for (const Case& c : random_cases())
    for (const Relaxation& relaxation : {exact, Relaxation{}, greedy}) {
      const FrontPartition p = partition(c, relaxation);
      int children = 0;
      for (int f = 0; f < p.fronts(); ++f) {
        const std::vector<int> rows = rows_of(p, f);
        for (int k = p.child_start[f]; k < p.child_start[f + 1]; ++k, ++children) {
          EXPECT_LT(p.child[k], f);
          for (const int i : rows_of(p, p.child[k]))
            EXPECT_TRUE((i >= p.first[f] && i < p.first[f + 1]) || std::binary_search(rows.begin(), rows.end(), i));
        }
      }
      int with_rows = 0;
      for (int f = 0; f < p.fronts(); ++f) with_rows += !rows_of(p, f).empty();
      EXPECT_EQ(children, with_rows);
    }
}

TEST(BlockFrontTest, DenseGraphIsOneFront) {
  const FrontPartition p = partition(make_case(make_block_pattern(9, test::complete(9)), std::vector<int>(9, 6)), exact);
  EXPECT_EQ(p.first, (std::vector<int>{0, 9}));
}

TEST(BlockFrontTest, RelaxationMakesFewerFronts) {
  const Case c = make_case(make_block_pattern(400, test::grid(20, 20)), std::vector<int>(400, 6));
  const int tight = partition(c, exact).fronts(), usual = partition(c, Relaxation{}).fronts(), loose = partition(c, greedy).fronts();
  EXPECT_LT(usual, tight);
  EXPECT_LT(loose, usual);
}

TEST(BlockFrontTest, ZerosStayBelowTheirShare) {
  const Case c = make_case(make_block_pattern(400, test::grid(20, 20)), std::vector<int>(400, 6));
  const std::vector<int> below = rows_below(c.pattern, c.order, c.parent, c.size);
  const FrontPartition p = partition(c, Relaxation{});
  for (int f = 0; f < p.fronts(); ++f) {
    double needed = 0;
    for (int j = p.first[f]; j < p.first[f + 1]; ++j) needed += 21 + 6.0 * below[j];
    const double width = 6.0 * (p.first[f + 1] - p.first[f]), stored = width * (width + 1) / 2 + width * 6.0 * double(rows_of(p, f).size());
    for (const Relaxation::Step& step : Relaxation{}.steps)
      if (width <= step.width) {
        EXPECT_LE(stored - needed, step.zeros * stored + 1e-9);
        break;
      }
  }
}

}  // namespace
}  // namespace trilith
