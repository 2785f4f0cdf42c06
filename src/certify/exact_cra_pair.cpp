// (CRA-1) to (CRA-5) in exact arithmetic; roots only as rational bounds on the safe side.
#include "certify/cra_pair.h"

#include <cmath>
#include <vector>

#include "certify/exact_motion.h"
#include "certify/findings.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

bool is_zero(const Vec3d& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

/// A vertex: all displacements are times `scale` > 0.
struct PairVertex {
  ExactVec force, slip_force;  ///< f, and f + alpha d times the scale
  ExactVec displacement;       ///< of b against a
  Dyadic opening;              ///< displacement . normal
  Dyadic scale;
};

struct PairNormal {
  explicit PairNormal(const Vec3d& n) : normal(exact(n)), length2(dot(normal, normal)), length(bound_root(length2)) {}
  ExactVec normal;
  Dyadic length2;
  RootBounds length;
  /// |a across the normal|^2 times |n|^2.
  Dyadic across2(const ExactVec& a) const { return dot(a, a) * length2 - square(dot(a, normal)); }
};

struct ExactPairJudge {
  const StaticProblem& problem;
  const CraPair& pair;
  const CraSettings& settings;
  Findings& found;
  std::vector<ExactBody> bodies;
  std::vector<ExactMotion> motions;

  void measure_bodies() {
    bodies = measure_exactly(problem);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!problem.bodies[i].fixed && bodies[i].volume6.sign() <= 0) {
        if (found.next()) found.write("volume is not > 0", body_place(problem, i));
        motions.emplace_back();
        continue;
      }
      motions.push_back(exact_motion(problem.bodies[i], bodies[i], pair.displacements[i]));
    }
  }

  void judge_patch(std::size_t index, std::size_t first) {
    const Patch& patch = problem.patches[index];
    const PairNormal normal(patch.normal);
    for (std::size_t k = 0; k < patch.polygon.size(); ++k) {
      const PairVertex v = vertex(patch, normal, first + k, exact(patch.polygon[k]));
      judge_opening(v, normal, !is_zero(pair.forces[first + k]), index, int(k));
      judge_bound(v, normal, index, int(k));
      if (patch.mu > 0) judge_friction(v, normal, index, int(k));
    }
  }

  PairVertex vertex(const Patch& patch, const PairNormal& normal, std::size_t row, const ExactVec& p) const {
    const ExactMotion &a = motions[patch.a], &b = motions[patch.b];
    PairVertex v{exact(pair.forces[row]), {}, {}, {}, a.denominator * b.denominator};
    v.displacement =
        a.denominator * point_velocity(b, bodies[patch.b].origin, p) - b.denominator * point_velocity(a, bodies[patch.a].origin, p);
    v.slip_force = v.scale * v.force + Dyadic(pair.alpha[row]) * v.displacement;
    v.opening = dot(v.displacement, normal.normal);
    return v;
  }

  double in_give(const Dyadic& opening, const PairVertex& v, const PairNormal& n) const {
    return opening.sign() * root_of_ratio(square(opening), n.length2 * square(v.scale)) / pair.give;
  }

  /// Nothing is sunk by more than the give, and what is pressed is sunk by exactly that. (CRA-3)
  void judge_opening(const PairVertex& v, const PairNormal& n, bool pressed, std::size_t patch, int k) {
    const Dyadic unit = v.scale * Dyadic(pair.give), room = unit * Dyadic(settings.engage_tolerance);
    // opening >= -(give + room) |n| and, where pressed, <= -(give - room) |n|: the smaller |n| is the harder test of the first
    const Dyadic deepest = Dyadic(0) - (unit + room) * n.length.low, shallowest = Dyadic(0) - (unit - room) * n.length.high;
    if (v.opening < deepest) {
      if (found.next()) found.write(text({"sunk by ", brief(-in_give(v.opening, v, n)), " gives"}), patch_place(problem, patch, k));
    } else if (pressed && shallowest < v.opening) {
      if (found.next())
        found.write(text({"pressed, but sunk by ", brief(-in_give(v.opening, v, n)), " gives, not by one"}),
                    patch_place(problem, patch, k));
    }
  }

  /// Along and across the normal at most the bound. (CRA-4)
  void judge_bound(const PairVertex& v, const PairNormal& n, std::size_t patch, int k) {
    const Dyadic limit2 = square(v.scale * Dyadic(pair.bound) * Dyadic(1 + settings.room)) * n.length2;
    if (square(v.opening) <= limit2 && n.across2(v.displacement) <= limit2) return;
    if (!found.next()) return;
    const double moved = root_of_ratio(dot(v.displacement, v.displacement), square(v.scale));
    found.write(text({"displaced by ", brief(moved), " m, beyond the bound of ", brief(pair.bound), " m"}), patch_place(problem, patch, k));
  }

  /// f_t = -alpha d_t within `align_tolerance` of |f|; friction needs a slip. (CRA-2, CRA-5)
  void judge_friction(const PairVertex& v, const PairNormal& n, std::size_t patch, int k) {
    const Dyadic own2 = square(Dyadic(settings.align_tolerance)) * dot(v.force, v.force) * n.length2;
    const Dyadic astray2 = n.across2(v.slip_force);
    if (square(v.scale) * own2 < astray2 && found.next())
      found.write(text({"friction is ", brief(root_of_ratio(astray2, n.length2 * square(v.scale))), " N off minus alpha times the slip"}),
                  patch_place(problem, patch, k));
    if (n.across2(v.force) <= own2) return;
    const Dyadic least = v.scale * Dyadic(pair.give) * Dyadic(settings.least_slip) * Dyadic(1 - settings.room);
    const Dyadic slip2 = n.across2(v.displacement);
    if (slip2 < square(least) * n.length2 && found.next())
      found.write(text({"friction without slip: ", brief(root_of_ratio(slip2, n.length2 * square(v.scale)) / pair.give), " gives"}),
                  patch_place(problem, patch, k));
  }
};

