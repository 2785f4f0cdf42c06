#pragma once
#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::geom {

/// Four of `count` points of a plane that hold it up as widely as may be: the deepest, the one furthest from it, the one furthest from
/// the line between, and the one furthest outside of the triangle of these. `at(i, p, depth)` says whether point i takes part. A point
/// replaces an earlier one only where it is better by more than `slack` [m], so that rounding does not choose. Returns how many were
/// picked: fewer where the points are fewer, on a line or in one place. (COL-15)
template <class At>
int pick_spread(int count, const Vec3d& normal, double slack, const At& at, int picked[4]) {
  Vec3d corner[3];
  const auto furthest = [&](auto&& measure, double least, int& chosen) {
    Vec3d p{};
    double depth = 0, best = least;
    chosen = -1;
    for (int i = 0; i < count; ++i) {
      if (!at(i, p, depth)) continue;
      const double value = measure(p, depth);
      if (chosen < 0 ? value > best : value > best + slack) chosen = i, best = value;
    }
    return chosen >= 0;
  };
  const auto keep = [&](int k) {
    double depth = 0;
    at(picked[k], corner[k], depth);
  };
  if (!furthest([](const Vec3d&, double depth) { return depth; }, -1e300, picked[0])) return 0;
  keep(0);
  if (!furthest([&](const Vec3d& p, double) { return norm(p - corner[0]); }, slack, picked[1])) return 1;
  keep(1);
  const Vec3d across = unit(cross(normal, corner[1] - corner[0]));
  if (!furthest([&](const Vec3d& p, double) { return abs(dot(across, p - corner[0])); }, slack, picked[2])) return 2;
  keep(2);
  const double turn = dot(across, corner[2] - corner[0]) > 0 ? 1 : -1;
  Vec3d outward[3];
  for (int k = 0; k < 3; ++k) outward[k] = unit(cross(turn * (corner[(k + 1) % 3] - corner[k]), normal));
  const auto outside = [&](const Vec3d& p, double) {
    double most = dot(outward[0], p - corner[0]);
    for (int k = 1; k < 3; ++k) most = max(most, dot(outward[k], p - corner[k]));
    return most;
  };
  return furthest(outside, slack, picked[3]) ? 4 : 3;
}

}  // namespace trilith::geom
