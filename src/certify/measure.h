#pragma once
#include <vector>

#include "certify/problem.h"

namespace trilith::certify {

/// Mass properties of a body in double, each with a bound of its error. Lengths from `origin`, world axes. (RBE-3)
struct Measure {
  Vec3d origin{};      ///< first vertex; differences to it lose nothing, however far the site is from the world's origin
  double volume6 = 0;  ///< six times the volume, m^3
  double volume6_error = 0;
  Vec3d com{};           ///< centre of mass minus origin, m
  double com_error = 0;  ///< of each component, m
  double size = 0;       ///< longest side of the bounding box, m; relative error at most 2^-53
  bool certain = false;  ///< the volume is certainly positive, so that `com` means something
};
Measure measure(const Body& body) noexcept;

/// What the balance is measured by: lower bounds.
struct Scale {
  double mean_weight = 0;  ///< of the free bodies, N; or a share of the root of the sum of the squares of their loads, over their number
  double mean_size = 0;    ///< of the free bodies, m
  bool of_loads = false;   ///< mean_weight is that of the loads
};
Scale measure_scale(const StaticProblem& problem, const std::vector<Measure>& measures) noexcept;

/// Mass and a bound of its error, kg.
struct Mass {
  double value = 0, error = 0;
};
Mass mass_of(const Body& body, const Measure& measure) noexcept;

/// A vector and a bound of the error of each component.
struct Bounded {
  Vec3d value{};
  double error = 0;
};
/// Velocity of a body's point p: v + w x (p - com).
Bounded point_velocity(const Measure& measure, const Velocity& velocity, const Vec3d& p) noexcept;

}  // namespace trilith::certify
