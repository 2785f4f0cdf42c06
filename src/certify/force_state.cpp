// (RBE-2), (RBE-6), (RBE-7) in double with running error bounds.
#include <limits>

#include "certify/bounds.h"
#include "certify/findings.h"
#include "certify/measure.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

/// Contact forces on one body: sums, and what bounds their errors.
struct Sum {
  Vec3d force{}, moment{};                           ///< N, and N m about the body's origin
  double force_magnitude = 0, moment_magnitude = 0;  ///< sums of absolute values
  double force_error = 0, moment_error = 0;          ///< of the terms themselves
  double terms = 0;

  void add(double sign, const Vec3d& arm, const Vec3d& f, double f_error) {
    const Vec3d signed_force = sign * f;
    const double reach = sum_abs(arm), size = max_abs(f);
    force = force + signed_force;
    moment = moment + cross(arm, signed_force);
    force_magnitude += size;
    moment_magnitude += reach * size;
    force_error += f_error;
    moment_error += reach * f_error;
    ++terms;
  }

  /// The same at an arm that is off by `arm_error` in each component.
  void add_at(const Vec3d& arm, double arm_error, const Vec3d& f) {
    add(1, arm, f, 0);
    moment_error += 2 * bound_slack * arm_error * max_abs(f);
  }
};

/// A vector divided by a power of two so that its largest component lies in [1, 2).
Vec3d normalized_exponent(const Vec3d& a) { return (1 / power_of_two_below(max_abs(a))) * a; }

enum class ConeFlaw { none, pulls, slides };

/// Larger coefficients are judged as this one: a smaller cone, so nothing is accepted that should not be.
constexpr double largest_friction = 0x1p+300;

/// What a patch needs for its cone test: the normal at exponent 0.
struct Cone {
  explicit Cone(const Patch& patch) : normal(normalized_exponent(patch.normal)), mu(patch.mu) {
    length2 = dot(normal, normal);
    judged_mu = min(mu, largest_friction);
  }

  /// Root-free test of the true quadratic cone; `none` only where f is certainly inside. (RBE-7)
  /// `tension` >= 0: the cone is shifted by it, |f_t| <= mu (f_n + c). (LIM-1)
  ConeFlaw test(const Vec3d& f, double tension) const {
    if (max_abs(f) == 0) return ConeFlaw::none;
    const double down = 1 / power_of_two_below(max_abs(f));
    const Vec3d g = down * f;
    const double pull = tension * down * sqrt(length2) * (1 - gamma(8));
    const double pressure = least_pressure(g, pull);
    if (!(pressure >= 0)) return ConeFlaw::pulls;
    if (mu == 0) return ConeFlaw::none;  // the tangential part does not count
    // |f_t|^2 |n|^4 <= mu^2 (f.n)^2 |n|^2: the tangential part itself loses less to rounding than |f|^2 - (f.n)^2 where mu is small
    const double along = dot(g, normal);
    const double error = gamma(9) * (max_abs(g) * length2 + dot_magnitude(g) * max_abs(normal));
    const Vec3d t = length2 * g - along * normal, reach{abs(t.x) + error, abs(t.y) + error, abs(t.z) + error};
    const double allowed = judged_mu * judged_mu * (pressure * pressure) * length2 * (1 - gamma(10));
    return dot(reach, reach) * (1 + gamma(8)) <= allowed ? ConeFlaw::none : ConeFlaw::slides;
  }

  /// The part of f along the normal, (f.n) n / |n|^2, and a bound of its error in each component.
  Vec3d along_normal(const Vec3d& f, double& error) const {
    error = gamma(16) * dot_magnitude(f) / length2 * max_abs(normal);
    return (dot(f, normal) / length2) * normal;
  }

  Vec3d normal{};
  double mu = 0;
  double length2 = 0;  ///< |n|^2
  double judged_mu = 0;

 private:
  double dot_magnitude(const Vec3d& f) const { return abs(f.x * normal.x) + abs(f.y * normal.y) + abs(f.z * normal.z); }
  double least_pressure(const Vec3d& f, double pull) const {
    if (pull == 0) return dot(f, normal) - (gamma(4) * dot_magnitude(f) + 0x1p-1060);
    return dot(f, normal) + pull - (gamma(6) * (dot_magnitude(f) + pull) + 0x1p-1060);
  }
};

struct ForceJudge {
  const StaticProblem& problem;
  const VerifySettings& settings;
  Findings& found;
  std::vector<Measure> measures;
  std::vector<Sum> sums;

  void add_patch(std::size_t index, std::span<const Vec3d> forces) {
    const Patch& patch = problem.patches[index];
    const Cone cone(patch);
    for (std::size_t k = 0; k < patch.polygon.size(); ++k) {
      const Vec3d& f = forces[k];
      const double tension = patch.tension.empty() ? 0 : patch.tension[k];
      const ConeFlaw flaw = cone.test(f, tension);
      if (flaw != ConeFlaw::none && found.next()) write_flaw(flaw, f, cone, tension, patch_place(problem, index, int(k)));
      double error = 0;
      const Vec3d counted = patch.mu == 0 ? cone.along_normal(f, error) : f;
      const Vec3d& p = patch.polygon[k];
      sums[patch.a].add(-1, p - measures[patch.a].origin, counted, error);
      sums[patch.b].add(1, p - measures[patch.b].origin, counted, error);
    }
  }

