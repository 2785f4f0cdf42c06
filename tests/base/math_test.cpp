#include "base/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/isa_support.h"
#include "support/random.h"

namespace trilith {
namespace {

using test::same_number;

/// |value - exact| in units of the last place of `exact` as a number with `digits` bits.
double ulps(long double value, long double exact, int digits, int lowest_exponent) {
  if (value == exact || (value != value && exact != exact)) return 0;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - digits, lowest_exponent));
  const long double error = std::fabs(value - exact) / unit;
  return error == error ? static_cast<double>(error) : HUGE_VAL;
}
double ulps(double value, long double exact) { return ulps(value, exact, 53, -1074); }
double ulps(float value, double exact) { return ulps(value, exact, 24, -149); }

using Function = std::function<double(double)>;
using Exact = std::function<long double(long double)>;

/// Largest error over `count` arguments drawn by `argument`.
double worst_error(const char* name, const Function& f, const Exact& exact, const std::function<double()>& argument, int count = 200000) {
  double worst = 0, at = 0;
  for (int i = 0; i < count; ++i) {
    const double x = argument();
    const double error = ulps(f(x), exact(x));
    if (error > worst) worst = error, at = x;
  }
  testing::Test::RecordProperty(name, std::to_string(worst) + " ulp at " + std::to_string(at));
  return worst;
}

double sine(double x) { return trilith::sin(x); }
double cosine(double x) { return trilith::cos(x); }

class MathTest : public testing::Test {
 protected:
  /// Uniform in [-limit, limit].
  std::function<double()> uniform(double limit) {
    return [this, limit] { return random_.uniform(-limit, limit); };
  }
  /// Either sign, size log-uniform between two powers of two.
  std::function<double()> any_size(int low, int high) {
    return [this, low, high] { return (random_.coin() ? 1 : -1) * std::exp2(random_.uniform(low, high)); };
  }
  test::Random random_{1};
};

TEST_F(MathTest, SineAndCosineAreWithinOneUnitForEveryFiniteAngle) {
  const auto sin_l = [](long double x) { return std::sin(x); };
  const auto cos_l = [](long double x) { return std::cos(x); };
  for (const double limit : {0.8, 7.0, 1e3, 1e5, 1e6}) {
    EXPECT_LT(worst_error("sin", sine, sin_l, uniform(limit)), 0.85) << limit;
    EXPECT_LT(worst_error("cos", cosine, cos_l, uniform(limit)), 0.85) << limit;
  }
  EXPECT_LT(worst_error("sin small", sine, sin_l, any_size(-1074, 0)), 0.85);
  EXPECT_LT(worst_error("cos small", cosine, cos_l, any_size(-1074, 0)), 0.85);
  EXPECT_LT(worst_error("sin large", sine, sin_l, any_size(19, 1023)), 0.85);
  EXPECT_LT(worst_error("cos large", cosine, cos_l, any_size(19, 1023)), 0.85);
}

// arguments close to multiples of pi/2 lose all their leading digits in the reduction
TEST_F(MathTest, SineAndCosineKeepTheirDigitsNextToTheirZeros) {
  const double half_pi = std::acos(0.0);
  for (int n = 1; n < 640000; n += n < 1000 ? 1 : 997) {
    const double near = n * half_pi;
    for (const double x : {near, std::nextafter(near, 0), std::nextafter(near, 1e9)}) {
      ASSERT_LT(ulps(sine(x), std::sin(static_cast<long double>(x))), 0.85) << n;
      ASSERT_LT(ulps(cosine(x), std::cos(static_cast<long double>(x))), 0.85) << n;
    }
  }
}

// published values: Muller, Elementary Functions, and the double nearest to a multiple of pi/2
TEST_F(MathTest, LargeAnglesAreReducedExactly) {
  EXPECT_NEAR(sine(1e22), -0.8522008497671888017727, 1e-16);
  EXPECT_NEAR(cosine(1e22), 0.5232147853951389454975, 1e-16);
  EXPECT_EQ(cosine(std::ldexp(6381956970095103.0, 797)), -4.68716592425462761112e-19);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_LT(ulps(sine(largest), std::sin(static_cast<long double>(largest))), 0.85);
}

