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

  // every entry runs its function on one part of the group after the other
  static constexpr std::int64_t step = GroupOf<T>::lanes, end = GroupOf<T>::size;

  static void kinematics(Tree tree, Work w, const S* q) noexcept {
    for (std::int64_t l = 0; l < end; l += step) update_kinematics<T>(tree, from_lane(w, l), q + l);
  }
  static void velocities(Tree tree, Work w, const S* v) noexcept {
    for (std::int64_t l = 0; l < end; l += step) update_velocities<T>(tree, from_lane(w, l), v + l);
  }
  static void mass_matrix(Tree tree, Work w) noexcept {
    for (std::int64_t l = 0; l < end; l += step) update_mass_matrix<T>(tree, from_lane(w, l));
  }
  static void dense_mass(Tree tree, Work w, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) write_dense_mass<T>(tree, from_lane(w, l), out + l);
  }
  static int factor(Tree tree, Work w, const S* shift) noexcept {
    int bad = 0;
    for (std::int64_t l = 0; l < end; l += step) bad += factor_mass_matrix<T>(tree, from_lane(w, l), from_lane(shift, l));
    return bad;
  }
  static void solve(Tree tree, Work w, S* x) noexcept {
    for (std::int64_t l = 0; l < end; l += step) solve_mass_matrix<T>(tree, from_lane(w, l), x + l);
  }
  static void multiply(Tree tree, Work w, const S* x, S* y) noexcept {
    for (std::int64_t l = 0; l < end; l += step) multiply_mass_matrix<T>(tree, from_lane(w, l), x + l, y + l);
  }
  static TRI_INLINE MotionView<S> part_of(const MotionView<S>& m, std::int64_t l) {
    return {m.v + l, from_lane(m.a, l), from_lane(m.applied, l), m.gravity};
  }
  static void inverse(Tree tree, Work w, const MotionView<S>& motion, S* tau) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      update_forces<T>(tree, part, part_of(motion, l));
      gather_forces<T>(tree, part, from_lane(motion.a, l), tau + l);
    }
  }
  static void forward(Tree tree, Work w, const MotionView<S>& motion, const S* tau, S* a) noexcept {
    for (std::int64_t l = 0; l < end; l += step) forward_dynamics<T>(tree, from_lane(w, l), part_of(motion, l), tau + l, a + l);
  }
  static TRI_INLINE Vec3<T> arm_of(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point) {
    if (frame.link < 0) return zero3<T>();
    if (point == JacobianPoint::frame) return frame_arm<T>(w, frame);
    return -get3<T>(w.origin, 3 * std::int64_t{tree.link[frame.link].tree});
  }
  static void jacobian(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      write_jacobian<T>(tree, part, layout_of(tree, frame.link, shape, 6), arm_of(tree, part, frame, point), out + l);
    }
  }
  static void jacobian_rate(Tree tree, Work w, const FrameView<S>& frame, JacobianPoint point, JacobianShape shape, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      const Vec3<T> arm = arm_of(tree, part, frame, point);
      const Vec3<T> rate = point == JacobianPoint::frame ? velocity_at<T>(part, frame.link, arm).linear : zero3<T>();
      write_jacobian_rate<T>(tree, part, layout_of(tree, frame.link, shape, 6), arm, rate, out + l);
    }
  }
  static void frame_pose(Tree tree, Work w, const FrameView<S>& frame, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      put3<T>(out + l, 0, frame_position<T>(tree, part, frame));
      put9<T>(out + l, 3, frame_rotation<T>(part, frame));
    }
  }
  static void com(Tree tree, Work w, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) put3<T>(out + l, 0, center_of_mass<T>(tree, from_lane(w, l)));
  }
  static void com_jacobian(Tree tree, Work w, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) write_com_jacobian<T>(tree, from_lane(w, l), out + l);
  }
  static void energy(Tree tree, Work w, const S* v, const S* gravity, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) write_energy<T>(tree, from_lane(w, l), v + l, gravity, out + l);
  }
  static void advance(Tree tree, const S* q, const S* v, S dt, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) integrate<T>(tree, q + l, v + l, dt, out + l);
  }
  static void minus(Tree tree, const S* from, const S* to, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) difference<T>(tree, from + l, to + l, out + l);
  }
  static void advance_jacobians(Tree tree, const S* v, S dt, S* by_q, S* by_v) noexcept {
    for (std::int64_t l = 0; l < end; l += step) write_integrate_jacobians<T>(tree, v + l, dt, by_q + l, by_v + l);
  }

  static constexpr TreeKernel<S> table() {
    return {kinematics, velocities,    mass_matrix, dense_mass, factor,       solve,  multiply, inverse, forward,
            jacobian,   jacobian_rate, frame_pose,  com,        com_jacobian, energy, advance,  minus,   advance_jacobians};
  }
};

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const TreeKernels tree_kernels = {Entries<double>::table(), Entries<DoublePart>::table(), Entries<float>::table(),
                                  Entries<FloatPart>::table()};
}
}  // namespace trilith::multibody
