#include <algorithm>

#include "io/mjcf_reader.h"

// attributes that several kinds of element share

namespace trilith::io {

void read_switch(MjcfReader& reader, const XmlElement& e, std::string_view attribute, Switch& out) {
  constexpr std::string_view words[] = {"false", "true", "auto"};
  if (const auto word = reader.fields.read_word(e, attribute, words)) out = static_cast<Switch>(*word);
}

void read_limits(MjcfReader& reader, const XmlElement& e, std::string_view range, std::string_view limited, Limits& out) {
  read_switch(reader, e, limited, out.limited);
  reader.fields.read(e, range, out.range);
}

std::optional<model::Range> make_range(MjcfReader& reader, const XmlElement& e, std::string_view range, const Limits& limits) {
  const bool given = limits.range[0] != 0 || limits.range[1] != 0;
  if (limits.limited == Switch::no || (limits.limited == Switch::automatic && !given)) return std::nullopt;
  if (!given) {
    reader.fields.fail("is limited but has no " + std::string(range), e);
    return std::nullopt;
  }
  if (limits.limited == Switch::automatic && !reader.compiler.auto_limits) {
    reader.fields.fail(
        "has a " + std::string(range) + ", but nothing says that it is limited and autolimits is off: set limited to true or false", e);
    return std::nullopt;
  }
  return model::Range{limits.range[0], limits.range[1]};
}

void read_softness(MjcfReader& reader, const XmlElement& e, std::string_view solref, std::string_view solimp, model::Softness& out) {
  reader.fields.read_up_to(e, solref, out.solref);
  reader.fields.read_up_to(e, solimp, out.solimp);
}

bool read_orientation(MjcfReader& reader, const XmlElement& e, Orientation& out) {
  struct Form {
    std::string_view attribute;
    Orientation::Form form;
    std::size_t count;
  };
  constexpr Form forms[] = {{"quat", Orientation::Form::quaternion, 4},
                            {"axisangle", Orientation::Form::axis_angle, 4},
                            {"xyaxes", Orientation::Form::xy_axes, 6},
                            {"zaxis", Orientation::Form::z_axis, 3},
                            {"euler", Orientation::Form::euler, 3}};
  std::string_view first;
  bool read = false;
  for (const Form& form : forms) {
    if (e.find(form.attribute) == nullptr) continue;
    if (!first.empty()) {
      reader.fields.fail("stands beside " + std::string(first) + ": one orientation is enough", e, form.attribute);
      return false;
    }
    first = form.attribute;
    Orientation own;
    own.form = form.form;
    if (!reader.fields.read(e, form.attribute, std::span(own.values).first(form.count))) continue;
    out = own;
    read = true;
  }
  return read;
}

void read_placement(MjcfReader& reader, const XmlElement& e, Placement& out) {
  const bool moved = reader.fields.read(e, "pos", out.position);
  const bool turned = read_orientation(reader, e, out.orientation);
  std::array<double, 6> ends{};
  if (reader.fields.read(e, "fromto", ends)) {
    if (moved || turned) reader.fields.fail("stands beside a position or an orientation, which it gives itself", e, "fromto");
    out.from_to = ends;
  }
}

std::optional<Posed> make_placement(MjcfReader& reader, const XmlElement& e, const Placement& placement) {
  const auto& v = placement.orientation.values;
  if (placement.orientation.form == Orientation::Form::quaternion) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (abs(length - 1) > unit_quaternion) reader.fields.count("a quaternion is not of length 1 and was normalised", e);
  }
  const Result<Quaterniond> q = make_rotation(placement.orientation, reader.compiler.degrees, reader.compiler.euler_sequence);
  if (q) return make_pose(q.value(), placement.position);
  reader.fields.fail("orientation " + q.errors().front().what, e);
  return std::nullopt;
}

std::optional<Posed> settle_from_to(MjcfReader& reader, const XmlElement& e, model::GeomKind kind, const Placement& placement,
                                    std::array<double, 3>& size) {
  using model::GeomKind;
  const std::array<double, 6>& ends = *placement.from_to;
  const bool long_shape = kind == GeomKind::capsule || kind == GeomKind::cylinder;
  if (!long_shape && kind != GeomKind::ellipsoid && kind != GeomKind::box) {
    reader.fields.fail("is for capsules, cylinders, boxes and ellipsoids", e, "fromto");
    return std::nullopt;
  }
  const Vec3d from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
  const Vec3d axis = from - to;
  const double length = norm(axis);
  if (length < shortest_axis) {
    reader.fields.fail("has both ends in one place", e, "fromto");
    return std::nullopt;
  }
  if (!long_shape) size[2] = length / 2;
  size[1] = long_shape ? length / 2 : size[0];
  return make_pose(rotation_to(axis), 0.5 * (from + to));
}

bool settle_size(MjcfReader& reader, const XmlElement& e, model::GeomKind kind, const std::array<double, 3>& size, Vec3d& out) {
  using model::GeomKind;
  constexpr std::size_t counts[] = {3, 0, 1, 2, 3, 2, 3, 0};
  constexpr std::string_view names[] = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
  const std::size_t count = counts[static_cast<std::size_t>(kind)];
  const std::string name(names[static_cast<std::size_t>(kind)]);
  for (std::size_t i = 0; i < count; ++i) {
    const bool may_be_zero = kind == GeomKind::plane && i < 2;  // infinite
    if (size[i] > 0 || (may_be_zero && size[i] == 0)) continue;
    if (kind == GeomKind::plane && i == 2 && size[2] == 0) continue;  // the spacing of its grid: for viewers
    const std::string wanted = "a " + name + " needs " + std::to_string(count) + " positive size" + (count > 1 ? "s" : "");
    reader.fields.fail(size[i] == 0 ? wanted + ", number " + std::to_string(i + 1) + " is 0 or absent"
                                    : wanted + ", number " + std::to_string(i + 1) + " is negative",
                       e);
    return false;
  }
  out = {count > 0 ? size[0] : 0, count > 1 ? size[1] : 0, count > 2 ? size[2] : 0};
  return true;
}

void read_coefficient(MjcfReader& reader, const XmlElement& e, std::string_view attribute, double& out) {
  std::array<double, 3> values{};
  if (reader.fields.read_up_to(e, attribute, values) == 0) return;
  if (values[1] != 0 || values[2] != 0) reader.fields.fail("has more than one coefficient: polynomials are not supported", e, attribute);
  out = values[0];
}

void read_rgba(MjcfReader& reader, const XmlElement& e, std::array<float, 4>& rgba) {
  std::array<double, 4> values{};
  if (!reader.fields.read(e, "rgba", values)) return;
  for (std::size_t i = 0; i < 4; ++i) rgba[i] = static_cast<float>(values[i]);
}

model::Reference refer(const XmlElement& e, std::string_view attribute) {
  model::Reference reference;
  reference.name = e.value(attribute);
  return reference;
}

}  // namespace trilith::io
