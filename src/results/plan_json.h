#pragma once
#include <optional>
#include <string>
#include <vector>

#include "control/plan.h"
#include "io/json.h"

namespace trilith::results {

/// One entry of a batch.
struct PlanEntryAnswer {
  control::PlanStatus status = control::PlanStatus::iteration_limit;
  std::vector<double> xu;  ///< [x_0, u_0, ..., x_{N-1}]
  control::KnotSizes sizes;
  int knots = 0;
  double cost = 0;
  int iterations = 0;
  double defect_max = 0;
  std::vector<control::LimitViolation> violations;
  std::vector<control::StartViolation> start;
  std::optional<double> goal_residual;
  bool goal_reached = false;
  std::vector<double> K0;  ///< inputs x state tangent; empty: none
  std::optional<double> V0;
};

/// The answer of `trilith plan`.
struct PlanAnswer {
  std::string input, input_sha256, robot_sha256;  ///< the last empty: linear
  std::string mechanism;
  int most_iterations = 0;
  double dt = 0, time_s = 0;
  std::vector<PlanEntryAnswer> entries;  ///< the first is the problem itself
  bool batch = false;
  std::vector<Warning> warnings;
};

/// The JSON result of `trilith plan` (schema trilith.plan-result/1).
io::Json plan_json(const PlanAnswer& answer);
/// The same for people.
std::string plan_text(const PlanAnswer& answer);
/// A line per iteration of one entry of a batch of `entries`.
std::string iteration_table(const control::Statistics& statistics, int entry, int entries);

}  // namespace trilith::results
