#pragma once
#include "multibody/tree.h"

/// Trees that benches and tests time: written down here, no file is read.
namespace trilith::bench {

/// A serial arm of seven hinges with the proportions of light industrial arms: 1.3 m long, 22 kg, neighbouring axes at right angles. The
/// last body is the tool flange.
inline multibody::TreeInput arm7() {
  using multibody::LinkKind;
  constexpr double length[7] = {0.34, 0, 0.4, 0, 0.4, 0, 0.126}, mass[7] = {5.8, 6.3, 3.5, 3.4, 1.9, 2.1, 0.4};
  const Mat3d up{{1, 0, 0, 0, 0, -1, 0, 1, 0}}, down{{1, 0, 0, 0, 0, 1, 0, -1, 0}}, straight = identity3<double>();
  const Mat3d turn[7] = {straight, down, up, up, down, down, up};
  multibody::TreeInput input;
  for (int i = 0; i < 7; ++i) {
    const double half = i % 2 == 0 ? 0.1 : 0.16;
    const Vec3d com{0.004 * i, i % 2 == 0 ? -0.03 : 0.06, i % 2 == 0 ? 0.07 : 0.03};
    Inertiad inertia = box_inertia(mass[i], Vec3d{0.13, 0.14, 2 * half});
    inertia.com = com;
    inertia.about_com.m[1] = inertia.about_com.m[3] = 1e-3 * mass[i];
    input.links.push_back({.parent = i - 1, .X_PJ = {turn[i], turn[i] * Vec3d{0, 0, length[i]}}, .inertia = inertia});
  }
  input.bodies.push_back({6, {straight, {0, 0, 0.05}}});
  return input;
}

/// A figure of 27 hinges on a free base (33 degrees of freedom): a trunk of three, a head of two, two arms of five and two legs of six.
inline multibody::TreeInput figure33() {
  multibody::TreeInput input;
  const int base = multibody::add_free_link(input, box_inertia(12.0, Vec3d{0.2, 0.3, 0.2}));
  const auto add = [&input](int parent, int axis, const Vec3d& p, double mass) {
    const Mat3d to[3] = {{{0, 0, 1, 1, 0, 0, 0, 1, 0}}, {{1, 0, 0, 0, 0, 1, 0, -1, 0}}, identity3<double>()};
    Inertiad inertia = box_inertia(mass, Vec3d{0.1, 0.12, 0.3});
    inertia.com = {0.01, -0.02, -0.1};
    input.links.push_back({.parent = parent, .X_PJ = {to[axis], p}, .inertia = inertia, .armature = 0.01});
    return static_cast<int>(input.links.size()) - 1;
  };
  const auto limb = [&add](int from, int joints, const Vec3d& start, double mass) {
    int link = from;
    for (int j = 0; j < joints; ++j) link = add(link, j % 3, j == 0 ? start : Vec3d{0.02, 0, j % 3 == 0 ? -0.3 : -0.02}, mass / (1 + j));
    return link;
  };
  const int chest = limb(base, 3, {0, 0, 0.15}, 8);
  limb(chest, 2, {0, 0, 0.3}, 3);
  const int hand = limb(chest, 5, {0, 0.2, 0.25}, 2.5);
  limb(chest, 5, {0, -0.2, 0.25}, 2.5);
  limb(base, 6, {0, 0.1, -0.1}, 6);
  limb(base, 6, {0, -0.1, -0.1}, 6);
  input.bodies.push_back({hand, {identity3<double>(), {0, 0, -0.1}}});
  return input;
}

}  // namespace trilith::bench
