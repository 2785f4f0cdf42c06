#pragma once
#include <span>
#include <string>
#include <vector>

#include "certify/problem.h"
#include "trilith/status.h"

namespace trilith::certify {

/// Gates of a proof (docs/defaults.md).
struct VerifySettings {
  double balance_tolerance =
      1e-8;                     ///< largest unbalanced force over the mean free block weight (moment: over weight times mean block size)
  double own_tolerance = 1e-3;  ///< and over the body's own weight (moment: times its own size): a pebble beside a cliff must balance too
  double least_force_factor =
      1e6;               ///< X of (RBE-9): a collapse passes when no equilibrium exists with a total contact force below X weights
  int most_broken = 10;  ///< conditions listed before the verifier stops writing them down
  double contact_tolerance = 1e-4;  ///< distance of a polygon vertex from a face of each of its bodies, over the smaller body's size; of a
                                    ///< face that gives the normal from the plane of the patch, over its own body's size
  double curve_angle = .36;         ///< rad: faces that meet at less may be facets of one curved surface
  double curve_rise = 1e-2;         ///< of the body's size: a curve further off its facets is none
  double curve_factor = 2;          ///< where both bodies are curved, room for a polygon in units of what the curves stand off their facets
  double contact_slope = .051;      ///< tangent of the angle between a patch normal and the normal of the face it lies on
};

/// One condition that does not hold.
struct Broken {
  std::string what;   ///< "force pulls: f.n = -3.1 N < 0"
  std::string where;  ///< "interface 4 (b12 - b13), vertex 2" or "block b12"
};

/// What an independent check found. `accepted` is the only thing that may turn a proposal into a verdict.
struct Verification {
  bool accepted = false;
  Verdict verdict = Verdict::undecided;  ///< stands or falls where accepted
  double residual =
      0;  ///< stands: largest imbalance in mean block weights (double check: its error bound included); falls: largest violation over power
  double force_factor = 0;  ///< falls: X (infinity where no joint is violated); stands: 0
  double unbalanced_N = 0;  ///< stands: the same imbalance in N (moments divided by the mean block size)
  std::size_t worst_body = 0;
  std::vector<Broken> broken;
  std::string statement;  ///< one sentence with units
};

/// Forces that keep every free body in balance, inside the true friction cone. `forces`: world axes, N, one per polygon vertex in the
/// order of the patches, acting on b (the opposite on a). Double arithmetic with running error bounds: accepts only what is certain.
/// Where mu = 0 the force that counts is the part along the normal, (f.n) n / |n|^2. (RBE-2, RBE-6, RBE-7)
Verification verify_force_state(const StaticProblem& problem, std::span<const Vec3d> forces, const VerifySettings& settings);

/// A collapse: velocities (one per body, zero for fixed ones) under which gravity does positive work and no joint resists. (RBE-8, RBE-9)
Verification verify_collapse(const StaticProblem& problem, std::span<const Velocity> velocities, const VerifySettings& settings);

/// The same two checks in exact rational arithmetic (every double is a rational). Volumes and centres of mass are computed again from the
/// meshes.
Verification verify_force_state_exact(const StaticProblem& problem, std::span<const Vec3d> forces, const VerifySettings& settings);
Verification verify_collapse_exact(const StaticProblem& problem, std::span<const Velocity> velocities, const VerifySettings& settings);

/// The polygons of the problem lie on faces of both of their bodies: each vertex is at most `contact_tolerance` (relative to the smaller
/// body's size) from a face of a whose outward normal runs along the patch normal and from a face of b whose normal runs against it, within
/// `contact_slope`; more where both have warped faces or facets of a curve there (GEO-12). Exact arithmetic.
std::vector<Broken> find_misplaced_patches(const StaticProblem& problem, const VerifySettings& settings);
/// The same with the default slope.
std::vector<Broken> find_misplaced_patches(const StaticProblem& problem, double contact_tolerance, int most_broken);

}  // namespace trilith::certify