  /// The words of the exact judge, with "certainly".
  void write_flaw(ConeFlaw flaw, const Vec3d& f, const Cone& cone, double tension, std::string place) {
    const double length = sqrt(cone.length2), pressure = dot(f, cone.normal) / length;
    if (flaw == ConeFlaw::pulls)
      return found.write(text({"force pulls: f.n = ", brief(pressure), " N, not certainly >= ", tension > 0 ? brief(-tension) : "0"}),
                         std::move(place));
    const double tangential = norm(f - (pressure / length) * cone.normal);
    found.write(text({"force outside the friction cone: |f_t| = ", brief(tangential), " N, ",
                      tension > 0 ? "mu (f_n + c) = " : "mu f_n = ", brief(cone.mu * (pressure + tension)), " N"}),
                std::move(place));
  }

  void add_loads() {
    for (const Load& load : problem.loads) {
      const Measure& m = measures[load.body];
      // at the centre of mass the arm is as uncertain as the centre
      if (load.at_centre)
        sums[load.body].add_at(m.com, m.com_error, load.force);
      else
        sums[load.body].add(1, load.point - m.origin, load.force, 0);
    }
  }

  /// Upper bounds of what is left of force and moment of a free body, N and N m about the centre of mass.
  void bound_imbalance(std::size_t index, double& force, double& moment) const {
    const Sum& sum = sums[index];
    const Measure& m = measures[index];
    const Mass mass = mass_of(problem.bodies[index], m);
    const double gravity = max_abs(problem.gravity);
    const double loss = sum.terms * underflow_loss;

    // moment about the centre of mass: gravity has none
    const double contact_error = gamma(sum.terms) * sum.force_magnitude + sum.force_error + loss;
    const double lever = sum_abs(m.com), resultant = max_abs(sum.force);
    const Vec3d about_com = sum.moment - cross(m.com, sum.force);
    const double moment_error = gamma(sum.terms + 5) * sum.moment_magnitude + sum.moment_error + loss + lever * contact_error +
                                2 * m.com_error * (resultant + contact_error) + gamma(5) * lever * resultant +
                                roundoff * max_abs(about_com);
    moment = norm_bound(about_com, moment_error);

    // force: gravity joins the contacts
    const Vec3d left = sum.force + mass.value * problem.gravity;
    const double force_error = contact_error + mass.error * gravity + gamma(2) * (mass.value * gravity + resultant);
    force = norm_bound(left, force_error);
  }

  static double norm_bound(const Vec3d& a, double error) {
    const double e = bound_slack * error;
    const Vec3d reach{abs(a.x) + e, abs(a.y) + e, abs(a.z) + e};
    return norm(reach) * (1 + gamma(8)) + underflow_loss;
  }

  void measure_bodies() {
    for (const Body& body : problem.bodies) measures.push_back(measure(body));
    for (std::size_t i = 0; i < measures.size(); ++i)
      if (!problem.bodies[i].fixed && !measures[i].certain && found.next())
        found.write("volume is not certainly > 0", body_place(problem, i));
    sums.resize(measures.size());
  }

  Verification judge_balance() {
    const Scale scale = measure_scale(problem, measures);
    Imbalance worst;
    worst.of_loads = scale.of_loads;
    std::size_t worst_body = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (problem.bodies[i].fixed) continue;
      double force = 0, moment = 0;
      bound_imbalance(i, force, moment);
      const Imbalance now = imbalance(force, moment, scale);
      // also true where the imbalance is not a number
      if (!(now.relative <= settings.balance_tolerance) && found.next())
        write_imbalance(problem, i, now, settings.balance_tolerance, found);
      else if (!is_small_beside_itself(i, force, moment) && found.next())
        write_own_imbalance(problem, i, settings.own_tolerance, found);
      if (now.relative <= worst.relative) continue;
      worst = now;
      worst_body = i;
    }
    return conclude_force_state(problem, worst_body, worst, found);
  }

  bool is_small_beside_itself(std::size_t index, double force, double moment) const {
    if (max_abs(problem.gravity) == 0) return true;  // nothing has a weight to be small beside
    const Mass mass = mass_of(problem.bodies[index], measures[index]);
    const double weight = (mass.value - mass.error) * norm(problem.gravity) * (1 - gamma(8));
    return force <= settings.own_tolerance * weight && moment <= settings.own_tolerance * weight * measures[index].size * (1 - gamma(4));
  }

  static Imbalance imbalance(double force, double moment, const Scale& scale) {
    const double up = 1 + gamma(4);
    Imbalance result{force, up * force / scale.mean_weight, false, scale.of_loads};
    const double turning = up * moment / scale.mean_size;
    if (!(turning <= force)) result = {turning, up * turning / scale.mean_weight, true, scale.of_loads};
    if (!(result.relative >= 0)) result.relative = std::numeric_limits<double>::infinity();
    return result;
  }
};

}  // namespace

Verification verify_force_state(const StaticProblem& problem, std::span<const Vec3d> forces, const VerifySettings& settings) {
  Findings found(settings.most_broken);
  check_problem(problem, found);
  check_forces(problem, forces, found);
  if (!found.none()) return conclude_force_state(problem, 0, {}, found);

  ForceJudge judge{problem, settings, found, {}, {}};
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
