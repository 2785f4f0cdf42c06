// (CRA-8) to (CRA-11): lemmas in double with bounds of their rounding, clauses by unit propagation.
#include "certify/planar_refutation.h"

#include <cmath>
#include <cstdlib>

#include "certify/bounds.h"
#include "certify/clause_check.h"
#include "certify/findings.h"

namespace trilith::certify {
namespace {

constexpr double sum_slack = 64;  // roundings of one term and of the sums it goes through, in units of roundoff

struct Judge {
  const PlanarProblem& problem;
  const RefutationSettings& settings;
  std::vector<char> named;  ///< variables in the clause at hand
  double least_force_factor = HUGE_VAL, least_motion_factor = HUGE_VAL;

  std::size_t pressed(std::size_t contact) const { return contact; }
  std::size_t along(int joint) const { return problem.contacts.size() + 2 * static_cast<std::size_t>(joint); }
  std::size_t against(int joint) const { return along(joint) + 1; }

  /// Marks the variables of a clause; false where a literal has not the sign that this kind of lemma speaks of.
  bool mark(const RefutationStep& step, int sign) {
    named.assign(problem.contacts.size() + 2 * static_cast<std::size_t>(problem.joints), 0);
    for (const int literal : step.literals) {
      const std::size_t variable = static_cast<std::size_t>(std::abs(literal)) - 1;
      if (literal * sign <= 0 || variable >= named.size()) return false;
      named[variable] = 1;
    }
    return true;
  }

  /// Velocity of b against a, and a bound of the rounding in each component.
  struct Relative {
    double x, y, error;
  };
  Relative relative(const PlanarContact& c, std::span<const double> v) const {
    Relative u{0, 0, 0};
    const auto add = [&](int body, const double(&arm)[2], double sign) {
      if (body < 0) return;
      const double* w = v.data() + 3 * static_cast<std::size_t>(body);
      u.x += sign * (w[0] - w[2] * arm[1]);
      u.y += sign * (w[1] + w[2] * arm[0]);
      u.error += std::abs(w[0]) + std::abs(w[1]) + std::abs(w[2]) * (std::abs(arm[0]) + std::abs(arm[1]));
    };
    add(c.body_b, c.arm_b, 1);
    add(c.body_a, c.arm_a, -1);
    u.error *= gamma(sum_slack);
    return u;
  }

  /// No force state without what the clause names: the ray lets the load come down and no other contact takes power. (CRA-9)
  bool holds_force(const RefutationStep& step) {
    const std::size_t rows = 3 * static_cast<std::size_t>(problem.bodies);
    if (!mark(step, 1) || step.ray.size() != rows) return false;
    double power = 0, magnitude = 0, weight = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      power -= problem.load[i] * step.ray[i];
      magnitude += std::abs(problem.load[i] * step.ray[i]);
      if (i % 3 != 2) weight += std::abs(problem.load[i]);
    }
    power -= gamma(double(rows) + 2) * magnitude;
    double violation = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i)
      if (!named[pressed(i)]) keep_largest(violation, taken(problem.contacts[i], step.ray));
    if (!(power > 0)) return false;
    const double factor = violation == 0 ? HUGE_VAL : power / (violation * weight) * (1 - gamma(sum_slack));
    if (!(factor >= settings.least_factor)) return false;
    least_force_factor = min(least_force_factor, factor);
    return true;
  }

  /// Keeps what is not a number: huge rays overflow.
  static void keep_largest(double& largest, double value) {
    if (largest == largest && !(value <= largest)) largest = value;
  }

  /// Most power that a unit normal force with its friction can take.
  double taken(const PlanarContact& c, std::span<const double> v) const {
    const Relative u = relative(c, v);
    const double opening = u.x * c.normal[0] + u.y * c.normal[1], slip = u.x * c.tangent[0] + u.y * c.tangent[1];
    double least = opening;
    if (!named[along(c.joint)]) least = min(least, opening + c.mu * slip);
    if (!named[against(c.joint)]) least = min(least, opening - c.mu * slip);
    return max(0.0, -least + (2 + 2 * c.mu) * (u.error + gamma(8) * (std::abs(u.x) + std::abs(u.y))));
  }

