#pragma once
#include <algorithm>
#include <functional>

#include "geom/shapes.h"

namespace trilith::test {

/// Angles from -half to half in `count` steps; inner ones shifted by up to `jitter` of a step.
inline std::vector<double> steps(double half, int count, double jitter = 0, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> angles;
  for (int i = 0; i <= count; ++i) {
    const double shift = i > 0 && i < count ? jitter * random.uniform(-1, 1) : 0;
    angles.push_back(-half + 2 * half * (i + shift) / count);
  }
  return angles;
}

/// A block over or under the cylinder x^2 + z^2 = radius^2, cut at the given angles from the z axis, 1 deep in y. Bulging below the arc,
/// hollow above it.
inline Mesh arch_block(double radius, const std::vector<double>& angles, bool above) {
  std::vector<Vec3d> profile;  // x and z as x and y
  for (const double a : angles) profile.push_back({radius * std::sin(a), radius * std::cos(a), 0});
  const double side = profile.back().x, far = above ? 2 * radius : 0;
  if (above) {
    profile.push_back({side, far, 0});
    profile.push_back({-side, far, 0});
  } else {
    std::reverse(profile.begin(), profile.end());
    profile.push_back({-side, far, 0});
    profile.push_back({side, far, 0});
  }
  Mesh mesh = prism(profile, 0, 1);
  for (Vec3d& p : mesh.vertices) p = {p.x, 1 - p.z, p.y};
  return mesh;
}

/// A block with a curved top or bottom z = height(x, y) over the unit square, meshed in nx times ny quads; flat on the other side.
inline Mesh cushion(const std::function<double(double, double)>& height, int nx, int ny, bool above) {
  Mesh mesh;
  const auto w = static_cast<std::uint32_t>(nx + 1), all = w * static_cast<std::uint32_t>(ny + 1);
  for (const bool curved : {true, false})
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        const double x = double(i) / nx, y = double(j) / ny;
        mesh.vertices.push_back({x, y, curved ? height(x, y) : above ? 2.0 : -2.0});
      }
  const auto add = [&](std::vector<std::uint32_t> face) {
    if (above) std::reverse(face.begin(), face.end());
    mesh.add_face(face);
  };
  const auto n = static_cast<std::uint32_t>(nx), m = static_cast<std::uint32_t>(ny);
  for (std::uint32_t j = 0; j < m; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t k = j * w + i;
      add({k, k + 1, k + w + 1, k + w});
      add({all + k + w, all + k + w + 1, all + k + 1, all + k});
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    add({all + i, all + i + 1, i + 1, i});
    const std::uint32_t k = m * w + i;
    add({k, k + 1, all + k + 1, all + k});
  }
  for (std::uint32_t j = 0; j < m; ++j) {
    const std::uint32_t k = j * w;
    add({k, k + w, all + k + w, all + k});
    add({all + k + n, all + k + w + n, k + w + n, k + n});
  }
  return mesh;
}

}  // namespace trilith::test
