#include "cones/batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "base/isa.h"
#include "cones/box.h"
#include "cones/cones_kernel.h"
#include "cones/friction_cone.h"
#include "support/allocation.h"
#include "support/random.h"

namespace trilith::test {
namespace {

struct Contacts {
  std::vector<double> mu, n, t1, t2;
  explicit Contacts(std::size_t count) {
    Random random(80 + count);
    for (std::size_t i = 0; i < count; ++i) {
      mu.push_back(random.index(10) == 0 ? 0 : random.scale(1e-2, 1e2));
      const double size = random.index(20) == 0 ? 0 : random.scale(1e-6, 1e6);
      n.push_back(size * random.gauss());
      t1.push_back(size * random.gauss());
      t2.push_back(random.index(10) == 0 ? 0 : size * random.gauss());
    }
  }
};

// NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are asked
bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(double)) == 0; }

TEST(BatchTest, ContactsEqualTheScalarProjectionBitForBit) {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 1003u}) {
      const Contacts given(count);
      Contacts c = given;
      cones::cones_kernel_of(isa).project_contacts(count, c.mu.data(), c.n.data(), c.t1.data(), c.t2.data());
      for (std::size_t i = 0; i < count; ++i) {
        const auto p = cones::project(cones::Contact3<double>{given.n[i], given.t1[i], given.t2[i]}, given.mu[i]);
        ASSERT_TRUE(same_bits(p.n, c.n[i]) && same_bits(p.t1, c.t1[i]) && same_bits(p.t2, c.t2[i])) << name(isa) << " contact " << i;
      }
    }
  }
}

TEST(BatchTest, BoxesEqualTheScalarClampBitForBit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!has_isa(isa)) continue;
    Random random(81);
    std::vector<double> lower, upper, value;
    for (int i = 0; i < 101; ++i) {
      lower.push_back(i % 5 == 0 ? -infinity : random.gauss());
      upper.push_back(i % 7 == 0 ? infinity : lower.back() + random.uniform(0, 1));
      value.push_back(2 * random.gauss());
    }
    std::vector<double> clamped = value;
    cones::cones_kernel_of(isa).project_boxes(value.size(), lower.data(), upper.data(), clamped.data());
    for (std::size_t i = 0; i < value.size(); ++i)
      ASSERT_TRUE(same_bits(clamped[i], cones::Box<double>{lower[i], upper[i]}.project({{value[i]}})[0])) << name(isa) << " row " << i;
  }
}

TEST(BatchTest, DispatchRunsAndDoesNotAllocate) {
  const Contacts given(1000);
  Contacts c = given;
  std::vector<double> low(1000, -1), high(1000, 1), value = given.n;
  const AllocationCount heap;
  cones::project_contacts(c.mu, c.n, c.t1, c.t2);
  cones::project_boxes(low, high, value);
  EXPECT_EQ(heap.delta(), 0);
  for (std::size_t i = 0; i < c.n.size(); ++i) {
    EXPECT_GE(c.n[i], 0);
    EXPECT_LE(std::abs(value[i]), 1);
  }
}

TEST(BatchTest, NotANumberStaysVisible) {
  std::vector<double> mu(9, 0.5), n(9, 1.0), t1(9, 0.0), t2(9, 0.0);
  n[3] = std::numeric_limits<double>::quiet_NaN();
  t1[8] = std::numeric_limits<double>::quiet_NaN();
  cones::project_contacts(mu, n, t1, t2);
  EXPECT_TRUE(std::isnan(n[3]));
  EXPECT_TRUE(std::isnan(t1[8]));
  EXPECT_EQ(n[4], 1);
}

}  // namespace
}  // namespace trilith::test
