// (RBE-2), (RBE-6), (RBE-7) in exact arithmetic.
#include "certify/exact_body.h"
#include "certify/findings.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

/// A sum of vectors over one common denominator > 0.
struct Fraction {
  ExactVec force, moment;
  Dyadic denominator{1};

  /// Adds (f, m) / d.
  void add(const ExactVec& f, const ExactVec& m, const Dyadic& d) {
    if (compare(denominator, d) == 0) {
      force = force + f;
      moment = moment + m;
      return;
    }
    force = d * force + denominator * f;
    moment = d * moment + denominator * m;
    denominator *= d;
  }
};

/// Contact forces on one body, moments about its origin: whole ones of rough contacts and normal parts of smooth ones.
struct ExactSum {
  ExactVec force, moment;
  ExactVec at_centre;  ///< loads at the centre of mass: no moment about it
  Fraction smooth;
};

/// What a patch asks of its forces.
struct ExactCone {
  explicit ExactCone(const Patch& patch)
      : normal(exact(patch.normal)), length2(dot(normal, normal)), widening(Dyadic(1) + square(patch.mu)), mu(patch.mu) {
    if (!patch.tension.empty()) length = bound_root(length2).low;
  }

  ExactVec normal;
  Dyadic length2, widening;  ///< |n|^2 and 1 + mu^2
  Dyadic length;             ///< lower bound of |n|; only where the joint carries tension
  double mu = 0;
};

/// One force at its polygon vertex.
struct ExactForce {
  ExactVec force, point;
  Dyadic pressure;  ///< f.n
};

/// What is left of a free body, squared and without roots: relative imbalance^2 = numerator / denominator, for force and moment.
struct Remainder {
  Dyadic force_numerator, force_denominator, moment_numerator, moment_denominator;
};

double root(const Dyadic& square_of_it) { return root_of_ratio(square_of_it, 1); }

struct ExactForceJudge {
  const StaticProblem& problem;
  const VerifySettings& settings;
  Findings& found;
  std::vector<ExactBody> bodies;
  std::vector<ExactSum> sums;

  void measure_bodies() {
    bodies = measure_exactly(problem);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (!problem.bodies[i].fixed && bodies[i].volume6.sign() <= 0 && found.next())
        found.write("volume is not > 0", body_place(problem, i));
    sums.resize(bodies.size());
  }

  void add_patch(std::size_t index, std::span<const Vec3d> forces) {
    const Patch& patch = problem.patches[index];
    const ExactCone cone(patch);
    for (std::size_t k = 0; k < patch.polygon.size(); ++k) {
      if (max(max(abs(forces[k].x), abs(forces[k].y)), abs(forces[k].z)) == 0) continue;
      ExactForce f{exact(forces[k]), exact(patch.polygon[k]), {}};
      f.pressure = dot(f.force, cone.normal);
      test_cone(f, cone, patch.tension.empty() ? 0 : patch.tension[k], index, int(k));
      add_force(patch.a, false, f, cone);
      add_force(patch.b, true, f, cone);
    }
  }

  /// f.n >= 0 and |f|^2 |n|^2 <= (1 + mu^2) (f.n)^2; with mu = 0 the tangential part does not count. (RBE-7)
  /// With tension c and h = f.n + c |n|, |n| rounded down: h >= 0 and |f|^2 |n|^2 - (f.n)^2 <= mu^2 h^2. (LIM-1)
  void test_cone(const ExactForce& f, const ExactCone& cone, double tension, std::size_t index, int vertex) {
    const Dyadic held = tension > 0 ? f.pressure + Dyadic(tension) * cone.length : f.pressure;
    if (held.sign() < 0) {
      if (found.next())
        found.write(text({"force pulls: f.n = -", brief(root_of_ratio(square(f.pressure), cone.length2)), " N < ",
                          tension > 0 ? brief(-tension) : "0"}),
                    patch_place(problem, index, vertex));
      return;
    }
    if (cone.mu == 0) return;
    const Dyadic size2 = dot(f.force, f.force) * cone.length2;
    if (tension > 0 ? size2 - square(f.pressure) <= square(cone.mu) * square(held) : size2 <= cone.widening * square(held)) return;
    if (!found.next()) return;
    const ExactVec tangential = cone.length2 * f.force - f.pressure * cone.normal;
    found.write(
        text({"force outside the friction cone: |f_t| = ", brief(root_of_ratio(dot(tangential, tangential), square(cone.length2))), " N, ",
              tension > 0 ? "mu (f_n + c) = " : "mu f_n = ", brief(cone.mu * root_of_ratio(square(held), cone.length2)), " N"}),
        patch_place(problem, index, vertex));
  }

