#pragma once
#include <span>
#include <vector>

#include "control/options.h"
#include "control/robot.h"
#include "control/stage_kernel.h"

namespace trilith::control {

/// The cost of every knot (CTL-1): weights that all entries of a batch share. References come from the entry.
class KnotCosts {
 public:
  KnotCosts(const Robot& robot, int knots, const CostWeights& weights);

  /// The same weights for every knot; drops what was set per knot, per joint and per input.
  void set_weights(const CostWeights& weights);
  /// knots x 3: weights of end effector, velocity and input; the last knot's end effector weight is the terminal one.
  void set_weights_per_knot(std::span<const double> weights);
  void set_input_weights(std::span<const double> weights);  ///< one per input, every knot
  /// One per degree of freedom; `terminal` for the last knot. Degrees of freedom of balls have no posture: their weights are not read.
  void set_posture_weights(std::span<const double> weights, std::span<const double> terminal);
  void set_posture(std::span<const double> nominal);  ///< one per degree of freedom, rad or m

  const CostWeights& weights() const noexcept { return weights_; }
  /// `reference`: 3 numbers, the target of knot `k`.
  KnotCost at(int k, const double* reference) const noexcept;
  /// Limits moved inside by the margin, padded with infinities.
  const Box& position() const noexcept { return position_; }
  const Box& velocity() const noexcept { return velocity_; }
  const Box& effort() const noexcept { return effort_; }

 private:
  int dofs_, inputs_, knots_;
  CostWeights weights_;
  Box position_limit_, velocity_limit_, effort_limit_;  // of the robot
  Box position_, velocity_, effort_;                    // inside by the margin
  std::vector<double> end_effector_, velocity_weight_;  // per knot
  std::vector<double> input_weight_;                    // per knot, padded
  std::vector<double> posture_, posture_terminal_, nominal_;
  std::vector<char> has_posture_;  // per degree of freedom: no part of a ball
  bool any_posture_ = false;
};

/// A box moved inside by `margin` and padded with infinities; bounds that would cross meet in the middle.
Box shrink(const Box& box, double margin);

}  // namespace trilith::control
