#include "certify/exact_motion.h"

#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

bool is_zero(const Vec3d& a) { return a.x == 0 && a.y == 0 && a.z == 0; }

}  // namespace

ExactMotion exact_motion(const Body& body, const ExactBody& measure, const Velocity& v) {
  ExactMotion motion;
  motion.at_rest = body.fixed || (is_zero(v.linear) && is_zero(v.angular));
  if (motion.at_rest) return motion;
  motion.angular = exact(v.angular);
  motion.at_origin = exact(v.linear);
  if (is_zero(v.angular)) return motion;
  motion.denominator = Dyadic(4) * measure.volume6;
  motion.at_origin = motion.denominator * motion.at_origin - cross(motion.angular, measure.moment);
  return motion;
}

ExactVec point_velocity(const ExactMotion& motion, const ExactVec& origin, const ExactVec& p) {
  if (motion.at_rest) return {};
  return motion.at_origin + motion.denominator * cross(motion.angular, p - origin);
}

}  // namespace trilith::certify
