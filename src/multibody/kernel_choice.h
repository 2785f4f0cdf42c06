#pragma once
#include "base/check.h"
#include "multibody/tree_kernel.h"
#include "multibody/workspace.h"

/// The kernel table for a workspace, and the size check of spans: for the sources of this module.
namespace trilith::multibody {

template <class S>
const TreeKernel<S>& tree_kernel_of(int lanes) noexcept {
  const TreeKernels& all = tree_kernels_of(active_isa());
  if constexpr (sizeof(S) == 8)
    return lanes == 1 ? all.one_double : all.group_double;
  else
    return lanes == 1 ? all.one_float : all.group_float;
}
template <class S>
const LineariseKernel<S>& linearise_kernel_of(int lanes) noexcept {
  const LineariseKernels& all = linearise_kernels_of(active_isa());
  if constexpr (sizeof(S) == 8)
    return lanes == 1 ? all.one_double : all.group_double;
  else
    return lanes == 1 ? all.one_float : all.group_float;
}

/// Fails a check unless `numbers` holds `count` numbers for each of `lanes`.
template <class S>
void check_size(std::span<S> numbers, std::int64_t count, int lanes) noexcept {
  TRI_CHECK(static_cast<std::int64_t>(numbers.size()) == count * lanes);
}
/// The pointer of an argument that may be left out (an empty span).
template <class S>
const S* optional(std::span<const S> numbers, std::int64_t count, int lanes) noexcept {
  if (numbers.empty()) return nullptr;
  check_size(numbers, count, lanes);
  return numbers.data();
}

template <class S>
struct Gravity {
  S g[3];
  explicit Gravity(const Vec3d& v) : g{static_cast<S>(v.x), static_cast<S>(v.y), static_cast<S>(v.z)} {}
};

template <class S>
FrameView<S> view_of(const BodyFrame& frame) noexcept {
  const Vec3d& p = frame.X_LB.p;
  FrameView<S> view{frame.link, {static_cast<S>(p.x), static_cast<S>(p.y), static_cast<S>(p.z)}, {}};
  for (int e = 0; e < 9; ++e) view.rotation[e] = static_cast<S>(frame.X_LB.R.m[e]);
  return view;
}

}  // namespace trilith::multibody