TEST_F(MathTest, FastAndExactReductionAgreeWhereBothHold) {
  for (int i = 0; i < 100000; ++i) {
    const double x = random_.uniform(-1e6, 1e6);
    const auto fast = detail::reduce_angle(x);
    const auto exact = large_angle::reduce(x);
    if (std::fabs(x) < 1) continue;  // the exact one leaves those as they are
    ASSERT_EQ(fast.quadrant & 3, exact.quadrant & 3) << x;
    ASSERT_EQ(fast.high, exact.high) << x;
    ASSERT_NEAR(fast.low, exact.low, 1e-6 * std::fabs(exact.low) + 1e-33) << x;
  }
}

TEST_F(MathTest, ExponentialIsWithinOneUnit) {
  const auto f = [](double x) { return trilith::exp(x); };
  const auto exact = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst_error("exp", f, exact, [this] { return random_.uniform(-745.2, 709.78); }), 0.95);
  EXPECT_LT(worst_error("exp near 0", f, exact, uniform(1)), 0.95);
  EXPECT_LT(worst_error("exp tiny", f, exact, any_size(-1074, 0)), 0.95);
  EXPECT_LT(worst_error("exp subnormal", f, exact, [this] { return random_.uniform(-745.2, -708.3); }), 0.95);
}

