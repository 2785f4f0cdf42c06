#include "control/cost.h"

#include <algorithm>

#include "base/check.h"
#include "base/lanes.h"

namespace trilith::control {
namespace {

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

}  // namespace

Box shrink(const Box& box, double margin) {
  Box inside;
  for (std::size_t i = 0; i < box.lower.size(); ++i) {
    double lower = box.lower[i] + margin, upper = box.upper[i] - margin;
    if (lower > upper) lower = upper = 0.5 * (box.lower[i] + box.upper[i]);
    inside.lower.push_back(lower), inside.upper.push_back(upper);
  }
  const std::size_t room = size_of(padded(static_cast<int>(box.lower.size())));
  inside.lower.resize(room, -no_limit), inside.upper.resize(room, no_limit);
  return inside;
}

KnotCosts::KnotCosts(const Robot& robot, int knots, const CostWeights& weights)
    : dofs_(robot.dofs()),
      inputs_(robot.inputs()),
      knots_(knots),
      position_limit_(robot.position),
      velocity_limit_(robot.velocity),
      effort_limit_(robot.effort),
      posture_(size_of(padded(dofs_)), 0),
      posture_terminal_(posture_),
      nominal_(posture_),
      has_posture_(size_of(dofs_), 1) {
  for (int k = 0; k < dofs_; ++k) has_posture_[size_of(k)] = robot.tree.link(robot.tree.dof_link(k)).kind != multibody::LinkKind::ball;
  set_weights(weights);
}

void KnotCosts::set_weights(const CostWeights& weights) {
  weights_ = weights;
  position_ = shrink(position_limit_, weights.limit_margin);
  velocity_ = shrink(velocity_limit_, weights.limit_margin);
  effort_ = shrink(effort_limit_, weights.limit_margin);
  end_effector_.assign(size_of(knots_), weights.end_effector);
  end_effector_.back() = weights.end_effector_terminal;
  velocity_weight_.assign(size_of(knots_), weights.velocity);
  const std::size_t stride = size_of(padded(inputs_));
  input_weight_.assign(size_of(knots_) * stride, 0);
  for (int k = 0; k < knots_; ++k)
    std::fill_n(input_weight_.begin() + static_cast<std::ptrdiff_t>(size_of(k) * stride), inputs_, weights.input);
  const std::vector<double> all(size_of(dofs_), weights.posture), terminal(size_of(dofs_), weights.posture_terminal);
  set_posture_weights(all, terminal);
}

void KnotCosts::set_weights_per_knot(std::span<const double> weights) {
  TRI_CHECK(weights.size() == 3 * size_of(knots_));
  const std::size_t stride = size_of(padded(inputs_));
  for (std::size_t k = 0; k < size_of(knots_); ++k) {
    end_effector_[k] = weights[3 * k], velocity_weight_[k] = weights[3 * k + 1];
    std::fill_n(input_weight_.begin() + static_cast<std::ptrdiff_t>(k * stride), inputs_, weights[3 * k + 2]);
  }
}

void KnotCosts::set_input_weights(std::span<const double> weights) {
  TRI_CHECK(weights.size() == size_of(inputs_));
  const std::size_t stride = size_of(padded(inputs_));
  for (std::size_t k = 0; k < size_of(knots_); ++k) std::copy(weights.begin(), weights.end(), &input_weight_[k * stride]);
}

void KnotCosts::set_posture_weights(std::span<const double> weights, std::span<const double> terminal) {
  TRI_CHECK(weights.size() == size_of(dofs_) && terminal.size() == size_of(dofs_));
  any_posture_ = false;
  for (std::size_t i = 0; i < size_of(dofs_); ++i) {
    posture_[i] = has_posture_[i] != 0 ? weights[i] : 0, posture_terminal_[i] = has_posture_[i] != 0 ? terminal[i] : 0;
    any_posture_ = any_posture_ || posture_[i] != 0 || posture_terminal_[i] != 0;
  }
}

void KnotCosts::set_posture(std::span<const double> nominal) {
  TRI_CHECK(nominal.size() == size_of(dofs_));
  std::copy(nominal.begin(), nominal.end(), nominal_.begin());
}

KnotCost KnotCosts::at(int k, const double* reference) const noexcept {
  const bool last = k == knots_ - 1;
  KnotCost cost;
  cost.dofs = dofs_, cost.inputs = last ? 0 : inputs_;
  cost.end_effector = end_effector_[size_of(k)], cost.velocity = velocity_weight_[size_of(k)];
  for (int i = 0; i < 3; ++i) cost.target[i] = reference[i];
  if (any_posture_) cost.posture = last ? posture_terminal_.data() : posture_.data(), cost.nominal = nominal_.data();
  cost.input = &input_weight_[size_of(k) * size_of(padded(inputs_))];
  cost.position = {weights_.position_barrier, position_.lower.data(), position_.upper.data()};
  cost.speed = {weights_.velocity_barrier, velocity_.lower.data(), velocity_.upper.data()};
  cost.effort = {weights_.input_barrier, effort_.lower.data(), effort_.upper.data()};
  return cost;
}

}  // namespace trilith::control
