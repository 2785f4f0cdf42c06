#pragma once
#include <span>

#include "multibody/workspace.h"

/// Inverse and forward dynamics of a tree and their derivatives. Forces of joints only: damping, springs, actuators and contacts belong to
/// who calls. No function allocates. Spans of several lanes are interleaved (workspace.h).
namespace trilith::multibody {

/// What acts on a tree at one state. `v` as given to `update_velocities`.
template <class S>
struct Motion {
  std::span<const S> v;        ///< dofs
  std::span<const S> a;        ///< dofs; empty: zero (then tau is the bias: Coriolis, centrifugal, gravity)
  std::span<const S> applied;  ///< 6 per body (force, moment about the body's origin, world axes); empty: none
  Vec3d gravity{};             ///< m/s^2
};

/// tau = M a + bias - J' applied, dofs: N m or N. Needs velocities. (TREE-8)
template <class S>
void inverse_dynamics(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> tau) noexcept;

/// a = M^-1 (tau - bias + J' applied) by the articulated-body algorithm; `motion.a` is not read. Needs velocities. Overwrites the factor of
/// the mass matrix. Where something without mass and armature moves, a is not finite. (TREE-9)
template <class S>
void forward_dynamics(const Tree& tree, const Motion<S>& motion, std::span<const S> tau, Workspace<S>& w, std::span<S> a) noexcept;

/// d tau / dq and d tau / dv of inverse dynamics at `motion`, nv x nv row-major. q in the tangent of the configuration (as qvel: world
/// translation, rotation in the body's axes); applied forces keep their world axes and move with the body's origin. Needs velocities;
/// calls `inverse_dynamics` and writes its tau. (TREE-12)
template <class S>
void inverse_dynamics_derivatives(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> tau, std::span<S> by_q,
                                  std::span<S> by_v) noexcept;

/// d bias / dv in the pattern of the mass matrix: entry e of row k, column j of that triangle is d bias_k / dv_j in `lower` and
/// d bias_j / dv_k in `upper` (the diagonal in both). Pairs of which neither moves the other are zero. Needs velocities.
template <class S>
void bias_velocity_derivatives(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> lower, std::span<S> upper) noexcept;

/// What `forward_dynamics_derivatives` writes; matrices nv x nv, row-major.
template <class S>
struct ForwardDerivatives {
  std::span<S> a;       ///< dofs: accelerations
  std::span<S> by_q;    ///< d a / dq
  std::span<S> by_v;    ///< d a / dv
  std::span<S> by_tau;  ///< d a / dtau = M^-1
};

/// Accelerations of forward dynamics and their derivatives. Needs velocities. Leaves M and its factor in `w`. Returns how many pivots are
/// not positive.
template <class S>
[[nodiscard]] int forward_dynamics_derivatives(const Tree& tree, const Motion<S>& motion, std::span<const S> tau, Workspace<S>& w,
                                               const ForwardDerivatives<S>& out) noexcept;

}  // namespace trilith::multibody
