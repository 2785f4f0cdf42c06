// Implements (DYN-1) to (DYN-5).
#include "dynamics/stages.h"

#include <algorithm>

#include "dynamics/actuation.h"
#include "dynamics/passive.h"
#include "multibody/dynamics.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"

namespace trilith::dynamics {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

Posed mocap_pose(const State& state, std::int32_t i) {
  const double *p = state.mocap_position.data() + 3 * i, *q = state.mocap_quaternion.data() + 4 * i;
  return make_pose(normalized(Quaterniond{q[0], q[1], q[2], q[3]}), Vec3d{p[0], p[1], p[2]});
}

void update_body_poses(const System& system, const State& state, Workspace& w) {
  const multibody::TreeMotion motion = w.motion(system);
  for (std::size_t b = 0; b < w.X_WB.size(); ++b) {
    const model::Body& body = system.model->bodies[b];
    const multibody::BodyFrame& frame = system.tree.body(static_cast<std::int32_t>(b));
    if (frame.link >= 0)
      w.X_WB[b] = multibody::pose_of(motion, frame.link) * frame.X_LB;
    else if (body.mocap_index >= 0)
      w.X_WB[b] = mocap_pose(state, body.mocap_index);
    else if (system.moved_by_mocap[b] != 0)
      w.X_WB[b] = w.X_WB[at(body.parent)] * body.pose;
    else
      w.X_WB[b] = frame.X_LB;
  }
}

/// M += armature J'J of tendons (DYN-4): their degrees of freedom lie on one chain, so that every entry has its place.
void add_tendon_armature(const System& system, Workspace& w) {
  double* M = w.tree.view().mass_matrix;
  const multibody::SparseRows& pattern = system.tendons.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const double armature = system.model->tendons[at(i)].armature;
    if (armature == 0) continue;
    const std::span<const std::int32_t> columns = pattern.columns(i);
    const std::span<const double> J = pattern.of_row(std::span<const double>(w.tendon_jacobian), i);
    for (std::size_t r = 0; r < columns.size(); ++r) {
      const std::span<const std::int32_t> row = system.tree.row(columns[r]);
      for (std::size_t c = 0; c <= r; ++c) {
        const auto place = std::ranges::lower_bound(row, columns[c]) - row.begin();
        M[system.tree.row_start(columns[r]) + place] += armature * J[r] * J[c];
      }
    }
  }
}

/// bias += J' armature Jdot v. (DYN-4)
void add_tendon_bias(const System& system, Workspace& w) {
  const multibody::SparseRows& pattern = system.tendons.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const double armature = system.model->tendons[at(i)].armature;
    if (armature == 0) continue;
    const double rate = system.tendons.bias_acceleration(i, w.motion(system), w.X_WB);
    multibody::add_row_to(pattern, w.tendon_jacobian, i, armature * rate, w.bias);
  }
}

}  // namespace

bool update_position(const System& system, const State& state, Workspace& w) noexcept {
  multibody::update_kinematics<double>(system.tree, state.q, w.tree);
  update_body_poses(system, state, w);
  multibody::update_mass_matrix(system.tree, w.tree);
  const multibody::TreeMotion motion = w.motion(system);
  system.tendons.update(motion, state.q, w.X_WB, w.tendon_length, w.tendon_jacobian, w.scratch);
  if (system.tendon_armature) add_tendon_armature(system, w);
  system.transmissions.update({motion, state.q, w.X_WB, w.tendon_length, w.tendon_jacobian}, w.actuator_length, w.moment, w.scratch);
  return multibody::factor_mass_matrix<double>(system.tree, w.tree) == 0;
}

void update_velocity(const System& system, const State& state, Workspace& w) noexcept {
  const multibody::SparseRows &tendons = system.tendons.pattern(), &moments = system.transmissions.pattern();
  for (std::int32_t i = 0; i < tendons.rows(); ++i) w.tendon_velocity[at(i)] = multibody::row_dot(tendons, w.tendon_jacobian, i, state.v);
  for (std::int32_t i = 0; i < moments.rows(); ++i)
    w.actuator_velocity[at(i)] = system.options.actuation ? multibody::row_dot(moments, w.moment, i, state.v) : 0;
  multibody::update_velocities<double>(system.tree, state.v, w.tree);
  update_passive(system, state, w);
  multibody::inverse_dynamics<double>(system.tree, {.v = state.v, .a = {}, .applied = {}, .gravity = system.gravity}, w.tree, w.bias);
  if (system.tendon_armature) add_tendon_bias(system, w);
}

void update_smooth_acceleration(const System& system, const State& state, Workspace& w) noexcept {
  for (std::size_t k = 0; k < w.smooth.size(); ++k) w.smooth[k] = w.passive[k] - w.bias[k] + state.applied[k] + w.actuator_torque[k];
  for (std::size_t b = 1; b < state.body_wrench.size(); ++b) {
    const Wrenchd& wrench = state.body_wrench[b];
    if (dot(wrench.force, wrench.force) + dot(wrench.moment, wrench.moment) == 0) continue;
    const Vec3d p_WC = transform_point(w.X_WB[b], system.model->bodies[b].inertia.com);
    add_body_wrench(system, w, static_cast<std::int32_t>(b), p_WC, wrench, w.smooth);
  }
  std::ranges::copy(w.smooth, w.a_smooth.begin());
  multibody::solve_mass_matrix<double>(system.tree, w.tree, w.a_smooth);
}

bool update_smooth(const System& system, const State& state, Workspace& w) noexcept {
  const bool usable = update_position(system, state, w);
  update_velocity(system, state, w);
  update_actuation(system, state, w);
  update_smooth_acceleration(system, state, w);
  return usable;
}

double kinetic_energy(const System& system, const State& state, const Workspace& w) noexcept {
  const double* M = w.tree.view().mass_matrix;
  double sum = 0;
  for (std::int32_t k = 0; k < system.nv(); ++k) {
    const std::span<const std::int32_t> row = system.tree.row(k);
    const double* entries = M + system.tree.row_start(k);
    double below = 0;
    for (std::size_t e = 0; e + 1 < row.size(); ++e) below += entries[e] * state.v[at(row[e])];
    sum += state.v[at(k)] * (below + 0.5 * entries[row.size() - 1] * state.v[at(k)]);
  }
  return sum;
}

double potential_energy(const System& system, const State& state, const Workspace& w) noexcept {
  double sum = spring_energy(system, state, w);
  for (std::size_t b = 1; b < w.X_WB.size(); ++b) {
    const Inertiad& inertia = system.model->bodies[b].inertia;
    sum -= inertia.mass * dot(system.gravity, transform_point(w.X_WB[b], inertia.com));
  }
  return sum;
}

}  // namespace trilith::dynamics
