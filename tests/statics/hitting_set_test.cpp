#include "statics/hitting_set.h"

#include "gtest/gtest.h"
#include "support/random.h"

namespace trilith {
namespace {

using statics::BlockSet;

BlockSet set_of(std::size_t blocks, unsigned bits) {
  BlockSet set(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i)
    if (bits >> i & 1) set.add(i);
  return set;
}

TEST(BlockSetTest, SetsOfMoreThanOneWordBehaveLikeSets) {
  BlockSet a(130), b(130);
  for (const std::uint32_t i : {0U, 63U, 64U, 129U}) a.add(i);
  b.add(64);
  EXPECT_EQ(a.count(), 4U);
  EXPECT_EQ(a.list(), (std::vector<std::uint32_t>{0, 63, 64, 129}));
  EXPECT_TRUE(b.lies_in(a) && a.meets(b) && !a.lies_in(b));
  a.remove(b);
  EXPECT_FALSE(a.meets(b) || a.has(64));
  a.keep(b);
  EXPECT_TRUE(a.empty());
}

TEST(HittingSetTest, TheSmallestIsFoundAsTryingOutAllDoes) {
  test::Random random(1);
  for (int round = 0; round < 300; ++round) {
    constexpr std::size_t blocks = 9;
    std::vector<unsigned> bits;
    std::vector<BlockSet> sets;
    for (std::uint64_t k = random.index(8); k-- > 0;) {
      bits.push_back(static_cast<unsigned>(1 + random.index((1U << blocks) - 1)) & static_cast<unsigned>(random.index(1U << blocks)));
      if (bits.back() == 0) bits.back() = 1;
      sets.push_back(set_of(blocks, bits.back()));
    }
    std::size_t least = blocks;
    for (unsigned chosen = 0; chosen < 1U << blocks; ++chosen) {
      bool all = true;
      for (const unsigned set : bits) all = all && (set & chosen) != 0;
      if (all) least = std::min<std::size_t>(least, set_of(blocks, chosen).count());
    }
    const statics::HittingSet found = statics::find_hitting_set(sets, blocks, 100000);
    EXPECT_TRUE(found.smallest);
    EXPECT_EQ(found.chosen.count(), least);
    for (const BlockSet& set : sets) EXPECT_TRUE(set.meets(found.chosen));
  }
}

TEST(HittingSetTest, OutOfBranchesItStillMeetsAllAndClaimsNothing) {
  test::Random random(2);
  std::vector<BlockSet> sets;
  for (int k = 0; k < 200; ++k) {
    BlockSet& set = sets.emplace_back(80);
    for (int i = 0; i < 4; ++i) set.add(static_cast<std::uint32_t>(random.index(80)));
  }
  const statics::HittingSet found = statics::find_hitting_set(sets, 80, 50);
  EXPECT_FALSE(found.smallest);
  for (const BlockSet& set : sets) EXPECT_TRUE(set.meets(found.chosen));
}

}  // namespace
}  // namespace trilith
