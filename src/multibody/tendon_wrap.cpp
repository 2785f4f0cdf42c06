// Implements (DYN-8) and (DYN-9).
#include "multibody/tendon_wrap.h"

#include "base/math.h"

namespace trilith::multibody {
namespace {

constexpr double tiny = 1e-15;  // below this a length (m), or an angle (rad), is none
constexpr double two_pi = 6.283185307179586;
constexpr double crossed = -10000;  // merit of a way that crosses itself: below any other

struct Vec2 {
  double x, y;
};
Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
double norm(Vec2 a) { return trilith::sqrt(dot(a, a)); }
Vec2 unit(Vec2 a) {
  const double length = norm(a);
  return length < tiny ? Vec2{1, 0} : (1 / length) * a;
}
double asin(double x) { return trilith::atan2(x, trilith::sqrt(max((1 - x) * (1 + x), 0.0))); }

/// The way in the plane of the circle.
struct PlaneWrap {
  Vec2 first, second;
  double arc;
};

/// True where the segments a0 a1 and b0 b1 meet.
bool segments_meet(Vec2 a0, Vec2 a1, Vec2 b0, Vec2 b1) {
  const Vec2 a = a1 - a0, b = b1 - b0, between = b0 - a0;
  const double det = cross(a, b);
  if (abs(det) < tiny) return false;
  const double on_a = cross(between, b) / det, on_b = cross(between, a) / det;
  return on_a >= 0 && on_a <= 1 && on_b >= 0 && on_b <= 1;
}

/// The point of the segment nearest to the centre.
Vec2 nearest_to_centre(Vec2 p0, Vec2 p1, double square) {
  const Vec2 along = p1 - p0;
  const double at = -dot(along, p0) / square;
  return p0 + min(max(at, 0.0), 1.0) * along;
}

/// Where the tangent from p touches the circle; `turn` +1: to the left of the way to the centre.
Vec2 touch(Vec2 p, double radius, double turn) {
  const double square = dot(p, p), leg = trilith::sqrt(max(square - radius * radius, 0.0));
  return (radius / square) * Vec2{radius * p.x - turn * leg * p.y, radius * p.y + turn * leg * p.x};
}

/// Around the outside, on the given side or the shorter way. (DYN-8)
std::optional<PlaneWrap> wrap_outside(Vec2 p0, Vec2 p1, double radius, const Vec2* side) {
  const Vec2 along = p1 - p0;
  const double square = dot(along, along);
  if (dot(p0, p0) < radius * radius || dot(p1, p1) < radius * radius || radius < tiny || square < tiny) return std::nullopt;
  const Vec2 nearest = nearest_to_centre(p0, p1, square);
  if (dot(nearest, nearest) > radius * radius && (side == nullptr || dot(*side, nearest) >= 0)) return std::nullopt;

  PlaneWrap best{};
  double best_merit = 0;
  for (const double turn : {1.0, -1.0}) {
    const Vec2 first = touch(p0, radius, turn), second = touch(p1, radius, -turn);
    double merit = side != nullptr ? dot(unit(first + second), *side) : -dot(first - second, first - second);
    if (segments_meet(p0, first, p1, second)) merit = crossed;
    double angle = turn * trilith::atan2(cross(first, second), dot(first, second));
    if (angle < 0) angle += two_pi;
    if (turn == 1.0 || merit > best_merit) best = {first, second, radius * angle}, best_merit = merit;
  }
  if (best_merit == crossed) return std::nullopt;
  return best;
}

/// z = sin of the angle between string and radius at the touch; nothing where the method leaves its range. (DYN-9)
std::optional<double> solve_reflection(double ratio0, double ratio1, double between, const WrapSettings& settings) {
  const auto residual = [&](double z) { return asin(ratio0 * z) + asin(ratio1 * z) - 2 * asin(z) + between; };
  const auto slope_part = [](double ratio, double z) { return ratio / max(tiny, trilith::sqrt(1 - z * z * ratio * ratio)); };
  double z = settings.first, f = residual(z);
  if (f > 0) return std::nullopt;
  int iteration = 0;
  for (; iteration < settings.most_iterations && abs(f) > settings.tolerance; ++iteration) {
    const double slope = slope_part(ratio0, z) + slope_part(ratio1, z) - 2 * slope_part(1, z);
    if (slope > -tiny) return std::nullopt;
    const double next = z - f / slope;
    if (next > z) return std::nullopt;
    z = next;
    f = residual(z);
    if (f > settings.tolerance) return std::nullopt;
  }
  if (iteration == settings.most_iterations) return std::nullopt;
  return z;
}

/// Through the inside of the circle: touches it at one point, like light at a mirror.
std::optional<PlaneWrap> wrap_inside(Vec2 p0, Vec2 p1, double radius, const WrapSettings& settings) {
  const double d0 = norm(p0), d1 = norm(p1);
  const Vec2 along = p1 - p0;
  const double square = dot(along, along);
  if (d0 <= radius || d1 <= radius || radius < tiny || d0 < tiny || d1 < tiny) return std::nullopt;
  if (square > tiny) {
    const double at = -dot(along, p0) / square;
    if (at > 0 && at < 1 && norm(p0 + at * along) <= radius) return std::nullopt;
  }
  const double cosine = (d0 * d0 + d1 * d1 - square) / (2 * d0 * d1);
  if (cosine < -1 + tiny) return std::nullopt;
  // where the equation cannot be solved: towards the middle of the two points
  const Vec2 middle = radius * unit(0.5 * (p0 + p1));
  const PlaneWrap fallback{middle, middle, 0};
  if (cosine > 1 - tiny) return fallback;
  const double between = trilith::atan2(trilith::sqrt(max((1 - cosine) * (1 + cosine), 0.0)), cosine);
  const std::optional<double> z = solve_reflection(radius / d0, radius / d1, between, settings);
  if (!z) return fallback;
  const bool left = cross(p0, p1) > 0;
  const Vec2 start = unit(left ? p0 : p1);
  const SinCos<double> turn = trilith::sincos(asin(*z) - asin(radius / (left ? d0 : d1) * *z));
  const Vec2 at = radius * Vec2{turn.cos * start.x - turn.sin * start.y, turn.sin * start.x + turn.cos * start.y};
  return PlaneWrap{at, at, 0};
}

/// Axes of the circle's plane in G: the x and y axes of a cylinder; of a sphere the plane through its centre and both points.
struct Axes {
  Vec3d x, y;
};
Axes plane_axes(WrapShape shape, const Vec3d& p0, const Vec3d& p1) {
  if (shape == WrapShape::cylinder) return {{1, 0, 0}, {0, 1, 0}};
  const Vec3d x = unit(p0);
  Vec3d normal = cross(p0, p1);
  if (norm(normal) < tiny) {  // in line with the centre: any plane, away from the largest component
    const double ax = abs(x.x), ay = abs(x.y), az = abs(x.z);
    Vec3d other{0, 1, 1};
    if (ay > ax && ay > az) other = {1, 0, 1};
    if (az > ax && az > ay) other = {1, 1, 0};
    normal = cross(x, other);
  }
  return {x, unit(cross(unit(normal), x))};
}

}  // namespace

std::optional<Wrap> wrap_around(const WrapObstacle& obstacle, const Vec3d& p0_W, const Vec3d& p1_W, const Vec3d* side_W,
                                const WrapSettings& settings) noexcept {
  const auto& [shape, X_WG, radius] = obstacle;
  const Vec3d p0 = inverse_transform_point(X_WG, p0_W), p1 = inverse_transform_point(X_WG, p1_W);
  if (norm(p0) < tiny || norm(p1) < tiny) return std::nullopt;
  const Axes axes = plane_axes(shape, p0, p1);
  const auto in_plane = [&](const Vec3d& p) { return Vec2{dot(p, axes.x), dot(p, axes.y)}; };
  const Vec2 end0 = in_plane(p0), end1 = in_plane(p1);

  std::optional<PlaneWrap> wrap;
  if (side_W != nullptr) {
    const Vec3d side = inverse_transform_point(X_WG, *side_W);
    const Vec2 towards = radius * unit(in_plane(side));
    wrap = norm(side) < radius ? wrap_inside(end0, end1, radius, settings) : wrap_outside(end0, end1, radius, &towards);
  } else {
    wrap = wrap_outside(end0, end1, radius, nullptr);
  }
  if (!wrap) return std::nullopt;

  Vec3d first = wrap->first.x * axes.x + wrap->first.y * axes.y, second = wrap->second.x * axes.x + wrap->second.y * axes.y;
  double arc = wrap->arc;
  if (shape == WrapShape::cylinder) {  // a helix: height grows evenly with the length in the plane
    const double leg0 = norm(end0 - wrap->first), leg1 = norm(end1 - wrap->second), rise = (p1.z - p0.z) / (leg0 + arc + leg1);
    first.z = p0.z + rise * leg0;
    second.z = p0.z + rise * (leg0 + arc);
    const double height = second.z - first.z;
    arc = trilith::sqrt(arc * arc + height * height);
  }
  return Wrap{transform_point(X_WG, first), transform_point(X_WG, second), arc};
}

}  // namespace trilith::multibody
