#include "rows/violation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rows/row_groups.h"
#include "rows/visit.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using rows::measure;
using rows::Violation;

constexpr double infinity = std::numeric_limits<double>::infinity();

// values by hand: equality (.5, 0), gap (-2, 1), limits in, contact (0, 3, 4) and inside
TEST(ViolationTest, MeasuresDistancesInTheRowsOfTheProblem) {
  const SampleGroups sample;
  std::vector<double> value(static_cast<std::size_t>(sample.rows()), 0.0);
  value[0] = 0.5;
  value[2] = -2, value[3] = 1;
  value[8] = 3, value[9] = 4, value[10] = 2;
  const Violation equality = measure(sample.all[0], value), gap = measure(sample.all[1], value), limit = measure(sample.all[2], value);
  EXPECT_EQ(equality.max, 0.5);
  EXPECT_EQ(equality.worst_row, 0);
  EXPECT_EQ(gap.max, 2);
  EXPECT_EQ(gap.sum, 2);
  EXPECT_EQ(gap.worst_row, 2);
  EXPECT_EQ(limit.max, 0);
  EXPECT_EQ(limit.worst_row, -1);
  // (0, 3, 4) to the cone of mu 1/2: 5 / sqrt(1 + 1/4)
  const Violation contact = measure(sample.all[3], value);
  EXPECT_NEAR(contact.max, 5 / std::sqrt(1.25), 1e-15);
  EXPECT_EQ(contact.worst_row, 7);
}

TEST(ViolationTest, SumRunsOverBlocksAndMaxOverTheWorst) {
  const SampleGroups sample;
  std::vector<double> value(static_cast<std::size_t>(sample.rows()), 0.0);
  const auto first = static_cast<std::size_t>(sample.all[6].first);
  value[first] = 2, value[first + 2] = 3, value[first + 3] = 4;  // radius 1.5 and .5
  const Violation grip = measure(sample.all[6], value);
  EXPECT_DOUBLE_EQ(grip.max, 4.5);
  EXPECT_DOUBLE_EQ(grip.sum, 5);
  EXPECT_EQ(grip.worst_row, sample.all[6].first + 2);
}

TEST(ViolationTest, NotANumberIsInfinitelyFarAndNamed) {
  const SampleGroups sample;
  for (const rows::RowGroup& group : sample.all) {
    std::vector<double> value(static_cast<std::size_t>(sample.rows()), 0.0);
    value[static_cast<std::size_t>(group.end() - 1)] = std::nan("");
    const Violation v = measure(group, value);
    EXPECT_EQ(v.max, infinity) << group.name;
    EXPECT_EQ(v.sum, infinity) << group.name;
    EXPECT_EQ(v.worst_row, group.end() - group.block) << group.name;
  }
}

TEST(ViolationTest, AnEmptyGroupHasNone) {
  rows::RowGroup group;
  const Violation v = measure(group, {});
  EXPECT_EQ(v.max, 0);
  EXPECT_EQ(v.worst_row, -1);
}

// x >= 1 and x <= 0 have no x in common: y = (-1, 1) on rows [1, inf) and (-inf, 0] proves it, A'y = 0.
TEST(PolarMeasureTest, ProvesThatTwoBoundsExclude) {
  const std::vector<double> lower{1, -infinity}, upper{infinity, 0};
  rows::RowGroup group;
  group.set = rows::SetKind::box, group.count = 2, group.lower = lower, group.upper = upper;
  const std::vector<double> y{-1, 1};
  const rows::PolarMeasure m = measure_polar(group, y);
  EXPECT_EQ(m.violation.max, 0);
  EXPECT_EQ(m.support, -1);
  const rows::PolarMeasure wrong = measure_polar(group, std::vector<double>{1, 1});
  EXPECT_EQ(wrong.violation.max, 1);
  EXPECT_EQ(wrong.violation.worst_row, 0);
}

// y'k <= support for every k of the set, for every set.
TEST(PolarMeasureTest, SupportBoundsEveryValueOfTheSet) {
  const SampleGroups sample;
  Random random(1);
  const auto count = static_cast<std::size_t>(sample.rows());
  std::vector<double> y(count), k(count);
  for (int trial = 0; trial < 500; ++trial) {
    for (double& value : y) value = random.gauss();
    for (double& value : k) value = random.gauss();
    for (const rows::RowGroup& group : sample.all) {
      // onto the polar cone where there is one, and a point of the set
      rows::for_each_block(group, [&](const auto& set, std::int32_t row) {
        constexpr int D = std::remove_cvref_t<decltype(set)>::dim;
        const auto block = rows::load_block<D>(y, row);
        if (set.polar_violation(block) > 0) rows::store_block<D>(block - set.project(block), y, row);
        rows::store_block<D>(set.project(rows::load_block<D>(k, row)), k, row);
      });
      if (group.set == rows::SetKind::box) continue;  // its polar is not that of a cone: tested above
      const rows::PolarMeasure m = measure_polar(group, y);
      double product = 0;
      for (auto i = static_cast<std::size_t>(group.first); i < static_cast<std::size_t>(group.end()); ++i) product += y[i] * k[i];
      EXPECT_LE(m.violation.max, 1e-14) << group.name;
      EXPECT_LE(product, m.support + 1e-13) << group.name;
    }
  }
}

TEST(ViolationTest, MeasuringDoesNotAllocate) {
  const SampleGroups sample;
  const std::vector<double> value(static_cast<std::size_t>(sample.rows()), -1.0);
  const AllocationCount heap;
  double total = 0;
  for (const rows::RowGroup& group : sample.all) total += measure(group, value).max + measure_polar(group, value).support;
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_GT(total, 0);
}

}  // namespace
}  // namespace trilith::test
