#pragma once
#include <span>

#include "multibody/workspace.h"

/// Forward dynamics with everything a trajectory optimiser asks of a knot, in one call: for one state, or for a group of knots (or step
/// lengths) in lanes. Spans are interleaved by the lanes of the workspace (workspace.h). No function allocates.
namespace trilith::multibody {

/// States, forces, and the frame that counts as end effector.
template <class S>
struct Knots {
  std::span<const S> q, v;     ///< coordinates; dofs
  std::span<const S> tau;      ///< dofs: N m or N
  std::span<const S> applied;  ///< 6 per body (force, moment about the body's origin, world axes); empty: none
  Vec3d gravity{};             ///< m/s^2
  BodyFrame end_effector;
};

/// What `linearise` writes, nv x nv row-major unless said otherwise.
template <class S>
struct Linearisation {
  std::span<S> a;         ///< dofs: accelerations at tau
  std::span<S> by_q;      ///< d tau / dq at these accelerations (inverse) or d a / dq (forward), in the tangent
  std::span<S> by_v;      ///< d tau / dv or d a / dv
  std::span<S> inertia;   ///< M or M^-1 = d a / dtau
  std::span<S> position;  ///< 3: p_WF of the end effector, m; empty: not wanted
  std::span<S> jacobian;  ///< 3 x nv: of p_WF; empty: not wanted
};

/// Form `inverse` leaves out the products with M^-1: an optimiser that works in accelerations needs none. Returns how many pivots of M are
/// not positive: then the answer must not be used. (TREE-12)
template <class S>
[[nodiscard]] int linearise(const Tree& tree, const Knots<S>& knots, LineariseForm form, Workspace<S>& w,
                            const Linearisation<S>& out) noexcept;

/// Accelerations, and the end effector's position where `position` is not empty: what a line search asks for. The same bits as
/// `linearise`.
template <class S>
[[nodiscard]] int accelerate(const Tree& tree, const Knots<S>& knots, Workspace<S>& w, std::span<S> a, std::span<S> position) noexcept;

}  // namespace trilith::multibody
