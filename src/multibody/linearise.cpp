#include "multibody/linearise.h"

#include "multibody/kernel_choice.h"

namespace trilith::multibody {
namespace {

/// Where `out` may be left out: null for an empty span.
template <class S>
S* wanted(std::span<S> out, std::int64_t count, int lanes) noexcept {
  if (out.empty()) return nullptr;
  check_size(out, count, lanes);
  return out.data();
}

template <class S>
LineariseInput<S> input_of(const Tree& tree, const Knots<S>& knots, LineariseForm form, const Gravity<S>& gravity, int lanes) noexcept {
  check_size(knots.q, tree.coordinates(), lanes), check_size(knots.v, tree.dofs(), lanes), check_size(knots.tau, tree.dofs(), lanes);
  return {knots.q.data(),
          knots.v.data(),
          knots.tau.data(),
          optional(knots.applied, 6 * std::int64_t{tree.bodies()}, lanes),
          gravity.g,
          view_of<S>(knots.end_effector),
          form};
}

}  // namespace

template <class S>
int linearise(const Tree& tree, const Knots<S>& knots, LineariseForm form, Workspace<S>& w, const Linearisation<S>& out) noexcept {
  const std::int64_t n = tree.dofs();
  const int lanes = w.lanes();
  check_size(out.a, n, lanes), check_size(out.by_q, n * n, lanes), check_size(out.by_v, n * n, lanes),
      check_size(out.inertia, n * n, lanes);
  const Gravity<S> gravity(knots.gravity);
  const LineariseOutput<S> to{out.a.data(),
                              out.by_q.data(),
                              out.by_v.data(),
                              out.inertia.data(),
                              wanted(out.position, 3, lanes),
                              wanted(out.jacobian, 3 * n, lanes)};
  return linearise_kernel_of<S>(lanes).linearise(tree.view<S>(), w.view(), input_of(tree, knots, form, gravity, lanes), to);
}

template <class S>
int accelerate(const Tree& tree, const Knots<S>& knots, Workspace<S>& w, std::span<S> a, std::span<S> position) noexcept {
  const int lanes = w.lanes();
  check_size(a, tree.dofs(), lanes);
  const Gravity<S> gravity(knots.gravity);
  return linearise_kernel_of<S>(lanes).merit(tree.view<S>(), w.view(), input_of(tree, knots, LineariseForm::inverse, gravity, lanes),
                                             a.data(), wanted(position, 3, lanes));
}

#define TRI_INSTANTIATE(S)                                                                                              \
  template int linearise(const Tree&, const Knots<S>&, LineariseForm, Workspace<S>&, const Linearisation<S>&) noexcept; \
  template int accelerate(const Tree&, const Knots<S>&, Workspace<S>&, std::span<S>, std::span<S>) noexcept;
TRI_INSTANTIATE(double)
TRI_INSTANTIATE(float)
#undef TRI_INSTANTIATE

}  // namespace trilith::multibody
