#pragma once
#include <span>
#include <string>
#include <vector>

#include "certify/problem.h"
#include "certify/verify.h"

/// Proofs about the penalty program of rigid-block equilibrium (PEN-1): a report's numbers, never a verdict.
namespace trilith::certify {

/// What is minimised, and over which cone. The joints' pull does not count: the program asks where it would be needed.
struct PenaltyProgram {
  StaticProblem statics;
  std::span<const Vec3d> t1;  ///< first tangent of every patch, unit, square to its normal; the second is normal x t1
  int faces = 0;              ///< of the pyramid, from 3; 0: the true cone
  bool around = false;        ///< the pyramid lies around the true cone, else in it
  bool split = false;         ///< form `plus`: friction is bounded by f+ alone; else by f+ - f-
  double pressing = 1, pulling = 1, tangential = 1;  ///< weights of f+^2, f-^2, |t|^2 in the cost, > 0
};

/// Forces at a polygon vertex, N.
struct PenaltyForce {
  double pressing = 0, pulling = 0, t1 = 0, t2 = 0;
};

struct PenaltySettings {
  double balance_tolerance = 1e-8;  ///< largest imbalance over the mean free block weight (moment: over that times the mean block size)
  double cone_tolerance = 1e-9;     ///< how far a force may be outside its cone, over the largest force
  double gap_tolerance = 1e-6;      ///< how much less than the point's cost the minimum may be, relative
  double least_force_factor = 1e6;  ///< X of (RBE-9) at which a ray counts, with the program's cone
  int most_broken = 10;
};

struct PenaltyVerification {
  bool accepted = false;
  double imbalance = 0;     ///< mean block weights
  double gap = 0;           ///< upper bound of (cost - minimum) / cost
  double force_factor = 0;  ///< of a ray: X, infinite where no joint resists
  std::vector<Broken> broken;
  std::string statement;
};

/// The forces (one per polygon vertex in the order of the patches) are in balance and in their cones, and with the multipliers of the
/// balance as a motion (N, and N/m for the turn) no others in the cones cost less by more than the gap. Convexity makes the gap a bound
/// whatever the multipliers are. (PEN-4)
PenaltyVerification verify_penalty_point(const PenaltyProgram& program, std::span<const PenaltyForce> forces,
                                         std::span<const Velocity> multipliers, const PenaltySettings& settings);

/// No forces in these cones are in balance: under the motion weight and loads do work and no joint takes any up. (PEN-3)
PenaltyVerification verify_penalty_ray(const PenaltyProgram& program, std::span<const Velocity> velocities,
                                       const PenaltySettings& settings);

}  // namespace trilith::certify
