// Implements (DYN-27), (DYN-28).
#include "dynamics/constraint_sensors.h"

#include "geom/ray.h"

namespace trilith::dynamics {
namespace {

using model::SensorKind;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// A force at a point of the world with a moment, on one body; its opposite on another.
void add_pair(const Workspace& w, std::int32_t on, std::int32_t opposite, const Vec3d& p_W, const Wrenchd& wrench,
              std::span<Wrenchd> wrenches) {
  wrenches[at(on)] = wrenches[at(on)] + shift(wrench, w.X_WB[at(on)].p - p_W);
  wrenches[at(opposite)] = wrenches[at(opposite)] - shift(wrench, w.X_WB[at(opposite)].p - p_W);
}

void add_touches(const System& system, const Workspace& w, const ConstraintStage& stage, std::span<Wrenchd> wrenches) {
  for (const constraints::Touch& touch : stage.touches()) {
    if (touch.first_row < 0) continue;
    const std::array<double, 6> f = stage.touch_force(touch);
    const Wrenchd on_b{transpose_times(touch.frame, Vec3d{f[0], f[1], f[2]}), transpose_times(touch.frame, Vec3d{f[3], f[4], f[5]})};
    add_pair(w, system.model->geoms[at(touch.b)].body, system.model->geoms[at(touch.a)].body, touch.position, on_b, wrenches);
  }
}

/// Forces of a connect or weld act at each body's own anchor.
void add_equality(const System& system, const Workspace& w, const ConstraintStage& stage, std::size_t first, std::span<Wrenchd> wrenches) {
  const auto element = at(stage.rows().row(first).element);
  const model::Equality& equality = system.model->equalities[element];
  const constraints::EqualityHold& hold = system.constraints->holds[element];
  const Posed &X_Wa = w.X_WB[at(hold.body_a)], &X_Wb = w.X_WB[at(hold.body_b)];
  const double* f = stage.force().data() + first;
  const Vec3d force{f[0], f[1], f[2]};
  Vec3d moment{};
  if (equality.kind == model::EqualityKind::weld)
    moment = transpose_times(weld_turn_map(hold, equality.torque_scale, X_Wa, X_Wb), Vec3d{f[3], f[4], f[5]});
  const Vec3d p_a = transform_point(X_Wa, hold.anchor_a), p_b = transform_point(X_Wb, hold.anchor_b);
  Wrenchd &on_a = wrenches[at(hold.body_a)], &on_b = wrenches[at(hold.body_b)];
  on_a = on_a + shift(Wrenchd{force, moment}, X_Wa.p - p_a);
  on_b = on_b - shift(Wrenchd{force, moment}, X_Wb.p - p_b);
}

/// Along a ray from p in the direction d, in the shape's frame; negative where it is not met.
double distance_to(const model::Site& site, const Vec3d& p, const Vec3d& d) {
  switch (site.kind) {
    case model::GeomKind::sphere:
      return geom::ray_sphere(site.size.x, p, d);
    case model::GeomKind::capsule:
      return geom::ray_capsule(site.size.x, site.size.y, p, d);
    case model::GeomKind::ellipsoid:
      return geom::ray_ellipsoid(site.size, p, d);
    case model::GeomKind::cylinder:
      return geom::ray_cylinder(site.size.x, site.size.y, p, d);
    case model::GeomKind::box:
      return geom::ray_box(site.size, p, d);
    default:
      return -1;  // sites have no other shapes
  }
}

}  // namespace

void add_constraint_wrenches(const System& system, const Workspace& w, const ConstraintStage& stage, std::span<Wrenchd> wrenches) noexcept {
  add_touches(system, w, stage, wrenches);
  const constraints::SoftRows& rows = stage.rows();
  for (std::size_t i = 0; i < rows.rows() && rows.row(i).kind == constraints::SoftRowKind::equality;) {
    const model::EqualityKind kind = system.model->equalities[at(rows.row(i).element)].kind;
    const bool bodies = kind == model::EqualityKind::connect || kind == model::EqualityKind::weld;
    if (bodies) add_equality(system, w, stage, i, wrenches);
    i += !bodies ? 1 : kind == model::EqualityKind::weld ? 6 : 3;
  }
}

double measure_limit(const model::Sensor& sensor, const ConstraintStage& stage) noexcept {
  const bool of_joint = sensor.kind == SensorKind::joint_limit_position || sensor.kind == SensorKind::joint_limit_velocity ||
                        sensor.kind == SensorKind::joint_limit_force;
  const auto kind = of_joint ? constraints::SoftRowKind::joint_limit : constraints::SoftRowKind::tendon_limit;
  for (std::size_t i = 0; i < stage.rows().rows(); ++i) {
    const constraints::SoftRow& row = stage.rows().row(i);
    if (row.kind != kind || row.element != sensor.object.index) continue;
    if (sensor.kind == SensorKind::joint_limit_force || sensor.kind == SensorKind::tendon_limit_force) return stage.force()[i];
    const bool position = sensor.kind == SensorKind::joint_limit_position || sensor.kind == SensorKind::tendon_limit_position;
    return position ? row.position - row.margin : row.velocity;
  }
  return 0;
}

double measure_touch(const System& system, const Workspace& w, const ConstraintStage& stage, std::int32_t site) noexcept {
  const model::Site& shape = system.model->sites[at(site)];
  const Posed X_WS = w.X_WB[at(shape.body)] * shape.pose;
  double sum = 0;
  for (const constraints::Touch& touch : stage.touches()) {
    const bool on_a = system.model->geoms[at(touch.a)].body == shape.body, on_b = system.model->geoms[at(touch.b)].body == shape.body;
    const double normal = stage.touch_force(touch)[0];
    if ((!on_a && !on_b) || !(normal > 0)) continue;
    const Vec3d outward = on_a ? row(touch.frame, 0) : -row(touch.frame, 0);
    if (distance_to(shape, inverse_transform_point(X_WS, touch.position), transpose_times(X_WS.R, outward)) >= 0) sum += normal;
  }
  return sum;
}

}  // namespace trilith::dynamics
