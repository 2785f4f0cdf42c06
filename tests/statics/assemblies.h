#pragma once
#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "linalg/fixed.h"
#include "model/find_interfaces.h"
#include "model/generate.h"
#include "model/make_assembly.h"
#include "statics/check.h"

namespace trilith::test {

/// The input made into an assembly with detected interfaces; the test fails where it is refused.
inline model::Assembly assemble(model::AssemblyInput input, const model::AssemblyOptions& options = {}) {
  auto made = model::make_assembly(std::move(input), options);
  if (!made.ok()) {
    ADD_FAILURE() << made.errors()[0].where << ": " << made.errors()[0].what;
    return {};
  }
  model::Assembly assembly = std::move(made).value();
  if (!assembly.interfaces_given) model::find_interfaces(assembly, {}, 1);
  return assembly;
}

inline statics::CheckResult judge(const model::Assembly& assembly, statics::SolverChoice solver = statics::SolverChoice::automatic) {
  statics::CheckSettings settings;
  settings.solver = solver;
  return statics::check(assembly, settings);
}

/// A rigid motion, a scale and a mirror of everything, gravity included.
struct Transform {
  Mat3d axes{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  Vec3d shift{0, 0, 0};
  double scale = 1;
  bool mirror = false;

  Vec3d turn(const Vec3d& v) const {
    const Vec3d m{mirror ? -v.x : v.x, v.y, v.z};
    const double* a = axes.m;
    return {a[0] * m.x + a[1] * m.y + a[2] * m.z, a[3] * m.x + a[4] * m.y + a[5] * m.z, a[6] * m.x + a[7] * m.y + a[8] * m.z};
  }
  Vec3d point(const Vec3d& p) const { return scale * turn(p) + shift; }
};

/// Rotation by Euler angles about z, y, x.
inline Mat3d rotation(double a, double b, double c) {
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b), cc = std::cos(c), sc = std::sin(c);
  return {{ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc, sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc, -sb, cb * sc,
           cb * cc}};
}

inline model::AssemblyInput transformed(model::AssemblyInput input, const Transform& t) {
  for (model::BlockInput& block : input.blocks) {
    for (Vec3d& v : block.mesh.vertices) v = t.point(v);
    if (!t.mirror) continue;
    for (std::size_t f = 0; f < block.mesh.face_count(); ++f)
      std::reverse(block.mesh.face_vertex.begin() + block.mesh.face_start[f],
                   block.mesh.face_vertex.begin() + block.mesh.face_start[f + 1]);
  }
  input.gravity = t.turn(input.gravity.value_or(Vec3d{0, 0, -9.80665}));
  return input;
}

}  // namespace trilith::test
