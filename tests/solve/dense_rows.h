#pragma once
#include <vector>

#include "linalg/fixed.h"
#include "rows/patch_rows.h"
#include "support/random.h"

/// Contact rows written out as a plain matrix, point by point in world axes: the reference of the lane kernels.
namespace trilith::test {

struct OwnedPatch {
  rows::PatchDescription description;
  std::vector<Vec3d> points;
};

/// A with 6 rows per block and 3 columns (n, t1, t2) per point, patches in their own order; row-major.
struct DenseRows {
  int rows = 0, columns = 0;
  std::vector<double> value;
  double& at(int r, int c) { return value[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)]; }
  double at(int r, int c) const { return const_cast<DenseRows*>(this)->at(r, c); }

  std::vector<double> times(const std::vector<double>& f) const {
    std::vector<double> x(static_cast<std::size_t>(rows), 0.0);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) x[static_cast<std::size_t>(r)] += at(r, c) * f[static_cast<std::size_t>(c)];
    return x;
  }
  std::vector<double> transposed_times(const std::vector<double>& y) const {
    std::vector<double> f(static_cast<std::size_t>(columns), 0.0);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) f[static_cast<std::size_t>(c)] += at(r, c) * y[static_cast<std::size_t>(r)];
    return f;
  }
};

inline Vec3d axis_of(const Mat3d& m, int column) {
  const auto c = static_cast<std::size_t>(column);
  return {m.m[c], m.m[3 + c], m.m[6 + c]};
}

inline DenseRows dense_rows(int blocks, const std::vector<OwnedPatch>& patches) {
  DenseRows a;
  a.rows = 6 * blocks;
  for (const OwnedPatch& patch : patches) a.columns += 3 * static_cast<int>(patch.points.size());
  a.value.assign(static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(a.columns), 0.0);
  int column = 0;
  for (const OwnedPatch& patch : patches)
    for (const Vec3d& p : patch.points) {
      const Mat3d& r = patch.description.axes;
      const Vec3d at = p.x * axis_of(r, 0) + p.y * axis_of(r, 1) + p.z * axis_of(r, 2);
      for (int k = 0; k < 3; ++k, ++column) {
        const Vec3d f = axis_of(r, k);
        const auto add = [&](int block, Vec3d arm, double sign) {
          if (block < 0) return;
          const Vec3d m = cross(arm + at, f);
          const double wrench[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
          for (int i = 0; i < 6; ++i) a.at(6 * block + i, column) += sign * wrench[i];
        };
        add(patch.description.block_b, patch.description.arm_b, 1);
        add(patch.description.block_a, patch.description.arm_a, -1);
      }
    }
  return a;
}

/// Numbers for the tests of bits: no libm behind them.
inline Vec3d uniform_vector(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}
inline std::vector<double> uniform_numbers(std::size_t count, Random& random) {
  std::vector<double> v(count);
  for (double& x : v) x = random.uniform(-1, 1);
  return v;
}

/// Patches between random blocks (some fixed), 3 to 9 points, random axes and arms. Every block touches a fixed one through a chain.
inline std::vector<OwnedPatch> random_patches(int blocks, int extra, Random& random) {
  std::vector<OwnedPatch> patches;
  const auto add = [&](int a, int b) {
    OwnedPatch patch;
    const Vec3d n = unit(uniform_vector(random)), t1 = unit(cross(n, uniform_vector(random))), t2 = cross(n, t1);
    patch.description.block_a = a;
    patch.description.block_b = b;
    patch.description.axes = {{n.x, t1.x, t2.x, n.y, t1.y, t2.y, n.z, t1.z, t2.z}};
    patch.description.arm_a = uniform_vector(random);
    patch.description.arm_b = uniform_vector(random);
    patch.description.mu = random.uniform(0.1, 1.2);
    for (std::uint64_t i = 3 + random.index(7); i > 0; --i) {
      const Vec3d at = uniform_vector(random);
      patch.points.push_back({0.01 * at.x, at.y, at.z});
    }
    patches.push_back(patch);
  };
  const auto any_below = [&](int block) { return static_cast<int>(random.index(static_cast<std::uint64_t>(block) + 1)) - 1; };
  for (int block = 0; block < blocks; ++block) {
    const int below = any_below(block);
    if (random.coin())
      add(below, block);
    else
      add(block, below);
  }
  for (int i = 0; i < extra; ++i) {
    const int block = static_cast<int>(random.index(static_cast<std::uint64_t>(blocks)));
    add(any_below(block), block);
  }
  return patches;
}

inline rows::PatchRows make_rows(int blocks, const std::vector<OwnedPatch>& patches) {
  std::vector<int> points;
  for (const OwnedPatch& patch : patches) points.push_back(static_cast<int>(patch.points.size()));
  rows::PatchRows rows(blocks, points);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    rows::PatchDescription description = patches[i].description;
    description.points = patches[i].points;
    rows.set(static_cast<int>(i), description);
  }
  return rows;
}

/// (n, t1, t2) of all points one after the other, from and to the lane layout.
inline std::vector<double> flat_from_lanes(const rows::PatchRows& rows, const std::vector<double>& lanes) {
  std::vector<Vec3d> points(static_cast<std::size_t>(rows.points()));
  rows.write_points(lanes, points);
  std::vector<double> flat;
  for (const Vec3d& p : points) flat.insert(flat.end(), {p.x, p.y, p.z});
  return flat;
}
inline std::vector<double> lanes_from_flat(const rows::PatchRows& rows, const std::vector<double>& flat) {
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < flat.size(); i += 3) points.push_back({flat[i], flat[i + 1], flat[i + 2]});
  std::vector<double> lanes(rows.size());
  rows.write_lanes(points, lanes);
  return lanes;
}

}  // namespace trilith::test
