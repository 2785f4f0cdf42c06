#pragma once
#include <array>
#include <string>
#include <string_view>

#include "spatial/quaternion.h"
#include "trilith/result.h"

namespace trilith::io {

/// How a file spells a rotation.
struct Orientation {
  enum class Form : std::uint8_t {
    quaternion,  ///< w x y z, normalised here
    axis_angle,  ///< axis (any length), angle
    xy_axes,     ///< x axis, then a second axis whose part across x is y
    z_axis,      ///< the shortest rotation that takes z there
    euler        ///< three angles, in the order of `EulerSequence`
  } form = Form::quaternion;
  std::array<double, 6> values{1, 0, 0, 0, 0, 0};
};

/// An axis or quaternion shorter than this has no direction. (docs/defaults.md)
inline constexpr double least_direction = 1e-6;

/// Three letters, one axis for each angle: lower case turns about the axes as they have moved, upper case about the fixed ones.
struct EulerSequence {
  std::array<char, 3> axes{'x', 'y', 'z'};
};

/// Unit quaternion of a rotation. Angles in rad, or in degrees where `degrees`. Refused with a reason: axes or a quaternion too short to
/// have a direction (below `least_direction`), xy_axes along one line. Source: MuJoCo's documentation, "frame orientations".
Result<Quaterniond> make_rotation(const Orientation& orientation, bool degrees, const EulerSequence& sequence);

/// The shortest rotation that takes the z axis to the direction of `v`; a half turn about x where they are opposite.
Quaterniond rotation_to(const Vec3d& v);

double to_radians(double degrees);

}  // namespace trilith::io
