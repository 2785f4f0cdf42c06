// Derivatives of dynamics, and the fused kernels of trajectory optimisation. Compiled once per instruction set; src/base/README.md says
// how.
#include "multibody/chain_inline.h"
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
    update_products<T>(tree, w);
    update_column_rates<T>(tree, w, gravity);
  }
  static __attribute__((noinline)) int accelerate(Tree tree, Work w, const LineariseInput<S>& in, bool maps, S* a) noexcept {
    return solve_forward<T>(tree, w, in, maps, a);
  }
  static __attribute__((noinline)) void columns(Tree tree, Work w, std::int64_t count, S scale, S* x) noexcept {
    solve_columns<T>(tree, w, count, scale, x);
  }

  static TRI_INLINE void invert(Tree tree, Work w, S* out) {
    write_identity<T>(tree, out);
    columns(tree, w, tree.dofs, S(1), out);
  }
  static TRI_INLINE LineariseInput<S> part_of(const LineariseInput<S>& in, std::int64_t l) {
    return {in.q + l, in.v + l, in.tau + l, from_lane(in.applied, l), in.gravity, in.frame, in.form};
  }
  static TRI_INLINE LineariseOutput<S> part_of(const LineariseOutput<S>& out, std::int64_t l) {
    return {out.a + l, out.by_q + l, out.by_v + l, out.inertia + l, from_lane(out.position, l), from_lane(out.jacobian, l)};
  }
  // chains of hinges: the lengths of arms
  template <int N>
  static __attribute__((noinline)) int chain_linearise(Tree tree, Work w, const LineariseInput<S>& in,
                                                       const LineariseOutput<S>& out) noexcept {
    return linearise_chain<N, T>(tree, w, in, out);
  }
  template <int N>
  static __attribute__((noinline)) int chain_accelerate(Tree tree, Work w, const LineariseInput<S>& in, S* a) noexcept {
    return accelerate_chain<N, T>(tree, w, in, a);
  }
  static TRI_INLINE bool is_chain(Tree tree, const LineariseInput<S>& in, std::int32_t length) {
    return tree.chain == length && in.applied == nullptr;
  }
  static TRI_INLINE int accelerate_any(Tree tree, Work w, const LineariseInput<S>& in, S* a) {
    if (is_chain(tree, in, 7)) return chain_accelerate<7>(tree, w, in, a);
    if (is_chain(tree, in, 6)) return chain_accelerate<6>(tree, w, in, a);
    return accelerate(tree, w, in, false, a);
  }
  static TRI_INLINE int by_state(Tree tree, Work w, const LineariseInput<S>& in, const LineariseOutput<S>& out) {
    if (is_chain(tree, in, 7)) return chain_linearise<7>(tree, w, in, out);
    if (is_chain(tree, in, 6)) return chain_linearise<6>(tree, w, in, out);
    const int bad = accelerate(tree, w, in, true, out.a);
    add_accelerations<T>(tree, w, in, out.a);
    if (in.applied != nullptr) update_applied_maps<T>(tree, w, in.applied);
    const DenseSink<T> by_q{out.by_q, tree.dofs}, by_v{out.by_v, tree.dofs};
    derive(tree, w, in.applied != nullptr, &by_q, by_v);
    if (in.form == LineariseForm::inverse) write_dense_mass<T>(tree, w, out.inertia);
    return bad;
  }

  static TRI_INLINE int linearise_part(Tree tree, Work w, const LineariseInput<S>& in, const LineariseOutput<S>& out) {
    const int bad = by_state(tree, w, in, out);
    write_end_effector<T>(tree, w, in.frame, out);
    if (in.form == LineariseForm::inverse) return bad;
    columns(tree, w, tree.dofs, S(-1), out.by_q);
    columns(tree, w, tree.dofs, S(-1), out.by_v);
    invert(tree, w, out.inertia);
    return bad;
  }

  // the entries: every one runs on one part of the group after the other
  static constexpr std::int64_t step = GroupOf<T>::lanes, end = GroupOf<T>::size;

  static void all_derivatives(Tree tree, Work w, const S* applied, const S* gravity, S* by_q, S* by_v) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      rates(tree, part, gravity);
      if (applied != nullptr) update_applied_maps<T>(tree, part, applied + l);
      const DenseSink<T> position{from_lane(by_q, l), tree.dofs}, velocity{by_v + l, tree.dofs};
      derive(tree, part, applied != nullptr, by_q != nullptr ? &position : nullptr, velocity);
    }
  }
  static void velocity_derivatives(Tree tree, Work w, S* lower, S* upper) noexcept {
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      rates(tree, part, nullptr);
      const SparseSink<T>* const none = nullptr;
      write_derivatives<T>(tree, part, false, none, SparseSink<T>{lower + l, upper + l});
    }
  }
  static void all_columns(Tree tree, Work w, std::int64_t many, S scale, S* x) noexcept {
    for (std::int64_t l = 0; l < end; l += step) columns(tree, from_lane(w, l), many, scale, x + l);
  }
  static void inverse(Tree tree, Work w, S* out) noexcept {
    for (std::int64_t l = 0; l < end; l += step) invert(tree, from_lane(w, l), out + l);
  }
  static int linearise(Tree tree, Work w, const LineariseInput<S>& in, const LineariseOutput<S>& out) noexcept {
    int bad = 0;
    for (std::int64_t l = 0; l < end; l += step) bad += linearise_part(tree, from_lane(w, l), part_of(in, l), part_of(out, l));
    return bad;
  }
  static int merit(Tree tree, Work w, const LineariseInput<S>& in, S* a, S* position) noexcept {
    int bad = 0;
    for (std::int64_t l = 0; l < end; l += step) {
      const WorkspaceView<S> part = from_lane(w, l);
      bad += accelerate_any(tree, part, part_of(in, l), a + l);
      if (position != nullptr) put3<T>(position + l, 0, frame_position<T>(tree, part, in.frame));
    }
    return bad;
  }

  static constexpr LineariseKernel<S> table() { return {all_derivatives, velocity_derivatives, all_columns, inverse, linearise, merit}; }
};

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const LineariseKernels linearise_kernels = {Entries<double>::table(), Entries<DoublePart>::table(), Entries<float>::table(),
                                            Entries<FloatPart>::table()};
}
}  // namespace trilith::multibody
