#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "geom/mass_properties.h"
#include "linalg/fixed.h"
#include "model/assembly.h"

/// Assemblies made by hand, with meshes and interfaces, for tests of rows and rungs. SI units, z up unless turned.
namespace trilith::test {

inline constexpr double test_density = 2400;

/// A prism: the polygon `section` (counter-clockwise seen from -y, in x and z) between y = -depth/2 and y = depth/2.
inline std::uint32_t add_prism(model::Assembly& assembly, const std::vector<std::pair<double, double>>& section, double depth, bool fixed) {
  model::Block block;
  block.id.assign(1, 'b');
  block.id += std::to_string(assembly.blocks.size());
  block.fixed = fixed;
  const auto n = static_cast<std::uint32_t>(section.size());
  std::vector<std::uint32_t> front, back;
  for (const auto& [x, z] : section) block.mesh.vertices.push_back({x, -depth / 2, z});
  for (const auto& [x, z] : section) block.mesh.vertices.push_back({x, depth / 2, z});
  for (std::uint32_t i = 0; i < n; ++i) {
    front.push_back(i);
    back.push_back(2 * n - 1 - i);
    const std::uint32_t j = (i + 1) % n, side[4] = {i, n + i, n + j, j};
    block.mesh.add_face(side);
  }
  block.mesh.add_face(front);
  block.mesh.add_face(back);
  const geom::MassProperties m = geom::measure_mass_properties(block.mesh);
  block.density = test_density;
  block.volume = m.volume;
  block.mass = block.density * block.volume;
  block.com = m.com;
  block.box = geom::bounding_box(block.mesh);
  block.size = geom::longest_side(block.box);
  assembly.blocks.push_back(std::move(block));
  return static_cast<std::uint32_t>(assembly.blocks.size() - 1);
}

// NOLINTNEXTLINE(readability-function-size): two corners read best as numbers
inline std::uint32_t add_box(model::Assembly& assembly, double x0, double x1, double z0, double z1, double depth, bool fixed) {
  return add_prism(assembly, {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}}, depth, fixed);
}

/// The rectangle over the segment (x0, z0) - (x1, z1) and the whole depth; the normal is the segment turned left, which must lead from a to
/// b.
// NOLINTNEXTLINE(readability-function-size)
inline void add_joint(model::Assembly& assembly, std::uint32_t a, std::uint32_t b, std::pair<double, double> from,
                      std::pair<double, double> to, double depth, double mu) {
  const Vec3d p{from.first, -depth / 2, from.second}, q{to.first, -depth / 2, to.second}, across{0, depth, 0};
  model::Interface interface;
  interface.a = a;
  interface.b = b;
  interface.mu = mu;
  interface.t1 = unit(q - p);
  interface.t2 = {0, 1, 0};
  interface.normal = cross(interface.t1, interface.t2);
  interface.polygon = {p, q, q + across, p + across};
  assembly.interfaces.push_back(interface);
}

inline model::Assembly empty_assembly() {
  model::Assembly assembly;
  assembly.gravity = {0, 0, -9.80665};
  return assembly;
}

/// `height` boxes of 1 x .5 x .25 on a ground, the k-th shifted by k times `shift` in x.
inline model::Assembly stack(int height, double shift, double mu = 0.84) {
  model::Assembly assembly = empty_assembly();
  std::uint32_t below = add_box(assembly, -2, 3, -1, 0, 0.5, true);
  double left = 0;
  for (int k = 0; k < height; ++k) {
    const double x = k * shift, z = 0.25 * k;
    const std::uint32_t block = add_box(assembly, x, x + 1, z, z + 0.25, 0.5, false);
    add_joint(assembly, below, block, {k == 0 ? x : std::max(x, left), z}, {k == 0 ? x + 1 : std::min(x, left) + 1, z}, 0.5, mu);
    below = block;
    left = x;
  }
  return assembly;
}

