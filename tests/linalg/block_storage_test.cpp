#include "linalg/block_storage.h"

#include <gtest/gtest.h>

#include <utility>

namespace trilith::linalg {
namespace {

TEST(AlignedArrayTest, EverySizeIsAligned) {
  for (const std::int64_t size : {1, 7, 8, 1000, 200000, 1000000}) {
    AlignedArray array(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0u);
    EXPECT_EQ(array.size(), size);
    array.data()[0] = 1;
    array.data()[size - 1] = 2;
    EXPECT_EQ(array.data()[size - 1], 2);
  }
}

TEST(AlignedArrayTest, EmptyHasNoMemory) {
  EXPECT_EQ(AlignedArray().data(), nullptr);
  EXPECT_EQ(AlignedArray(0).data(), nullptr);
}

TEST(AlignedArrayTest, MovingKeepsTheNumbers) {
  AlignedArray a(3);
  a.data()[2] = 5;
  AlignedArray b(std::move(a));
  AlignedArray c(1);
  c = std::move(b);
  EXPECT_EQ(c.size(), 3);
  EXPECT_EQ(c.data()[2], 5);
}

}  // namespace
}  // namespace trilith::linalg
