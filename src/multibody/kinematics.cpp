#include "multibody/kinematics.h"

#include "multibody/kernel_choice.h"

namespace trilith::multibody {
namespace {

/// Rows of a Jacobian's matrix and columns for its shape.
std::int64_t jacobian_size(const Tree& tree, std::int32_t link, JacobianShape shape) {
  return 6 * (shape == JacobianShape::dense ? tree.dofs() : static_cast<std::int64_t>(tree.dofs_of(link).size()));
}

/// Where a slot of a link or degree of freedom begins.
std::int64_t place(LinkSlot slot, std::int32_t link) { return link_numbers * link + static_cast<std::int64_t>(slot); }
std::int64_t place(DofSlot slot, std::int32_t dof) { return dof_numbers * dof + static_cast<std::int64_t>(slot); }

/// A number of lane 0.
double first(const Workspace<double>& w, const double* array, std::int64_t i) { return array[i * w.lanes()]; }
Vec3d first3(const Workspace<double>& w, const double* array, std::int64_t i) {
  return {first(w, array, i), first(w, array, i + 1), first(w, array, i + 2)};
}

}  // namespace

template <class S>
void update_kinematics(const Tree& tree, std::span<const S> q, Workspace<S>& w) noexcept {
  check_size(q, tree.coordinates(), w.lanes());
  tree_kernel_of<S>(w.lanes()).kinematics(tree.view<S>(), w.view(), q.data());
}

template <class S>
void update_velocities(const Tree& tree, std::span<const S> v, Workspace<S>& w) noexcept {
  check_size(v, tree.dofs(), w.lanes());
  tree_kernel_of<S>(w.lanes()).velocities(tree.view<S>(), w.view(), v.data());
}

template <class S>
void write_frame_pose(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, std::span<S> out) noexcept {
  check_size(out, 12, w.lanes());
  tree_kernel_of<S>(w.lanes()).frame_pose(tree.view<S>(), w.view(), view_of<S>(frame), out.data());
}

Posed frame_pose(const Tree& tree, const Workspace<double>& w, const BodyFrame& frame) noexcept {
  if (frame.link < 0) return frame.X_LB;
  Posed X_WL;
  for (int e = 0; e < 9; ++e) X_WL.R.m[e] = first(w, w.view().link, place(LinkSlot::rotation, frame.link) + e);
  const Vec3d arm = first3(w, w.view().link, place(LinkSlot::position, frame.link)) + X_WL.R * frame.X_LB.p;
  return {X_WL.R * frame.X_LB.R, first3(w, w.view().origin, 3 * std::int64_t{tree.link(frame.link).tree}) + arm};
}

Twistd point_velocity(const Tree& tree, const Workspace<double>& w, std::int32_t link, const Vec3d& p_WP) noexcept {
  if (link < 0) return {};
  const std::int64_t i = place(LinkSlot::velocity, link);
  const Twistd V{first3(w, w.view().link, i), first3(w, w.view().link, i + 3)};
  return shift(V, p_WP - first3(w, w.view().origin, 3 * std::int64_t{tree.link(link).tree}));
}
Twistd frame_velocity(const Tree& tree, const Workspace<double>& w, const BodyFrame& frame) noexcept {
  return point_velocity(tree, w, frame.link, frame_pose(tree, w, frame).p);
}

template <class S>
void write_jacobian(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, JacobianPoint point, JacobianShape shape,
                    std::span<S> out) noexcept {
  check_size(out, jacobian_size(tree, frame.link, shape), w.lanes());
  tree_kernel_of<S>(w.lanes()).jacobian(tree.view<S>(), w.view(), view_of<S>(frame), point, shape, out.data());
}

template <class S>
void write_jacobian_rate(const Tree& tree, const Workspace<S>& w, const BodyFrame& frame, JacobianPoint point, JacobianShape shape,
                         std::span<S> out) noexcept {
  check_size(out, jacobian_size(tree, frame.link, shape), w.lanes());
  tree_kernel_of<S>(w.lanes()).jacobian_rate(tree.view<S>(), w.view(), view_of<S>(frame), point, shape, out.data());
}

void write_point_jacobian(const Tree& tree, const Workspace<double>& w, std::int32_t link, const Vec3d& p_WP,
                          std::span<double> out) noexcept {
  const std::span<const std::int32_t> dofs = tree.dofs_of(link);
  check_size(out, 6 * static_cast<std::int64_t>(dofs.size()), 1);
  if (link < 0) return;
  const Vec3d arm = p_WP - first3(w, w.view().origin, 3 * std::int64_t{tree.link(link).tree});
  for (std::size_t e = 0; e < dofs.size(); ++e) {
    const std::int64_t k = place(DofSlot::column, dofs[e]);
    const Vec6d column = to_vec6(shift(Twistd{first3(w, w.view().dof, k), first3(w, w.view().dof, k + 3)}, arm));
    for (std::size_t row = 0; row < 6; ++row) out[row * dofs.size() + e] = column.v[row];
  }
}

Vec3d center_of_mass(const Tree& tree, const Workspace<double>& w) noexcept {
  double out[3 * Workspace<double>::group];
  tree_kernel_of<double>(w.lanes()).com(tree.view<double>(), w.view(), out);
  return first3(w, out, 0);
}

template <class S>
void write_com_jacobian(const Tree& tree, const Workspace<S>& w, std::span<S> out) noexcept {
  check_size(out, 3 * std::int64_t{tree.dofs()}, w.lanes());
  tree_kernel_of<S>(w.lanes()).com_jacobian(tree.view<S>(), w.view(), out.data());
}

Energy measure_energy(const Tree& tree, const Workspace<double>& w, std::span<const double> v, const Vec3d& gravity) noexcept {
  check_size(v, tree.dofs(), w.lanes());
  double out[2 * Workspace<double>::group];
  tree_kernel_of<double>(w.lanes()).energy(tree.view<double>(), w.view(), v.data(), Gravity<double>(gravity).g, out);
  return {first(w, out, 0), first(w, out, 1)};
}

template <class S>
void integrate(const Tree& tree, std::span<const S> q, std::span<const S> v, double dt, int lanes, std::span<S> out) noexcept {
  check_size(q, tree.coordinates(), lanes), check_size(v, tree.dofs(), lanes), check_size(out, tree.coordinates(), lanes);
  tree_kernel_of<S>(lanes).integrate(tree.view<S>(), q.data(), v.data(), static_cast<S>(dt), out.data());
}

template <class S>
void difference(const Tree& tree, std::span<const S> from, std::span<const S> to, int lanes, std::span<S> out) noexcept {
  check_size(from, tree.coordinates(), lanes), check_size(to, tree.coordinates(), lanes), check_size(out, tree.dofs(), lanes);
  tree_kernel_of<S>(lanes).difference(tree.view<S>(), from.data(), to.data(), out.data());
}

template <class S>
void write_integrate_jacobians(const Tree& tree, std::span<const S> v, double dt, int lanes, std::span<S> by_q,
                               std::span<S> by_v) noexcept {
  check_size(v, tree.dofs(), lanes);
  check_size(by_q, 3 * std::int64_t{tree.dofs()}, lanes), check_size(by_v, 3 * std::int64_t{tree.dofs()}, lanes);
  tree_kernel_of<S>(lanes).integrate_jacobians(tree.view<S>(), v.data(), static_cast<S>(dt), by_q.data(), by_v.data());
}

#define TRI_INSTANTIATE(S)                                                                                                               \
  template void update_kinematics(const Tree&, std::span<const S>, Workspace<S>&) noexcept;                                              \
  template void update_velocities(const Tree&, std::span<const S>, Workspace<S>&) noexcept;                                              \
  template void write_frame_pose(const Tree&, const Workspace<S>&, const BodyFrame&, std::span<S>) noexcept;                             \
  template void write_jacobian(const Tree&, const Workspace<S>&, const BodyFrame&, JacobianPoint, JacobianShape, std::span<S>) noexcept; \
  template void write_jacobian_rate(const Tree&, const Workspace<S>&, const BodyFrame&, JacobianPoint, JacobianShape,                    \
                                    std::span<S>) noexcept;                                                                              \
  template void write_com_jacobian(const Tree&, const Workspace<S>&, std::span<S>) noexcept;                                             \
  template void integrate(const Tree&, std::span<const S>, std::span<const S>, double, int, std::span<S>) noexcept;                      \
  template void difference(const Tree&, std::span<const S>, std::span<const S>, int, std::span<S>) noexcept;                             \
  template void write_integrate_jacobians(const Tree&, std::span<const S>, double, int, std::span<S>, std::span<S>) noexcept;
TRI_INSTANTIATE(double)
TRI_INSTANTIATE(float)
#undef TRI_INSTANTIATE

}  // namespace trilith::multibody
