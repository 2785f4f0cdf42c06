// (PEN-3), (PEN-4) in double; what is claimed carries a bound of its rounding.
#include "certify/penalty_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "certify/bounds.h"
#include "certify/findings.h"
#include "certify/measure.h"
#include "certify/power.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A number per component (n, t1, t2), and a bound of the error of each.
struct Local {
  double n = 0, t1 = 0, t2 = 0, error = 0;
};

/// The cone of one patch by its edges: forces 1, reach cos, reach sin at the corners of the pyramid.
struct Edges {
  double reach = 0;  ///< of the corners, or mu of the true cone
  std::span<const std::array<double, 2>> corners;

  /// Largest product of (n, t1, t2) with an edge: never below the true one.
  double largest_product(const Local& a) const {
    const double error = (1 + 2 * reach) * (a.error + gamma(8) * (abs(a.n) + abs(a.t1) + abs(a.t2)));
    if (corners.empty()) return a.n + reach * sqrt(a.t1 * a.t1 + a.t2 * a.t2) + error;
    double largest = -infinity;
    for (const auto& corner : corners) {
      const double product = a.n + reach * (corner[0] * a.t1 + corner[1] * a.t2) + error;
      if (!(product <= largest)) largest = product;
    }
    return largest;
  }
};

/// Balance of one free body, six rows about the centre of mass.
struct Balance {
  std::array<BoundedSum, 6> rows;
  double size = 0;  ///< sum of force components, for what the centre of mass is uncertain by

  void add(double sign, const Vec3d& arm, const Vec3d& f) {
    const Vec3d s = sign * f;
    rows[0].add(s.x), rows[1].add(s.y), rows[2].add(s.z);
    rows[3].add(arm.y * s.z), rows[3].add(-arm.z * s.y);
    rows[4].add(arm.z * s.x), rows[4].add(-arm.x * s.z);
    rows[5].add(arm.x * s.y), rows[5].add(-arm.y * s.x);
    size += sum_abs(f);
  }
};

class PenaltyJudge {
 public:
  PenaltyJudge(const PenaltyProgram& program, const PenaltySettings& settings)
      : program_(program), problem_(program.statics), settings_(settings), found_(settings.most_broken) {
    check_problem(problem_, found_);
    const bool weighs = program.pressing > 0 && program.pulling > 0 && program.tangential > 0;
    if (!(weighs && program.t1.size() == problem_.patches.size() && (program.faces == 0 || program.faces >= 3)))
      refuse("the program is not one of its kind", "assembly");
    if (!found_.none()) return;  // measuring needs what was checked
    for (const Body& body : problem_.bodies) measures_.push_back(measure(body));
    for (std::size_t i = 0; i < measures_.size(); ++i)
      if (!problem_.bodies[i].fixed && !measures_[i].certain) refuse("volume is not certainly > 0", body_place(problem_, i));
    const double half = pi / std::max(program.faces, 3);
    for (int k = 0; k < program.faces; ++k) {
      const auto turn = sincos(half * (2 * k + 1));
      corners_.push_back({turn.cos, turn.sin});
    }
    if (program.around) beyond_ = 1 / cos(half);
  }

  PenaltyVerification judge_point(std::span<const PenaltyForce> forces, std::span<const Velocity> multipliers) {
    check_velocities(problem_, multipliers, found_);
    check_sizes(forces);
    if (!found_.none()) return conclude("the point is not proved");
    judge_forces(forces);
    const double imbalance = judge_balance(forces, multipliers);
    const double gap = measure_gap(forces, multipliers);
    if (!(gap <= settings_.gap_tolerance)) refuse(text({"others may cost less by ", brief(gap), " (relative)"}), "objective");
    PenaltyVerification result = conclude("the point is not proved");
    result.imbalance = imbalance;
    result.gap = gap;
    if (result.accepted)
      result.statement =
          text({"in balance to ", brief(imbalance), " of the mean block weight; no other forces in the cone cost less by more than ",
                brief(gap), " (relative)"});
    return result;
  }

  PenaltyVerification judge_ray(std::span<const Velocity> velocities) {
    check_velocities(problem_, velocities, found_);
    if (!found_.none()) return conclude("the ray is not proved");
    const Power power = bound_power(problem_, velocities, measures_);
    double entry = 0;
    for_each_vertex([&](std::size_t i, std::size_t k, std::size_t) {
      const Local u = relative(i, k, velocities);
      keep_largest(entry, edges(i).largest_product({-u.n, -u.t1, -u.t2, u.error}));
      if (program_.split) keep_largest(entry, u.n + u.error);
    });
    double factor = 0;
    if (power.least_W > 0) factor = entry == 0 ? infinity : power.least_W / (entry * power.weight_N) * (1 - gamma(4));
    if (!(factor >= settings_.least_force_factor)) refuse(text({"only forces below ", brief(factor), " weights are excluded"}), "assembly");
    PenaltyVerification result = conclude("the ray is not proved");
    result.force_factor = factor >= 0 ? factor : 0;
    if (result.accepted) result.statement = "no forces in this cone are in balance";
    return result;
  }

