#include "rows/row_layout.h"

#include <gtest/gtest.h>

#include "rows/row_groups.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using rows::make_row_layout;
using rows::RowLayout;

TEST(RowLayoutTest, GroupedRowsStayWhereTheyAre) {
  const SampleGroups sample;
  const RowLayout layout = make_row_layout(sample.all).value();
  ASSERT_EQ(layout.rows(), sample.rows());
  for (std::int32_t row = 0; row < layout.rows(); ++row) {
    EXPECT_EQ(layout.place(row), row);
    EXPECT_EQ(layout.source(row), row);
    const rows::RowGroup& group = layout.groups()[static_cast<std::size_t>(layout.group_of(row))];
    EXPECT_TRUE(row >= group.first && row < group.end());
  }
}

// Contacts arrive one after the other, each with three force rows and a gap row.
TEST(RowLayoutTest, MixedRowsBecomeContiguousGroupsAndComeBack) {
  SampleGroups sample;
  std::vector<rows::RowGroup> groups = {sample.all[1], sample.all[0], sample.all[3]};
  groups[1].count = 99;  // counted anew
  const std::vector<std::int32_t> group_of_row = {2, 2, 2, 0, 2, 2, 2, 0};
  const RowLayout layout = make_row_layout(groups, group_of_row).value();
  EXPECT_EQ(layout.groups()[0].count, 2);
  EXPECT_EQ(layout.groups()[1].count, 0);
  EXPECT_EQ(layout.groups()[2].first, 2);
  EXPECT_EQ(layout.groups()[2].count, 6);
  const std::vector<double> source = {0, 1, 2, 3, 4, 5, 6, 7}, expected = {3, 7, 0, 1, 2, 4, 5, 6};
  std::vector<double> there(8), back(8);
  layout.gather(source, there);
  EXPECT_EQ(there, expected);
  layout.scatter(there, back);
  EXPECT_EQ(back, source);
  for (std::int32_t i = 0; i < 8; ++i) EXPECT_EQ(layout.source(layout.place(i)), i);
  EXPECT_EQ(layout.group_of(1), 0);
  EXPECT_EQ(layout.group_of(2), 2);
}

TEST(RowLayoutTest, RandomOrdersArePermutationsAndKeepTheOrderWithinAGroup) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<rows::RowGroup> groups(5);
    std::vector<std::int32_t> group_of_row(random.index(200));
    for (std::int32_t& g : group_of_row) g = static_cast<std::int32_t>(random.index(5));
    const RowLayout layout = make_row_layout(groups, group_of_row).value();
    for (std::int32_t row = 0; row < layout.rows(); ++row) {
      EXPECT_EQ(layout.place(layout.source(row)), row);
      EXPECT_EQ(layout.group_of(row), group_of_row[static_cast<std::size_t>(layout.source(row))]);
      if (row > 0 && layout.group_of(row) == layout.group_of(row - 1)) {
        EXPECT_LT(layout.source(row - 1), layout.source(row));
      }
    }
  }
}

TEST(RowLayoutTest, FaultyGroupsAndUnknownGroupsAreRefused) {
  SampleGroups sample;
  sample.mu[0] = -1;
  const auto refused = make_row_layout(sample.all);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().size(), 2u);  // the contacts and the pyramids share it
  const std::vector<rows::RowGroup> groups(1);
  const std::vector<std::int32_t> wrong = {0, 1};
  const auto unknown = make_row_layout(groups, wrong);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.errors()[0].where, "group_of_row[1]");
  const std::vector<std::int32_t> torn = {0, 0};
  const SampleGroups other;
  EXPECT_FALSE(make_row_layout(std::span(other.all).subspan(3, 1), torn).ok());
}

}  // namespace
}  // namespace trilith::test
