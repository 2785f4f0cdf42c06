#include "control/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "robots.h"

namespace trilith::control {
namespace {

TEST(PlanTest, LimitsAreMeasuredKnotByKnotAndTheStartIsExempt) {
  const auto robot = test::arm_of(2);  // q1 has no lower limit, q <= 2.2, v in [-5, 6], u in [-300, 250]
  const std::vector<double> xu = {9, 9, 99, 99, 260, 0, 0, -50, 0, 7, 0, -310, 2.5, 2.3, -5.5, 0};
  const auto all = measure_limits(*robot, {2, 2, 2, 2}, 3, xu);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_NEAR(all[0].max, 0.3, 1e-15);
  EXPECT_NEAR(all[0].sum, 0.4, 1e-15);
  EXPECT_EQ(all[0].knot, 2);
  EXPECT_EQ(all[0].row, 0);
  EXPECT_NEAR(all[1].max, 1, 1e-15);
  EXPECT_NEAR(all[1].sum, 1.5, 1e-15);
  EXPECT_EQ(all[1].row, 1);
  EXPECT_NEAR(all[2].max, 10, 1e-13);
  EXPECT_EQ(all[2].knot, 0);
  const auto start = measure_start(*robot, std::span(xu).first(4));
  ASSERT_EQ(start.size(), 4u);
  EXPECT_EQ(start[1].joint, "j1");
  EXPECT_NEAR(start[1].value, 6.8, 1e-14);
  EXPECT_EQ(start[3].quantity, "qd");
}

TEST(PlanTest, AStatusIsNeverBetterThanTheFacts) {
  const LimitViolation inside[] = {{"q", "rad", 9e-4, 1}}, outside[] = {{"q", "rad", 1.1e-3, 1}}, none[] = {{"q", "rad", std::nan(""), 0}};
  const auto status = [](SolveStatus solver, bool converged, double defect, std::span<const LimitViolation> v, std::optional<double> goal) {
    return judge({solver, converged, defect, v, goal}, {});
  };
  EXPECT_EQ(status(SolveStatus::solved, true, 1e-7, inside, 0.01), PlanStatus::solved);
  EXPECT_EQ(status(SolveStatus::solved, true, 1e-7, inside, std::nullopt), PlanStatus::solved);
  EXPECT_EQ(status(SolveStatus::solved, true, 1e-7, inside, 0.03), PlanStatus::goal_not_reached);
  EXPECT_EQ(status(SolveStatus::solved, true, 1e-7, outside, 0.01), PlanStatus::iteration_limit);
  EXPECT_EQ(status(SolveStatus::solved, true, 1e-7, none, 0.01), PlanStatus::iteration_limit);
  EXPECT_EQ(status(SolveStatus::solved, false, 1e-7, {}, 0.01), PlanStatus::iteration_limit);
  EXPECT_EQ(status(SolveStatus::solved, true, 2e-6, {}, 0.01), PlanStatus::iteration_limit);
  EXPECT_EQ(status(SolveStatus::solved, true, std::nan(""), {}, 0.01), PlanStatus::iteration_limit);
  EXPECT_EQ(status(SolveStatus::time_limit, false, 1e-7, {}, 0.01), PlanStatus::time_limit);
  EXPECT_EQ(status(SolveStatus::numerical_failure, true, 1e-7, {}, 0.01), PlanStatus::numerical_failure);
}

}  // namespace
}  // namespace trilith::control
