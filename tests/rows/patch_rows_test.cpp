#include "rows/patch_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/random.h"

namespace trilith::rows {
namespace {

PatchDescription describe(int a, int b, std::span<const Vec3d> points) {
  PatchDescription patch;
  patch.block_a = a;
  patch.block_b = b;
  patch.axes = {{0, 1, 0, 0, 0, 1, 1, 0, 0}};
  patch.arm_a = {1, 2, 3};
  patch.arm_b = {4, 5, 6};
  patch.mu = 0.5;
  patch.points = points;
  return patch;
}

std::vector<int> many_counts(int patches, test::Random& random) {
  std::vector<int> counts(static_cast<std::size_t>(patches));
  for (int& count : counts) count = 1 + static_cast<int>(random.index(12));
  return counts;
}

TEST(PatchRowsTest, NoPatchesMakeNoRows) {
  const PatchRows rows(3, {});
  EXPECT_EQ(rows.blocks(), 3);
  EXPECT_EQ(rows.patches(), 0);
  EXPECT_EQ(rows.points(), 0);
  EXPECT_EQ(rows.size(), 0u);
  EXPECT_TRUE(rows.groups().empty());
}

TEST(PatchRowsTest, EveryPatchHasItsLaneAndNoLaneHasTwo) {
  test::Random random(1);
  for (const int patches : {1, 7, 8, 9, 64, 100}) {
    const PatchRows rows(1, many_counts(patches, random));
    std::vector<int> seen(static_cast<std::size_t>(patches), 0);
    for (const PatchGroup& group : rows.groups())
      for (const std::int32_t patch : group.patch)
        if (patch >= 0) ++seen[static_cast<std::size_t>(patch)];
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    EXPECT_EQ(rows.groups().size(), static_cast<std::size_t>((patches + 7) / 8));
  }
}

TEST(PatchRowsTest, PatchesOfEqualSizeShareGroupsSoThatFewLanesIdle) {
  std::vector<int> counts;
  for (int i = 0; i < 80; ++i) counts.push_back(i % 5 == 0 ? 12 : 4);  // 16 large, 64 small
  const PatchRows rows(1, counts);
  EXPECT_EQ(rows.size(), static_cast<std::size_t>((2 * 12 + 8 * 4) * slot_rows));
  EXPECT_EQ(rows.size(), static_cast<std::size_t>(3 * rows.points()));
}

TEST(PatchRowsTest, SlotsOfGroupsFollowEachOther) {
  test::Random random(2);
  const PatchRows rows(1, many_counts(50, random));
  std::int32_t next = 0;
  for (const PatchGroup& group : rows.groups()) {
    EXPECT_EQ(group.first_slot, next);
    next += group.slots;
  }
  EXPECT_EQ(rows.slots().size(), static_cast<std::size_t>(next));
}

TEST(PatchRowsTest, RowsOfAllPointsAreDistinctAndInside) {
  test::Random random(3);
  const std::vector<int> counts = many_counts(37, random);
  const PatchRows rows(1, counts);
  std::vector<int> used(rows.size(), 0);
  for (int patch = 0; patch < rows.patches(); ++patch)
    for (int point = 0; point < rows.points_of(patch); ++point)
      for (std::size_t c = 0; c < 3; ++c) ++used.at(rows.row(patch, point) + patch_lanes * c);
  EXPECT_EQ(std::accumulate(used.begin(), used.end(), 0), 3 * rows.points());
  EXPECT_EQ(*std::max_element(used.begin(), used.end()), 1);
}

TEST(PatchRowsTest, DescriptionLandsInItsLane) {
  const std::vector<int> counts{3, 4};
  PatchRows rows(2, counts);
  const Vec3d points[4] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {.1, .2, .3}};
  rows.set(1, describe(-1, 1, points));
  const PatchGroup& group = rows.groups()[0];  // the patch with more points comes first
  EXPECT_EQ(group.patch[0], 1);
  EXPECT_EQ(group.block_a[0], -1);
  EXPECT_EQ(group.block_b[0], 1);
  EXPECT_EQ(group.mu[0], 0.5);
  EXPECT_EQ(group.arm_a[2][0], 3);
  EXPECT_EQ(group.arm_b[0][0], 4);
  EXPECT_EQ(group.axes[1][0], 1);
  EXPECT_EQ(group.axes[6][0], 1);
  EXPECT_EQ(rows.slots()[3].at[2][0], .3);
  EXPECT_EQ(rows.slots()[3].used[0], 1);
  EXPECT_EQ(rows.slots()[3].used[1], 0);  // patch 0 has three points
  EXPECT_EQ(group.block_a[2], -1);        // an idle lane
  EXPECT_EQ(group.patch[2], -1);
  EXPECT_EQ(group.axes[4][2], 1);
}

TEST(PatchRowsTest, LaneLayoutAndBackGivesTheSameNumbers) {
  test::Random random(4);
  const PatchRows rows(1, many_counts(29, random));
  std::vector<Vec3d> points(static_cast<std::size_t>(rows.points())), back(points.size());
  for (Vec3d& p : points) p = random.gauss_vector();
  std::vector<double> lanes(rows.size(), 7.0);
  rows.write_lanes(points, lanes);
  rows.write_points(lanes, back);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].x, back[i].x);
    EXPECT_EQ(points[i].y, back[i].y);
    EXPECT_EQ(points[i].z, back[i].z);
  }
  EXPECT_EQ(rows.size() - static_cast<std::size_t>(std::count(lanes.begin(), lanes.end(), 0.0)),
            static_cast<std::size_t>(3 * rows.points()));
}

}  // namespace
}  // namespace trilith::rows
