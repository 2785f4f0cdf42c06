#include "trilith/status.h"

#include <gtest/gtest.h>

#include <set>

namespace trilith {
namespace {

TEST(StatusTest, EveryValueHasItsOwnName) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(SolveStatus::numerical_failure); ++i) names.insert(name(static_cast<SolveStatus>(i)));
  EXPECT_EQ(names.size(), 9u);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_EQ(name(SolveStatus::solved_inaccurate), "solved_inaccurate");
}

TEST(StatusTest, VerdictsAndClaimsAreSpelledAsInTheJsonContract) {
  EXPECT_EQ(name(Verdict::stands), "stands");
  EXPECT_EQ(name(Verdict::falls), "falls");
  EXPECT_EQ(name(Verdict::marginal), "marginal");
  EXPECT_EQ(name(Verdict::undecided), "undecided");
  EXPECT_EQ(name(Claim::rbe), "rbe");
  EXPECT_EQ(name(Claim::cra), "cra");
  EXPECT_EQ(name(Claim::settle), "settle");
}

}  // namespace
}  // namespace trilith
