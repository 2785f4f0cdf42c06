#include "support/allocation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace trilith::test {
namespace {

/// Keeps the compiler from leaving an allocation out.
template <class T>
T* used(T* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
  return pointer;
}

TEST(AllocationTest, ArithmeticAllocatesNothing) {
  std::vector<double> values(100, 1.0);
  const AllocationCount heap;
  double sum = 0;
  for (const double value : values) sum += value;
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(sum, 100);
}

TEST(AllocationTest, OperatorNewIsCounted) {
  const AllocationCount heap;
  delete used(new int(1));
  delete[] used(new int[20]);
  EXPECT_EQ(heap.delta(), 2);
}

TEST(AllocationTest, AlignedNewIsCounted) {
  struct alignas(64) Wide {
    double value[8];
  };
  const AllocationCount heap;
  const std::unique_ptr<Wide> wide(used(new Wide{}));
  EXPECT_EQ(heap.delta(), 1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % 64, 0u);
}

TEST(AllocationTest, MallocFamilyIsCounted) {
  const AllocationCount heap;
  void* block = used(std::malloc(10));
  EXPECT_EQ(heap.delta(), 1);
  void* zeroed = used(std::calloc(10, 10));
  EXPECT_EQ(heap.delta(), 2);
  block = used(std::realloc(block, 100000));
  EXPECT_GE(heap.delta(), 3);
  void* aligned = used(std::aligned_alloc(64, 128));
  EXPECT_GE(heap.delta(), 4);
  std::free(block);
  std::free(zeroed);
  std::free(aligned);
}

TEST(AllocationTest, OtherThreadsAreCounted) {
  const AllocationCount heap;
  std::thread([] { delete used(new int(1)); }).join();
  EXPECT_GE(heap.delta(), 1);
}

}  // namespace
}  // namespace trilith::test
