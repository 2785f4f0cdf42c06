#pragma once
#include <span>
#include <vector>

#include "certify/measure.h"

namespace trilith::certify {

/// Weight and loads times velocity of all free bodies: a lower bound of the power and an upper bound of the total weight and loads.
struct Power {
  double least_W = 0, weight_N = 0;
};
Power bound_power(const StaticProblem& problem, std::span<const Velocity> velocities, const std::vector<Measure>& measures);

}  // namespace trilith::certify
