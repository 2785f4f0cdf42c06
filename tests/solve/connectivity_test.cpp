#include "solve/connectivity.h"

#include <gtest/gtest.h>

#include "dense_rows.h"

namespace trilith::solve {
namespace {

rows::PatchRows rows_of(int blocks, const std::vector<std::pair<int, int>>& pairs) {
  test::Random random(1);
  std::vector<test::OwnedPatch> patches;
  for (const auto& [a, b] : pairs) {
    patches.push_back(test::random_patches(1, 0, random)[0]);
    patches.back().description.block_a = a;
    patches.back().description.block_b = b;
  }
  return test::make_rows(blocks, patches);
}

TEST(ConnectivityTest, AChainToAFixedBlockIsASupport) { EXPECT_TRUE(find_floating(rows_of(3, {{-1, 2}, {2, 0}, {1, 0}})).supported()); }

TEST(ConnectivityTest, ABlockThatTouchesNothingFloats) {
  const Connectivity found = find_floating(rows_of(3, {{-1, 0}, {0, 2}}));
  EXPECT_EQ(found.floating, (std::vector<std::vector<int>>{{1}}));
}

TEST(ConnectivityTest, AFloatingPairIsOneGroup) {
  const Connectivity found = find_floating(rows_of(5, {{4, 1}, {0, -1}, {2, 3}}));
  EXPECT_EQ(found.floating, (std::vector<std::vector<int>>{{1, 4}, {2, 3}}));
}

TEST(ConnectivityTest, OrderAndDirectionOfPatchesDoNotMatter) {
  const std::vector<std::vector<int>> expected{{1, 2, 4, 6}, {5}};
  EXPECT_EQ(find_floating(rows_of(7, {{-1, 0}, {3, 0}, {1, 2}, {4, 6}, {2, 6}})).floating, expected);
  EXPECT_EQ(find_floating(rows_of(7, {{6, 2}, {2, 1}, {0, 3}, {6, 4}, {0, -1}})).floating, expected);
}

TEST(ConnectivityTest, WithoutAnySupportEverythingFloats) {
  EXPECT_EQ(find_floating(rows_of(2, {})).floating, (std::vector<std::vector<int>>{{0}, {1}}));
  EXPECT_TRUE(find_floating(rows_of(0, {})).supported());
}

TEST(ConnectivityTest, LongChainsAreFollowed) {
  std::vector<std::pair<int, int>> chain;
  for (int i = 9999; i > 0; --i) chain.emplace_back(i, i - 1);
  EXPECT_EQ(find_floating(rows_of(10000, chain)).floating.size(), 1u);
  chain.emplace_back(-1, 5000);
  EXPECT_TRUE(find_floating(rows_of(10000, chain)).supported());
}

TEST(ConnectivityTest, FloatingBodiesFallAlongGravityTheRestStandsStill) {
  const Connectivity found = find_floating(rows_of(3, {{-1, 0}, {1, 2}}));
  std::vector<double> velocity(18, 9.0);
  write_fall(found, {0, 3, -4}, velocity);
  const std::vector<double> fall{0, 0.6, -0.8, 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(velocity[i], 0);
    EXPECT_DOUBLE_EQ(velocity[6 + i], fall[i]);
    EXPECT_DOUBLE_EQ(velocity[12 + i], fall[i]);
  }
  write_fall(found, {0, 0, 0}, velocity);
  for (const double v : velocity) EXPECT_EQ(v, 0);
}

}  // namespace
}  // namespace trilith::solve