/// A box of 1 x .5 x .25 on a plane; gravity is turned by `angle` about y, so that it slides towards +x where tan(angle) > mu.
inline model::Assembly incline(double angle, double mu) {
  model::Assembly assembly = stack(1, 0, mu);
  assembly.gravity = 9.80665 * Vec3d{std::sin(angle), 0, -std::cos(angle)};
  return assembly;
}

/// A semicircular arch of `count` voussoirs, centreline radius 1, ring `thickness`, depth .25, on two fixed blocks.
inline model::Assembly arch(int count, double thickness, double mu = 0.84) {
  model::Assembly assembly = empty_assembly();
  const double inner = 1 - thickness / 2, outer = 1 + thickness / 2, depth = 0.25, pi = 3.14159265358979323846;
  const auto at = [&](double radius, int i) {
    return std::pair(radius * std::cos(i * pi / count), i == 0 || i == count ? 0.0 : radius * std::sin(i * pi / count));
  };
  std::uint32_t last = add_box(assembly, inner, outer, -0.1, 0, depth, true);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t stone = add_prism(assembly, {at(inner, i), at(outer, i), at(outer, i + 1), at(inner, i + 1)}, depth, false);
    add_joint(assembly, last, stone, at(inner, i), at(outer, i), depth, mu);
    last = stone;
  }
  const std::uint32_t right = add_box(assembly, -outer, -inner, -0.1, 0, depth, true);
  add_joint(assembly, last, right, at(inner, count), at(outer, count), depth, mu);
  return assembly;
}

/// Running bond of `columns` blocks (.25 x .125 x .125) by `courses`; half blocks end every second course.
inline model::Assembly wall(int columns, int courses, double mu = 0.84) {
  model::Assembly assembly = empty_assembly();
  const double length = 0.25, height = 0.125, depth = 0.125;
  std::vector<double> below{0, columns * length};
  std::uint32_t first_below = add_box(assembly, 0, columns * length, -height, 0, depth, true);
  for (int y = 0; y < courses; ++y) {
    std::vector<double> here;
    for (int i = 0; i <= columns; ++i) here.push_back(i * length);
    if (y % 2 == 1) {
      for (double& x : here) x = std::max(0.0, x - length / 2);
      here.push_back(columns * length);
    }
    const auto first = static_cast<std::uint32_t>(assembly.blocks.size());
    const double z = y * height;
    for (std::size_t i = 0; i + 1 < here.size(); ++i) {
      const std::uint32_t block = add_box(assembly, here[i], here[i + 1], z, z + height, depth, false);
      if (i > 0) add_joint(assembly, block - 1, block, {here[i], z + height}, {here[i], z}, depth, mu);
      for (std::size_t k = 0; k + 1 < below.size(); ++k) {
        const double left = std::max(here[i], below[k]), right = std::min(here[i + 1], below[k + 1]);
        if (right - left > 1e-9) add_joint(assembly, first_below + static_cast<std::uint32_t>(k), block, {left, z}, {right, z}, depth, mu);
      }
    }
    below = here;
    first_below = first;
  }
  return assembly;
}

/// Every point and direction through `map` (a rotation, a mirror) and then `shift`; centres of mass are measured again.
template <class Map>
model::Assembly moved(model::Assembly assembly, const Map& map, Vec3d shift) {
  assembly.gravity = map(assembly.gravity);
  for (model::Block& block : assembly.blocks) {
    for (Vec3d& v : block.mesh.vertices) v = map(v) + shift;
    block.com = geom::measure_mass_properties(block.mesh).com;
    block.box = geom::bounding_box(block.mesh);
  }
  for (model::Interface& interface : assembly.interfaces) {
    interface.normal = map(interface.normal);
    interface.t1 = map(interface.t1);
    interface.t2 = cross(interface.normal, interface.t1);
    for (Vec3d& p : interface.polygon) p = map(p) + shift;
  }
  return assembly;
}

}  // namespace trilith::test
