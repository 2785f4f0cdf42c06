#include "base/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <string>

#include "base/math.h"
#include "base/rng.h"

namespace trilith {
namespace {

using namespace std::string_view_literals;

TEST(TextTest, ParsesWholeTokensOnly) {
  EXPECT_EQ(parse_double("1"), 1.0);
  EXPECT_EQ(parse_double("-2.5e-3"), -0.0025);
  EXPECT_EQ(parse_double("+4."), 4.0);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("1E5"), 1e5);
  for (const std::string_view bad : {""sv,  " 1"sv, "1 "sv, "1,5"sv,  "1.5x"sv, "--1"sv, "+-1"sv,  "++1"sv,  "+"sv,   "-"sv,
                                     "."sv, "e5"sv, "1e"sv, "0x10"sv, "nan"sv,  "inf"sv, "-inf"sv, "+nan"sv, "1\0"sv, "\x31\xff"sv})
    EXPECT_FALSE(parse_double(bad).has_value()) << "'" << bad << "'";
}

TEST(TextTest, TooSmallBecomesZeroAndTooLargeIsRefused) {
  EXPECT_EQ(parse_double("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parse_double("-1e-400")));
  EXPECT_EQ(parse_double("0.000000001e-320"), 0.0);
  EXPECT_EQ(parse_double("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_double("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_FALSE(parse_double("1e400").has_value());
  EXPECT_FALSE(parse_double("-1e400").has_value());
  EXPECT_FALSE(parse_double("1000e307").has_value());
  EXPECT_FALSE(parse_double("1e99999999999999999999").has_value());
  EXPECT_EQ(parse_double(std::string(400, '0') + "1e-350"), 0.0);
  EXPECT_EQ(parse_double("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(TextTest, ParsesIntegersThatFit) {
  EXPECT_EQ(parse_int("-17"), -17);
  EXPECT_EQ(parse_int("+17"), 17);
  EXPECT_EQ(parse_int("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const std::string_view bad : {""sv, "9223372036854775808"sv, "1.0"sv, "1e3"sv, "+-1"sv, " 1"sv, "0x1"sv})
    EXPECT_FALSE(parse_int(bad).has_value()) << bad;
}

TEST(TextTest, ShortestFormReadsBackAsTheSameNumber) {
  EXPECT_EQ(format_double(0.1), "0.1");
  EXPECT_EQ(format_double(-0.0), "-0");
  EXPECT_EQ(format_double(1e300), "1e+300");
  EXPECT_EQ(format_double(std::nan("")), "nan");
  EXPECT_EQ(format_double(-HUGE_VAL), "-inf");
  Rng rng(1);
  int checked = 0;
  while (checked < 20000) {
    const double x = from_bits(rng.bits());
    if (!std::isfinite(x)) continue;
    const std::optional<double> back = parse_double(format_double(x));
    ASSERT_TRUE(back.has_value() && to_bits(*back) == to_bits(x)) << format_double(x);
    ++checked;
  }
}

TEST(TextTest, QuantitiesHaveFourDigitsAndAUnit) {
  EXPECT_EQ(format_quantity(12.3456, "kg"), "12.35 kg");
  EXPECT_EQ(format_quantity(0.84, ""), "0.84");
  EXPECT_EQ(format_quantity(123456, "N"), "123500 N");
  EXPECT_EQ(format_quantity(9999.6, "N"), "10000 N");
  EXPECT_EQ(format_quantity(0.00012345, "m"), "0.0001234 m");
  EXPECT_EQ(format_quantity(3.21987e-9, "N"), "3.22e-09 N");
  EXPECT_EQ(format_quantity(-2, "m"), "-2 m");
  EXPECT_EQ(format_quantity(-0.0, "m"), "0 m");
  EXPECT_EQ(format_quantity(1.5e8, "N"), "1.5e+08 N");
  EXPECT_EQ(format_quantity(HUGE_VAL, "N"), "inf N");
  EXPECT_EQ(format_quantity(-std::nan(""), "N"), "nan N");
}

TEST(TextTest, DoesNotDependOnTheLocale) {
  const char* german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(format_double(1.5), "1.5");
  EXPECT_EQ(format_quantity(1234567, "N"), "1235000 N");
  std::setlocale(LC_ALL, "C");
  if (german == nullptr) GTEST_SKIP() << "the locale de_DE.UTF-8 is not installed";
}

TEST(TextTest, EditDistanceCountsChangesAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("friction", ""), 8);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("fricton", "friction"), 1);
  EXPECT_EQ(edit_distance("firction", "friction"), 1);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
}

TEST(TextTest, SuggestsTheNearestNameOrNone) {
  constexpr std::string_view names[] = {"friction", "density", "gravity", "units"};
  EXPECT_EQ(nearest_name("fricton", names), "friction");
  EXPECT_EQ(nearest_name("Density", names), "density");
  EXPECT_EQ(nearest_name("unit", names), "units");
  EXPECT_EQ(nearest_name("zebra", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(TextTest, EscapesWhatATerminalWouldAct) {
  EXPECT_EQ(escape("plain \xc3\xa9"), "plain \xc3\xa9");
  EXPECT_EQ(escape("a\nb\tc\rd\\"), "a\\nb\\tc\\rd\\\\");
  EXPECT_EQ(escape("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(escape("\x7f\x01"sv), "\\x7f\\x01");
  EXPECT_EQ(escape("\0"sv), "\\x00");
  EXPECT_EQ(escape("\xc2\x9b"), "\\xc2\\x9b");  // a control character of the second range
  EXPECT_EQ(escape("a\xff"), "a\\xff");
  EXPECT_EQ(escape("\xe2\x82"), "\\xe2\\x82");  // cut off
}

TEST(TextTest, KnowsWellFormedUtf8) {
  for (const std::string_view good :
       {""sv, "abc"sv, "\xc3\xa9"sv, "\xe2\x82\xac"sv, "\xf0\x9f\x8f\x9b"sv, "\xf4\x8f\xbf\xbf"sv, "\xed\x9f\xbf"sv})
    EXPECT_TRUE(is_utf8(good)) << escape(good);
  // lone tail, cut off, overlong forms, surrogate, beyond the range, bytes that never occur
  for (const std::string_view bad : {"\x80"sv, "\xc3"sv, "\xe2\x82"sv, "\xc0\xaf"sv, "\xe0\x80\xaf"sv, "\xf0\x80\x80\xaf"sv,
                                     "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "\xff"sv, "a\xc3("sv})
    EXPECT_FALSE(is_utf8(bad)) << escape(bad);
}

}  // namespace
}  // namespace trilith