  /// No motion with what the clause names: a self-stress whose power on it would be positive. (CRA-10)
  bool holds_motion(const RefutationStep& step) {
    if (!mark(step, -1) || step.ray.size() != 2 * problem.contacts.size()) return false;
    double power = 0, magnitude = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const double part = least_power(i, step.ray[2 * i], step.ray[2 * i + 1]);
      power += part;
      magnitude += (1 + problem.bound) * (std::abs(step.ray[2 * i]) + std::abs(step.ray[2 * i + 1]));
    }
    power -= gamma(double(2 * problem.contacts.size()) + 4) * magnitude;
    const double rest = imbalance(step.ray) * problem.bound;
    if (!(power > 0)) return false;
    const double factor = rest == 0 ? HUGE_VAL : power / rest;
    if (!(factor >= settings.least_factor)) return false;
    least_motion_factor = min(least_motion_factor, factor);
    return true;
  }

  /// Least n d_n + t d_t over the displacements that the clause allows at this contact.
  double least_power(std::size_t i, double n, double t) const {
    const PlanarContact& c = problem.contacts[i];
    const double bound = problem.bound, slip = problem.least_slip;
    const double normal_part = named[pressed(i)] || n > 0 ? -n : n * bound;
    // friction along the tangent comes with a slip against it
    const double highest = named[along(c.joint)] ? -slip : bound, lowest = named[against(c.joint)] ? slip : -bound;
    return normal_part + (t > 0 ? t * lowest : t * highest);
  }

  /// |A g|_1, rounding included.
  double imbalance(std::span<const double> g) const {
    std::vector<double> sum(3 * static_cast<std::size_t>(problem.bodies), 0.0), size(sum.size(), 0.0);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const PlanarContact& c = problem.contacts[i];
      const double x = g[2 * i] * c.normal[0] + g[2 * i + 1] * c.tangent[0], y = g[2 * i] * c.normal[1] + g[2 * i + 1] * c.tangent[1];
      const double reach = std::abs(g[2 * i]) + std::abs(g[2 * i + 1]);
      const auto add = [&](int body, const double(&arm)[2], double sign) {
        if (body < 0) return;
        const std::size_t row = 3 * static_cast<std::size_t>(body);
        sum[row] += sign * x;
        sum[row + 1] += sign * y;
        sum[row + 2] += sign * (arm[0] * y - arm[1] * x);
        size[row] += reach;
        size[row + 1] += reach;
        size[row + 2] += reach * (std::abs(arm[0]) + std::abs(arm[1]));
      };
      add(c.body_b, c.arm_b, 1);
      add(c.body_a, c.arm_a, -1);
    }
    double total = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) total += std::abs(sum[i]) + gamma(sum_slack) * size[i];
    return total;
  }

  /// All contacts of a joint share normal and tangent and lie on one line, so that they slip together in any motion. (CRA-8)
  bool joints_are_straight() const {
    std::vector<const PlanarContact*> first(static_cast<std::size_t>(problem.joints), nullptr);
    for (const PlanarContact& c : problem.contacts) {
      if (c.joint < 0 || c.joint >= problem.joints || c.body_a >= problem.bodies || c.body_b >= problem.bodies) return false;
      const PlanarContact*& f = first[static_cast<std::size_t>(c.joint)];
      if (f == nullptr) {
        f = &c;
        continue;
      }
      if (f->body_a != c.body_a || f->body_b != c.body_b) return false;
      const bool through_b = c.body_b >= 0;
      const double x = through_b ? c.arm_b[0] - f->arm_b[0] : c.arm_a[0] - f->arm_a[0];
      const double y = through_b ? c.arm_b[1] - f->arm_b[1] : c.arm_a[1] - f->arm_a[1];
      const double aside = std::abs(x * f->normal[0] + y * f->normal[1]), length = std::abs(x) + std::abs(y);
      if (!(aside <= settings.joint_tolerance * length)) return false;
      for (int k = 0; k < 2; ++k)
        if (std::abs(f->normal[k] - c.normal[k]) > settings.joint_tolerance ||
            std::abs(f->tangent[k] - c.tangent[k]) > settings.joint_tolerance)
          return false;
    }
    return true;
  }
};

/// Friction of a joint has one direction, and needs one of its contacts pressed.
void add_structure(const PlanarProblem& problem, ClauseCheck& clauses) {
  const int contacts = static_cast<int>(problem.contacts.size());
  std::vector<std::vector<int>> pressed(static_cast<std::size_t>(problem.joints));
  for (int i = 0; i < contacts; ++i)
    pressed[static_cast<std::size_t>(problem.contacts[static_cast<std::size_t>(i)].joint)].push_back(i + 1);
  for (int j = 0; j < problem.joints; ++j) {
    const int along = contacts + 2 * j + 1, against = along + 1;
    clauses.add(std::vector<int>{-along, -against});
    for (const int direction : {along, against}) {
      std::vector<int> clause = pressed[static_cast<std::size_t>(j)];
      clause.push_back(-direction);
      clauses.add(clause);
    }
  }
}

Verification conclude(const Judge& judge, std::size_t lemmas, std::size_t learned, std::string flaw) {
  Verification result;
  result.accepted = flaw.empty();
  result.force_factor = min(judge.least_force_factor, judge.least_motion_factor);
  if (!result.accepted) {
    result.statement = text({"the search is no proof: ", flaw});
    result.broken.push_back({std::move(flaw), "search"});
    return result;
  }
  result.verdict = Verdict::falls;
  result.residual = 1 / result.force_factor;
  result.statement =
      text({"no motion in the plane of the structure goes with forces in equilibrium: ", std::to_string(lemmas), " lemmas and ",
            std::to_string(learned), " clauses that follow exclude every choice of pressed and sliding joints, for displacements up to ",
            brief(judge.problem.bound), " gives and slips from ", brief(judge.problem.least_slip), " gives on (contact forces below ",
            brief(judge.least_force_factor), " weights, displacements below ", brief(judge.least_motion_factor), " bounds)"});
  return result;
}

}  // namespace

Verification verify_planar_refutation(const PlanarProblem& problem, std::span<const RefutationStep> steps,
                                      const RefutationSettings& settings) {
  Judge judge{problem, settings, {}};
  ClauseCheck clauses(problem.contacts.size() + 2 * static_cast<std::size_t>(problem.joints));
  std::size_t lemmas = 0, learned = 0;
  if (!judge.joints_are_straight()) return conclude(judge, 0, 0, "the contacts of a joint do not lie on one line");
  add_structure(problem, clauses);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RefutationStep& step = steps[i];
    const bool follows = step.kind == RefutationStep::Kind::learned;
    const bool holds = follows                                    ? clauses.follows(step.literals)
                       : step.kind == RefutationStep::Kind::force ? judge.holds_force(step)
                                                                  : judge.holds_motion(step);
    if (!holds)
      return conclude(judge, lemmas, learned, text({"step ", std::to_string(i), follows ? " does not follow" : " does not hold"}));
    ++(follows ? learned : lemmas);
    if (step.literals.empty()) return conclude(judge, lemmas, learned, "");
    clauses.add(step.literals);
  }
  return conclude(judge, lemmas, learned, "no contradiction is reached");
}

}  // namespace trilith::certify
