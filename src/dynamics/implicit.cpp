// Implements (DYN-18) to (DYN-20).
#include "dynamics/implicit.h"

#include <algorithm>

#include "dynamics/actuation.h"
#include "dynamics/passive.h"
#include "dynamics/tree_lu.h"
#include "multibody/dynamics.h"

namespace trilith::dynamics {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Adds h drag slopes: sum of s (J'J) over the six rows of the body's Jacobian in its principal axes.
void add_drag_slopes(const System& system, const Workspace& w, double h, const TreeMatrix& a, std::span<double> row) {
  for (const DraggedBody& dragged : system.dragged) {
    const std::int32_t link = system.tree.body(dragged.body).link;
    const std::span<const std::int32_t> dofs = system.tree.dofs_of(link);
    const multibody::TreeMotion motion = w.motion(system);
    const Posed X_WI = w.X_WB[at(dragged.body)] * dragged.X_BI;
    const Vec3d p_OI = multibody::from_origin(motion, link, X_WI.p);
    const Vec6d slope = to_vec6(drag_slope(system, dragged, drag_velocity(system, w, dragged)));
    for (int i = 0; i < 6; ++i) {
      const Vec3d axis = column(X_WI.R, i % 3);
      for (std::size_t e = 0; e < dofs.size(); ++e)
        row[e] = dot(axis, i < 3 ? multibody::point_column(motion, dofs[e], p_OI) : multibody::angular_column(motion, dofs[e]));
      add_outer_product(system.tree, dofs, row.first(dofs.size()), -h * slope.v[i], a);
    }
  }
  std::ranges::fill(row, 0.0);
}

void add_tendon_slopes(const System& system, const Workspace& w, double h, const TreeMatrix& a) {
  const multibody::SparseRows& pattern = system.tendons.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const double damping = system.model->tendons[at(i)].damping;
    if (damping != 0)
      add_outer_product(system.tree, pattern.columns(i), pattern.of_row(std::span<const double>(w.tendon_jacobian), i), h * damping, a);
  }
}

void add_actuator_slopes(const System& system, const State& state, const Workspace& w, double h, const TreeMatrix& a) {
  if (!system.options.actuation) return;
  const multibody::SparseRows& pattern = system.transmissions.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const double slope = actuator_slope(system, state, w, i);
    if (slope != 0) add_outer_product(system.tree, pattern.columns(i), pattern.of_row(std::span<const double>(w.moment), i), -h * slope, a);
  }
}

/// (DYN-19): h d(bias)/dv of one free body: force m w x (w x s) at its origin and moment w x (I w) about the centre, s = p_BC in world
/// axes.
void add_free_body_bias(const System& system, const State& state, const Workspace& w, std::int32_t dof, double h, const TreeMatrix& a) {
  const multibody::Tree& tree = system.tree;
  const std::int32_t link = tree.dof_link(dof + 3);
  const multibody::LinkConstants<double>& c = tree.view<double>().number[link];
  const Mat3d R = multibody::pose_of(w.motion(system), link).R;
  const Mat3d I_L{
      {c.inertia[0], c.inertia[1], c.inertia[2], c.inertia[1], c.inertia[3], c.inertia[4], c.inertia[2], c.inertia[4], c.inertia[5]}};
  const Mat3d I = R * I_L * transpose(R);
  const Vec3d s = R * Vec3d{c.com[0], c.com[1], c.com[2]};
  const Vec3d omega = R * Vec3d{state.v[at(dof + 3)], state.v[at(dof + 4)], state.v[at(dof + 5)]};
  const Mat3d by_force = -(c.mass) * (skew(cross(omega, s)) + skew(omega) * skew(s));
  const Mat3d by_moment = skew(s) * by_force + skew(omega) * I - skew(I * omega);
  const Mat3d linear = by_force * R, angular = transpose(R) * by_moment * R;
  for (int i = 0; i < 6; ++i) {
    for (int j = 3; j < 6; ++j) {
      const double entry = h * (i < 3 ? linear.m[3 * i + j - 3] : angular.m[3 * (i - 3) + j - 3]);
      if (j <= i) a.lower[at(tree.row_start(dof + i)) + at(j)] += entry;
      if (j > i) a.upper[at(tree.row_start(dof + j)) + at(i)] += entry;
    }
  }
}

}  // namespace

void update_implicit_matrix(const System& system, const State& state, bool bias_of_all, Workspace& w) noexcept {
  const multibody::Tree& tree = system.tree;
  const double h = system.options.timestep;
  const double* M = w.tree.view().mass_matrix;
  const TreeMatrix a{w.lower, w.upper};
  if (bias_of_all) {
    multibody::bias_velocity_derivatives<double>(tree, {.v = state.v, .a = {}, .applied = {}, .gravity = system.gravity}, w.tree, w.lower,
                                                 w.upper);
    for (std::size_t e = 0; e < w.lower.size(); ++e) w.lower[e] = M[e] + h * w.lower[e], w.upper[e] = M[e] + h * w.upper[e];
  } else {
    for (std::size_t e = 0; e < w.lower.size(); ++e) w.lower[e] = w.upper[e] = M[e];
    for (const std::int32_t dof : system.free_bodies) add_free_body_bias(system, state, w, dof, h, a);
  }
  if (system.options.passive_forces) {
    for (std::int32_t k = 0; k < tree.dofs(); ++k) w.lower[at(tree.row_start(k)) + tree.row(k).size() - 1] += h * system.damping[at(k)];
    add_tendon_slopes(system, w, h, a);
    add_drag_slopes(system, w, h, a, w.scratch);
  }
  add_actuator_slopes(system, state, w, h, a);
}

}  // namespace trilith::dynamics