TEST_F(MathTest, ExponentialKeepsItsEnds) {
  EXPECT_EQ(trilith::exp(0.0), 1);
  EXPECT_EQ(trilith::exp(-0.0), 1);
  const double last = 709.782712893383973096;  // the largest argument with a finite result
  EXPECT_LT(trilith::exp(last), HUGE_VAL);
  EXPECT_EQ(trilith::exp(std::nextafter(last, 1000)), HUGE_VAL);
  EXPECT_EQ(trilith::exp(1e300), HUGE_VAL);
  EXPECT_EQ(trilith::exp(HUGE_VAL), HUGE_VAL);
  EXPECT_EQ(trilith::exp(-745.13321910194110842), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(trilith::exp(-745.2), 0);
  EXPECT_EQ(trilith::exp(-HUGE_VAL), 0);
  EXPECT_TRUE(std::isnan(trilith::exp(std::nan(""))));
}

TEST_F(MathTest, LogarithmIsWithinOneUnit) {
  const auto f = [](double x) { return trilith::log(std::fabs(x)); };
  const auto exact = [](long double x) { return std::log(std::fabs(x)); };
  EXPECT_LT(worst_error("log", f, exact, any_size(-1074, 1023)), 0.95);
  EXPECT_LT(worst_error("log near 1", f, exact, [this] { return random_.uniform(0.5, 2); }), 0.95);
  EXPECT_LT(worst_error("log at 1", f, exact, [this] { return 1 + random_.uniform(-1e-3, 1e-3); }), 0.95);
}

TEST_F(MathTest, LogarithmKeepsItsEnds) {
  EXPECT_EQ(trilith::log(1.0), 0);
  EXPECT_EQ(trilith::log(0.0), -HUGE_VAL);
  EXPECT_EQ(trilith::log(-0.0), -HUGE_VAL);
  EXPECT_EQ(trilith::log(HUGE_VAL), HUGE_VAL);
  EXPECT_TRUE(std::isnan(trilith::log(-1.0)));
  EXPECT_TRUE(std::isnan(trilith::log(-std::numeric_limits<double>::denorm_min())));
  EXPECT_TRUE(std::isnan(trilith::log(-HUGE_VAL)));
  EXPECT_TRUE(std::isnan(trilith::log(std::nan(""))));
}

TEST_F(MathTest, ArctangentIsWithinTwoUnitsInEveryQuadrant) {
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    const double y = random_.uniform(-1, 1), x = random_.uniform(-1, 1);
    worst = std::max(worst, ulps(trilith::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
  }
  for (int i = 0; i < 200000; ++i) {
    const double y = any_size(-1074, 1023)(), x = any_size(-1074, 1023)();
    worst = std::max(worst, ulps(trilith::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
    const double near = y * std::exp2(random_.uniform(-3, 3));
    if (near != 0 && std::isfinite(near))
      worst = std::max(worst, ulps(trilith::atan2(y, near), std::atan2(static_cast<long double>(y), static_cast<long double>(near))));
  }
  RecordProperty("atan2", std::to_string(worst));
  EXPECT_LT(worst, 1.9);
}

// every pair of zeros, subnormals, edges, infinities and NaN, against the C library
TEST_F(MathTest, ArctangentOfSpecialPairsIsThatOfC) {
  for (const double y : test::special_numbers<double>()) {
    for (const double x : test::special_numbers<double>()) {
      const double expected = std::atan2(y, x), value = trilith::atan2(y, x);
      ASSERT_EQ(std::isnan(value), std::isnan(expected)) << y << " " << x;
      if (std::isnan(expected)) continue;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << y << " " << x;
      ASSERT_LT(ulps(value, static_cast<long double>(expected)), 2) << y << " " << x;
    }
  }
}

TEST_F(MathTest, SineKeepsTheSignOfZeroAndRefusesWhatIsNoAngle) {
  EXPECT_TRUE(std::signbit(trilith::sin(-0.0)));
  EXPECT_FALSE(std::signbit(trilith::sin(0.0)));
  EXPECT_EQ(trilith::cos(-0.0), 1);
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_TRUE(std::isnan(trilith::sin(x))) << x;
    EXPECT_TRUE(std::isnan(trilith::cos(x))) << x;
  }
}

// a thousandth of all floats, evenly spread over every sign, exponent and fraction
TEST_F(MathTest, FloatFormsAreWithinTwoUnitsOfFloat) {
  double sin_worst = 0, cos_worst = 0, exp_worst = 0, log_worst = 0, atan_worst = 0;
  const auto raise = [](double& worst, double error) { worst = std::max(worst, error); };
  std::uint32_t bits = 0;
  for (int i = 0; i < 4000000; ++i, bits += 1073u) {
    const float x = from_bits(bits);
    if (!std::isfinite(x)) continue;
    const double wide = x;
    raise(sin_worst, ulps(trilith::sin(x), std::sin(wide)));
    raise(cos_worst, ulps(trilith::cos(x), std::cos(wide)));
    if (std::fabs(x) < 104) raise(exp_worst, std::exp(wide) > 3.4028234e38 ? 0 : ulps(trilith::exp(x), std::exp(wide)));
    if (x > 0) raise(log_worst, ulps(trilith::log(x), std::log(wide)));
    const float y = from_bits(bits * 2654435761u);
    if (std::isfinite(y)) raise(atan_worst, ulps(trilith::atan2(x, y), std::atan2(wide, static_cast<double>(y))));
    raise(atan_worst, ulps(trilith::atan2(x, 1.0f), std::atan2(wide, 1.0)));
  }
  RecordProperty("sin", std::to_string(sin_worst)), RecordProperty("cos", std::to_string(cos_worst));
  RecordProperty("exp", std::to_string(exp_worst)), RecordProperty("log", std::to_string(log_worst));
  RecordProperty("atan2", std::to_string(atan_worst));
  EXPECT_LT(sin_worst, 1);
  EXPECT_LT(cos_worst, 1);
  EXPECT_LT(exp_worst, 1);
  EXPECT_LT(log_worst, 1);
  EXPECT_LT(atan_worst, 1.9);
}

template <class S>
void run_math(const test::IsaPrograms& p, int width, const std::vector<S>& x, const std::vector<S>& y, std::vector<S>& out) {
  out.assign(x.size() * test::math_count, S(-7));
  const auto count = static_cast<std::int64_t>(x.size());
  if constexpr (sizeof(S) == 8) {
    p.math_double(width, x.data(), y.data(), count, out.data());
  } else {
    p.math_float(width, x.data(), y.data(), count, out.data());
  }
  out = test::by_problem(out, width, test::math_count);
}

template <class S>
void expect_one_set_of_bits(test::Random& random) {
  std::vector<S> x, y, expected, out;
  test::special_pairs(x, y);
  for (int i = 0; i < 16000; ++i) {
    const auto size = static_cast<S>(random.scale(1e-6, 1e12));
    x.push_back(random.coin() ? size : -size), y.push_back(static_cast<S>(random.gauss()));
  }
  run_math(test::entry::host::isa_programs, 1, x, y, expected);
  for (const test::IsaRun& run : test::all_isa_runs()) {
    for (const int width : test::widths_of<S>()) {
      run_math(*run.programs, width, x, y, out);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_TRUE(same_number(out[i], expected[i])) << run.name << " width " << width << " function " << i % test::math_count << " of "
                                                      << x[i / test::math_count] << ", " << y[i / test::math_count];
    }
  }
}

TEST_F(MathTest, DoubleFormsHaveOneSetOfBitsInEveryWidthAndInstructionSet) { expect_one_set_of_bits<double>(random_); }
TEST_F(MathTest, FloatFormsHaveOneSetOfBitsInEveryWidthAndInstructionSet) { expect_one_set_of_bits<float>(random_); }

}  // namespace
}  // namespace trilith
