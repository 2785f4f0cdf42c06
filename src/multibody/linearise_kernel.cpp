// Derivatives of dynamics, and the fused kernels of trajectory optimisation. Compiled once per instruction set; src/base/README.md says
// how.
#include "multibody/linearise_inline.h"
#include "multibody/tree_kernel.h"

namespace trilith::multibody {
namespace {

template <class T>
struct Entries {
  using S = Scalar<T>;
  using Tree = const TreeView<S>&;
  using Work = const WorkspaceView<S>&;

  // the passes, each compiled once and shared by the entries below
  static __attribute__((noinline)) void derive(Tree tree, Work w, bool has_applied, const DenseSink<T>* by_q,
                                               const DenseSink<T>& by_v) noexcept {
    if (tree.entries != std::int64_t{tree.dofs} * (tree.dofs + 1) / 2) {
      clear_dense<T>(by_v.out, std::int64_t{tree.dofs} * tree.dofs);
      if (by_q != nullptr) clear_dense<T>(by_q->out, std::int64_t{tree.dofs} * tree.dofs);
    }
    write_derivatives<T>(tree, w, has_applied, by_q, by_v);
  }
  static __attribute__((noinline)) void rates(Tree tree, Work w, const S* gravity) noexcept {
    update_composites<T>(tree, w);
    update_column_rates<T>(tree, w, gravity);
  }
  static __attribute__((noinline)) int accelerate(Tree tree, Work w, const LineariseInput<S>& in, bool maps, S* a) noexcept {
    return solve_forward<T>(tree, w, in, maps, a);
  }
  static __attribute__((noinline)) void columns(Tree tree, Work w, std::int64_t count, S scale, S* x) noexcept {
    solve_columns<T>(tree, w, count, scale, x);
  }

  static void all_derivatives(Tree tree, Work w, const S* applied, const S* gravity, S* by_q, S* by_v) noexcept {
    rates(tree, w, gravity);
    if (applied != nullptr) update_applied_maps<T>(tree, w, applied);
    const DenseSink<T> position{by_q, tree.dofs}, velocity{by_v, tree.dofs};
    derive(tree, w, applied != nullptr, by_q != nullptr ? &position : nullptr, velocity);
  }
  static void velocity_derivatives(Tree tree, Work w, S* lower, S* upper) noexcept {
    rates(tree, w, nullptr);
    const SparseSink<T>* const none = nullptr;
    write_derivatives<T>(tree, w, false, none, SparseSink<T>{lower, upper});
  }
  static void inverse(Tree tree, Work w, S* out) noexcept {
    write_identity<T>(tree, out);
    columns(tree, w, tree.dofs, S(1), out);
  }
  static int linearise(Tree tree, Work w, const LineariseInput<S>& in, const LineariseOutput<S>& out) noexcept {
    const int bad = accelerate(tree, w, in, true, out.a);
    write_end_effector<T>(tree, w, in.frame, out);
    add_accelerations<T>(tree, w, in, out.a);
    if (in.applied != nullptr) update_applied_maps<T>(tree, w, in.applied);
    const DenseSink<T> by_q{out.by_q, tree.dofs}, by_v{out.by_v, tree.dofs};
    derive(tree, w, in.applied != nullptr, &by_q, by_v);
    if (in.form == LineariseForm::inverse) {
      write_dense_mass<T>(tree, w, out.inertia);
      return bad;
    }
    columns(tree, w, tree.dofs, S(-1), out.by_q);
    columns(tree, w, tree.dofs, S(-1), out.by_v);
    inverse(tree, w, out.inertia);
    return bad;
  }
  static int merit(Tree tree, Work w, const LineariseInput<S>& in, S* a, S* position) noexcept {
    const int bad = accelerate(tree, w, in, false, a);
    if (position != nullptr) put3<T>(position, 0, frame_position<T>(tree, w, in.frame));
    return bad;
  }

  static constexpr LineariseKernel<S> table() { return {all_derivatives, velocity_derivatives, columns, inverse, linearise, merit}; }
};

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const LineariseKernels linearise_kernels = {Entries<double>::table(), Entries<Double8>::table(), Entries<float>::table(),
                                            Entries<Float16>::table()};
}
}  // namespace trilith::multibody
