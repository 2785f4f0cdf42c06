// The judge of programs accepts true answers and refuses damaged ones.
#include "certify/quadratic_program.h"

#include <gtest/gtest.h>

#include <limits>

namespace trilith::certify {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// minimise 1/2 x^2 + y^2 - 3 x - 2 y, x + y <= 2, x >= 0, y >= 0: (5/3, 1/3), multiplier 4/3.
struct Corner {
  std::vector<double> P{1, 0, 0, 2}, q{-3, -2}, A{1, 1, 1, 0, 0, 1}, lower{-none, 0, 0}, upper{2, none, none};
  std::vector<double> x{5.0 / 3, 1.0 / 3}, y{4.0 / 3, 0, 0};
  QuadraticProgram view() const { return {2, 3, P, q, A, lower, upper, {}}; }
  ProgramVerification judge() const { return verify_kkt_point(view(), x, {y, {}}, {}); }
};

TEST(QuadraticProgramTest, AMinimiserIsAccepted) {
  const ProgramVerification found = Corner().judge();
  EXPECT_TRUE(found.accepted) << found.statement;
  EXPECT_LE(found.residual, 1e-14);
}

TEST(QuadraticProgramTest, EveryDamageOfAMinimiserIsRefusedWithItsPlace) {
  const auto refused = [](auto damage, std::string_view where) {
    Corner c;
    damage(c);
    const ProgramVerification found = c.judge();
    EXPECT_FALSE(found.accepted) << where;
    ASSERT_FALSE(found.broken.empty()) << where;
    bool named = false;
    for (const Broken& broken : found.broken) named = named || broken.where == where;
    EXPECT_TRUE(named) << where << ", got " << found.broken[0].where;
  };
  refused([](Corner& c) { c.x[0] += 1e-5; }, "A[0]");
  refused([](Corner& c) { c.x = {1.6, 0.3}; }, "x[0]");
  refused([](Corner& c) { c.y[0] *= 1.001; }, "x[0]");
  refused([](Corner& c) { c.y[1] = 1e-3; }, "y[1]");  // pushes against a bound that is not there
  refused([](Corner& c) { c.y[0] = -c.y[0]; }, "y[0]");
  refused([](Corner& c) { c.x[1] = std::numeric_limits<double>::quiet_NaN(); }, "x, y");
  refused([](Corner& c) { c.upper[0] = 1.9; }, "A[0]");
  refused([](Corner& c) { c.upper[0] = 2.1; }, "objective");  // the multiplier pushes against a bound that is not reached
}

TEST(QuadraticProgramTest, WhatOverflowsProvesNothing) {
  // any x costs the same, and A x is beyond the doubles
  const std::vector<double> q{0, 0}, steep{1e200, -1e200}, lower{-none}, upper{1}, x{1e200, -1e200}, still{0}, opposed{1e200, 1e200};
  EXPECT_FALSE(verify_kkt_point({2, 1, {}, q, steep, lower, upper, {}}, x, {still, {}}, {}).accepted);
  EXPECT_FALSE(verify_kkt_point({2, 1, {}, q, opposed, lower, upper, {}}, x, {still, {}}, {}).accepted);
  // rows that do not contradict each other, with multipliers whose sum is no number
  const std::vector<double> q1{0}, uneven{1e200, 1e201}, low{-none, 1e-300}, high{1e-301, none}, huge{1e200, -1e200};
  EXPECT_FALSE(verify_infeasibility_ray({1, 2, {}, q1, uneven, low, high, {}}, {huge, {}}, {}).accepted);
  const std::vector<double> ones{1, 1}, from{-none, 2}, to{1, none}, opposite{1, -1};
  EXPECT_TRUE(verify_infeasibility_ray({1, 2, {}, q1, ones, from, to, {}}, {opposite, {}}, {}).accepted);
}

TEST(QuadraticProgramTest, ASaddleIsNoMinimiser) {
  // x y has a stationary point at 0 and no minimum
  const std::vector<double> saddle{0, 1, 1, 0}, bowl{1, 1, 1, 1}, q{0, 0}, x{0, 0};
  EXPECT_FALSE(verify_kkt_point({2, 0, saddle, q, {}, {}, {}, {}}, x, {}, {}).accepted);
  EXPECT_TRUE(verify_kkt_point({2, 0, bowl, q, {}, {}, {}, {}}, x, {}, {}).accepted);  // semidefinite is enough
  // one large entry hides no saddle among the small ones
  const std::vector<double> mixed{1e12, 0, 0, 0, 1, 2, 0, 2, 1}, q3{0, 0, 0};
  EXPECT_FALSE(is_convex({3, 0, mixed, q3, {}, {}, {}, {}}, {}));
  EXPECT_TRUE(is_convex({2, 0, {}, q, {}, {}, {}, {}}, {}));
}

TEST(QuadraticProgramTest, ANormBoundIsJudgedWithItsMultiplier) {
  const std::vector<double> q{3, 4}, x{-0.6, -0.8}, v{-3, -4};
  const std::vector<int> entries{0, 1};
  const std::vector<NormBound> norms{{1, entries}};
  const QuadraticProgram program{2, 0, {}, q, {}, {}, {}, norms};
  EXPECT_TRUE(verify_kkt_point(program, x, {{}, v}, {}).accepted);
  const std::vector<double> outside{-0.61, -0.8}, weak{-3, -3.99};
  EXPECT_FALSE(verify_kkt_point(program, outside, {{}, v}, {}).accepted);
  EXPECT_FALSE(verify_kkt_point(program, x, {{}, weak}, {}).accepted);
}

TEST(QuadraticProgramTest, AContradictionIsAcceptedOnlyWithPositivePower) {
  const std::vector<double> A{1, 1}, q{0};
  std::vector<double> lower{-none, 1e-4}, upper{0, none};
  const std::vector<double> y{1, -1}, tilted{1, -1.001}, backwards{-1, 1};
  const QuadraticProgram program{1, 2, {}, q, A, lower, upper, {}};
  EXPECT_TRUE(verify_infeasibility_ray(program, {y, {}}, {}).accepted);
  EXPECT_FALSE(verify_infeasibility_ray(program, {tilted, {}}, {}).accepted);
  EXPECT_FALSE(verify_infeasibility_ray(program, {backwards, {}}, {}).accepted);
  lower[1] = -1e-4;  // now x = 0 is feasible
  EXPECT_FALSE(verify_infeasibility_ray(program, {y, {}}, {}).accepted);
}

TEST(QuadraticProgramTest, AnUnboundedRayMustFallFreely) {
  const std::vector<double> P{1, 0, 0, 0}, q{0, -1}, A{1, 0}, lower{0}, upper{1}, down{0, 1}, curved{1, 1}, up{0, -1};
  const QuadraticProgram program{2, 1, P, q, A, lower, upper, {}};
  EXPECT_TRUE(verify_unbounded_ray(program, down, {}).accepted);
  EXPECT_FALSE(verify_unbounded_ray(program, curved, {}).accepted);
  EXPECT_FALSE(verify_unbounded_ray(program, up, {}).accepted);
}

}  // namespace
}  // namespace trilith::certify
