#include "geom/broad_phase.h"

#include <gtest/gtest.h>

#include <limits>

#include "linalg/fixed.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::geom {
namespace {

std::vector<Aabb> random_boxes(int count, const Vec3d& room, test::Random& random) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3d low{random.uniform(0, room.x), random.uniform(0, room.y), random.uniform(0, room.z)};
    boxes.push_back({low, low + Vec3d{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)}});
  }
  return boxes;
}

BroadPhase::Pairs compare_all(const std::vector<Aabb>& boxes) {
  BroadPhase::Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
      if (boxes_touch(boxes[i], boxes[j])) pairs.emplace_back(i, j);
  return pairs;
}

void expect_pairs_while_moving(int count, const Vec3d& room, test::Random& random) {
  BroadPhase phase;
  BroadPhase::Pairs found;
  std::vector<Aabb> boxes = random_boxes(count, room, random);
  for (int step = 0; step < 8; ++step) {
    phase.find_pairs(boxes, found);
    ASSERT_EQ(found, compare_all(boxes));
    for (Aabb& box : boxes) {
      const Vec3d move = 0.2 * random.gauss_vector();
      box = {box.lower + move, box.upper + move};
    }
  }
  const std::vector<Aabb> others = random_boxes(count + 3, {1, 8, 1}, random);  // another number, another axis
  phase.find_pairs(others, found);
  EXPECT_EQ(found, compare_all(others));
}

TEST(BroadPhaseTest, FindsThePairsThatComparingAllFindsWhileTheBoxesMove) {
  test::Random random(51);
  for (const Vec3d room : {Vec3d{9, 2, 3}, Vec3d{2, 9, 3}, Vec3d{3, 2, 9}, Vec3d{4, 4, 4}})
    for (const int count : {0, 1, 2, 7, 300}) expect_pairs_while_moving(count, room, random);
}

TEST(BroadPhaseTest, BoxesOfOneGroupAreNoPair) {
  test::Random random(55);
  const std::vector<Aabb> boxes = random_boxes(200, {4, 4, 4}, random);
  std::vector<std::int32_t> groups;
  for (std::size_t i = 0; i < boxes.size(); ++i) groups.push_back(static_cast<std::int32_t>(random.index(20)));
  BroadPhase::Pairs found, expected = compare_all(boxes);
  std::erase_if(expected, [&](const auto& pair) { return groups[pair.first] == groups[pair.second]; });
  BroadPhase().find_pairs(boxes, found, groups);
  EXPECT_EQ(found, expected);
  EXPECT_LT(found.size(), compare_all(boxes).size());
}

TEST(BroadPhaseTest, AFloorWithoutEndTouchesAllThatReachesIt) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  test::Random random(52);
  std::vector<Aabb> boxes = random_boxes(50, {5, 5, 3}, random);
  boxes.push_back({{-inf, -inf, -inf}, {inf, inf, 1}});
  BroadPhase phase;
  BroadPhase::Pairs found;
  phase.find_pairs(boxes, found);
  EXPECT_EQ(found, compare_all(boxes));
}

TEST(BroadPhaseTest, ABoxThatIsNowhereDisturbsNoOther) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  test::Random random(54);
  std::vector<Aabb> boxes = random_boxes(80, {4, 4, 4}, random);
  const BroadPhase::Pairs without = compare_all(boxes);
  boxes.push_back({{nan, nan, nan}, {nan, nan, nan}});
  BroadPhase phase;
  BroadPhase::Pairs found;
  for (int step = 0; step < 3; ++step) {
    phase.find_pairs(boxes, found);
    EXPECT_EQ(found, without);
  }
}

TEST(BroadPhaseTest, DoesNotAllocateOnceItKnowsTheScene) {
  test::Random random(53);
  const std::vector<Aabb> boxes = random_boxes(200, {4, 4, 4}, random);
  BroadPhase phase;
  BroadPhase::Pairs found;
  phase.find_pairs(boxes, found);
  const test::AllocationCount heap;
  phase.find_pairs(boxes, found);
  EXPECT_EQ(heap.delta(), 0);
}

}  // namespace
}  // namespace trilith::geom
