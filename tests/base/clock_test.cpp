#include "base/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace trilith {
namespace {

TEST(ClockTest, NeverRunsBackwards) {
  double wall = wall_seconds(), cpu = thread_cpu_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double next_wall = wall_seconds(), next_cpu = thread_cpu_seconds();
    ASSERT_GE(next_wall, wall);
    ASSERT_GE(next_cpu, cpu);
    wall = next_wall, cpu = next_cpu;
  }
}

TEST(DeadlineTest, WithoutOneNothingPasses) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_FALSE(Deadline::after(HUGE_VAL).passed());
  EXPECT_FALSE(Deadline::after(3600).passed());
}

TEST(DeadlineTest, ZeroNegativeAndNanPassAtOnce) {
  EXPECT_TRUE(Deadline::after(0).passed());
  EXPECT_TRUE(Deadline::after(-5).passed());
  EXPECT_TRUE(Deadline::after(std::nan("")).passed());
}

TEST(DeadlineTest, PassesAfterItsTime) {
  const double start = wall_seconds();
  const Deadline deadline = Deadline::after(0.02);
  while (!deadline.passed()) ASSERT_LT(wall_seconds() - start, 60);
  EXPECT_GE(wall_seconds() - start, 0.02);
}

TEST(DeadlineTest, TellsWhatIsLeft) {
  EXPECT_EQ(Deadline().remaining(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Deadline::after(0).remaining(), 0);
  const double left = Deadline::after(100).remaining();
  EXPECT_GT(left, 50);
  EXPECT_LE(left, 100);
}

// in a process of its own: the request cannot be taken back
TEST(DeadlineDeathTest, AnInterruptPassesEveryDeadline) {
  EXPECT_EXIT(
      {
        request_interrupt();
        std::exit(interrupt_requested() && Deadline().passed() && Deadline::after(3600).passed() ? 7 : 0);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace trilith