 private:
  void refuse(std::string what, std::string where) {
    if (found_.next()) found_.write(std::move(what), std::move(where));
  }

  /// Keeps what is not a number.
  static void keep_largest(double& largest, double value) {
    if (largest == largest && !(value <= largest)) largest = value;
  }

  template <class Visit>
  void for_each_vertex(Visit visit) const {
    std::size_t row = 0;
    for (std::size_t i = 0; i < problem_.patches.size(); ++i)
      for (std::size_t k = 0; k < problem_.patches[i].polygon.size(); ++k) visit(i, k, row++);
  }

  Edges edges(std::size_t patch) const { return {problem_.patches[patch].mu * beyond_, corners_}; }

  void check_sizes(std::span<const PenaltyForce> forces) {
    if (forces.size() != vertex_count(problem_)) return refuse("needs one force per polygon vertex", "assembly");
    for (const PenaltyForce& f : forces)
      if (!std::isfinite(f.pressing + f.pulling + f.t1 + f.t2)) return refuse("a force is not finite", "assembly");
  }

  /// Velocity of b against a in the axes of the patch.
  Local relative(std::size_t i, std::size_t k, std::span<const Velocity> velocities) const {
    const Patch& patch = problem_.patches[i];
    const Bounded a = point_velocity(measures_[patch.a], velocities[patch.a], patch.polygon[k]),
                  b = point_velocity(measures_[patch.b], velocities[patch.b], patch.polygon[k]);
    const Vec3d u = b.value - a.value, n = unit(patch.normal), t1 = program_.t1[i], t2 = cross(n, t1);
    return {dot(u, n), dot(u, t1), dot(u, t2), 2 * (a.error + b.error) + gamma(16) * sum_abs(u) + underflow_loss};
  }

  void judge_forces(std::span<const PenaltyForce> forces) {
    double largest = 0;
    for (const PenaltyForce& f : forces) largest = max(largest, max(max(abs(f.pressing), abs(f.pulling)), max(abs(f.t1), abs(f.t2))));
    const double room = settings_.cone_tolerance * largest;
    for_each_vertex([&](std::size_t i, std::size_t k, std::size_t row) {
      const PenaltyForce& f = forces[row];
      const bool signs = f.pressing >= -room && f.pulling >= -room;
      const double bounded_by = program_.split ? f.pressing : f.pressing - f.pulling;
      if (!(signs && outside(i, f, bounded_by) <= room)) refuse("force outside its cone", patch_place(problem_, i, int(k)));
    });
  }

  /// How far friction is above what the pressure allows, N.
  double outside(std::size_t patch, const PenaltyForce& f, double pressure) const {
    const double mu = problem_.patches[patch].mu;
    if (corners_.empty()) return max(sqrt(f.t1 * f.t1 + f.t2 * f.t2) - mu * pressure, -pressure);
    const double half = pi / program_.faces, allowed = (program_.around ? mu : mu * cos(half)) * pressure;
    double worst = -pressure;
    for (int k = 0; k < program_.faces; ++k) {
      const auto turn = sincos(2 * half * k);
      worst = max(worst, turn.cos * f.t1 + turn.sin * f.t2 - allowed);
    }
    return worst;
  }

