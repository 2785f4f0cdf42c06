#include "rows/row_group.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "rows/row_groups.h"
#include "rows/visit.h"
#include "support/allocation.h"

namespace trilith::test {
namespace {

using rows::find_faults;
using rows::RowGroup;
using rows::SetKind;

TEST(RowGroupTest, SoundGroupsHaveNoFaults) {
  const SampleGroups sample;
  for (const RowGroup& group : sample.all) EXPECT_TRUE(find_faults(group).empty()) << group.name;
}

TEST(RowGroupTest, EveryFaultIsNamedWithItsPlace) {
  SampleGroups sample;
  sample.lower[1] = 3;
  sample.upper[2] = std::nan("");
  const std::vector<Error> crossed = find_faults(sample.all[2]);
  ASSERT_EQ(crossed.size(), 2u);
  EXPECT_EQ(crossed[0].where, "group 'limit'/lower[1]");
  EXPECT_EQ(crossed[1].where, "group 'limit'/lower[2]");

  sample.mu[1] = -0.3;
  const std::vector<Error> negative = find_faults(sample.all[3]);
  ASSERT_EQ(negative.size(), 1u);
  EXPECT_EQ(negative[0].where, "group 'contact'/mu[1]");
  EXPECT_NE(negative[0].what.find("-0.3"), std::string::npos);
}

TEST(RowGroupTest, WrongShapesAreRefused) {
  const SampleGroups sample;
  RowGroup odd = sample.all[3];
  odd.count = 5;
  EXPECT_EQ(find_faults(odd).size(), 1u);
  RowGroup wide = sample.all[0];
  wide.block = 2;
  EXPECT_EQ(find_faults(wide).size(), 1u);
  RowGroup short_mu = sample.all[4];
  short_mu.mu = short_mu.mu.first(2);
  EXPECT_EQ(find_faults(short_mu).size(), 1u);
  RowGroup bare = sample.all[5];
  bare.faces = nullptr;
  EXPECT_EQ(find_faults(bare).size(), 1u);
  RowGroup negative = sample.all[0];
  negative.first = -1;
  EXPECT_EQ(find_faults(negative).size(), 1u);
}

TEST(RowGroupTest, FaultsStopAtTheLimitOfErrors) {
  const std::vector<double> bad(100, -1.0);
  RowGroup group;
  group.set = SetKind::disc, group.block = 1, group.count = 100, group.radius = bad;
  EXPECT_EQ(find_faults(group).size(), max_errors);
}

TEST(VisitTest, VisitsEveryBlockOnceInOrderWithItsParameters) {
  const SampleGroups sample;
  const AllocationCount heap;
  for (const RowGroup& group : sample.all) {
    std::int32_t next = group.first, blocks = 0;
    rows::for_each_block(group, [&](const auto& set, std::int32_t row) {
      EXPECT_EQ(set.dim, group.block);
      EXPECT_EQ(row, next);
      next += set.dim;
      ++blocks;
    });
    EXPECT_EQ(blocks, group.blocks());
    EXPECT_EQ(next, group.end());
  }
  EXPECT_EQ(heap.delta(), 0);

  double sum = 0;
  rows::for_each_block(sample.all[4], [&](const auto& set, std::int32_t) {
    if constexpr (requires { set.mu.v; } && std::decay_t<decltype(set)>::dim >= 4) sum += set.mu[0] + 10 * set.mu[2];
  });
  EXPECT_DOUBLE_EQ(sum, 0.5 + 0.1 + 0.7 + 0.2);
}

TEST(VisitTest, EveryWidthOfEveryWideSetIsReached) {
  const std::vector<double> numbers(30, 0.5);
  for (const SetKind set : {SetKind::friction_cone, SetKind::elliptic, SetKind::disc})
    for (int block = set == SetKind::disc ? 1 : 2; block <= rows::most_block_rows; ++block) {
      RowGroup group;
      group.set = set, group.block = block, group.count = 2 * block;
      group.mu = std::span(numbers).first(static_cast<std::size_t>(set == SetKind::elliptic ? 2 * (block - 1) : 2));
      group.radius = std::span(numbers).first(2);
      ASSERT_TRUE(find_faults(group).empty());
      int visited = 0;
      rows::for_each_block(group, [&](const auto& s, std::int32_t) { visited += s.dim; });
      EXPECT_EQ(visited, 2 * block);
    }
}

TEST(RowGroupTest, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int i = 0; i < 8; ++i) names.insert(name(static_cast<SetKind>(i)));
  for (int i = 0; i < 5; ++i) names.insert(name(static_cast<rows::Mechanism>(i)));
  EXPECT_EQ(names.size(), 13u);
}

}  // namespace
}  // namespace trilith::test
