#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "certify/dyadic.h"
#include "support/random.h"

namespace trilith::test {
namespace {

using certify::Dyadic;
using certify::ratio;
using certify::root_of_ratio;

/// The nearest double of an exact number, for tests.
double value(const Dyadic& a) {
  std::int64_t e = 0;
  const double f = a.fraction(e);
  return std::ldexp(f, int(e));
}

TEST(DyadicTest, EveryDoubleIsKept) {
  for (const double a : {0.0, -0.0, 1.0, -3.5, 1e300, -1e-300, 4.9e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0x1p-1022, 0.1})
    EXPECT_EQ(value(Dyadic(a)), a) << a;
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.gauss() * std::ldexp(1, int(random.index(2000)) - 1000);
    EXPECT_EQ(value(Dyadic(a)), a);
  }
}

TEST(DyadicTest, ArithmeticOfIntegersIsThatOfIntegers) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const auto a = std::int64_t(random.index(1u << 26)) - (1 << 25), b = std::int64_t(random.index(1u << 26)) - (1 << 25);
    const auto da = Dyadic(double(a)), db = Dyadic(double(b));
    EXPECT_EQ(compare(da + db, Dyadic(double(a + b))), 0);
    EXPECT_EQ(compare(da - db, Dyadic(double(a - b))), 0);
    EXPECT_EQ(value(da * db), double(a) * double(b));
    EXPECT_EQ(compare(da, db), a < b ? -1 : a > b ? 1 : 0);
    EXPECT_EQ(da.sign(), a < 0 ? -1 : a > 0 ? 1 : 0);
  }
}

TEST(DyadicTest, NothingIsLost) {
  // (1e300 + 1e-300) - 1e300 = 1e-300, and the order does not matter
  EXPECT_EQ(value((Dyadic(1e300) + Dyadic(1e-300)) - Dyadic(1e300)), 1e-300);
  Random random(3);
  std::vector<double> terms;
  terms.reserve(200);
  for (int i = 0; i < 200; ++i) terms.push_back(random.gauss() * std::ldexp(1, int(random.index(400)) - 200));
  Dyadic forward, backward;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    forward += terms[i];
    backward += terms[terms.size() - 1 - i];
  }
  EXPECT_EQ(compare(forward, backward), 0);
  for (const double t : terms) forward -= t;
  EXPECT_EQ(forward.sign(), 0);
}

TEST(DyadicTest, IdentitiesHoldExactly) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Dyadic a = random.gauss(), b = random.gauss() * 1e-9, c = random.gauss() * 1e12;
    EXPECT_EQ(compare((a + b) * c, a * c + b * c), 0);
    EXPECT_EQ(compare((a + b) * (a - b), square(a) - square(b)), 0);
    EXPECT_EQ(compare(a.shifted(3), Dyadic(8) * a), 0);
    EXPECT_LT(square(a) + square(b) - Dyadic(2) * a * b, square(a - b) + Dyadic(4.9e-324));
  }
}

TEST(DyadicTest, CopiesAndMovesKeepTheNumber) {
  Dyadic a = 5.25, b = a;
  Dyadic c = static_cast<Dyadic&&>(a);
  EXPECT_EQ(value(b), 5.25);
  EXPECT_EQ(value(c), 5.25);
  b = c;
  c = Dyadic(1);
  b += b;
  EXPECT_EQ(value(b), 10.5);
  b -= b;
  EXPECT_EQ(b.sign(), 0);
  c *= c;
  EXPECT_EQ(value(c), 1);
}

TEST(DyadicTest, RatiosAreCloseAndTotal) {
  EXPECT_DOUBLE_EQ(ratio(1, 3), 1. / 3);
  EXPECT_DOUBLE_EQ(ratio(Dyadic(1e300) * Dyadic(1e300), Dyadic(3e300) * Dyadic(1e300)), 1. / 3);
  EXPECT_EQ(ratio(0, 0), 0);
  EXPECT_EQ(ratio(1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ratio(Dyadic(1e300) * Dyadic(1e300), 1), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(root_of_ratio(2, 1), std::sqrt(2.));
  EXPECT_DOUBLE_EQ(root_of_ratio(1, 8), std::sqrt(.125));
  EXPECT_DOUBLE_EQ(root_of_ratio(Dyadic(1e-300) * Dyadic(1e-300), 1), 1e-300);
}

TEST(DyadicTest, RootBoundsEncloseTheRoot) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const Dyadic a = Dyadic(random.scale(1e-200, 1e200)) * Dyadic(random.scale(1e-5, 1e5));
    const auto root = certify::bound_root(a);
    EXPECT_LE(square(root.low), a);
    EXPECT_LE(a, square(root.high));
    EXPECT_LT(ratio(root.high - root.low, root.low), 1e-14);
  }
  EXPECT_EQ(certify::bound_root(0).high.sign(), 0);
}

}  // namespace
}  // namespace trilith::test
