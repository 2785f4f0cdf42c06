#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/hash.h"

namespace trilith {
namespace {

using Four = std::array<std::uint32_t, 4>;

// known answers published with Random123
TEST(RngTest, PhiloxHasThePublishedBlocks) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RngTest, SameSeedAndStreamGiveTheSameNumbersAndOthersDoNot) {
  Rng a(1, 2), b(1, 2), other_seed(2, 2), other_stream(1, 3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = a.bits();
    ASSERT_EQ(bits, b.bits());
    seen.insert({bits, other_seed.bits(), other_stream.bits()});
  }
  EXPECT_EQ(seen.size(), 3000u);
}

TEST(RngTest, UniformFillsItsIntervalEvenly) {
  Rng rng(3);
  std::vector<int> bin(10, 0);
  for (int i = 0; i < 100000; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++bin[static_cast<std::size_t>(10 * u)];
    const double w = rng.uniform(-3, 5);
    ASSERT_GE(w, -3);
    ASSERT_LT(w, 5);
  }
  for (const int count : bin) EXPECT_NEAR(count, 10000, 500);  // five standard deviations
}

TEST(RngTest, NormalHasTheMomentsOfANormal) {
  Rng rng(4);
  double moment[5] = {0};
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double x = rng.normal();
    for (int k = 1; k <= 4; ++k) moment[k] += std::pow(x, k) / count;
  }
  EXPECT_NEAR(moment[1], 0, 0.012);
  EXPECT_NEAR(moment[2], 1, 0.02);
  EXPECT_NEAR(moment[3], 0, 0.05);
  EXPECT_NEAR(moment[4], 3, 0.12);
}

TEST(RngTest, BelowReachesEveryValueEquallyOften) {
  Rng rng(5);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 70000; ++i) ++seen[rng.below(7)];
  for (const int count : seen) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(rng.below(1), 0u);
  // just above half the range: without the second draw low values would come twice as often
  constexpr std::uint64_t large = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += rng.below(large) < large / 2 ? 1 : 0;
  EXPECT_NEAR(low, 15000, 450);
}

// the same on every machine: integer arithmetic, own log, sin and cos
TEST(RngTest, NumbersAreAConstant) {
  Rng rng(42, 7);
  Hash64 hash;
  for (int i = 0; i < 1000; ++i) hash.add(rng.uniform()), hash.add(rng.normal()), hash.add(static_cast<std::int64_t>(rng.below(1000)));
  EXPECT_EQ(hex(hash.value()), "0xef67bec5e56be2af");
}

}  // namespace
}  // namespace trilith
