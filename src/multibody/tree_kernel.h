#pragma once
#include "base/isa.h"
#include "multibody/tree_view.h"

/// Entries of tree_kernel.cpp and linearise_kernel.cpp, one table per instruction set. Plain pointers; sizes and order of calls are the
/// caller's business. All spans are interleaved by the lanes of the workspace but gravity (3 numbers).
namespace trilith::multibody {

template <class S>
struct TreeKernel {
  using Tree = const TreeView<S>&;
  using Work = const WorkspaceView<S>&;
  void (*kinematics)(Tree tree, Work w, const S* q) noexcept;
  void (*velocities)(Tree tree, Work w, const S* v) noexcept;
  void (*mass_matrix)(Tree tree, Work w) noexcept;
  void (*dense_mass)(Tree tree, Work w, S* out) noexcept;
  int (*factor)(Tree tree, Work w, const S* shift) noexcept;
  void (*solve)(Tree tree, Work w, S* x) noexcept;
  void (*multiply)(Tree tree, Work w, const S* x, S* y) noexcept;
  void (*inverse_dynamics)(Tree tree, Work w, const MotionView<S>& motion, S* tau) noexcept;
  void (*forward_dynamics)(Tree tree, Work w, const MotionView<S>& motion, const S* tau, S* a) noexcept;
  void (*jacobian)(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept;
  void (*jacobian_rate)(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept;
  void (*frame_pose)(Tree tree, Work w, const FrameView<S>& frame, S* out) noexcept;  ///< p_WF 3, R_WF 9
  void (*com)(Tree tree, Work w, S* out) noexcept;
  void (*com_jacobian)(Tree tree, Work w, S* out) noexcept;
  void (*energy)(Tree tree, Work w, const S* v, const S* gravity, S* out) noexcept;
  void (*integrate)(Tree tree, const S* q, const S* v, S dt, S* out) noexcept;
  void (*difference)(Tree tree, const S* from, const S* to, S* out) noexcept;
  void (*integrate_jacobians)(Tree tree, const S* v, S dt, S* by_q, S* by_v) noexcept;
};

/// One number, or a group of 8 double or 16 float lanes.
struct TreeKernels {
  TreeKernel<double> one_double, group_double;
  TreeKernel<float> one_float, group_float;
};

template <class S>
struct LineariseKernel {
  using Tree = const TreeView<S>&;
  using Work = const WorkspaceView<S>&;
  /// d tau / dv (and d tau / dq where `by_q` is not null) after inverse dynamics with the same arguments; dense.
  void (*derivatives)(Tree tree, Work w, const S* applied, const S* gravity, S* by_q, S* by_v) noexcept;
  /// d tau / dv in the pattern of the mass matrix: `lower` holds (row, column), `upper` (column, row).
  void (*velocity_derivatives)(Tree tree, Work w, S* lower, S* upper) noexcept;
  void (*solve_columns)(Tree tree, Work w, std::int64_t columns, S scale, S* x) noexcept;
  void (*inverse)(Tree tree, Work w, S* out) noexcept;
  int (*linearise)(Tree tree, Work w, const LineariseInput<S>& in, const LineariseOutput<S>& out) noexcept;
  int (*merit)(Tree tree, Work w, const LineariseInput<S>& in, S* a, S* position) noexcept;
};
struct LineariseKernels {
  LineariseKernel<double> one_double, group_double;
  LineariseKernel<float> one_float, group_float;
};

namespace entry {
namespace baseline {
extern const TreeKernels tree_kernels;
extern const LineariseKernels linearise_kernels;
}  // namespace baseline
namespace v3 {
extern const TreeKernels tree_kernels;
extern const LineariseKernels linearise_kernels;
}  // namespace v3
namespace v4 {
extern const TreeKernels tree_kernels;
extern const LineariseKernels linearise_kernels;
}  // namespace v4
}  // namespace entry

/// The kernels of `isa`; the CPU must have it.
inline const TreeKernels& tree_kernels_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::tree_kernels;
  return isa == Isa::v3 ? entry::v3::tree_kernels : entry::baseline::tree_kernels;
}
inline const LineariseKernels& linearise_kernels_of(Isa isa) {
  if (isa == Isa::v4) return entry::v4::linearise_kernels;
  return isa == Isa::v3 ? entry::v3::linearise_kernels : entry::baseline::linearise_kernels;
}

}  // namespace trilith::multibody
