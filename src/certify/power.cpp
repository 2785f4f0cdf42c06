#include "certify/power.h"

#include "certify/bounds.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

/// Lower bound of a force's power on a point.
double least_power(const Vec3d& force, const Bounded& velocity) {
  const Vec3d& v = velocity.value;
  const double products = abs(force.x * v.x) + abs(force.y * v.y) + abs(force.z * v.z);
  return dot(force, v) - bound_slack * (gamma(4) * products + sum_abs(force) * velocity.error + 3 * underflow_loss);
}

Power bound_weight(const StaticProblem& problem, std::span<const Velocity> velocities, const std::vector<Measure>& measures) {
  double power = 0, magnitude = 0, error = 0, mass = 0, count = 0;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (problem.bodies[i].fixed) continue;
    const Mass m = mass_of(problem.bodies[i], measures[i]);
    const Vec3d &g = problem.gravity, &v = velocities[i].linear;
    const double products = abs(g.x * v.x) + abs(g.y * v.y) + abs(g.z * v.z);
    power += m.value * dot(g, v);
    magnitude += m.value * products;
    error += m.error * products + (m.value + 1) * underflow_loss;
    mass += m.value + m.error;
    ++count;
  }
  const double least = power - bound_slack * (gamma(count + 5) * magnitude + error);
  return {least, (1 + gamma(count + 12)) * norm(problem.gravity) * mass};
}

/// Joins the power of the loads.
void add_loads(const StaticProblem& problem, std::span<const Velocity> velocities, const std::vector<Measure>& measures, Power& power) {
  double sum = 0, magnitude = 0, size = 0;
  for (const Load& load : problem.loads) {
    if (problem.bodies[load.body].fixed) continue;
    const Velocity& v = velocities[load.body];
    const double part = least_power(load.force, load.at_centre ? Bounded{v.linear, 0} : point_velocity(measures[load.body], v, load.point));
    sum += part;
    magnitude += abs(part);
    size += norm(load.force);
  }
  if (problem.loads.empty()) return;
  const double terms = static_cast<double>(problem.loads.size());
  power.least_W += sum - gamma(terms + 2) * (magnitude + abs(power.least_W));
  power.weight_N = (power.weight_N + size) * (1 + gamma(terms + 10));
}

}  // namespace

Power bound_power(const StaticProblem& problem, std::span<const Velocity> velocities, const std::vector<Measure>& measures) {
  Power power = bound_weight(problem, velocities, measures);
  add_loads(problem, velocities, measures, power);
  return power;
}

}  // namespace trilith::certify
