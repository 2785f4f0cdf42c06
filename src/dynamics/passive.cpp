// Implements (DYN-11) to (DYN-14).
#include "dynamics/passive.h"

namespace trilith::dynamics {
namespace {

using model::JointKind;

constexpr double pi = 3.141592653589793;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

Vec3d vector_at(std::span<const double> x, std::int32_t i) { return {x[at(i)], x[at(i + 1)], x[at(i + 2)]}; }
Quaterniond quaternion_at(std::span<const double> q, std::int32_t i) {
  return normalized(Quaterniond{q[at(i)], q[at(i + 1)], q[at(i + 2)], q[at(i + 3)]});
}
void add3(const Vec3d& a, std::span<double> tau, std::int32_t v) { tau[at(v)] += a.x, tau[at(v + 1)] += a.y, tau[at(v + 2)] += a.z; }

/// How far a joint spring is from where it is slack: a translation and a rotation vector in the axes of the velocities (DYN-11). A hinge or
/// slide uses translation.x alone.
struct Stretch {
  Vec3d translation{}, rotation{};
};
Stretch stretch_of(const System& system, const State& state, const JointSpring& spring) {
  const std::span<const double> slack = system.model->spring_qpos;
  if (spring.kind == JointKind::hinge || spring.kind == JointKind::slide) return {{state.q[at(spring.q)] - slack[at(spring.q)], 0, 0}, {}};
  Stretch stretch;
  std::int32_t q = spring.q;
  if (spring.kind == JointKind::free) {
    stretch.translation = vector_at(state.q, q) - vector_at(slack, q);
    q += 3;
  }
  stretch.rotation = log_rotation(conjugate(quaternion_at(slack, q)) * quaternion_at(state.q, q));
  return stretch;
}

void add_joint_springs(const System& system, const State& state, std::span<double> tau) {
  for (const JointSpring& spring : system.springs) {
    const Stretch stretch = stretch_of(system, state, spring);
    std::int32_t v = spring.v;
    if (spring.kind == JointKind::hinge || spring.kind == JointKind::slide) {
      tau[at(v)] -= spring.stiffness * stretch.translation.x;
      continue;
    }
    if (spring.kind == JointKind::free) {
      add3(-spring.stiffness * stretch.translation, tau, v);
      v += 3;
    }
    add3(-spring.stiffness * stretch.rotation, tau, v);
  }
}

/// How far a tendon is beyond its slack band, m. (DYN-12)
double tendon_stretch(const model::Range& slack, double length) {
  return length > slack.upper ? length - slack.upper : length < slack.lower ? length - slack.lower : 0;
}

void add_tendon_forces(const System& system, const Workspace& w, std::span<double> tau) {
  const multibody::SparseRows& pattern = system.tendons.pattern();
  for (std::int32_t i = 0; i < pattern.rows(); ++i) {
    const model::Tendon& tendon = system.model->tendons[at(i)];
    const double force =
        -tendon.stiffness * tendon_stretch(system.spring_length[at(i)], w.tendon_length[at(i)]) - tendon.damping * w.tendon_velocity[at(i)];
    if (force != 0) multibody::add_row_to(pattern, w.tendon_jacobian, i, force, tau);
  }
}

/// The drag on a box that moves through the medium, force and moment at its centre in its axes. (DYN-14)
Wrenchd drag_of(const System& system, const Vec3d& box, const Twistd& velocity) {
  const double viscosity = system.options.medium_viscosity, density = system.options.medium_density;
  const double diameter = (box.x + box.y + box.z) / 3;
  const Vec3d &v = velocity.linear, &u = velocity.angular;
  Wrenchd drag{(-3 * pi * diameter * viscosity) * v, (-pi * diameter * diameter * diameter * viscosity) * u};
  const double x4 = box.x * box.x * box.x * box.x, y4 = box.y * box.y * box.y * box.y, z4 = box.z * box.z * box.z * box.z;
  const double half = density / 2, turn = density / 64;
  drag.force = drag.force -
               Vec3d{half * box.y * box.z * abs(v.x) * v.x, half * box.x * box.z * abs(v.y) * v.y, half * box.x * box.y * abs(v.z) * v.z};
  drag.moment = drag.moment - Vec3d{turn * box.x * (y4 + z4) * abs(u.x) * u.x, turn * box.y * (x4 + z4) * abs(u.y) * u.y,
                                    turn * box.z * (x4 + y4) * abs(u.z) * u.z};
  return drag;
}

void add_drag(const System& system, Workspace& w, std::span<double> tau) {
  for (const DraggedBody& dragged : system.dragged) {
    const Posed X_WI = w.X_WB[at(dragged.body)] * dragged.X_BI;
    const Wrenchd drag = drag_of(system, dragged.box, drag_velocity(system, w, dragged));
    add_body_wrench(system, w, dragged.body, X_WI.p, rotate(X_WI.R, drag), tau);
  }
}

void update_gravity_compensation(const System& system, Workspace& w) {
  for (const std::int32_t b : system.compensated_bodies) {
    const model::Body& body = system.model->bodies[at(b)];
    const Vec3d force = -(body.inertia.mass * body.gravity_compensation) * system.gravity;
    add_body_wrench(system, w, b, transform_point(w.X_WB[at(b)], body.inertia.com), {force, {}}, w.gravity_compensation);
  }
}

}  // namespace

void add_body_wrench(const System& system, const Workspace& w, std::int32_t body, const Vec3d& p_W, const Wrenchd& wrench,
                     std::span<double> tau) noexcept {
  const std::int32_t link = system.tree.body(body).link;
  if (link < 0) return;
  const multibody::TreeMotion motion = w.motion(system);
  const Vec3d p_OP = multibody::from_origin(motion, link, p_W);
  const Wrenchd about_origin{wrench.force, wrench.moment + cross(p_OP, wrench.force)};
  for (const std::int32_t k : system.tree.dofs_of(link)) tau[at(k)] += power(about_origin, multibody::column_of(motion, k));
}

Twistd drag_velocity(const System& system, const Workspace& w, const DraggedBody& dragged) noexcept {
  const Posed X_WI = w.X_WB[at(dragged.body)] * dragged.X_BI;
  const Twistd v = multibody::velocity_at(w.motion(system), system.tree.body(dragged.body).link, X_WI.p);
  return {transpose_times(X_WI.R, v.linear - system.options.wind), transpose_times(X_WI.R, v.angular)};
}

Twistd drag_slope(const System& system, const DraggedBody& dragged, const Twistd& velocity) noexcept {
  const Vec3d &box = dragged.box, &v = velocity.linear, &u = velocity.angular;
  const double viscosity = system.options.medium_viscosity, density = system.options.medium_density;
  const double diameter = (box.x + box.y + box.z) / 3;
  const double linear = -3 * pi * diameter * viscosity, angular = -pi * diameter * diameter * diameter * viscosity;
  const double x4 = box.x * box.x * box.x * box.x, y4 = box.y * box.y * box.y * box.y, z4 = box.z * box.z * box.z * box.z;
  const double turn = density / 32;
  return {{linear - density * box.y * box.z * abs(v.x), linear - density * box.x * box.z * abs(v.y),
           linear - density * box.x * box.y * abs(v.z)},
          {angular - turn * box.x * (y4 + z4) * abs(u.x), angular - turn * box.y * (x4 + z4) * abs(u.y),
           angular - turn * box.z * (x4 + y4) * abs(u.z)}};
}

void update_passive(const System& system, const State& state, Workspace& w) noexcept {
  const std::size_t n = w.passive.size();
  for (std::size_t k = 0; k < n; ++k) w.passive[k] = w.gravity_compensation[k] = 0;
  if (!system.options.passive_forces) return;
  add_joint_springs(system, state, w.passive);
  for (std::size_t k = 0; k < n; ++k) w.passive[k] -= system.damping[k] * state.v[k];
  add_tendon_forces(system, w, w.passive);
  add_drag(system, w, w.passive);
  if (system.compensated_bodies.empty()) return;
  update_gravity_compensation(system, w);
  for (std::size_t k = 0; k < n; ++k) w.passive[k] += w.gravity_compensation[k];
  for (const std::int32_t k : system.compensating_dofs) w.passive[at(k)] -= w.gravity_compensation[at(k)];
}

double spring_energy(const System& system, const State& state, const Workspace& w) noexcept {
  if (!system.options.passive_forces) return 0;
  double sum = 0;
  for (const JointSpring& spring : system.springs) {
    const Stretch s = stretch_of(system, state, spring);
    sum += 0.5 * spring.stiffness * (dot(s.translation, s.translation) + dot(s.rotation, s.rotation));
  }
  for (std::size_t i = 0; i < system.spring_length.size(); ++i) {
    const double stretch = tendon_stretch(system.spring_length[i], w.tendon_length[i]);
    sum += 0.5 * system.model->tendons[i].stiffness * stretch * stretch;
  }
  return sum;
}

}  // namespace trilith::dynamics
