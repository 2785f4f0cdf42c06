// (RBE-8), (RBE-9) in exact arithmetic; roots only as rational bounds on the safe side.
#include <limits>

#include "certify/exact_motion.h"
#include "certify/findings.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

struct ExactCollapseJudge {
  const StaticProblem& problem;
  std::span<const Velocity> velocities;
  const VerifySettings& settings;
  Findings& found;
  std::vector<ExactBody> bodies;
  std::vector<ExactMotion> motions;
  ExactScale scale;
  Dyadic power6;     ///< six times the power of weight and loads less what the joints hold by pulling; a lower bound where there are any
  Dyadic weight6;    ///< upper bound of six times the total weight and loads
  Dyadic capacity6;  ///< six times what the joints can pull in all

  void measure_bodies() {
    bodies = measure_exactly(problem);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (!problem.bodies[i].fixed && bodies[i].volume6.sign() <= 0 && found.next())
        found.write("volume is not > 0", body_place(problem, i));
    scale = measure_scale(problem, bodies);
    weight6 = bound_root(scale.gravity2).high * scale.mass6;
    const ExactVec gravity = exact(problem.gravity);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      motions.push_back(exact_motion(problem.bodies[i], bodies[i], velocities[i]));
      if (!motions[i].at_rest) power6 += bodies[i].mass6 * dot(gravity, exact(velocities[i].linear));
    }
  }

  void add_loads() {
    for (const Load& load : problem.loads) {
      const ExactVec force = exact(load.force);
      if (problem.bodies[load.body].fixed) continue;
      weight6 += Dyadic(6) * bound_root(dot(force, force)).high;
      if (motions[load.body].at_rest) continue;
      const Dyadic power = dot(force, load.at_centre ? exact(velocities[load.body].linear) : velocity_at(load.body, exact(load.point)));
      power6 += Dyadic(6) * (load.at_centre ? power : low_quotient(power, motions[load.body].denominator));
    }
  }

  /// Takes out c u_n of every corner, rounded up. (LIM-2)
  void take_out_held() {
    for (const Patch& patch : problem.patches) {
      if (patch.tension.empty()) continue;
      for (const double c : patch.tension) capacity6 += Dyadic(6) * Dyadic(c);
      if (motions[patch.a].at_rest && motions[patch.b].at_rest) continue;
      const ExactVec normal = exact(patch.normal);
      const RootBounds length = bound_root(dot(normal, normal));
      const Dyadic unit_scale = motions[patch.a].denominator * motions[patch.b].denominator;
      for (std::size_t k = 0; k < patch.tension.size(); ++k) {
        const Dyadic held = Dyadic(patch.tension[k]) * dot(relative_velocity(patch, exact(patch.polygon[k])), normal);
        const Dyadic divisor = unit_scale * (held.sign() > 0 ? length.low : length.high);
        power6 += Dyadic(6) * low_quotient(Dyadic(0) - held, divisor);
      }
    }
  }

  /// Largest double below a / b, b > 0, or nearly so.
  static Dyadic low_quotient(const Dyadic& a, const Dyadic& b) {
    const double quotient = ratio(a, b);
    // a few roundings: 2^-48 is room enough, and the product is checked
    for (double room = 0x1p-48; room < 1; room *= 16) {
      const Dyadic low(quotient - room * abs(quotient));
      if (low * b <= a) return low;
    }
    return Dyadic(-2) * Dyadic(abs(quotient)) - Dyadic(0x1p-1000);
  }

  /// Velocity of a body's point, times the denominator of its motion.
  ExactVec velocity_at(std::size_t body, const ExactVec& p) const { return point_velocity(motions[body], bodies[body].origin, p); }

  /// u = v_b - v_a at p, times both denominators.
  ExactVec relative_velocity(const Patch& patch, const ExactVec& p) const {
    return motions[patch.a].denominator * velocity_at(patch.b, p) - motions[patch.b].denominator * velocity_at(patch.a, p);
  }

  /// Tests every vertex and returns the largest violation d as a double, m/s.
  double judge_contacts(std::size_t& worst_patch) {
    const Dyadic gate = Dyadic(settings.least_force_factor) * weight6 + capacity6;
    double largest = 0;
    for (std::size_t i = 0; i < problem.patches.size(); ++i) {
      const Patch& patch = problem.patches[i];
      if (motions[patch.a].at_rest && motions[patch.b].at_rest) continue;
      const ExactVec normal = exact(patch.normal);
      const Dyadic length2 = dot(normal, normal), unit_scale = motions[patch.a].denominator * motions[patch.b].denominator;
      const Dyadic allowed = power6 * bound_root(length2).low * unit_scale;
      for (std::size_t k = 0; k < patch.polygon.size(); ++k) {
        const ExactVec p = exact(patch.polygon[k]);
        const ExactVec u = relative_velocity(patch, p);
        const Dyadic opening = dot(u, normal), mu_sliding2 = square(patch.mu) * (dot(u, u) * length2 - square(opening));
        const double d = violation(opening, mu_sliding2, length2, unit_scale);
        if (!holds(opening, mu_sliding2, gate, allowed) && found.next())
          found.write(text({"contact resists: mu |u_t| - u_n = ", brief(d), " m/s, allowed ", brief(ratio(power6, gate))}),
                      patch_place(problem, i, int(k)));
        if (d > largest) worst_patch = i;
        largest = max(largest, d);
      }
    }
    return largest;
  }

  /// d <= power / (X weight), with all of it times |n| and the denominators: mu |u_t| <= u_n + allowance. The bounds of the two roots (|g|
  /// up, |n| down) only make the allowance smaller. The first test needs no allowance: u in the dual cone.
  static bool holds(const Dyadic& opening, const Dyadic& mu_sliding2, const Dyadic& gate, const Dyadic& allowed) {
    if (opening.sign() >= 0 && mu_sliding2 <= square(opening)) return true;
    const Dyadic right = gate * opening + allowed;
    return right.sign() >= 0 && mu_sliding2 * square(gate) <= square(right);
  }

  /// d for the report: (mu^2 |u_t|^2 - u_n^2) / (mu |u_t| + u_n) where the plain difference would cancel.
  static double violation(const Dyadic& opening, const Dyadic& mu_sliding2, const Dyadic& length2, const Dyadic& unit_scale) {
    const double sliding = root_of_ratio(mu_sliding2, length2 * square(unit_scale));
    const double opening_size = root_of_ratio(square(opening), length2 * square(unit_scale));
    if (opening.sign() <= 0) return sliding + opening_size;
    const Dyadic excess = mu_sliding2 - square(opening);
    return excess.sign() <= 0 ? 0 : ratio(excess, length2 * square(unit_scale)) / (sliding + opening_size);
  }
};

}  // namespace

Verification verify_collapse_exact(const StaticProblem& problem, std::span<const Velocity> velocities, const VerifySettings& settings) {
  Findings found(settings.most_broken);
  check_problem(problem, found);
  check_velocities(problem, velocities, found);
  if (!found.none()) return conclude_collapse(problem, {}, found);

  ExactCollapseJudge judge{problem, velocities, settings, found, {}, {}, {}, {}, {}, {}};
  judge.measure_bodies();
  judge.add_loads();
  judge.take_out_held();
  CollapseSum sum{ratio(judge.power6, 6)};
  if (judge.power6.sign() <= 0) {
    if (found.next()) found.write(text({lack_of_work(problem, false), brief(sum.power_W), " W"}), "assembly");
    return conclude_collapse(problem, sum, found);
  }
  sum.violation = judge.judge_contacts(sum.worst_patch);
  sum.force_factor = std::numeric_limits<double>::infinity();
  if (sum.violation > 0) sum.force_factor = ratio(judge.power6, judge.weight6) / sum.violation - ratio(judge.capacity6, judge.weight6);
  return conclude_collapse(problem, sum, found);
}

}  // namespace trilith::certify
