#include "base/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace trilith {
namespace {

TEST(IsaTest, EverySetContainsTheOnesBelow) {
  EXPECT_TRUE(has_isa(Isa::baseline));
  if (has_isa(Isa::v4)) {
    EXPECT_TRUE(has_isa(Isa::v3));
  }
}

TEST(IsaTest, TheActiveSetIsOneThatTheCpuHas) { EXPECT_TRUE(has_isa(active_isa())); }

// the choice is made once per process, so every case runs in a process of its own
int chosen_with(const char* wish) {
  setenv("TRILITH_ISA", wish, 1);
  return static_cast<int>(active_isa());
}

TEST(IsaDeathTest, TheEnvironmentMayAskForLessThanTheCpuHas) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::exit(10 + chosen_with("baseline")), testing::ExitedWithCode(10), "");
  if (has_isa(Isa::v3)) {
    EXPECT_EXIT(std::exit(10 + chosen_with("v3")), testing::ExitedWithCode(11), "");
  }
}

TEST(IsaDeathTest, AnUnknownWishIsIgnored) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const int best = has_isa(Isa::v4) ? 2 : has_isa(Isa::v3) ? 1 : 0;
  EXPECT_EXIT(std::exit(10 + chosen_with("v9")), testing::ExitedWithCode(10 + best), "");
}

}  // namespace
}  // namespace trilith
