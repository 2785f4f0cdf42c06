#include "base/text.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"

namespace trilith::model {
namespace {

struct Target {
  const NameIndex* names;
  std::string_view kind;
};
Target target_of(Transmission transmission, const Making& making) {
  switch (transmission) {
    case Transmission::joint:
    case Transmission::joint_in_parent:
      return {&making.joints, "joint"};
    case Transmission::tendon:
      return {&making.tendons, "tendon"};
    case Transmission::site:
    case Transmission::slider_crank:
      return {&making.sites, "site"};
    case Transmission::body:
      return {&making.bodies, making.body_kind()};
  }
  return {&making.joints, "joint"};
}

void check_transmission(Actuator& actuator, const std::string& name, Making& making) {
  Findings& findings = making.findings;
  const auto [names, kind] = target_of(actuator.transmission, making);
  if (!names->resolve(actuator.target, name, actuator.where, findings) && actuator.target.name.empty())
    findings.refuse(name + " drives no " + std::string(kind), actuator.where);
  const bool second = making.sites.resolve(actuator.second_site, name, actuator.where, findings);
  if (actuator.transmission != Transmission::slider_crank) return;
  if (!second && actuator.second_site.name.empty()) findings.refuse(name + " is a slider-crank without a slider site", actuator.where);
  if (!(actuator.crank_length > 0 && is_finite(actuator.crank_length)))
    findings.refuse("cranklength of " + name + " must be above 0, got " + format_double(actuator.crank_length), actuator.where);
}

template <std::size_t n>
void check_numbers(const std::array<double, n>& values, const std::string& what, const std::string& where, Making& making) {
  for (const double x : values)
    if (!is_finite(x)) return making.findings.refuse(what + " must be finite", where);
}

void check_actuator(Actuator& actuator, Making& making) {
  const std::string name = label("actuator", actuator.name);
  check_transmission(actuator, name, making);
  check_numbers(actuator.gear, "gear of " + name, actuator.where, making);
  check_numbers(actuator.gain_parameters, "gain of " + name, actuator.where, making);
  check_numbers(actuator.bias_parameters, "bias of " + name, actuator.where, making);
  check_numbers(actuator.activation_parameters, "dynamics of " + name, actuator.where, making);
  if (actuator.control_range) check_range(*actuator.control_range, "the control range of " + name, actuator.where, making);
  if (actuator.force_range) check_range(*actuator.force_range, "the force range of " + name, actuator.where, making);
  if (actuator.activation_range) check_range(*actuator.activation_range, "the activation range of " + name, actuator.where, making);
  const bool filter = actuator.activation == Activation::filter || actuator.activation == Activation::filter_exact;
  if (filter && !(actuator.activation_parameters[0] >= 0))
    making.findings.refuse("the time constant of " + name + " must be >= 0, got " + format_double(actuator.activation_parameters[0]),
                           actuator.where);
  if (actuator.damping_ratio && !(*actuator.damping_ratio >= 0 && is_finite(*actuator.damping_ratio)))
    making.findings.refuse("dampratio of " + name + " must be a number >= 0", actuator.where);
  actuator.act = actuator.activation == Activation::none ? -1 : making.model.sizes.na++;
}

/// What a sensor measures at: kinds of objects, and how many numbers come out.
struct SensorInfo {
  enum class On : std::uint8_t { site, scalar_joint, limited_joint, ball, tendon, limited_tendon, actuator, frame, body, nothing } on;
  int dimension;
};
SensorInfo info_of(SensorKind kind) {
  using On = SensorInfo::On;
  using K = SensorKind;
  switch (kind) {
    case K::touch:
    case K::rangefinder:
      return {On::site, 1};
    case K::accelerometer:
    case K::velocimeter:
    case K::gyro:
    case K::force:
    case K::torque:
    case K::magnetometer:
      return {On::site, 3};
    case K::joint_position:
    case K::joint_velocity:
    case K::joint_actuator_force:
      return {On::scalar_joint, 1};
    case K::joint_limit_position:
    case K::joint_limit_velocity:
    case K::joint_limit_force:
      return {On::limited_joint, 1};
    case K::tendon_position:
    case K::tendon_velocity:
    case K::tendon_actuator_force:
      return {On::tendon, 1};
    case K::tendon_limit_position:
    case K::tendon_limit_velocity:
    case K::tendon_limit_force:
      return {On::limited_tendon, 1};
    case K::actuator_position:
    case K::actuator_velocity:
    case K::actuator_force:
      return {On::actuator, 1};
    case K::ball_quaternion:
      return {On::ball, 4};
    case K::ball_angular_velocity:
      return {On::ball, 3};
    case K::frame_quaternion:
      return {On::frame, 4};
    case K::frame_position:
    case K::frame_x_axis:
    case K::frame_y_axis:
    case K::frame_z_axis:
    case K::frame_linear_velocity:
    case K::frame_angular_velocity:
    case K::frame_linear_acceleration:
    case K::frame_angular_acceleration:
      return {On::frame, 3};
    case K::subtree_com:
    case K::subtree_linear_velocity:
    case K::subtree_angular_momentum:
      return {On::body, 3};
    case K::kinetic_energy:
    case K::potential_energy:
    case K::clock:
      return {On::nothing, 1};
  }
  return {On::nothing, 1};
}

struct Named {
  const NameIndex* names;
  std::string_view kind;
};
Named names_of(ElementKind kind, const Making& making) {
  switch (kind) {
    case ElementKind::body:
    case ElementKind::body_frame:
      return {&making.bodies, making.body_kind()};
    case ElementKind::geom:
      return {&making.geoms, "geom"};
    case ElementKind::site:
      return {&making.sites, "site"};
    case ElementKind::joint:
      return {&making.joints, "joint"};
    case ElementKind::tendon:
      return {&making.tendons, "tendon"};
    case ElementKind::actuator:
      return {&making.actuators, "actuator"};
    case ElementKind::none:
      break;
  }
  return {nullptr, ""};
}

bool fits(SensorInfo::On on, const Sensor& sensor, const Model& model) {
  using On = SensorInfo::On;
  const ElementKind kind = sensor.object_kind;
  const std::int32_t i = sensor.object.index;
  switch (on) {
    case On::site:
      return kind == ElementKind::site;
    case On::scalar_joint:
      return kind == ElementKind::joint && (model.joints[i].kind == JointKind::hinge || model.joints[i].kind == JointKind::slide);
    case On::limited_joint:
      return kind == ElementKind::joint && model.joints[i].range.has_value();
    case On::ball:
      return kind == ElementKind::joint && model.joints[i].kind == JointKind::ball;
    case On::tendon:
      return kind == ElementKind::tendon;
    case On::limited_tendon:
      return kind == ElementKind::tendon && model.tendons[i].range.has_value();
    case On::actuator:
      return kind == ElementKind::actuator;
    case On::frame:
      return kind == ElementKind::body || kind == ElementKind::body_frame || kind == ElementKind::geom || kind == ElementKind::site;
    case On::body:
      return kind == ElementKind::body || kind == ElementKind::body_frame;
    case On::nothing:
      return true;
  }
  return false;
}

std::string_view wanted(SensorInfo::On on) {
  using On = SensorInfo::On;
  switch (on) {
    case On::site:
      return "a site";
    case On::scalar_joint:
      return "a hinge or a slide";
    case On::limited_joint:
      return "a joint with a range";
    case On::ball:
      return "a ball joint";
    case On::tendon:
      return "a tendon";
    case On::limited_tendon:
      return "a tendon with a range";
    case On::actuator:
      return "an actuator";
    case On::frame:
      return "a body, geom or site";
    case On::body:
      return "a body";
    case On::nothing:
      break;
  }
  return "nothing";
}

void check_sensor(Sensor& sensor, Making& making) {
  Findings& findings = making.findings;
  const std::string name = label("sensor", sensor.name);
  const SensorInfo info = info_of(sensor.kind);
  sensor.dimension = info.dimension;
  sensor.first = making.model.sizes.nsensordata;
  making.model.sizes.nsensordata += info.dimension;
  if (!(sensor.cutoff >= 0 && is_finite(sensor.cutoff))) findings.refuse("cutoff of " + name + " must be a number >= 0", sensor.where);
  if (const Named reference = names_of(sensor.reference_kind, making); reference.names != nullptr)
    reference.names->resolve(sensor.reference, name, sensor.where, findings);
  if (info.on == SensorInfo::On::nothing) return;
  const Named object = names_of(sensor.object_kind, making);
  const bool named = object.names != nullptr && (!sensor.object.name.empty() || sensor.object.index >= 0);
  if (named && !object.names->resolve(sensor.object, name, sensor.where, findings)) return;
  if (!named || !fits(info.on, sensor, making.model))
    findings.refuse(name + " must be attached to " + std::string(wanted(info.on)), sensor.where);
}

}  // namespace

void check_actuators(Making& making) {
  for (Actuator& actuator : making.model.actuators) check_actuator(actuator, making);
  making.model.sizes.nu = static_cast<std::int32_t>(making.model.actuators.size());
}

void check_sensors(Making& making) {
  for (Sensor& sensor : making.model.sensors) check_sensor(sensor, making);
}

}  // namespace trilith::model
