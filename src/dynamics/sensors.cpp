// Implements (DYN-25) to (DYN-27).
#include "dynamics/sensors.h"

#include <algorithm>

#include "dynamics/constraint_sensors.h"
#include "dynamics/stages.h"
#include "geom/ray.h"
#include "multibody/dynamics.h"

namespace trilith::dynamics {
namespace {

using model::Sensor;
using model::SensorKind;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// One pass over the sensors of a step.
class Measurement {
 public:
  Measurement(const System& system, const State& state, const ConstraintStage& stage, Workspace& w)
      : system_(system), model_(*system.model), state_(state), stage_(stage), w_(w) {
    if (system.needs_accelerations) update_accelerations();
  }
  void measure(std::size_t i) {
    const Sensor& s = model_.sensors[i];
    out_ = std::span<double>(w_.sensors).subspan(at(s.first), at(s.dimension));
    object_ = system_.sensor_frames[i].object, reference_ = system_.sensor_frames[i].reference;
    measure_kind(s);
    bound(s);
  }

 private:
  void measure_kind(const Sensor& s);
  void measure_force(const Sensor& s);
  void measure_frame(const Sensor& s);
  void measure_subtree(const Sensor& s);
  void update_accelerations();
  void update_body_forces();

  Posed pose(const AttachedFrame& frame) const { return frame.body < 0 ? identity_pose<double>() : w_.X_WB[at(frame.body)] * frame.X_BF; }
  Twistd velocity(const AttachedFrame& frame, const Vec3d& p_W) const {
    return frame.body < 0 ? Twistd{} : multibody::velocity_at(w_.motion(system_), link_of(frame.body), p_W);
  }
  std::int32_t link_of(std::int32_t body) const { return system_.tree.body(body).link; }
  /// Acceleration of a point of a body, as an accelerometer feels it: against free fall. Bodies that nothing moves feel none.
  Twistd acceleration(const AttachedFrame& frame, const Vec3d& p_W) const;

  void put(double x) { out_[0] = x; }
  void put(const Vec3d& x) { out_[0] = x.x, out_[1] = x.y, out_[2] = x.z; }
  void put(const Quaterniond& q) { out_[0] = q.w, out_[1] = q.x, out_[2] = q.y, out_[3] = q.z; }
  void bound(const Sensor& s);

