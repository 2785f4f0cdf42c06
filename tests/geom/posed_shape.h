#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geom/collide.h"
#include "spatial/pose.h"
#include "support/random.h"

namespace trilith::test {

using geom::ContactPoint;
using geom::Shape;
using geom::ShapeKind;

struct PosedShape {
  Shape shape;
  Posed X = identity_pose<double>();
};

inline Mat3d random_rotation(Random& random) {
  const Vec3d x = random.direction(), y = unit(cross(x, random.direction()));
  return from_columns(x, y, cross(x, y));
}
/// About the x axis by `x`, then about the z axis by `z`, rad.
inline Mat3d turned(double x, double z) {
  const Mat3d about_x{{1, 0, 0, 0, std::cos(x), -std::sin(x), 0, std::sin(x), std::cos(x)}};
  const Mat3d about_z{{std::cos(z), -std::sin(z), 0, std::sin(z), std::cos(z), 0, 0, 0, 1}};
  return about_z * about_x;
}

inline Vec3d random_size(Random& random) { return {random.uniform(0.05, 0.3), random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)}; }

inline std::vector<ContactPoint> contacts(const PosedShape& a, const PosedShape& b, double margin = 0) {
  std::vector<ContactPoint> out(64);
  const auto found = geom::collide(a.shape, a.X, b.shape, b.X, margin, out);
  out.resize(static_cast<std::size_t>(found.count));
  return out;
}
inline double least_distance(const std::vector<ContactPoint>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint& p : points) least = std::min(least, p.distance);
  return least;
}
/// Largest difference of the sorted distances; infinite where the numbers differ.
inline double distance_difference(std::vector<double> a, std::vector<double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}
inline std::vector<double> distances(const std::vector<ContactPoint>& points) {
  std::vector<double> out;
  for (const ContactPoint& p : points) out.push_back(p.distance);
  return out;
}

}  // namespace trilith::test
