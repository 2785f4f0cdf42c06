#pragma once
#include <span>
#include <vector>

#include "certify/verify.h"

/// What proves that a plane structure has no realisable state: a list of lemmas, each with the numbers that show it, and clauses that
/// follow from them, down to the empty one. (CRA-8..11)
namespace trilith::certify {

/// A contact point of two plane bodies. Plane axes, lengths in units of the structure. The contacts of one joint lie on one line along its
/// tangent.
struct PlanarContact {
  int body_a = -1, body_b = -1;  ///< -1: a support
  int joint = 0;                 ///< contacts of one joint slip together
  double arm_a[2] = {0, 0};      ///< from the centre of mass of a
  double arm_b[2] = {0, 0};      ///< from that of b
  double normal[2], tangent[2];  ///< unit, normal from a into b
  double mu = 0;
};

/// A f = load with three rows per body (two forces and the moment about its centre of mass), displacements in gives.
struct PlanarProblem {
  int bodies = 0, joints = 0;
  std::span<const double> load;
  std::span<const PlanarContact> contacts;
  double bound = 0;       ///< largest displacement along and across the normal, gives
  double least_slip = 0;  ///< of a joint with friction, gives
};

/// Variables: contact i is pressed (i), friction on b of joint j acts along its tangent (contacts + 2 j) or against it (contacts + 2 j +
/// 1). A literal is variable + 1, or minus that for "not".
struct RefutationStep {
  enum class Kind {
    force,   ///< ray: velocities (3 per body) that no force state without the named contacts and frictions can balance (CRA-9)
    motion,  ///< ray: a self-stress (2 per contact, along normal and tangent) that no motion with the named contacts allows (CRA-10)
    learned  ///< follows from the steps before it by unit propagation
  };
  Kind kind = Kind::learned;
  std::vector<int> literals;
  std::vector<double> ray;
};

struct RefutationSettings {
  double least_factor = 1e6;      ///< X of both kinds of lemma: forces below X weights, displacements below X bounds
  double joint_tolerance = 1e-9;  ///< how far a joint's contacts may be from one line, over its length
};

/// `falls` where every lemma holds with its bound of rounding, every learned clause follows, and the last one is empty.
Verification verify_planar_refutation(const PlanarProblem& problem, std::span<const RefutationStep> steps,
                                      const RefutationSettings& settings);

}  // namespace trilith::certify
