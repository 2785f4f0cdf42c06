// (RBE-8), (RBE-9) in double with running error bounds.
#include <limits>

#include "certify/bounds.h"
#include "certify/findings.h"
#include "certify/measure.h"
#include "certify/power.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

/// Upper bound of d = mu |u_t| - u_n, not below 0; u = v_b - v_a. (RBE-9)
double violation_bound(const Vec3d& unit_normal, double mu, const Bounded& a, const Bounded& b) {
  const Vec3d u = b.value - a.value;
  const double speed = sum_abs(u);
  const double error = bound_slack * (a.error + b.error + roundoff * speed);
  if (speed == 0 && error == 0) return 0;
  const double opening = dot(u, unit_normal);
  const double sliding = norm(u - opening * unit_normal);
  // the unit normal is off by 5 roundings in each component; |unit_normal|_1 <= 2, three components of u_t
  const double opening_error = 2 * error + gamma(12) * speed + underflow_loss;
  const double sliding_error = 4 * error + gamma(32) * speed + underflow_loss;
  const double d = mu * (sliding + sliding_error) * (1 + gamma(2)) - (opening - opening_error);
  const double bound = d + gamma(2) * (abs(d) + abs(opening));
  return bound <= 0 ? 0 : bound;  // keeps what is not a number
}

/// What the joints that can pull take out of a collapse: an upper bound of sum c u_n, and of sum c. (LIM-2)
struct Held {
  double power_W = 0, capacity_N = 0;
};

struct CollapseJudge {
  const StaticProblem& problem;
  std::span<const Velocity> velocities;
  const VerifySettings& settings;
  Findings& found;
  std::vector<Measure> measures;

  void measure_bodies() {
    for (const Body& body : problem.bodies) measures.push_back(measure(body));
    for (std::size_t i = 0; i < measures.size(); ++i)
      if (!problem.bodies[i].fixed && !measures[i].certain && found.next())
        found.write("volume is not certainly > 0", body_place(problem, i));
  }

  Held held_back() const {
    double power = 0, magnitude = 0, capacity = 0, terms = 0;
    for (const Patch& patch : problem.patches) {
      const Vec3d normal = unit((1 / power_of_two_below(max_abs(patch.normal))) * patch.normal);
      for (std::size_t k = 0; k < patch.tension.size(); ++k) {
        const Bounded a = point_velocity(measures[patch.a], velocities[patch.a], patch.polygon[k]),
                      b = point_velocity(measures[patch.b], velocities[patch.b], patch.polygon[k]);
        const Vec3d u = b.value - a.value;
        const double speed = sum_abs(u), error = bound_slack * (a.error + b.error + roundoff * speed);
        // as in violation_bound
        const double opening = dot(u, normal) + 2 * error + gamma(12) * speed + underflow_loss;
        power += patch.tension[k] * opening;
        magnitude += patch.tension[k] * abs(opening);
        capacity += patch.tension[k];
        ++terms;
      }
    }
    return {power + bound_slack * (gamma(terms + 2) * magnitude + terms * underflow_loss), capacity * (1 + gamma(terms))};
  }

  /// Largest violation over all contacts; those above `allowed` are written down.
  double judge_contacts(double allowed, std::size_t& worst_patch) {
    double largest = 0;
    for (std::size_t i = 0; i < problem.patches.size(); ++i) {
      const Patch& patch = problem.patches[i];
      const Vec3d normal = unit((1 / power_of_two_below(max_abs(patch.normal))) * patch.normal);
      for (std::size_t k = 0; k < patch.polygon.size(); ++k) {
        const Vec3d& p = patch.polygon[k];
        const Bounded a = point_velocity(measures[patch.a], velocities[patch.a], p),
                      b = point_velocity(measures[patch.b], velocities[patch.b], p);
        const double d = violation_bound(normal, patch.mu, a, b);
        // also true where d is not a number
        if (!(d <= allowed) && found.next())
          found.write(text({"contact resists: mu |u_t| - u_n = ", brief(d), " m/s, allowed ", brief(allowed)}),
                      patch_place(problem, i, int(k)));
        if (d > largest) worst_patch = i;
        largest = max(largest, d);
      }
    }
    return largest;
  }
};

}  // namespace

Verification verify_collapse(const StaticProblem& problem, std::span<const Velocity> velocities, const VerifySettings& settings) {
  Findings found(settings.most_broken);
  check_problem(problem, found);
  check_velocities(problem, velocities, found);
  if (!found.none()) return conclude_collapse(problem, {}, found);

  CollapseJudge judge{problem, velocities, settings, found, {}};
  judge.measure_bodies();
  Power power = bound_power(problem, velocities, judge.measures);
  const Held held = judge.held_back();
  power.least_W -= held.power_W + gamma(2) * (abs(power.least_W) + abs(held.power_W));
  CollapseSum sum{power.least_W};
  if (!(power.least_W > 0 && power.weight_N > 0 && power.least_W <= std::numeric_limits<double>::max())) {
    if (found.next()) found.write(text({lack_of_work(problem, true), brief(power.least_W), " W"}), "assembly");
    return conclude_collapse(problem, sum, found);
  }
  // the joints' forces plus what they can pull sum up to at least power / violation (RBE-9), (LIM-2)
  const double allowed = power.least_W / (settings.least_force_factor * power.weight_N + held.capacity_N) * (1 - gamma(6));
  sum.violation = judge.judge_contacts(allowed, sum.worst_patch);
  sum.force_factor = std::numeric_limits<double>::infinity();
  if (sum.violation > 0)
    sum.force_factor = (power.least_W / sum.violation * (1 - gamma(4)) - held.capacity_N) / power.weight_N * (1 - gamma(4));
  return conclude_collapse(problem, sum, found);
}

}  // namespace trilith::certify
