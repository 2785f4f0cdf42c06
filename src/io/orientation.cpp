#include "io/orientation.h"

#include "base/math.h"

namespace trilith::io {
namespace {

Error refuse(const std::string& what) { return {what, "", Error::Kind::refused}; }

Quaterniond about(const Vec3d& axis, double angle) {
  const SinCos<double> half = sincos(0.5 * angle);
  return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

Result<Quaterniond> from_axes(const Vec3d& first, const Vec3d& second) {
  const double length = norm(first);
  if (length < least_direction) return refuse("has an x axis without a direction");
  const Vec3d x = (1 / length) * first;
  const Vec3d across = second - dot(x, second) * x;
  const double width = norm(across);
  if (width < least_direction * (1 + norm(second))) return refuse("has a y axis along its x axis");
  const Vec3d y = (1 / width) * across;
  const Vec3d z = cross(x, y);
  return from_matrix(Mat3d{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
}

Quaterniond from_euler(const std::array<double, 6>& angle, double unit, const EulerSequence& sequence) {
  Quaterniond q = identity_quaternion<double>();
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = sequence.axes[i];
    const bool fixed = axis < 'a';
    const char letter = static_cast<char>(fixed ? axis + ('a' - 'A') : axis);
    const Quaterniond turn = about({letter == 'x' ? 1. : 0., letter == 'y' ? 1. : 0., letter == 'z' ? 1. : 0.}, unit * angle[i]);
    q = fixed ? turn * q : q * turn;
  }
  return normalized(q);
}

}  // namespace

double to_radians(double degrees) { return degrees * (detail::MathConstants<double>::pi / 180); }

Quaterniond rotation_to(const Vec3d& v) {
  const double across = sqrt(v.x * v.x + v.y * v.y);
  // the axis is z cross v; where that vanishes any axis in the plane serves, x by convention
  const Vec3d axis = across > 0 ? Vec3d{-v.y / across, v.x / across, 0} : Vec3d{1, 0, 0};
  return about(axis, atan2(across, v.z));
}

Result<Quaterniond> make_rotation(const Orientation& orientation, bool degrees, const EulerSequence& sequence) {
  const auto& v = orientation.values;
  const double unit = degrees ? to_radians(1) : 1;
  const Vec3d first{v[0], v[1], v[2]};
  switch (orientation.form) {
    case Orientation::Form::quaternion: {
      const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
      if (length < least_direction) return refuse("is a quaternion without a direction (its length is below 1e-6)");
      return normalized(Quaterniond{v[0], v[1], v[2], v[3]});
    }
    case Orientation::Form::axis_angle: {
      const double length = norm(first);
      if (length < least_direction) return refuse("has an axis without a direction");
      return about((1 / length) * first, unit * v[3]);
    }
    case Orientation::Form::xy_axes:
      return from_axes(first, {v[3], v[4], v[5]});
    case Orientation::Form::z_axis:
      if (norm(first) < least_direction) return refuse("has a z axis without a direction");
      return rotation_to(first);
    case Orientation::Form::euler:
      break;
  }
  return from_euler(v, unit, sequence);
}

}  // namespace trilith::io
