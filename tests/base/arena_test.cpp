#include "base/arena.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "support/allocation.h"

namespace trilith {
namespace {

TEST(ArenaTest, SpansAreAlignedAndDoNotOverlap) {
  Arena arena(1000);
  const auto a = arena.take<double>(3);
  const auto b = arena.take<char>(1);
  const auto c = arena.take<std::int32_t>(20);
  EXPECT_EQ(a.size(), 3u);
  for (const void* p : {static_cast<const void*>(a.data()), static_cast<const void*>(b.data()), static_cast<const void*>(c.data())})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % Arena::alignment, 0u);
  EXPECT_LE(reinterpret_cast<char*>(a.data() + 3), b.data());
  EXPECT_LE(b.data() + 1, reinterpret_cast<char*>(c.data()));
}

TEST(ArenaTest, UsesWhatBytesOfSays) {
  Arena arena(Arena::bytes_of<double>(9) + Arena::bytes_of<char>(1));
  EXPECT_EQ(arena.capacity(), 128u + 64u);
  (void)arena.take<double>(9);
  EXPECT_EQ(arena.used(), 128u);
  (void)arena.take<char>(1);
  EXPECT_EQ(arena.used(), arena.capacity());
}

TEST(ArenaTest, ResetGivesTheSameStorageAgain) {
  Arena arena(256);
  const double* first = arena.take<double>(4).data();
  arena.reset();
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.take<double>(4).data(), first);
}

TEST(ArenaTest, FillsWithZeroInReleaseAndWithNanInDebug) {
  Arena arena(256);
  for (double& v : arena.take<double>(8)) v = 7;
  arena.reset();
  for (const double v : arena.take<double>(8)) {
#ifdef NDEBUG
    EXPECT_EQ(v, 0);
#else
    EXPECT_TRUE(std::isnan(v));
#endif
  }
}

TEST(ArenaTest, TakingDoesNotAllocate) {
  Arena arena(1 << 16);
  const test::AllocationCount heap;
  for (int k = 0; k < 100; ++k) {
    arena.reset();
    for (int i = 0; i < 10; ++i) (void)arena.take<double>(64);
  }
  EXPECT_EQ(heap.delta(), 0);
}

TEST(ArenaDeathTest, AFullArenaIsAFailedCheck) {
  Arena arena(128);
  (void)arena.take<double>(9);
  EXPECT_DEATH((void)arena.take<double>(1), "check failed");
  EXPECT_DEATH((void)arena.take<double>(std::size_t{1} << 61), "check failed");  // the count alone would wrap around
}

}  // namespace
}  // namespace trilith
