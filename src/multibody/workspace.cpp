#include "multibody/workspace.h"

#include "base/check.h"

namespace trilith::multibody {
namespace {

/// Calls take(pointer, count) for every array of a workspace.
template <class S, class Take>
void for_each_array(const Tree& tree, WorkspaceView<S>& view, const Take& take) {
  const std::int64_t links = tree.links(), dofs = tree.dofs(), trees = tree.trees();
  take(view.origin, 3 * trees), take(view.link, link_numbers * links), take(view.dof, dof_numbers * dofs);
  take(view.mass_matrix, tree.entries()), take(view.factor, tree.entries()), take(view.inverse_pivot, dofs), take(view.scratch, dofs);
}

template <class S>
std::size_t bytes_of(const Tree& tree, int lanes) {
  WorkspaceView<S> view{};
  std::size_t bytes = 0;
  for_each_array(tree, view, [&](S*&, std::int64_t count) { bytes += Arena::bytes_of<S>(static_cast<std::size_t>(count * lanes)); });
  return bytes;
}

}  // namespace

template <class S>
Workspace<S>::Workspace(const Tree& tree, int lanes) : arena_(bytes_of<S>(tree, lanes)), view_{}, lanes_(lanes) {
  TRI_CHECK(lanes == 1 || lanes == group);
  for_each_array(tree, view_,
                 [&](S*& array, std::int64_t count) { array = arena_.take<S>(static_cast<std::size_t>(count * lanes)).data(); });
}

template class Workspace<double>;
template class Workspace<float>;

}  // namespace trilith::multibody
