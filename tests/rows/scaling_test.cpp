#include "rows/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rows/row_groups.h"
#include "rows/visit.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using rows::equilibrate;
using rows::make_scaling;
using rows::Scaling;
using rows::SparseRows;

/// A random sparse matrix whose rows and columns span `decades` decades, with one empty row and one empty column.
struct Sample {
  std::vector<std::int32_t> row_start{0}, column;
  std::vector<double> value, given;
  std::int32_t rows, columns;

  Sample(std::int32_t m, std::int32_t n, double decades) : rows(m), columns(n) {
    Random random(3);
    std::vector<double> column_size;
    const double size = std::pow(10, decades / 2);
    for (int j = 0; j < n; ++j) column_size.push_back(random.scale(1 / size, size));
    for (std::int32_t i = 0; i < m; ++i) {
      const double row_size = random.scale(1 / size, size);
      for (std::int32_t j = 0; j + 1 < n && i != m - 1; ++j)
        if (random.index(3) == 0 || j == i % (n - 1)) {
          column.push_back(j);
          value.push_back(row_size * column_size[static_cast<std::size_t>(j)] * random.gauss());
        }
      row_start.push_back(static_cast<std::int32_t>(column.size()));
    }
    given = value;
  }
  SparseRows view() { return {rows, columns, row_start, column, value}; }
};

bool is_power_of_two(double a) {
  int exponent;
  return std::frexp(a, &exponent) == 0.5;
}

TEST(ScalingTest, LargestEntriesBecomeNearOne) {
  Sample sample(30, 20, 8);
  Scaling scaling = make_scaling(30, 20);
  equilibrate({}, {10}, sample.view(), scaling);
  std::vector<double> of_column(20, 0.0);
  for (std::size_t i = 0; i < 29; ++i) {
    double largest = 0;
    for (auto k = static_cast<std::size_t>(sample.row_start[i]); k < static_cast<std::size_t>(sample.row_start[i + 1]); ++k) {
      largest = std::max(largest, std::abs(sample.value[k]));
      double& c = of_column[static_cast<std::size_t>(sample.column[k])];
      c = std::max(c, std::abs(sample.value[k]));
    }
    EXPECT_GT(largest, 0.45);
    EXPECT_LT(largest, 2.2);
  }
  for (std::size_t j = 0; j < 19; ++j) EXPECT_TRUE(of_column[j] > 0.45 && of_column[j] < 2.2) << of_column[j];
  EXPECT_EQ(scaling.row[29], 1);
  EXPECT_EQ(scaling.column[19], 1);
}

TEST(ScalingTest, ScalesArePowersOfTwoSoThatNoDigitIsLost) {
  Sample sample(30, 20, 6);
  Scaling scaling = make_scaling(30, 20);
  equilibrate({}, {}, sample.view(), scaling);
  for (const double s : scaling.row) EXPECT_TRUE(is_power_of_two(s));
  for (const double s : scaling.column) EXPECT_TRUE(is_power_of_two(s));
  for (std::size_t i = 0; i < 30; ++i)
    for (auto k = static_cast<std::size_t>(sample.row_start[i]); k < static_cast<std::size_t>(sample.row_start[i + 1]); ++k)
      EXPECT_EQ(sample.value[k] / scaling.row[i] / scaling.column[static_cast<std::size_t>(sample.column[k])], sample.given[k]);
}

// A block shares one scale, so a value is in the cone exactly when the scaled value is.
TEST(ScalingTest, ConesStayTheSameCones) {
  const SampleGroups groups;
  Sample sample(groups.rows(), 12, 6);
  Scaling scaling = make_scaling(groups.rows(), 12);
  equilibrate(groups.all, {}, sample.view(), scaling);
  bool differs = false;
  for (const rows::RowGroup& group : groups.all)
    for (std::int32_t row = group.first; row < group.end(); ++row) {
      const auto i = static_cast<std::size_t>(row), head = static_cast<std::size_t>(row - (row - group.first) % group.block);
      EXPECT_EQ(scaling.row[i], scaling.row[head]);
      differs = differs || scaling.row[i] != scaling.row[0];
    }
  EXPECT_TRUE(differs);
}

TEST(ScalingTest, ProjectionCommutesWithScaling) {
  const SampleGroups groups;
  Random random(4);
  Scaling scaling = make_scaling(groups.rows(), 1);
  for (const rows::RowGroup& group : groups.all) {
    for (std::int32_t row = group.first; row < group.end(); ++row)
      scaling.row[static_cast<std::size_t>(row)] = std::ldexp(0.5, (row - group.first) / group.block);
    std::vector<double> lower(group.lower.size()), upper(group.upper.size()), radius(group.radius.size());
    scale_group(group, scaling, lower, upper, radius);
    rows::RowGroup scaled = group;
    scaled.lower = lower, scaled.upper = upper, scaled.radius = radius;
    std::vector<double> value, scaled_value, given;
    for (std::int32_t row = 0; row < groups.rows(); ++row) {
      given.push_back(2 * random.gauss());
      scaled_value.push_back(scaling.row[static_cast<std::size_t>(row)] * given.back());
    }
    value = given;
    const auto project = [](const rows::RowGroup& g, std::vector<double>& v) {
      rows::for_each_block(g, [&](const auto& set, std::int32_t row) {
        constexpr int D = std::remove_cvref_t<decltype(set)>::dim;
        rows::store_block<D>(set.project(rows::load_block<D>(v, row)), v, row);
      });
    };
    project(group, value);
    project(scaled, scaled_value);
    for (auto i = static_cast<std::size_t>(group.first); i < static_cast<std::size_t>(group.end()); ++i)
      EXPECT_EQ(scaled_value[i], scaling.row[i] * value[i]) << group.name;
  }
}

TEST(ScalingTest, NoPassesLeaveTheMatrixAloneAndNothingAllocates) {
  Sample sample(30, 20, 6);
  Scaling scaling = make_scaling(30, 20);
  const AllocationCount heap;
  equilibrate({}, {0}, sample.view(), scaling);
  EXPECT_TRUE(sample.value == sample.given);
  equilibrate({}, {3}, sample.view(), scaling);
  EXPECT_EQ(heap.delta(), 0);
}

/// Largest over smallest row maximum after so many passes.
double spread_after(int passes) {
  Sample sample(60, 40, 8);
  Scaling scaling = make_scaling(60, 40);
  equilibrate({}, {passes}, sample.view(), scaling);
  double least = 1e300, most = 0;
  for (std::size_t i = 0; i < 59; ++i) {
    double largest = 0;
    for (auto k = static_cast<std::size_t>(sample.row_start[i]); k < static_cast<std::size_t>(sample.row_start[i + 1]); ++k)
      largest = std::max(largest, std::abs(sample.value[k]));
    least = std::min(least, largest);
    most = std::max(most, largest);
  }
  return most / least;
}

// The default of three passes takes eight decades down to less than two; ten passes end within a factor of 4.
TEST(ScalingTest, ThreePassesRemoveMostOfEightDecades) {
  EXPECT_EQ(rows::ScalingSettings{}.passes, 3);
  EXPECT_GT(spread_after(0), 1e6);
  EXPECT_GT(spread_after(1), 100);
  EXPECT_LT(spread_after(3), 32);
  EXPECT_LT(spread_after(10), 4);
  std::printf("spread of row maxima: %.3g, %.3g, %.3g, %.3g after 0, 1, 3, 10 passes\n", spread_after(0), spread_after(1), spread_after(3),
              spread_after(10));
}

}  // namespace
}  // namespace trilith::test