  void add_loads() {
    for (const Load& load : problem.loads) {
      if (problem.bodies[load.body].fixed) continue;
      ExactSum& sum = sums[load.body];
      const ExactVec force = exact(load.force);
      if (load.at_centre) {
        sum.at_centre = sum.at_centre + force;
      } else {
        sum.force = sum.force + force;
        sum.moment = sum.moment + cross(exact(load.point) - bodies[load.body].origin, force);
      }
    }
  }

  void add_force(std::size_t body, bool on_b, const ExactForce& f, const ExactCone& cone) {
    if (problem.bodies[body].fixed) return;
    ExactSum& sum = sums[body];
    const ExactVec arm = f.point - bodies[body].origin;
    if (cone.mu == 0) {
      const ExactVec push = (on_b ? f.pressure : Dyadic(0) - f.pressure) * cone.normal;
      return sum.smooth.add(push, cross(arm, push), cone.length2);
    }
    const ExactVec moment = cross(arm, f.force);
    sum.force = on_b ? sum.force + f.force : sum.force - f.force;
    sum.moment = on_b ? sum.moment + moment : sum.moment - moment;
  }

  /// With d the denominator, D six times the volume, C = 4 D (com - origin) and M six times all free mass, n bodies of sizes that sum to L:
  /// force = (6 F + d rho D g) / (6 d), moment about the centre of mass = (4 D N - C x F) / (4 D d),
  /// mean weight = root(weight2) / (6 n), mean size = L / n.
  Remainder remainder(std::size_t index, const ExactScale& scale) const {
    const ExactBody& body = bodies[index];
    const ExactSum& sum = sums[index];
    const Dyadic& d = sum.smooth.denominator;
    const ExactVec force = d * sum.force + sum.smooth.force, moment = d * sum.moment + sum.smooth.moment;
    const ExactVec left = Dyadic(6) * (force + d * sum.at_centre) + (d * body.mass6) * exact(problem.gravity);
    const ExactVec turning = (Dyadic(4) * body.volume6) * moment - cross(body.moment, force);
    const Dyadic count2 = square(scale.count), d2_weight2 = square(d) * scale.weight2;
    return {count2 * dot(left, left), d2_weight2, Dyadic(36) * square(count2) * dot(turning, turning),
            Dyadic(16) * square(body.volume6 * scale.size) * d2_weight2};
  }

  /// The same remainder against the body's own weight m |g| and size. Without gravity no body has a weight to be small beside.
  bool is_small_beside_itself(const Remainder& r, const ExactBody& body, const ExactScale& scale) const {
    if (scale.gravity2.sign() == 0) return true;
    const Dyadic own2 = square(Dyadic(settings.own_tolerance)) * square(Dyadic(scale.count) * body.mass6) * scale.gravity2;
    const Dyadic& all2 = scale.weight2;
    return r.force_numerator * all2 <= own2 * r.force_denominator &&
           r.moment_numerator * all2 * square(scale.size) <= own2 * square(Dyadic(scale.count) * body.size) * r.moment_denominator;
  }

  Verification judge_balance() {
    const ExactScale scale = measure_scale(problem, bodies);
    const Dyadic tolerance2 = square(settings.balance_tolerance);
    const double mean_weight = root(scale.weight2) / (6.0 * scale.count);
    Imbalance worst;
    worst.of_loads = scale.of_loads;
    std::size_t worst_body = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (problem.bodies[i].fixed) continue;
      const Remainder r = remainder(i, scale);
      const double force = root_of_ratio(r.force_numerator, r.force_denominator);
      const double moment = root_of_ratio(r.moment_numerator, r.moment_denominator);
      Imbalance now{0, force, false, scale.of_loads};
      if (moment > force) now = {0, moment, true, scale.of_loads};
      now.force_N = now.relative * mean_weight;
      const bool holds = r.force_numerator <= tolerance2 * r.force_denominator && r.moment_numerator <= tolerance2 * r.moment_denominator;
      if (!holds && found.next())
        write_imbalance(problem, i, now, settings.balance_tolerance, found);
      else if (holds && !is_small_beside_itself(r, bodies[i], scale) && found.next())
        write_own_imbalance(problem, i, settings.own_tolerance, found);
      if (now.relative <= worst.relative) continue;
      worst = now;
      worst_body = i;
    }
    return conclude_force_state(problem, worst_body, worst, found);
  }
};

}  // namespace

Verification verify_force_state_exact(const StaticProblem& problem, std::span<const Vec3d> forces, const VerifySettings& settings) {
  Findings found(settings.most_broken);
  check_problem(problem, found);
  check_forces(problem, forces, found);
  if (!found.none()) return conclude_force_state(problem, 0, {}, found);

  ExactForceJudge judge{problem, settings, found, {}, {}};
  judge.measure_bodies();
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.patches.size(); ++i) {
    const std::size_t count = problem.patches[i].polygon.size();
    judge.add_patch(i, forces.subspan(row, count));
    row += count;
  }
  judge.add_loads();
  return judge.judge_balance();
}

}  // namespace trilith::certify
