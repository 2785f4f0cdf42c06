#pragma once
#include "certify/exact_body.h"
#include "certify/problem.h"

namespace trilith::certify {

/// Motion of a body without any division: velocity of its origin over `denominator` > 0, and angular velocity.
struct ExactMotion {
  ExactVec at_origin, angular;
  Dyadic denominator{1};
  bool at_rest = true;
};

/// v of the centre of mass becomes that of the origin: v - w x (com - origin), times 4 volume6. Supports are at rest.
ExactMotion exact_motion(const Body& body, const ExactBody& measure, const Velocity& v);

/// Velocity of the point p of a body with that origin, times the denominator of its motion.
ExactVec point_velocity(const ExactMotion& motion, const ExactVec& origin, const ExactVec& p);

}  // namespace trilith::certify
