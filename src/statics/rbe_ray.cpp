#include "statics/rbe_ray.h"

#include <algorithm>
#include <limits>

#include "base/lanes.h"
#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Largest power of a force of unit pressure in the cone against a relative velocity: over the edges of a pyramid, or the whole circle.
double entry_of(const Vec3d& u, double mu, const RbeSettings& settings) {
  if (settings.cone == RbeCone::quadratic) return mu * sqrt(u.y * u.y + u.z * u.z) - u.x;
  const double half = pi / settings.faces, reach = settings.cone == RbeCone::inscribed ? mu : mu / cos(half);
  double worst = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < settings.faces; ++k) {
    const double angle = half * (2 * k + 1);
    worst = std::max(worst, -reach * (cos(angle) * u.y + sin(angle) * u.z) - u.x);
  }
  return worst;
}

/// Velocity of b against a at a vertex, in the frame of the interface.
Vec3d relative_velocity(const model::Assembly& assembly, const model::Interface& face, const Vec3d& at,
                        std::span<const certify::Velocity> velocities) {
  const auto at_body = [&](std::uint32_t i) { return velocities[i].linear + cross(velocities[i].angular, at - assembly.blocks[i].com); };
  const Vec3d u = at_body(face.b) - at_body(face.a);
  return {dot(u, face.normal), dot(u, face.t1), dot(u, face.t2)};
}

}  // namespace

double ray_factor(const model::Assembly& assembly, const RbeSettings& settings, std::span<const certify::Velocity> velocities) {
  double power = 0, weight = 0, worst = 0;
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) {
    const model::Block& block = assembly.blocks[i];
    if (block.fixed) {
      if (norm(velocities[i].linear) + norm(velocities[i].angular) > 0) return 0;
      continue;
    }
    power += block.mass * dot(assembly.gravity, velocities[i].linear);
    weight += block.mass * norm(assembly.gravity);
  }
  for (const model::Interface& face : assembly.interfaces)
    for (const Vec3d& at : face.polygon) {
      const Vec3d u = relative_velocity(assembly, face, at, velocities);
      worst = std::max(worst, entry_of(u, face.mu, settings));
      if (settings.form == solve::FrictionForm::plus) worst = std::max(worst, u.x);
    }
  if (!(power > 0)) return 0;
  return worst > 0 ? power / (worst * weight) : std::numeric_limits<double>::infinity();
}

}  // namespace trilith::statics