  void sum_up(std::span<const PenaltyForce> forces) {
    balances_.assign(problem_.bodies.size(), {});
    const auto add = [&](std::uint32_t body, double sign, const Vec3d& at, const Vec3d& f) {
      const Measure& m = measures_[body];
      balances_[body].add(sign, at - m.origin - m.com, f);
    };
    for_each_vertex([&](std::size_t i, std::size_t k, std::size_t row) {
      const Patch& patch = problem_.patches[i];
      const PenaltyForce& f = forces[row];
      const Vec3d n = unit(patch.normal), t1 = program_.t1[i], world = (f.pressing - f.pulling) * n + f.t1 * t1 + f.t2 * cross(n, t1);
      add(patch.a, -1, patch.polygon[k], world);
      add(patch.b, 1, patch.polygon[k], world);
    });
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i)
      if (!problem_.bodies[i].fixed) balances_[i].add(1, {}, mass_of(problem_.bodies[i], measures_[i]).value * problem_.gravity);
    for (const Load& load : problem_.loads) {
      const Measure& m = measures_[load.body];
      add(load.body, 1, load.at_centre ? m.origin + m.com : load.point, load.force);
    }
  }

  /// The largest imbalance over the mean weight; what is left, row by row, against the multipliers becomes part of the gap.
  double judge_balance(std::span<const PenaltyForce> forces, std::span<const Velocity> multipliers) {
    sum_up(forces);
    const Scale scale = measure_scale(problem_, measures_);
    double worst = 0;
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      if (problem_.bodies[i].fixed) continue;
      const Balance& balance = balances_[i];
      const double weight_error = mass_of(problem_.bodies[i], measures_[i]).error * max_abs(problem_.gravity),
                   lever_error = measures_[i].com_error * balance.size;
      const Velocity& v = multipliers[i];
      const double motion[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
      double square[2] = {0, 0};
      for (std::size_t r = 0; r < 6; ++r) {
        const double left = balance.rows[r].most() + (r < 3 ? weight_error : lever_error);
        square[r / 3] += left * left;
        against_imbalance_ += abs(motion[r]) * left;
      }
      const double relative = max(sqrt(square[0]), sqrt(square[1]) / scale.mean_size) / scale.mean_weight;
      keep_largest(worst, relative);
      if (!(relative <= settings_.balance_tolerance))
        refuse(text({"unbalanced by ", brief(relative), " of the ", scale_name(scale.of_loads)}), body_place(problem_, i));
    }
    return worst;
  }

  /// With s = A'y - H z left of the gradient, every z' in the cones and in balance costs at least cost(z) - y'(A z - W) + s'z - s'z'; s'z'
  /// is at most the largest product of s with an edge times the sum of all f+ and f-, and a z' that costs less than z has that sum bounded.
  /// (PEN-4)
  double measure_gap(std::span<const PenaltyForce> forces, std::span<const Velocity> multipliers) const {
    const PenaltyProgram& w = program_;
    BoundedSum along;
    double cost = 0, along_error = 0, excess = 0;
    for_each_vertex([&](std::size_t i, std::size_t k, std::size_t row) {
      const PenaltyForce& f = forces[row];
      const Local g = relative(i, k, multipliers);
      const double p = w.pressing * f.pressing, m = w.pulling * f.pulling, t1 = w.tangential * f.t1, t2 = w.tangential * f.t2;
      Local s{g.n - p, g.t1 - t1, g.t2 - t2, 0};
      s.error = g.error + gamma(4) * (abs(g.n) + abs(g.t1) + abs(g.t2) + abs(p) + abs(m) + abs(t1) + abs(t2));
      const double pull = -g.n - m;
      for (const double part : {s.n * f.pressing, pull * f.pulling, s.t1 * f.t1, s.t2 * f.t2}) along.add(part);
      along_error += s.error * (abs(f.pressing) + abs(f.pulling) + abs(f.t1) + abs(f.t2));
      keep_largest(excess, edges(i).largest_product(s));
      keep_largest(excess, w.split ? pull + s.error : s.n + pull + 2 * s.error);
      cost += 0.5 * (p * f.pressing + m * f.pulling + t1 * f.t1 + t2 * f.t2);
    });
    const double sum_of_cheaper = sqrt(4 * static_cast<double>(forces.size()) * cost / std::min(w.pressing, w.pulling));
    const double lost = against_imbalance_ + max(0.0, along.error() + along_error - along.value) + excess * sum_of_cheaper;
    return lost == 0 ? 0 : lost / cost;
  }

  PenaltyVerification conclude(std::string_view refusal) {
    PenaltyVerification result;
    result.accepted = found_.none();
    result.broken = found_.take();
    if (result.accepted) return result;
    result.statement = refusal;
    if (!result.broken.empty()) result.statement += text({": ", result.broken[0].what, " (", result.broken[0].where, ")"});
    return result;
  }

  const PenaltyProgram& program_;
  const StaticProblem& problem_;
  const PenaltySettings& settings_;
  Findings found_;
  std::vector<Measure> measures_;
  std::vector<std::array<double, 2>> corners_;  ///< of a pyramid: cosine and sine
  double beyond_ = 1;                           ///< corners stand at this times mu
  std::vector<Balance> balances_;
  double against_imbalance_ = 0;  ///< sum of |multiplier| times what is left
};

}  // namespace

PenaltyVerification verify_penalty_point(const PenaltyProgram& program, std::span<const PenaltyForce> forces,
                                         std::span<const Velocity> multipliers, const PenaltySettings& settings) {
  return PenaltyJudge(program, settings).judge_point(forces, multipliers);
}

PenaltyVerification verify_penalty_ray(const PenaltyProgram& program, std::span<const Velocity> velocities,
                                       const PenaltySettings& settings) {
  return PenaltyJudge(program, settings).judge_ray(velocities);
}

}  // namespace trilith::certify
