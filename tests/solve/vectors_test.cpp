// Sums of plain vectors.
#include "solve/vectors.h"

#include <gtest/gtest.h>

#include <vector>

namespace trilith::solve {
namespace {

TEST(VectorsTest, DotProductsTakeEveryEntryOnce) {
  // powers of two: every sum is exact, whatever its order, and names the entries that are in it
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<double> a(n, 1), b(n);
    double want = 0;
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = static_cast<double>(1ULL << i);
      want += b[i];
    }
    EXPECT_EQ(dot_of(a, b), want) << n;
  }
}

TEST(VectorsTest, ShortDotProductsKeepTheirOrder) {
  EXPECT_EQ(dot_of(std::vector{1e16, 1.0, -1e16}, std::vector{1.0, 1.0, 1.0}), 0);
  EXPECT_EQ(dot_of(std::vector{1e16, -1e16, 1.0}, std::vector{1.0, 1.0, 1.0}), 1);
}

TEST(VectorsTest, WhatIsNotANumberIsNotLost) {
  std::vector<double> a(21, 1.0), b(21, 1.0);
  b[9] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(dot_of(a, b) == dot_of(a, b));
}

}  // namespace
}  // namespace trilith::solve
