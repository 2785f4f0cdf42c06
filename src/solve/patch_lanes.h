#pragma once
/// Statics of eight patches at once, for kernel sources: twist of the bodies to a patch, wrench of a patch to its bodies, the 6 x 6 wrench
/// matrix. All of it about the patch origin, moved to the two bodies once per patch (RBE-1, RBE-2).

#include "linalg/fixed.h"
#include "rows/patch_rows.h"

namespace trilith::solve {
TRI_ISA_BEGIN

using LaneVec = Vec3<Double8>;
using LaneMat = Mat3<Double8>;

/// A force and moment, or a linear and angular velocity.
struct LaneScrew {
  LaneVec linear, angular;
};

TRI_INLINE LaneVec load3(const double (&from)[3][rows::patch_lanes]) {
  return {Double8::load(from[0]), Double8::load(from[1]), Double8::load(from[2])};
}
TRI_INLINE LaneVec load3(const double* from) {
  return {Double8::load(from), Double8::load(from + rows::patch_lanes), Double8::load(from + 2 * rows::patch_lanes)};
}
TRI_INLINE void store3(const LaneVec& v, double* to) {
  v.x.store(to);
  v.y.store(to + rows::patch_lanes);
  v.z.store(to + 2 * rows::patch_lanes);
}
TRI_INLINE LaneMat load_axes(const rows::PatchGroup& group) {
  LaneMat r;
  for (int i = 0; i < 9; ++i) r.m[i] = Double8::load(group.axes[i]);
  return r;
}

TRI_INLINE LaneVec rotate(const LaneMat& r, const LaneVec& v) {
  return {r.m[0] * v.x + r.m[1] * v.y + r.m[2] * v.z, r.m[3] * v.x + r.m[4] * v.y + r.m[5] * v.z,
          r.m[6] * v.x + r.m[7] * v.y + r.m[8] * v.z};
}
TRI_INLINE LaneVec rotate_back(const LaneMat& r, const LaneVec& v) {
  return {r.m[0] * v.x + r.m[3] * v.y + r.m[6] * v.z, r.m[1] * v.x + r.m[4] * v.y + r.m[7] * v.z,
          r.m[2] * v.x + r.m[5] * v.y + r.m[8] * v.z};
}

/// What a lane without a body reads. Internal linkage: a static of the inline function would be a weak symbol.
constexpr double no_body[6] = {};

/// Six numbers of each lane's body out of a vector of six per body; zero where the lane has none.
TRI_INLINE LaneScrew gather(const double* y, const std::int32_t* body) {
  alignas(64) double part[6][rows::patch_lanes];
  for (int lane = 0; lane < rows::patch_lanes; ++lane) {
    const double* from = body[lane] >= 0 ? y + 6 * body[lane] : no_body;
    for (int i = 0; i < 6; ++i) part[i][lane] = from[i];
  }
  return {{Double8::load(part[0]), Double8::load(part[1]), Double8::load(part[2])},
          {Double8::load(part[3]), Double8::load(part[4]), Double8::load(part[5])}};
}

/// Adds `sign` times each lane's six numbers to its body, lane after lane.
TRI_INLINE void scatter(const LaneScrew& s, const std::int32_t* body, double sign, double* x) {
  alignas(64) double part[6][rows::patch_lanes];
  store3(s.linear, part[0]);
  store3(s.angular, part[3]);
  for (int lane = 0; lane < rows::patch_lanes; ++lane) {
    if (body[lane] < 0) continue;
    double* to = x + 6 * body[lane];
    for (int i = 0; i < 6; ++i) to[i] += sign * part[i][lane];
  }
}

/// Velocity of b relative to a at the patch origin, in contact axes.
TRI_INLINE LaneScrew relative_twist(const rows::PatchGroup& group, const double* y) {
  const LaneScrew a = gather(y, group.block_a), b = gather(y, group.block_b);
  const LaneVec v = (b.linear + cross(b.angular, load3(group.arm_b))) - (a.linear + cross(a.angular, load3(group.arm_a)));
  const LaneMat axes = load_axes(group);
  return {rotate_back(axes, v), rotate_back(axes, b.angular - a.angular)};
}

/// Velocity at a point of the patch, contact axes; zero in unused lanes.
TRI_INLINE LaneVec point_velocity(const LaneScrew& twist, const rows::PatchSlot& slot) {
  return Double8::load(slot.used) * (twist.linear + cross(twist.angular, load3(slot.at)));
}

/// Adds the wrench of a force at a point to the patch's wrench about its origin, contact axes.
TRI_INLINE void add_wrench(const rows::PatchSlot& slot, const LaneVec& force, LaneScrew& wrench) {
  wrench.linear = wrench.linear + force;
  wrench.angular = wrench.angular + cross(load3(slot.at), force);
}

/// Adds a patch's wrench (about its origin, contact axes) to body b and subtracts it from body a.
TRI_INLINE void add_to_bodies(const rows::PatchGroup& group, const LaneScrew& wrench, double* x) {
  const LaneMat axes = load_axes(group);
  const LaneVec force = rotate(axes, wrench.linear), moment = rotate(axes, wrench.angular);
  scatter({force, moment + cross(load3(group.arm_b), force)}, group.block_b, 1, x);
  scatter({force, moment + cross(load3(group.arm_a), force)}, group.block_a, -1, x);
}

/// Sum of X C X' over the points of a patch with X = [1; [r]]: force-force and moment-moment are symmetric (00 01 02 11 12 22), the rows of
/// moment_force are moments.
struct WrenchMatrix {
  Double8 force_force[6], moment_force[9], moment_moment[6];
};

TRI_INLINE void set_zero(WrenchMatrix& k) {
  for (Double8& entry : k.force_force) entry = Double8(0);
  for (Double8& entry : k.moment_force) entry = Double8(0);
  for (Double8& entry : k.moment_moment) entry = Double8(0);
}

/// Adds a point with a symmetric 3 x 3 weight (00 01 02 11 12 22), contact axes.
TRI_INLINE void add_point(const rows::PatchSlot& slot, const Double8 (&weight)[6], WrenchMatrix& k) {
  const LaneVec r = load3(slot.at);
  const Double8 used = Double8::load(slot.used);
  Double8 c[6];
  for (int i = 0; i < 6; ++i) k.force_force[i] += c[i] = used * weight[i];
  const LaneVec column[3] = {cross(r, LaneVec{c[0], c[1], c[2]}), cross(r, LaneVec{c[1], c[3], c[4]}), cross(r, LaneVec{c[2], c[4], c[5]})};
  for (int i = 0; i < 3; ++i) {
    k.moment_force[i] += column[i].x;
    k.moment_force[3 + i] += column[i].y;
    k.moment_force[6 + i] += column[i].z;
  }
  const LaneVec row0 = cross(r, LaneVec{column[0].x, column[1].x, column[2].x});
  const LaneVec row1 = cross(r, LaneVec{column[0].y, column[1].y, column[2].y});
  const LaneVec row2 = cross(r, LaneVec{column[0].z, column[1].z, column[2].z});
  k.moment_moment[0] += row0.x;
  k.moment_moment[1] += row0.y;
  k.moment_moment[2] += row0.z;
  k.moment_moment[3] += row1.y;
  k.moment_moment[4] += row1.z;
  k.moment_moment[5] += row2.z;
}

/// The same for unit weights: one, [r], |r|^2 - r r'.
TRI_INLINE void add_point(const rows::PatchSlot& slot, WrenchMatrix& k) {
  const LaneVec r = load3(slot.at);
  const Double8 used = Double8::load(slot.used);
  const LaneVec s = used * r;
  for (const int i : {0, 3, 5}) k.force_force[i] += used;
  k.moment_force[1] -= s.z;
  k.moment_force[2] += s.y;
  k.moment_force[3] += s.z;
  k.moment_force[5] -= s.x;
  k.moment_force[6] -= s.y;
  k.moment_force[7] += s.x;
  const Double8 xx = s.x * r.x, yy = s.y * r.y, zz = s.z * r.z;
  k.moment_moment[0] += yy + zz;
  k.moment_moment[1] -= s.x * r.y;
  k.moment_moment[2] -= s.x * r.z;
  k.moment_moment[3] += xx + zz;
  k.moment_moment[4] -= s.y * r.z;
  k.moment_moment[5] += xx + yy;
}

TRI_ISA_END
}  // namespace trilith::solve
