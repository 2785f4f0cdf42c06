#include "multibody/mass_matrix.h"

#include "multibody/kernel_choice.h"

namespace trilith::multibody {

template <class S>
void update_mass_matrix(const Tree& tree, Workspace<S>& w) noexcept {
  tree_kernel_of<S>(w.lanes()).mass_matrix(tree.view<S>(), w.view());
}

template <class S>
std::span<const S> mass_matrix_entries(const Tree& tree, const Workspace<S>& w) noexcept {
  return {w.view().mass_matrix, static_cast<std::size_t>(tree.entries() * w.lanes())};
}

template <class S>
void write_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept {
  check_size(out, std::int64_t{tree.dofs()} * tree.dofs(), w.lanes());
  tree_kernel_of<S>(w.lanes()).dense_mass(tree.view<S>(), w.view(), out.data());
}

template <class S>
void multiply_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<const S> x, std::span<S> y) noexcept {
  check_size(x, tree.dofs(), w.lanes()), check_size(y, tree.dofs(), w.lanes());
  tree_kernel_of<S>(w.lanes()).multiply(tree.view<S>(), w.view(), x.data(), y.data());
}

template <class S>
int factor_mass_matrix(const Tree& tree, Workspace<S>& w, std::span<const S> shift) noexcept {
  return tree_kernel_of<S>(w.lanes()).factor(tree.view<S>(), w.view(), optional(shift, tree.dofs(), w.lanes()));
}

template <class S>
void solve_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> x) noexcept {
  check_size(x, tree.dofs(), w.lanes());
  tree_kernel_of<S>(w.lanes()).solve(tree.view<S>(), w.view(), x.data());
}

template <class S>
void solve_mass_matrix_columns(const Tree& tree, const Workspace<S>& w, double scale, std::span<S> x) noexcept {
  const std::int64_t row = std::int64_t{tree.dofs()} * w.lanes();
  if (row == 0) return;
  const std::int64_t columns = static_cast<std::int64_t>(x.size()) / row;
  check_size(x, columns * tree.dofs(), w.lanes());
  linearise_kernel_of<S>(w.lanes()).solve_columns(tree.view<S>(), w.view(), columns, static_cast<S>(scale), x.data());
}

template <class S>
void write_inverse_mass_matrix(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept {
  check_size(out, std::int64_t{tree.dofs()} * tree.dofs(), w.lanes());
  linearise_kernel_of<S>(w.lanes()).inverse(tree.view<S>(), w.view(), out.data());
}

#define TRI_INSTANTIATE(S)                                                                                         \
  template void update_mass_matrix(const Tree&, Workspace<S>&) noexcept;                                           \
  template std::span<const S> mass_matrix_entries(const Tree&, const Workspace<S>&) noexcept;                      \
  template void write_mass_matrix(const Tree&, const Workspace<S>&, std::span<S>) noexcept;                        \
  template void multiply_mass_matrix(const Tree&, const Workspace<S>&, std::span<const S>, std::span<S>) noexcept; \
  template int factor_mass_matrix(const Tree&, Workspace<S>&, std::span<const S>) noexcept;                        \
  template void solve_mass_matrix(const Tree&, const Workspace<S>&, std::span<S>) noexcept;                        \
  template void solve_mass_matrix_columns(const Tree&, const Workspace<S>&, double, std::span<S>) noexcept;        \
  template void write_inverse_mass_matrix(const Tree&, const Workspace<S>&, std::span<S>) noexcept;
TRI_INSTANTIATE(double)
TRI_INSTANTIATE(float)
#undef TRI_INSTANTIATE

}  // namespace trilith::multibody