  const System& system_;
  const model::Model& model_;
  const State& state_;
  const ConstraintStage& stage_;
  Workspace& w_;
  std::span<double> out_;
  AttachedFrame object_, reference_;
};

/// (DYN-26): accelerations of links by inverse dynamics at a; from them the forces of bodies.
void Measurement::update_accelerations() {
  multibody::inverse_dynamics<double>(system_.tree, {.v = state_.v, .a = w_.a, .applied = {}, .gravity = system_.gravity}, w_.tree,
                                      w_.scratch);
  std::ranges::fill(w_.scratch, 0.0);
  if (!w_.body_force.empty()) update_body_forces();
}

Twistd Measurement::acceleration(const AttachedFrame& frame, const Vec3d& p_W) const {
  const std::int32_t link = frame.body < 0 ? -1 : link_of(frame.body);
  if (link < 0) return {};
  const multibody::TreeMotion motion = w_.motion(system_);
  const Vec3d p = multibody::from_origin(motion, link, p_W);
  const Twistd a = shift(multibody::acceleration_of(motion, link), p);
  const Twistd v = multibody::velocity_at(motion, link, p_W);
  return {a.linear + cross(v.angular, v.linear), a.angular};
}

/// (DYN-27): the wrench that each body takes from the one that carries it, about its own origin.
void Measurement::update_body_forces() {
  w_.body_force[0] = {};
  for (std::size_t b = 1; b < w_.body_force.size(); ++b) {
    const auto body = static_cast<std::int32_t>(b);
    const Inertiad& inertia = model_.bodies[b].inertia;
    const Posed& X = w_.X_WB[b];
    const Vec3d p_WC = transform_point(X, inertia.com);
    const AttachedFrame here{body, identity_pose<double>()};
    const Twistd a = link_of(body) < 0 ? Twistd{-system_.gravity, {}} : acceleration(here, p_WC);
    const Mat3d I = X.R * inertia.about_com * transpose(X.R);
    const Vec3d omega = velocity(here, p_WC).angular;
    const Wrenchd needed{inertia.mass * a.linear, I * a.angular + cross(omega, I * omega)};
    w_.body_force[b] = shift(state_.body_wrench[b] - needed, X.p - p_WC);
  }
  add_constraint_wrenches(system_, w_, stage_, w_.body_force);
  for (Wrenchd& wrench : w_.body_force) wrench = Wrenchd{} - wrench;  // what is needed beyond what acts from outside
  for (std::size_t b = w_.body_force.size() - 1; b > 0; --b) {
    const std::size_t parent = at(model_.bodies[b].parent);
    w_.body_force[parent] = w_.body_force[parent] + shift(w_.body_force[b], w_.X_WB[parent].p - w_.X_WB[b].p);
  }
  w_.body_force[0] = {};
}

void Measurement::measure_kind(const Sensor& s) {
  const std::int32_t i = s.object.index;
  switch (s.kind) {
    case SensorKind::touch:
      return put(measure_touch(system_, w_, stage_, i));
    case SensorKind::joint_limit_position:
    case SensorKind::joint_limit_velocity:
    case SensorKind::joint_limit_force:
    case SensorKind::tendon_limit_position:
    case SensorKind::tendon_limit_velocity:
    case SensorKind::tendon_limit_force:
      return put(measure_limit(s, stage_));
    case SensorKind::joint_position:
      return put(state_.q[at(model_.joints[at(i)].q)]);
    case SensorKind::joint_velocity:
      return put(state_.v[at(model_.joints[at(i)].v)]);
    case SensorKind::tendon_position:
      return put(w_.tendon_length[at(i)]);
    case SensorKind::tendon_velocity:
      return put(w_.tendon_velocity[at(i)]);
    case SensorKind::actuator_position:
      return put(w_.actuator_length[at(i)]);
    case SensorKind::actuator_velocity:
      return put(w_.actuator_velocity[at(i)]);
    case SensorKind::actuator_force:
    case SensorKind::joint_actuator_force:
    case SensorKind::tendon_actuator_force:
      return measure_force(s);
    case SensorKind::ball_quaternion: {
      const double* q = state_.q.data() + model_.joints[at(i)].q;
      return put(normalized(Quaterniond{q[0], q[1], q[2], q[3]}));
    }
    case SensorKind::ball_angular_velocity: {
      const double* v = state_.v.data() + model_.joints[at(i)].v;
      return put(Vec3d{v[0], v[1], v[2]});
    }
    case SensorKind::subtree_com:
    case SensorKind::subtree_linear_velocity:
    case SensorKind::subtree_angular_momentum:
      return measure_subtree(s);
    case SensorKind::kinetic_energy:
      return put(kinetic_energy(system_, state_, w_));
    case SensorKind::potential_energy:
      return put(potential_energy(system_, state_, w_));
    case SensorKind::clock:
      return put(state_.time);
    default:
      return measure_frame(s);
  }
}

void Measurement::measure_force(const Sensor& s) {
  const std::int32_t i = s.object.index;
  if (s.kind == SensorKind::actuator_force) return put(w_.actuator_force[at(i)]);
  if (s.kind == SensorKind::joint_actuator_force) return put(w_.actuator_torque[at(model_.joints[at(i)].v)]);
  double sum = 0;
  for (std::size_t a = 0; a < model_.actuators.size(); ++a)
    if (model_.actuators[a].transmission == model::Transmission::tendon && model_.actuators[a].target.index == i)
      sum += w_.actuator_force[a];
  put(sum);
}

/// What is read at a frame: of a site in the site's axes, of an object in the axes of the reference or of the world. (DYN-25)
void Measurement::measure_frame(const Sensor& s) {
  const Posed X = pose(object_), X_ref = pose(reference_);
  const Twistd v = velocity(object_, X.p);
  switch (s.kind) {
    case SensorKind::accelerometer:
      return put(transpose_times(X.R, acceleration(object_, X.p).linear));
    case SensorKind::velocimeter:
      return put(transpose_times(X.R, v.linear));
    case SensorKind::gyro:
      return put(transpose_times(X.R, v.angular));
    case SensorKind::magnetometer:
      return put(transpose_times(X.R, system_.options.magnetic));
    case SensorKind::rangefinder:
      return put(cast_ray(system_, w_, X.p, column(X.R, 2), object_.body));
    case SensorKind::force:
      return put(transpose_times(X.R, w_.body_force[at(object_.body)].force));
    case SensorKind::torque:
      return put(transpose_times(X.R, shift(w_.body_force[at(object_.body)], X.p - w_.X_WB[at(object_.body)].p).moment));
    case SensorKind::frame_position:
      return put(inverse_transform_point(X_ref, X.p));
    case SensorKind::frame_quaternion:
      return put(from_matrix(transpose(X_ref.R) * X.R));
    case SensorKind::frame_x_axis:
      return put(transpose_times(X_ref.R, column(X.R, 0)));
    case SensorKind::frame_y_axis:
      return put(transpose_times(X_ref.R, column(X.R, 1)));
    case SensorKind::frame_z_axis:
      return put(transpose_times(X_ref.R, column(X.R, 2)));
    case SensorKind::frame_linear_acceleration:
      return put(acceleration(object_, X.p).linear);
    case SensorKind::frame_angular_acceleration:
      return put(acceleration(object_, X.p).angular);
    default:
      break;
  }
  const Twistd v_ref = velocity(reference_, X_ref.p);
  if (s.kind == SensorKind::frame_angular_velocity) return put(transpose_times(X_ref.R, v.angular - v_ref.angular));
  put(transpose_times(X_ref.R, v.linear - v_ref.linear - cross(v_ref.angular, X.p - X_ref.p)));
}

void Measurement::measure_subtree(const Sensor& s) {
  const std::int32_t top = s.object.index, count = static_cast<std::int32_t>(model_.bodies.size());
  const auto com_of = [&](std::int32_t b) { return transform_point(w_.X_WB[at(b)], model_.bodies[at(b)].inertia.com); };
  const auto velocity_of = [&](std::int32_t b) { return velocity({b, identity_pose<double>()}, com_of(b)); };
  double mass = 0;
  Vec3d moment{}, momentum{};
  // bodies are depth first: a subtree is a run whose parents lie inside
  std::int32_t end = top + 1;
  while (end < count && model_.bodies[at(end)].parent >= top) ++end;
  for (std::int32_t b = top; b < end; ++b) {
    const double m = model_.bodies[at(b)].inertia.mass;
    mass += m;
    moment = moment + m * com_of(b);
    momentum = momentum + m * velocity_of(b).linear;
  }
  const Vec3d com = mass > 0 ? (1 / mass) * moment : com_of(top), mean = mass > 0 ? (1 / mass) * momentum : Vec3d{};
  if (s.kind == SensorKind::subtree_com) return put(com);
  if (s.kind == SensorKind::subtree_linear_velocity) return put(mean);
  Vec3d sum{};
  for (std::int32_t b = top; b < end; ++b) {
    const Inertiad& inertia = model_.bodies[at(b)].inertia;
    const Mat3d& R = w_.X_WB[at(b)].R;
    const Twistd v = velocity_of(b);
    sum = sum + R * (inertia.about_com * transpose_times(R, v.angular)) + inertia.mass * cross(com_of(b) - com, v.linear - mean);
  }
  put(sum);
}

void Measurement::bound(const Sensor& s) {
  if (!(s.cutoff > 0)) return;
  switch (s.kind) {
    case SensorKind::frame_x_axis:
    case SensorKind::frame_y_axis:
    case SensorKind::frame_z_axis:
    case SensorKind::frame_quaternion:
    case SensorKind::ball_quaternion:
      return;
    case SensorKind::touch:
    case SensorKind::rangefinder:
      out_[0] = min(out_[0], s.cutoff);
      return;
    default:
      for (double& x : out_) x = min(max(x, -s.cutoff), s.cutoff);
  }
}

/// The distance in the shape's own axes. Mesh and height field: their triangles.
double cast_at_shape(const model::Model& model, const model::Geom& geom, const Vec3d& p, const Vec3d& d) {
  using model::GeomKind;
  switch (geom.kind) {
    case GeomKind::plane:
      return geom::ray_plane(geom.size.x, geom.size.y, p, d);
    case GeomKind::sphere:
      return geom::ray_sphere(geom.size.x, p, d);
    case GeomKind::capsule:
      return geom::ray_capsule(geom.size.x, geom.size.y, p, d);
    case GeomKind::cylinder:
      return geom::ray_cylinder(geom.size.x, geom.size.y, p, d);
    case GeomKind::ellipsoid:
      return geom::ray_ellipsoid(geom.size, p, d);
    case GeomKind::box:
      return geom::ray_box(geom.size, p, d);
    case GeomKind::mesh:
      return geom::ray_mesh(model.meshes[at(geom.asset.index)].mesh, p, d);
    case GeomKind::hfield: {
      const model::HeightFieldAsset& field = model.height_fields[at(geom.asset.index)];
      return geom::ray_height_field(field.rows, field.columns, field.size, field.heights, p, d);
    }
  }
  return -1;
}

}  // namespace

double cast_ray(const System& system, const Workspace& w, const Vec3d& p_W, const Vec3d& d_W, std::int32_t body) noexcept {
  double nearest = -1;
  for (const model::Geom& geom : system.model->geoms) {
    if (geom.body == body || geom.rgba[3] == 0) continue;
    const Posed X = w.X_WB[at(geom.body)] * geom.pose;
    const double distance = cast_at_shape(*system.model, geom, inverse_transform_point(X, p_W), transpose_times(X.R, d_W));
    if (distance >= 0 && (nearest < 0 || distance < nearest)) nearest = distance;
  }
  return nearest;
}

void measure_sensors(const System& system, const State& state, const ConstraintStage& stage, Workspace& w) noexcept {
  Measurement measurement(system, state, stage, w);
  for (std::size_t i = 0; i < system.model->sensors.size(); ++i) measurement.measure(i);
}

}  // namespace trilith::dynamics
