#include "dynamics/tree_lu.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace trilith::dynamics {
namespace {

/// A tree of hinges with branches: every link hangs on an earlier one.
multibody::Tree branched_tree(int links, test::Random& random) {
  multibody::TreeInput input;
  std::int32_t parent = -1;
  for (int i = 0; i < links; ++i) {
    input.links.push_back({.parent = parent,
                           .kind = random.coin() ? multibody::LinkKind::hinge : multibody::LinkKind::ball,
                           .inertia = {1, {}, identity3<double>()}});
    // the next one on this link or on one of its ancestors
    parent = i;
    while (parent >= 0 && random.index(3) == 0) parent = input.links[static_cast<std::size_t>(parent)].parent;
  }
  return multibody::make_tree(input);
}

TEST(TreeLuTest, SolvesWhatTheDenseMatrixSays) {
  test::Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const multibody::Tree tree = branched_tree(8, random);
    const auto n = static_cast<std::size_t>(tree.dofs());
    std::vector<double> lower(static_cast<std::size_t>(tree.entries())), upper(lower.size()), dense(n * n), x(n), b(n);
    for (std::int32_t k = 0; k < tree.dofs(); ++k) {
      const auto row = tree.row(k);
      for (std::size_t e = 0; e < row.size(); ++e) {
        const std::size_t at = static_cast<std::size_t>(tree.row_start(k)) + e, j = static_cast<std::size_t>(row[e]),
                          i = static_cast<std::size_t>(k);
        lower[at] = dense[i * n + j] = random.gauss() + (i == j ? 20 : 0);
        if (i != j) upper[at] = dense[j * n + i] = random.gauss();
      }
      x[static_cast<std::size_t>(k)] = random.gauss();
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) b[i] += dense[i * n + j] * x[j];
    ASSERT_TRUE(factor_tree_matrix(tree, 1e-15, {lower, upper}));
    solve_tree_matrix(tree, {lower, upper}, b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-12);
  }
}

TEST(TreeLuTest, AnOuterProductFillsThePatternAndNothingElse) {
  test::Random random(4);
  const multibody::Tree tree = branched_tree(8, random);
  std::vector<double> lower(static_cast<std::size_t>(tree.entries())), upper(lower.size());
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  for (std::int32_t k = 0; k < tree.dofs(); ++k)
    if (random.coin()) columns.push_back(k), values.push_back(random.gauss());
  add_outer_product(tree, columns, values, 0.5, {lower, upper});
  const auto value_of = [&](std::int32_t k) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == k) return values[i];
    return 0.0;
  };
  for (std::int32_t k = 0; k < tree.dofs(); ++k) {
    const auto row = tree.row(k);
    for (std::size_t e = 0; e < row.size(); ++e) {
      const std::size_t at = static_cast<std::size_t>(tree.row_start(k)) + e;
      const double want = 0.5 * value_of(k) * value_of(row[e]);
      EXPECT_DOUBLE_EQ(lower[at], want);
      if (row[e] != k) {
        EXPECT_DOUBLE_EQ(upper[at], want);
      }
    }
  }
}

TEST(TreeLuTest, AMatrixWithoutAPivotIsRefused) {
  test::Random random(5);
  const multibody::Tree tree = branched_tree(3, random);
  std::vector<double> lower(static_cast<std::size_t>(tree.entries())), upper(lower.size());
  EXPECT_FALSE(factor_tree_matrix(tree, 1e-15, {lower, upper}));
}

}  // namespace
}  // namespace trilith::dynamics
