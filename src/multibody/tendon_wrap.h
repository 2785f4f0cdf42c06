#pragma once
#include <optional>

#include "spatial/pose.h"

/// The shortest way of a string around one sphere or cylinder, in the plane of a circle. Theory: docs/theory/dynamics.md (DYN-8).
namespace trilith::multibody {

enum class WrapShape : std::uint8_t { sphere, cylinder };

/// Of the search for the point where a string touches a circle from the inside: Newton's method on z = sin of the angle of incidence.
/// The values are those of MuJoCo, so that a touching point is the same to rounding.
struct WrapSettings {
  int most_iterations = 20;
  double first = 1 - 1e-7;  ///< z at the start, close to a grazing touch
  double tolerance = 1e-6;  ///< rad, of the equation of reflection (DYN-9)
};

/// A string between two points that bends around a shape: straight to `first`, along the surface, straight from `second`.
struct Wrap {
  Vec3d first, second;  ///< p_W, m; equal for a touch from the inside
  double arc;           ///< length along the surface, m
};

/// What a string bends around: a sphere, or a cylinder without ends along the z axis of X_WG.
struct WrapObstacle {
  WrapShape shape = WrapShape::sphere;
  Posed X_WG;
  double radius = 0;  ///< m
};

/// The way from p0 to p1 around `obstacle`; nothing where the straight line is the way. `side`: the point (p_W) whose side of the shape
/// is preferred; inside the shape, the string runs through it.
std::optional<Wrap> wrap_around(const WrapObstacle& obstacle, const Vec3d& p0_W, const Vec3d& p1_W, const Vec3d* side_W,
                                const WrapSettings& settings = {}) noexcept;

}  // namespace trilith::multibody
