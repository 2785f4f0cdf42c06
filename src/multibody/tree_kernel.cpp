// Kinematics, mass matrix and dynamics of a tree, for one state or a state per lane. Compiled once per instruction set; src/base/README.md
// says how.
#include "multibody/tree_kernel.h"

#include "multibody/forward_dynamics_inline.h"
#include "multibody/integrate_inline.h"
#include "multibody/inverse_dynamics_inline.h"
#include "multibody/jacobian_inline.h"
#include "multibody/mass_matrix_inline.h"

namespace trilith::multibody {
namespace {

template <class T>
struct Entries {
  using S = Scalar<T>;
  using Tree = const TreeView<S>&;
  using Work = const WorkspaceView<S>&;

  static void kinematics(Tree tree, Work w, const S* q) noexcept { update_kinematics<T>(tree, w, q); }
  static void velocities(Tree tree, Work w, const S* v) noexcept { update_velocities<T>(tree, w, v); }
  static void mass_matrix(Tree tree, Work w) noexcept { update_mass_matrix<T>(tree, w); }
  static void dense_mass(Tree tree, Work w, S* out) noexcept { write_dense_mass<T>(tree, w, out); }
  static int factor(Tree tree, Work w, const S* shift) noexcept { return factor_mass_matrix<T>(tree, w, shift); }
  static void solve(Tree tree, Work w, S* x) noexcept { solve_mass_matrix<T>(tree, w, x); }
  static void multiply(Tree tree, Work w, const S* x, S* y) noexcept { multiply_mass_matrix<T>(tree, w, x, y); }
  static void inverse(Tree tree, Work w, const S* v, const S* a, const S* applied, const S* gravity, S* tau) noexcept {
    update_forces<T>(tree, w, v, a, applied, gravity);
    gather_forces<T>(tree, w, a, tau);
  }
  static void forward(Tree tree, Work w, const S* v, const S* tau, const S* applied, const S* gravity, S* a) noexcept {
    forward_dynamics<T>(tree, w, v, tau, applied, gravity, a);
  }
  static Vec3<T> arm_of(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point) noexcept {
    if (frame.link < 0) return zero3<T>();
    if (point == JacobianPoint::frame) return frame_arm<T>(w, frame);
    return -get3<T>(w.origin, 3 * std::int64_t{tree.link[frame.link].tree});
  }
  static void jacobian(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept {
    write_jacobian<T>(tree, w, frame.link, arm_of(tree, w, frame, point), shape, 6, out);
  }
  static void jacobian_rate(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept {
    const Vec3<T> arm = arm_of(tree, w, frame, point);
    const Vec3<T> rate = point == JacobianPoint::frame ? velocity_at<T>(w, frame.link, arm).linear : zero3<T>();
    write_jacobian_rate<T>(tree, w, frame.link, arm, rate, shape, out);
  }
  static void frame_pose(Tree tree, Work w, const FrameView<S>& frame, S* out) noexcept {
    put3<T>(out, 0, frame_position<T>(tree, w, frame));
    put9<T>(out, 3, frame_rotation<T>(w, frame));
  }
  static void com(Tree tree, Work w, S* out) noexcept { put3<T>(out, 0, center_of_mass<T>(tree, w)); }
  static void com_jacobian(Tree tree, Work w, S* out) noexcept { write_com_jacobian<T>(tree, w, out); }
  static void energy(Tree tree, Work w, const S* v, const S* gravity, S* out) noexcept { write_energy<T>(tree, w, v, gravity, out); }
  static void step(Tree tree, const S* q, const S* v, S dt, S* out) noexcept { integrate<T>(tree, q, v, dt, out); }
  static void minus(Tree tree, const S* from, const S* to, S* out) noexcept { difference<T>(tree, from, to, out); }
  static void step_jacobians(Tree tree, const S* v, S dt, S* by_q, S* by_v) noexcept {
    write_integrate_jacobians<T>(tree, v, dt, by_q, by_v);
  }

  static constexpr TreeKernel<S> table() {
    return {kinematics, velocities,    mass_matrix, dense_mass, factor,       solve,  multiply, inverse, forward,
            jacobian,   jacobian_rate, frame_pose,  com,        com_jacobian, energy, step,     minus,   step_jacobians};
  }
};

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const TreeKernels tree_kernels = {Entries<double>::table(), Entries<Double8>::table(), Entries<float>::table(), Entries<Float16>::table()};
}
}  // namespace trilith::multibody
