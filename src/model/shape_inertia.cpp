// Implements (INE-1): closed forms of the primitives.
#include "model/shape_inertia.h"

#include <numbers>

#include "base/math.h"

namespace trilith::model {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double shell_layer = 1e-6;      // m: thickness that stands for the shell of an ellipsoid
constexpr double thomsen_power = 1.6075;  // area of an ellipsoid, relative error at most 1.061 %

ShapeInertia about_axes(double extent, const Vec3d& moments) { return {extent, {1, {0, 0, 0}, diagonal3(moments)}}; }

ShapeInertia sphere(double r, bool shell) {
  const double moment = r * r * (shell ? 2.0 / 3 : 0.4);
  return about_axes(shell ? 4 * pi * r * r : 4 * pi / 3 * r * r * r, {moment, moment, moment});
}

/// Tube and two half spheres; the middle of a half sphere's mass lies 3/8 r (shell: r/2) beyond the end of the tube.
ShapeInertia capsule(double r, double half, bool shell) {
  const double h = 2 * half;
  const double ball = shell ? 4 * pi * r * r : 4 * pi / 3 * r * r * r, tube = (shell ? 2 * pi * r : pi * r * r) * h;
  const double of_ball = ball / (ball + tube), of_tube = tube / (ball + tube);
  const double offset = (shell ? 0.5 : 0.375) * r;
  const double ball_axis = of_ball * r * r * (shell ? 2.0 / 3 : 0.4), tube_axis = of_tube * r * r * (shell ? 1.0 : 0.5);
  const double across = of_tube * ((shell ? 6 : 3) * r * r + h * h) / 12 + ball_axis + of_ball * half * (half + 2 * offset);
  return about_axes(ball + tube, {across, across, ball_axis + tube_axis});
}

ShapeInertia cylinder(double r, double half, bool shell) {
  const double h = 2 * half;
  if (!shell) {
    const double across = (3 * r * r + h * h) / 12;
    return about_axes(pi * r * r * h, {across, across, r * r / 2});
  }
  const double disk = pi * r * r, tube = 2 * pi * r * h, area = 2 * disk + tube;
  const double across = tube / area * (6 * r * r + h * h) / 12 + 2 * disk / area * (r * r / 4 + half * half);
  return about_axes(area, {across, across, tube / area * r * r + 2 * disk / area * r * r / 2});
}

ShapeInertia ellipsoid(const Vec3d& s, bool shell) {
  const auto square = [](const Vec3d& a) { return Vec3d{a.x * a.x, a.y * a.y, a.z * a.z}; };
  const auto moments = [&](const Vec3d& a) {
    const Vec3d q = square(a);
    return 0.2 * Vec3d{q.y + q.z, q.x + q.z, q.x + q.y};
  };
  const double volume = 4 * pi / 3 * s.x * s.y * s.z;
  if (!shell) return about_axes(volume, moments(s));
  const auto raised = [](double x) { return exp(thomsen_power * log(x)); };
  const double area = 4 * pi * exp(log((raised(s.x * s.y) + raised(s.y * s.z) + raised(s.z * s.x)) / 3) / thomsen_power);
  const Vec3d outer{s.x + shell_layer, s.y + shell_layer, s.z + shell_layer};
  const double outer_volume = 4 * pi / 3 * outer.x * outer.y * outer.z, layer = outer_volume - volume;
  return about_axes(area, (outer_volume / layer) * moments(outer) - (volume / layer) * moments(s));
}

ShapeInertia box(const Vec3d& s, bool shell) {
  const double xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
  if (!shell) return about_axes(8 * s.x * s.y * s.z, Vec3d{(yy + zz) / 3, (xx + zz) / 3, (xx + yy) / 3});
  // pairs of faces: across x, y, z. A face has mean square s^2 / 3 along its sides and s^2 across
  const double ax = s.y * s.z, ay = s.z * s.x, az = s.x * s.y, sum = ax + ay + az;
  const double mx = xx * (ax + (ay + az) / 3) / sum, my = yy * (ay + (az + ax) / 3) / sum, mz = zz * (az + (ax + ay) / 3) / sum;
  return about_axes(8 * sum, {my + mz, mx + mz, mx + my});
}

}  // namespace

ShapeInertia shape_inertia(const Geom& geom, const HeightFieldAsset* field) {
  const Vec3d& s = geom.size;
  switch (geom.kind) {
    case GeomKind::sphere:
      return sphere(s.x, geom.shell);
    case GeomKind::capsule:
      return capsule(s.x, s.y, geom.shell);
    case GeomKind::cylinder:
      return cylinder(s.x, s.y, geom.shell);
    case GeomKind::ellipsoid:
      return ellipsoid(s, geom.shell);
    case GeomKind::box:
      return box(s, geom.shell);
    case GeomKind::hfield:
      if (field == nullptr) return {};
      return box({field->size[0], field->size[1], 0.25 * field->size[2] + 0.5 * field->size[3]}, geom.shell);
    case GeomKind::plane:
    case GeomKind::mesh:
      break;
  }
  return {};
}

}  // namespace trilith::model
