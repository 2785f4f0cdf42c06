#include "base/check.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace trilith {
namespace {

[[noreturn]] void throw_check(std::string_view condition, std::string_view file, int line) {
  throw std::logic_error(std::string(condition) + " in " + std::string(file) + " " + std::to_string(line));
}

TEST(CheckTest, AReplacedHandlerGetsTheConditionAndItsPlace) {
  const CheckHandler before = set_check_handler(throw_check);
  std::string message;
  try {
    TRI_CHECK(1 + 1 == 3);
  } catch (const std::logic_error& e) {
    message = e.what();
  }
  EXPECT_EQ(set_check_handler(before), throw_check);
  EXPECT_NE(message.find("1 + 1 == 3 in"), std::string::npos) << message;
  EXPECT_NE(message.find("check_test.cpp"), std::string::npos) << message;
}

TEST(CheckTest, ATrueConditionIsEvaluatedOnceAndPasses) {
  int count = 0;
  TRI_CHECK(++count == 1);
  EXPECT_EQ(count, 1);
}

TEST(CheckDeathTest, TheDefaultHandlerSaysWhatFailedAndEndsTheProcess) { EXPECT_DEATH(TRI_CHECK(2 > 3), "internal check failed: 2 > 3"); }

void return_normally(std::string_view, std::string_view, int) {}

TEST(CheckDeathTest, AHandlerThatReturnsStillEndsTheProcess) {
  EXPECT_DEATH(
      {
        set_check_handler(return_normally);
        TRI_CHECK(false);
      },
      "");
}

}  // namespace
}  // namespace trilith
