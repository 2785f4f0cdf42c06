#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "trilith/result.h"
#include "trilith/vec.h"

namespace trilith::io {

/// Weights of a plan's cost; absent ones are 0, the terminal ones those of the path.
struct PlanCost {
  double q = 0, qd = 0, u = 0, ee = 0;
  double q_terminal = 0, ee_terminal = 0;
};

/// How limits act: "off", "telemetry", "barrier", "admm" or "al".
struct PlanLimits {
  std::string mechanism = "admm";
};

/// What the trajectory starts from.
struct PlanGuess {
  enum class Kind { hold, linear_states, given } kind = Kind::hold;
  std::vector<std::vector<double>> x, u;  ///< given: a row per knot
};

/// What one entry of a batch has of its own; empty: that of the problem.
struct PlanEntry {
  std::vector<double> x0;
  std::optional<Vec3d> goal_xyz;
};

/// Linear dynamics instead of a robot, row-major.
struct PlanLinear {
  int states = 0, inputs = 0;
  std::vector<double> A, B, Q, R, QN, x_ref;
  std::vector<double> x_lower, x_upper, u_lower, u_upper;  ///< +-infinity where absent
};

/// A problem of `trilith plan`. SI units.
struct PlanFile {
  std::string robot;  ///< path as written; empty: linear
  std::optional<PlanLinear> linear;
  std::vector<double> x0;
  double dt = 0.01;
  int N = 32;
  Vec3d gravity{0, 0, -9.81};
  PlanCost cost;
  std::optional<std::vector<double>> goal_q;
  std::optional<Vec3d> goal_xyz;
  std::string goal_frame;
  std::vector<Vec3d> reference;  ///< a row per knot
  PlanLimits limits;
  int most_iterations = 100;
  PlanGuess guess;
  std::vector<PlanEntry> batch;
  std::vector<Warning> warnings;
};

/// Longest horizon and most iterations that are taken.
inline constexpr int most_plan_knots = 100000, most_plan_iterations = 1000000;
/// Largest step between knots, s.
inline constexpr double largest_plan_step = 10;

/// Reads `trilith plan` input (docs/recipes/plan-a-motion.md). Refuses wrong types, numbers that are not finite, goals that contradict, and
/// what is not available yet (enabled row groups, obstacles, phases); all at once. Sizes that depend on the robot are the caller's.
Result<PlanFile> read_plan(const Json& root, std::string_view source);

}  // namespace trilith::io
