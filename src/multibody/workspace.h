#pragma once
#include "base/arena.h"
#include "multibody/tree.h"

namespace trilith::multibody {

/// Scratch and results of the algorithms for one state of a tree, or for `lanes` states side by side: allocated once, never later. Numbers
/// are interleaved, number i of lane k at [i * lanes + k], like every span that goes with a Workspace of several lanes. Lanes have the bits
/// of the same states computed alone.
template <class S>
class Workspace {
 public:
  /// States in one group: 8 of double or 16 of float.
  static constexpr int group = sizeof(S) == 8 ? 8 : 16;

  /// `lanes` is 1 or `group`.
  explicit Workspace(const Tree& tree, int lanes = 1);

  int lanes() const noexcept { return lanes_; }
  const WorkspaceView<S>& view() const noexcept { return view_; }

 private:
  Arena arena_;
  WorkspaceView<S> view_;
  int lanes_;
};

extern template class Workspace<double>;
extern template class Workspace<float>;

}  // namespace trilith::multibody
