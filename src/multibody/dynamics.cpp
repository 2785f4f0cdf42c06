#include "multibody/dynamics.h"

#include "multibody/kernel_choice.h"
#include "multibody/mass_matrix.h"

namespace trilith::multibody {
namespace {

template <class S>
const S* applied_of(const Tree& tree, const Motion<S>& motion, int lanes) noexcept {
  return optional(motion.applied, 6 * std::int64_t{tree.bodies()}, lanes);
}
/// `gravity` must outlive the view.
template <class S>
MotionView<S> view_of(const Tree& tree, const Motion<S>& motion, const Gravity<S>& gravity, int lanes) noexcept {
  check_size(motion.v, tree.dofs(), lanes);
  return {motion.v.data(), optional(motion.a, tree.dofs(), lanes), applied_of(tree, motion, lanes), gravity.g};
}
std::int64_t square(const Tree& tree) { return std::int64_t{tree.dofs()} * tree.dofs(); }

}  // namespace

template <class S>
void inverse_dynamics(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> tau) noexcept {
  check_size(tau, tree.dofs(), w.lanes());
  const Gravity<S> gravity(motion.gravity);
  tree_kernel_of<S>(w.lanes()).inverse_dynamics(tree.view<S>(), w.view(), view_of(tree, motion, gravity, w.lanes()), tau.data());
}

template <class S>
void forward_dynamics(const Tree& tree, const Motion<S>& motion, std::span<const S> tau, Workspace<S>& w, std::span<S> a) noexcept {
  check_size(tau, tree.dofs(), w.lanes()), check_size(a, tree.dofs(), w.lanes());
  const Gravity<S> gravity(motion.gravity);
  tree_kernel_of<S>(w.lanes()).forward_dynamics(tree.view<S>(), w.view(), view_of(tree, motion, gravity, w.lanes()), tau.data(), a.data());
}

template <class S>
void inverse_dynamics_derivatives(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> tau, std::span<S> by_q,
                                  std::span<S> by_v) noexcept {
  check_size(by_q, square(tree), w.lanes()), check_size(by_v, square(tree), w.lanes());
  inverse_dynamics(tree, motion, w, tau);
  linearise_kernel_of<S>(w.lanes()).derivatives(tree.view<S>(), w.view(), applied_of(tree, motion, w.lanes()), Gravity<S>(motion.gravity).g,
                                                by_q.data(), by_v.data());
}

template <class S>
void bias_velocity_derivatives(const Tree& tree, const Motion<S>& motion, Workspace<S>& w, std::span<S> lower,
                               std::span<S> upper) noexcept {
  check_size(motion.v, tree.dofs(), w.lanes());
  check_size(lower, tree.entries(), w.lanes()), check_size(upper, tree.entries(), w.lanes());
  linearise_kernel_of<S>(w.lanes()).velocity_derivatives(tree.view<S>(), w.view(), lower.data(), upper.data());
}

template <class S>
int forward_dynamics_derivatives(const Tree& tree, const Motion<S>& motion, std::span<const S> tau, Workspace<S>& w,
                                 const ForwardDerivatives<S>& out) noexcept {
  check_size(tau, tree.dofs(), w.lanes()), check_size(out.a, tree.dofs(), w.lanes()), check_size(out.by_tau, square(tree), w.lanes());
  Motion<S> present = motion;
  present.a = {};
  // a = M^-1 (tau - bias), then the derivatives of inverse dynamics at that a
  inverse_dynamics<S>(tree, present, w, out.a);
  for (std::size_t i = 0; i < out.a.size(); ++i) out.a[i] = tau[i] - out.a[i];
  update_mass_matrix(tree, w);
  const int bad = factor_mass_matrix(tree, w);
  solve_mass_matrix(tree, w, out.a);
  present.a = out.a;
  // by_tau is free until the end: tau of the second call goes there
  inverse_dynamics_derivatives<S>(tree, present, w, out.by_tau.first(out.a.size()), out.by_q, out.by_v);
  solve_mass_matrix_columns(tree, w, -1, out.by_q);
  solve_mass_matrix_columns(tree, w, -1, out.by_v);
  write_inverse_mass_matrix(tree, w, out.by_tau);
  return bad;
}

#define TRI_INSTANTIATE(S)                                                                                                    \
  template void inverse_dynamics(const Tree&, const Motion<S>&, Workspace<S>&, std::span<S>) noexcept;                        \
  template void forward_dynamics(const Tree&, const Motion<S>&, std::span<const S>, Workspace<S>&, std::span<S>) noexcept;    \
  template void inverse_dynamics_derivatives(const Tree&, const Motion<S>&, Workspace<S>&, std::span<S>, std::span<S>,        \
                                             std::span<S>) noexcept;                                                          \
  template void bias_velocity_derivatives(const Tree&, const Motion<S>&, Workspace<S>&, std::span<S>, std::span<S>) noexcept; \
  template int forward_dynamics_derivatives(const Tree&, const Motion<S>&, std::span<const S>, Workspace<S>&,                 \
                                            const ForwardDerivatives<S>&) noexcept;
TRI_INSTANTIATE(double)
TRI_INSTANTIATE(float)
#undef TRI_INSTANTIATE

}  // namespace trilith::multibody
