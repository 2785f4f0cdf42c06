#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "support/allocation.h"

namespace trilith {
namespace {

/// Runs n indices and expects each once, in contiguous ascending parts, on all threads that there is work for.
void expect_every_index_once(std::int64_t n, int threads) {
  std::vector<int> count(static_cast<std::size_t>(n), 0), part(static_cast<std::size_t>(n), -1);
  parallel_for(n, threads, [&](std::int64_t begin, std::int64_t end, int thread_index) {
    for (std::int64_t i = begin; i < end; ++i) {
      ++count[static_cast<std::size_t>(i)];
      part[static_cast<std::size_t>(i)] = thread_index;
    }
  });
  for (std::size_t i = 0; i < count.size(); ++i) {
    ASSERT_EQ(count[i], 1) << n << " " << threads;
    ASSERT_GE(part[i], i == 0 ? 0 : part[i - 1]);
    ASSERT_LT(part[i], threads);
  }
  if (n > 0) {
    EXPECT_EQ(part.back(), std::min<std::int64_t>(n, threads) - 1);
  }
}

TEST(ParallelTest, EveryIndexRunsOnceInContiguousAscendingParts) {
  for (const std::int64_t n : {0, 1, 2, 3, 7, 100, 1001})
    for (const int threads : {1, 2, 3, 8}) expect_every_index_once(n, threads);
}

TEST(ParallelTest, ResultsDoNotDependOnTheNumberOfThreads) {
  const auto run = [](int threads) {
    std::vector<double> x(5000);
    parallel_for(5000, threads, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) x[static_cast<std::size_t>(i)] = std::sqrt(static_cast<double>(i)) / 3;
    });
    return x;
  };
  const std::vector<double> expected = run(1);
  for (const int threads : {2, 3, 5, 16}) EXPECT_EQ(run(threads), expected) << threads;
}

TEST(ParallelTest, PartsRunOnThreadsOfTheirOwn) {
  // both parts wait for each other: only two threads can finish this
  std::atomic<int> arrived{0};
  std::vector<std::thread::id> id(2);
  parallel_for(2, 2, [&](std::int64_t, std::int64_t, int thread_index) {
    id[static_cast<std::size_t>(thread_index)] = std::this_thread::get_id();
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(id[0], std::this_thread::get_id());
  EXPECT_NE(id[1], id[0]);
}

TEST(ParallelTest, NestedUseRunsOnTheCallingThread) {
  std::atomic<int> strangers{0}, calls{0};
  parallel_for(4, 4, [&](std::int64_t, std::int64_t, int) {
    const std::thread::id outer = std::this_thread::get_id();
    parallel_for(8, 8, [&](std::int64_t, std::int64_t, int) {
      ++calls;
      if (std::this_thread::get_id() != outer) ++strangers;
    });
  });
  EXPECT_EQ(calls, 32);
  EXPECT_EQ(strangers, 0);
}

/// Sum of 0 to 99 on three threads.
std::int64_t sum_to_99() {
  std::int64_t part[3] = {0, 0, 0};
  parallel_for(100, 3, [&](std::int64_t begin, std::int64_t end, int thread_index) {
    for (std::int64_t i = begin; i < end; ++i) part[thread_index] += i;
  });
  return part[0] + part[1] + part[2];
}

TEST(ParallelTest, CallersFromManyThreadsAllFinish) {
  std::vector<std::int64_t> sums(6, 0);
  {
    std::vector<std::jthread> callers;
    callers.reserve(sums.size());
    for (std::int64_t& sum : sums)
      callers.emplace_back([&sum] {
        for (int repeat = 0; repeat < 50; ++repeat) sum += sum_to_99();
      });
  }
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, 50 * 4950);
}

TEST(ParallelTest, RepeatedUseDoesNotAllocate) {
  std::vector<double> x(1000, 1.0);
  const auto work = [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) x[static_cast<std::size_t>(i)] *= 1.5;
  };
  parallel_for(1000, 3, work);
  const test::AllocationCount heap;
  for (int k = 0; k < 50; ++k) parallel_for(1000, 3, work);
  EXPECT_EQ(heap.delta(), 0);
}

TEST(ParallelTest, ThisProcessHasAtLeastOneThread) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace trilith
