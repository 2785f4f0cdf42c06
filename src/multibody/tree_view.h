#pragma once
#include <cstdint>

/// Plain structs and pointers through which kernels read a Tree and work in a Workspace. From plain code: multibody/tree.h.
namespace trilith::multibody {

/// The joint primitive that moves a link against its parent.
enum class LinkKind : std::uint8_t {
  hinge,        ///< turns by q - ref [rad] about the z axis of its frame
  slide,        ///< moves by q - ref [m] along the z axis of its frame
  translation,  ///< moves by q [m, 3] along the axes of its joint frame
  ball,         ///< turned by the quaternion q (w first, any length but 0); its velocity is in the link's own axes [rad/s]
};

/// Where a link stands in the tree. Links are depth first: a subtree is a run of links.
struct LinkIndex {
  LinkKind kind;
  std::int32_t parent;   ///< link, -1: the world
  std::int32_t q, v;     ///< first coordinate, first degree of freedom
  std::int32_t nq, nv;   ///< how many of each
  std::int32_t end;      ///< one past the last link of the subtree
  std::int32_t tree;     ///< which kinematic tree (a link on the world and all that hangs on it)
  std::int32_t massive;  ///< 0: no inertia of its own (but perhaps below it)
};

/// The numbers of a link. X_PJ is the joint frame in the parent's frame; the link's frame is the joint frame moved by the joint.
template <class S>
struct LinkConstants {
  S rotation[9];  ///< R_PJ, row-major
  S position[3];  ///< p_PJ, m
  S reference;    ///< q at which the link's frame is its joint frame (hinge, slide)
  S mass;         ///< kg
  S com[3];       ///< in the link's frame, m
  S inertia[6];   ///< about the centre of mass in the link's axes: xx, xy, xz, yy, yz, zz, kg m^2
};

/// The point of a body that applied wrenches refer to.
template <class S>
struct BodyPoint {
  std::int32_t link;  ///< -1: fixed to the world
  S position[3];      ///< p_LB, m
};

/// A tree as kernels see it.
template <class S>
struct TreeView {
  std::int32_t links, dofs, coordinates, trees, bodies;
  std::int64_t entries;            ///< of a tree-sparse lower triangle
  const LinkIndex* link;           ///< links
  const LinkConstants<S>* number;  ///< links
  const BodyPoint<S>* body;        ///< bodies
  const S* armature;               ///< dofs: kg m^2 or kg
  const std::int32_t* dof_link;    ///< dofs
  const std::int64_t* row;         ///< dofs + 1: row k of a lower triangle holds the entries row[k] to row[k + 1] - 1,
  const std::int32_t* column;      ///< entries: at these columns, ascending; the last one is k itself
  S total_mass;                    ///< kg
  std::int32_t chain;              ///< dofs where the tree is one serial chain of hinges with mass; else 0
};

/// Scratch and results of one state, or of several side by side: number i of lane k lies at p[i lanes + k]. Positions, motions and forces
/// of a kinematic tree are in world axes and about its reference point O, the origin of its first link at the present state, taken as
/// fixed in space: so that coordinates far from the world's origin lose no digits. Rows of a symmetric 3 x 3: xx, xy, xz, yy, yz, zz.
template <class S>
struct WorkspaceView {
  S* origin;         ///< 3 per tree: p_WO
  S* link;           ///< link_numbers per link, by LinkSlot: one base for all keeps the addresses of a pass in few registers
  S* dof;            ///< dof_numbers per dof, by DofSlot
  S* mass_matrix;    ///< entries
  S* factor;         ///< entries: L of M = L' D L, a unit diagonal, whose places hold D
  S* inverse_pivot;  ///< dofs: 1 / D
  S* scratch;        ///< dofs
};

/// Numbers of a link.
enum class LinkSlot : std::int32_t {
  rotation = 0,       ///< 9: R_WL
  position = 9,       ///< 3: p_OL
  velocity = 12,      ///< 6: V at O
  acceleration = 18,  ///< 6: A at O, gravity included as an acceleration of the world upwards
  force = 24,         ///< 6: force and moment about O
  inertia = 30,       ///< 10: mass, first moment 3, rotational inertia about O 6
  composite = 40,     ///< 10: inertia of the subtree
  coriolis = 50,      ///< 12: Coriolis map (TREE-11)
  applied = 62,       ///< 12: map of applied wrenches (TREE-13)
  articulated = 74,   ///< 21
};
inline constexpr std::int64_t link_numbers = 95;

/// Numbers of a degree of freedom.
enum class DofSlot : std::int32_t {
  column = 0,    ///< 6: motion column S at O (linear, angular)
  carried = 6,   ///< 6: V_parent x S
  driven = 12,   ///< 6: A_parent x S + V_parent x carried
  coupled = 18,  ///< 6: carried + V_link x S
  product = 24,  ///< 6: inertia times S
};
inline constexpr std::int64_t dof_numbers = 30;

/// Where a Jacobian's linear rows are taken: at the frame's origin, or at the world's origin. Axes are the world's in both.
enum class JacobianPoint : std::uint8_t { frame, world };

/// A dense 6 x nv matrix (all columns), or one of 6 x m with the columns of the degrees of freedom that move the link.
enum class JacobianShape : std::uint8_t { dense, chain };

/// A frame on a link; `position` and `rotation` (row-major) in the link's frame, the same for every lane. Link -1: the world.
template <class S>
struct FrameView {
  std::int32_t link;
  S position[3];
  S rotation[9];
};

/// What a tree does at a state and what acts on it. Interleaved, but for gravity.
template <class S>
struct MotionView {
  const S* v;        ///< dofs
  const S* a;        ///< dofs; null: zero
  const S* applied;  ///< 6 per body: force and moment about the body's origin, world axes; null: none
  const S* gravity;  ///< 3, m/s^2
};

/// Which derivatives `linearise` gives: of inverse dynamics at the accelerations that tau gives, or of forward dynamics.
enum class LineariseForm : std::uint8_t { inverse, forward };

/// Interleaved as the Workspace is, but for `gravity` and `frame`, which all lanes share.
template <class S>
struct LineariseInput {
  const S* q;        ///< coordinates
  const S* v;        ///< dofs
  const S* tau;      ///< dofs: N m or N
  const S* applied;  ///< null, or 6 per body: force and moment about the body's origin, world axes
  const S* gravity;  ///< 3, m/s^2
  FrameView<S> frame;
  LineariseForm form;
};
template <class S>
struct LineariseOutput {
  S* a;         ///< dofs: accelerations
  S* by_q;      ///< nv x nv row-major: d tau / dq or d a / dq
  S* by_v;      ///< nv x nv: d tau / dv or d a / dv
  S* inertia;   ///< nv x nv: M or its inverse
  S* position;  ///< null, or 3: p_WF
  S* jacobian;  ///< null, or 3 x nv: of p_WF
};

}  // namespace trilith::multibody
