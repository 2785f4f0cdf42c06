#pragma once
#include "multibody/tree.h"
#include "spatial/pose.h"
#include "spatial/twist.h"

namespace trilith::multibody {

/// What the kinematics of one state tell about points: motion columns and velocities, in world axes about the origin O of each kinematic
/// tree. A view of a workspace. The link -1 is the world.
struct TreeMotion {
  const Tree* tree = nullptr;
  const double* origin = nullptr;  ///< 3 per tree: p_WO
  const double* link = nullptr;    ///< link_numbers per link
  const double* dof = nullptr;     ///< dof_numbers per degree of freedom
  Vec3d upward{};                  ///< minus gravity, m/s^2
};

inline Twistd twist_at(const double* p) noexcept { return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}}; }
/// S at O.
inline Twistd column_of(const TreeMotion& motion, std::int32_t k) noexcept {
  return twist_at(motion.dof + dof_numbers * k + static_cast<std::int32_t>(DofSlot::column));
}
/// V at O of a link.
inline Twistd velocity_of(const TreeMotion& motion, std::int32_t link) noexcept {
  return twist_at(motion.link + link_numbers * link + static_cast<std::int32_t>(LinkSlot::velocity));
}
/// A at O of a link as the latest call of `inverse_dynamics` left it, in a world that accelerates at `upward`.
inline Twistd acceleration_of(const TreeMotion& motion, std::int32_t link) noexcept {
  return twist_at(motion.link + link_numbers * link + static_cast<std::int32_t>(LinkSlot::acceleration));
}
/// X_WL.
inline Posed pose_of(const TreeMotion& motion, std::int32_t link) noexcept {
  const double* numbers = motion.link + link_numbers * link;
  const double *r = numbers + static_cast<std::int32_t>(LinkSlot::rotation), *p = numbers + static_cast<std::int32_t>(LinkSlot::position);
  const double* o = motion.origin + 3 * motion.tree->link(link).tree;
  return {{{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]}}, {o[0] + p[0], o[1] + p[1], o[2] + p[2]}};
}

/// p_OP of a point at p_WP that `link` carries; `link` is not the world.
inline Vec3d from_origin(const TreeMotion& motion, std::int32_t link, const Vec3d& p_WP) noexcept {
  const double* o = motion.origin + 3 * motion.tree->link(link).tree;
  return {p_WP.x - o[0], p_WP.y - o[1], p_WP.z - o[2]};
}

/// Velocity of the point at p_OP when only the degree of freedom `k` moves at rate 1.
inline Vec3d point_column(const TreeMotion& motion, std::int32_t k, const Vec3d& p_OP) noexcept {
  const Twistd S = column_of(motion, k);
  return S.linear + cross(S.angular, p_OP);
}
inline Vec3d angular_column(const TreeMotion& motion, std::int32_t k) noexcept { return column_of(motion, k).angular; }

/// Velocity of `link` at the point p_WP: linear there, then angular, in world axes.
inline Twistd velocity_at(const TreeMotion& motion, std::int32_t link, const Vec3d& p_WP) noexcept {
  if (link < 0) return {};
  return shift(velocity_of(motion, link), from_origin(motion, link, p_WP));
}

/// Degrees of freedom that move `a` but not `b`: the end of a's chain behind what both share.
inline std::span<const std::int32_t> own_dofs(const Tree& tree, std::int32_t a, std::int32_t b) noexcept {
  const std::span<const std::int32_t> chain = tree.dofs_of(a), other = tree.dofs_of(b);
  std::size_t shared = 0;
  while (shared < chain.size() && shared < other.size() && chain[shared] == other[shared]) ++shared;
  return chain.subspan(shared);
}

}  // namespace trilith::multibody
