#include <algorithm>

#include "io/mjcf_reader.h"

// sensors and keyframes

namespace trilith::io {
namespace {

using model::ElementKind;
using model::SensorKind;

struct SensorRule {
  std::string_view tag;
  SensorKind kind;
  std::string_view attribute;  ///< that names its object; "objname": any frame; empty: none
};
constexpr SensorRule sensor_rules[] = {{"touch", SensorKind::touch, "site"},
                                       {"accelerometer", SensorKind::accelerometer, "site"},
                                       {"velocimeter", SensorKind::velocimeter, "site"},
                                       {"gyro", SensorKind::gyro, "site"},
                                       {"force", SensorKind::force, "site"},
                                       {"torque", SensorKind::torque, "site"},
                                       {"magnetometer", SensorKind::magnetometer, "site"},
                                       {"rangefinder", SensorKind::rangefinder, "site"},
                                       {"jointpos", SensorKind::joint_position, "joint"},
                                       {"jointvel", SensorKind::joint_velocity, "joint"},
                                       {"tendonpos", SensorKind::tendon_position, "tendon"},
                                       {"tendonvel", SensorKind::tendon_velocity, "tendon"},
                                       {"actuatorpos", SensorKind::actuator_position, "actuator"},
                                       {"actuatorvel", SensorKind::actuator_velocity, "actuator"},
                                       {"actuatorfrc", SensorKind::actuator_force, "actuator"},
                                       {"jointactuatorfrc", SensorKind::joint_actuator_force, "joint"},
                                       {"tendonactuatorfrc", SensorKind::tendon_actuator_force, "tendon"},
                                       {"ballquat", SensorKind::ball_quaternion, "joint"},
                                       {"ballangvel", SensorKind::ball_angular_velocity, "joint"},
                                       {"jointlimitpos", SensorKind::joint_limit_position, "joint"},
                                       {"jointlimitvel", SensorKind::joint_limit_velocity, "joint"},
                                       {"jointlimitfrc", SensorKind::joint_limit_force, "joint"},
                                       {"tendonlimitpos", SensorKind::tendon_limit_position, "tendon"},
                                       {"tendonlimitvel", SensorKind::tendon_limit_velocity, "tendon"},
                                       {"tendonlimitfrc", SensorKind::tendon_limit_force, "tendon"},
                                       {"framepos", SensorKind::frame_position, "objname"},
                                       {"framequat", SensorKind::frame_quaternion, "objname"},
                                       {"framexaxis", SensorKind::frame_x_axis, "objname"},
                                       {"frameyaxis", SensorKind::frame_y_axis, "objname"},
                                       {"framezaxis", SensorKind::frame_z_axis, "objname"},
                                       {"framelinvel", SensorKind::frame_linear_velocity, "objname"},
                                       {"frameangvel", SensorKind::frame_angular_velocity, "objname"},
                                       {"framelinacc", SensorKind::frame_linear_acceleration, "objname"},
                                       {"frameangacc", SensorKind::frame_angular_acceleration, "objname"},
                                       {"subtreecom", SensorKind::subtree_com, "body"},
                                       {"subtreelinvel", SensorKind::subtree_linear_velocity, "body"},
                                       {"subtreeangmom", SensorKind::subtree_angular_momentum, "body"},
                                       {"e_kinetic", SensorKind::kinetic_energy, ""},
                                       {"e_potential", SensorKind::potential_energy, ""},
                                       {"clock", SensorKind::clock, ""}};

ElementKind kind_of(std::string_view attribute) {
  if (attribute == "site") return ElementKind::site;
  if (attribute == "joint") return ElementKind::joint;
  if (attribute == "tendon") return ElementKind::tendon;
  if (attribute == "actuator") return ElementKind::actuator;
  return attribute == "body" ? ElementKind::body : ElementKind::none;
}

constexpr std::string_view frame_words[] = {"body", "xbody", "geom", "site", "camera"};
constexpr ElementKind frame_kinds[] = {ElementKind::body, ElementKind::body_frame, ElementKind::geom, ElementKind::site};

/// The object of a frame sensor, or its frame of reference; false where it cannot be read.
bool read_frame(MjcfReader& reader, const XmlElement& e, std::string_view type, std::string_view name, ElementKind& kind,
                model::Reference& reference) {
  if (!reader.fields.require(e, type) || !reader.fields.require(e, name)) return false;
  const auto word = reader.fields.read_word(e, type, frame_words);
  if (!word) return false;
  if (*word >= std::size(frame_kinds)) {
    reader.fields.warn("measures at a camera, which is not read: the sensor was left out", e);
    return false;
  }
  kind = frame_kinds[*word];
  reference = refer(e, name);
  return true;
}

bool read_object(MjcfReader& reader, const XmlElement& e, const SensorRule& rule, model::Sensor& sensor) {
  if (rule.attribute.empty()) return true;
  if (rule.attribute != "objname") {
    sensor.object_kind = kind_of(rule.attribute);
    sensor.object = refer(e, rule.attribute);
    return reader.fields.require(e, rule.attribute);
  }
  if (!read_frame(reader, e, "objtype", "objname", sensor.object_kind, sensor.object)) return false;
  if (e.find("reftype") == nullptr && e.find("refname") == nullptr) return true;
  return read_frame(reader, e, "reftype", "refname", sensor.reference_kind, sensor.reference);
}

// directions are of length 1 and are not cut
void read_cutoff(MjcfReader& reader, const XmlElement& e, model::Sensor& sensor) {
  if (!reader.fields.read(e, "cutoff", sensor.cutoff)) return;
  constexpr SensorKind directions[] = {SensorKind::ball_quaternion, SensorKind::frame_quaternion, SensorKind::frame_x_axis,
                                       SensorKind::frame_y_axis, SensorKind::frame_z_axis};
  const bool direction = std::find(std::begin(directions), std::end(directions), sensor.kind) != std::end(directions);
  if (sensor.cutoff < 0) reader.fields.fail("must not be negative", e, "cutoff");
  if (sensor.cutoff > 0 && direction) reader.fields.fail("stands at a sensor of a direction or orientation, which is not cut", e, "cutoff");
}

}  // namespace

void read_sensors(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    const auto* rule =
        std::find_if(std::begin(sensor_rules), std::end(sensor_rules), [&](const SensorRule& r) { return r.tag == e->name; });
    if (rule == std::end(sensor_rules)) continue;  // left out: told with the schema
    model::Sensor sensor;
    sensor.kind = rule->kind;
    sensor.where = place_of(*e);
    reader.fields.read_name(*e, "name", sensor.name);
    read_cutoff(reader, *e, sensor);
    if (!read_object(reader, *e, *rule, sensor)) continue;
    reader.append(reader.out.sensors, std::move(sensor), [](auto& s, const auto& see) {
      see(s.object_kind, s.object);
      see(s.reference_kind, s.reference);
    });
  }
}

void read_keyframes(MjcfReader& reader, const XmlElement& section) {
  XmlFields& fields = reader.fields;
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    model::Keyframe key;
    key.where = place_of(*e);
    fields.read_name(*e, "name", key.name);
    fields.read(*e, "time", key.time);
    fields.read_list(*e, "qpos", key.q);
    fields.read_list(*e, "qvel", key.v);
    fields.read_list(*e, "act", key.act);
    fields.read_list(*e, "ctrl", key.ctrl);
    fields.read_list(*e, "mpos", key.mocap_position);
    fields.read_list(*e, "mquat", key.mocap_quaternion);
    reader.out.keyframes.push_back(std::move(key));
  }
}

}  // namespace trilith::io
