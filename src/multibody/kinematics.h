#pragma once
#include <span>

#include "multibody/workspace.h"
#include "spatial/wrench.h"

/// Poses, velocities, Jacobians, centre of mass and energy of a tree. `S` is double or float; with a Workspace of several lanes every span
/// is interleaved (workspace.h) and functions that return a value read lane 0. SI units, world axes. No function allocates.
///
/// Order of calls (what each needs stands at its declaration):
///
///     Workspace<double> w(tree);
///     update_kinematics(tree, q, w);      // poses, motion columns, inertias
///     update_velocities(tree, v, w);      // velocities
///     update_mass_matrix(tree, w);        // M           (mass_matrix.h)
///     factor_mass_matrix(tree, w);        // M = L' D L
///     inverse_dynamics(tree, {...}, w);   // tau, bias   (dynamics.h)
namespace trilith::multibody {

/// Poses, motion columns and inertias at `q` (coordinates). Quaternions need not have length 1.
template <class S>
void update_kinematics(const Tree& tree, std::span<const S> q, Workspace<S>& w) noexcept;

/// Velocities of links for `v` (dofs). Needs kinematics.
template <class S>
void update_velocities(const Tree& tree, std::span<const S> v, Workspace<S>& w) noexcept;

/// X_WF of a frame on a link (`tree.body(b)`, or any other). Needs kinematics.
Posed frame_pose(const Tree& tree, const Workspace<double>& w, const BodyFrame& frame) noexcept;
/// For every lane: p_WF (3), R_WF (9, row-major).
template <class S>
void write_frame_pose(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, std::span<S> out) noexcept;

/// Velocity of the frame's origin and angular velocity. Needs velocities.
Twistd frame_velocity(const Tree& tree, const Workspace<double>& w, const BodyFrame& frame) noexcept;
/// Velocity of the point that coincides with `p_WP` and is fixed to `link`, and the link's angular velocity.
Twistd point_velocity(const Tree& tree, const Workspace<double>& w, std::int32_t link, const Vec3d& p_WP) noexcept;

/// 6 x nv (dense) or 6 x m (chain: the columns `tree.dofs_of(frame.link)`), row-major: linear rows first, of the frame's origin
/// (JacobianPoint::frame) or of the point at the world's origin (JacobianPoint::world, the spatial Jacobian). Needs kinematics.
template <class S>
void write_jacobian(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, JacobianPoint point, JacobianShape shape,
                    std::span<S> out) noexcept;
/// Its time derivative, the same shape. Needs velocities. Times v it is the acceleration at zero joint acceleration, without gravity.
template <class S>
void write_jacobian_rate(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, JacobianPoint point, JacobianShape shape,
                         std::span<S> out) noexcept;
/// The same for the point that coincides with `p_WP` and is fixed to `link` (-1: the world): 6 x m, the columns `tree.dofs_of(link)`.
void write_point_jacobian(const Tree& tree, const Workspace<double>& w, std::int32_t link, const Vec3d& p_WP,
                          std::span<double> out) noexcept;

/// Centre of mass of all links, m. Needs kinematics.
Vec3d center_of_mass(const Tree& tree, const Workspace<double>& w) noexcept;
/// 3 x nv, row-major. Needs `update_mass_matrix`.
template <class S>
void write_com_jacobian(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept;

/// J. `kinetic` counts the armatures; `potential` is zero with every link at the world's origin.
struct Energy {
  double kinetic = 0, potential = 0;
};
/// Needs velocities; `v` as given to them.
Energy measure_energy(const Tree& tree, const Workspace<double>& w, std::span<const double> v, const Vec3d& gravity) noexcept;

/// out = q (+) dt v: `out` may be `q`. dt in s. Quaternions come out with length 1. (TREE-17)
template <class S>
void integrate(const Tree& tree, std::span<const S> q, std::span<const S> v, double dt, int lanes, std::span<S> out) noexcept;
/// out = to (-) from (dofs): integrate(from, out, 1) = to.
template <class S>
void difference(const Tree& tree, std::span<const S> from, std::span<const S> to, int lanes, std::span<S> out) noexcept;
/// Jacobians of q (+) dt v by q and v, in the tangents at both ends. Both are block diagonal: row k of `by_q` and `by_v` (3 per dof) holds
/// the row of the block of k's link; blocks of one degree of freedom use the first place. (TREE-18)
template <class S>
void write_integrate_jacobians(const Tree& tree, std::span<const S> v, double dt, int lanes, std::span<S> by_q, std::span<S> by_v) noexcept;

}  // namespace trilith::multibody
