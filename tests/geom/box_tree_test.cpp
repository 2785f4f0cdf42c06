#include "geom/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geom/shapes.h"

namespace trilith::geom {
namespace {

using test::Random;

std::vector<Aabb> random_boxes(int count, double reach) {
  Random random(8);
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3d low = reach * random.direction(), side{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
    boxes.push_back({low, low + side});
  }
  return boxes;
}

TEST(BoxTreeTest, FindsThePairsThatComparingAllFinds) {
  for (const int count : {0, 1, 2, 5, 300}) {
    const std::vector<Aabb> boxes = random_boxes(count, 3);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
        if (boxes_touch(boxes[i], boxes[j])) all.emplace_back(i, j);
    for (const int threads : {1, 2, 3}) EXPECT_EQ(find_touching_pairs(boxes, threads), all);
    EXPECT_TRUE(count != 300 || all.size() > 100U);
  }
}

TEST(BoxTreeTest, EqualBoxesAreAllFound) {
  const std::vector<Aabb> boxes(100, Aabb{{0, 0, 0}, {1, 1, 1}});
  EXPECT_EQ(find_touching_pairs(boxes, 1).size(), 100U * 99 / 2);
}

TEST(BoxTreeTest, TouchingCounts) {
  EXPECT_TRUE(boxes_touch({{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}));
  EXPECT_FALSE(boxes_touch({{0, 0, 0}, {1, 1, 1}}, {{0, 0, 1.001}, {1, 1, 2}}));
  EXPECT_TRUE(boxes_touch(grow({{0, 0, 0}, {1, 1, 1}}, 0.001), {{0, 0, 1.001}, {1, 1, 2}}));
}

}  // namespace
}  // namespace trilith::geom