bool is_number(double a) { return std::isfinite(a); }

void check_pair(const StaticProblem& problem, const CraPair& pair, Findings& found) {
  if (!(is_number(pair.give) && pair.give > 0) && found.next()) found.write("the give is not > 0", "give");
  if (!(is_number(pair.bound) && pair.bound >= pair.give) && found.next()) found.write("the bound is not at least the give", "bound");
  if (pair.alpha.size() != vertex_count(problem)) {
    if (found.next()) found.write("needs one alpha per polygon vertex", "alpha");
    return;
  }
  for (const double a : pair.alpha)
    if (!(is_number(a) && a >= 0) && found.next()) found.write(text({"alpha ", brief(a), " is not >= 0"}), "alpha");
}

Verification refuse(Findings& found) {
  Verification result;
  result.broken = found.take();
  result.statement = "the pair of forces and motion is not proved";
  if (!result.broken.empty()) result.statement += text({": ", result.broken[0].what, " (", result.broken[0].where, ")"});
  return result;
}

}  // namespace

Verification verify_cra_pair(const StaticProblem& problem, const CraPair& pair, const CraSettings& settings) {
  Findings found(settings.statics.most_broken);
  check_problem(problem, found);
  check_forces(problem, pair.forces, found);
  check_velocities(problem, pair.displacements, found);
  if (found.none()) check_pair(problem, pair, found);
  if (!found.none()) return refuse(found);

  Verification result = verify_force_state_exact(problem, pair.forces, settings.statics);
  if (!result.accepted) return result;
  ExactPairJudge judge{problem, pair, settings, found, {}, {}};
  judge.measure_bodies();
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.patches.size(); ++i) {
    judge.judge_patch(i, row);
    row += problem.patches[i].polygon.size();
  }
  if (!found.none()) return refuse(found);
  result.statement += text({"; every pressed corner sinks by the give of ", brief(pair.give), " m (to ", brief(settings.engage_tolerance),
                            " of it), friction opposes a slip of at least ", brief(settings.least_slip), " gives, displacements at most ",
                            brief(pair.bound), " m"});
  return result;
}

}  // namespace trilith::certify
