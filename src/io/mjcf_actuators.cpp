#include <algorithm>

#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

using model::Activation;
using model::Actuator;
using model::BiasKind;
using model::ElementKind;
using model::GainKind;
using model::Transmission;

// ---- what each kind of element sets; the numbers are shared, as a class holds one actuator for all kinds

bool read_velocity_gain(MjcfReader& reader, const XmlElement& e, Actuator& a) {
  double kv = 0, ratio = 0;
  const bool has_kv = reader.fields.read(e, "kv", kv), has_ratio = reader.fields.read(e, "dampratio", ratio);
  if (has_kv && has_ratio) reader.fields.fail("stands beside kv: one is enough", e, "dampratio");
  if (kv < 0) reader.fields.fail("must not be negative", e, "kv");
  if (ratio < 0) reader.fields.fail("must not be negative", e, "dampratio");
  // a ratio is told by its sign until the element is finished
  if (has_kv) a.bias_parameters[2] = 0 - kv;
  if (has_ratio) a.bias_parameters[2] = ratio;
  return has_kv || has_ratio;
}

void read_position(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft) {
  Actuator& a = draft.actuator;
  double kp = a.gain_parameters[0], time_constant = 0;
  reader.fields.read(e, "kp", kp);
  if (kp < 0) reader.fields.fail("must not be negative", e, "kp");
  a.gain = GainKind::fixed;
  a.bias = BiasKind::affine;
  a.gain_parameters[0] = kp;
  a.bias_parameters[1] = 0 - kp;
  read_velocity_gain(reader, e, a);
  if (reader.fields.read(e, "timeconst", time_constant)) {
    if (time_constant < 0) reader.fields.fail("must not be negative", e, "timeconst");
    a.activation_parameters[0] = time_constant;
    a.activation = time_constant == 0 ? Activation::none : Activation::filter_exact;
  }
  if (e.name == "intvelocity") a.activation = Activation::integrator;
  reader.fields.read(e, "inheritrange", draft.inherit_range);
  if (draft.inherit_range < 0) reader.fields.fail("must not be negative", e, "inheritrange");
}

void read_velocity(MjcfReader& reader, const XmlElement& e, Actuator& a) {
  double kv = a.gain_parameters[0];
  reader.fields.read(e, "kv", kv);
  a.activation = Activation::none;
  a.gain = GainKind::fixed;
  a.bias = BiasKind::affine;
  a.gain_parameters[0] = kv;
  a.bias_parameters = {0, 0, 0 - kv};
}

void read_damper(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft) {
  Actuator& a = draft.actuator;
  double kv = a.gain == GainKind::affine ? 0 - a.gain_parameters[2] : 0;
  reader.fields.read(e, "kv", kv);
  if (kv < 0) reader.fields.fail("must not be negative", e, "kv");
  if (draft.control.range[0] < 0 || draft.control.range[1] < 0) reader.fields.fail("must not be negative at a damper", e, "ctrlrange");
  draft.control.limited = Switch::yes;
  a.activation = Activation::none;
  a.gain = GainKind::affine;
  a.bias = BiasKind::none;
  a.gain_parameters = {0, 0, 0 - kv};
}

void read_cylinder(MjcfReader& reader, const XmlElement& e, Actuator& a) {
  XmlFields& fields = reader.fields;
  double diameter = 0;
  fields.read(e, "timeconst", a.activation_parameters[0]);
  fields.read(e, "bias", a.bias_parameters);
  fields.read(e, "area", a.gain_parameters[0]);
  if (fields.read(e, "diameter", diameter)) {
    if (diameter < 0) fields.fail("must not be negative", e, "diameter");
    a.gain_parameters[0] = to_radians(45) * diameter * diameter;  // pi / 4
  }
  a.activation = Activation::filter;
  a.gain = GainKind::fixed;
  a.bias = BiasKind::affine;
}

/// Reads a word of which only the first `supported` are there; the others are refused by name.
std::optional<std::size_t> read_supported(MjcfReader& reader, const XmlElement& e, std::string_view attribute,
                                          std::span<const std::string_view> words, std::size_t supported) {
  const auto word = reader.fields.read_word(e, attribute, words);
  if (!word || *word < supported) return word;
  reader.fields.fail("is " + in_quotes(words[*word]) + ", which is not supported; there are " + list_words(words.first(supported)), e,
                     attribute);
  return std::nullopt;
}

/// A list of up to ten numbers of which the first three count.
void read_parameters(MjcfReader& reader, const XmlElement& e, std::string_view attribute, std::array<double, 3>& out) {
  std::array<double, 10> values{};
  const std::size_t count = reader.fields.read_up_to(e, attribute, values);
  std::copy_n(values.begin(), std::min<std::size_t>(count, 3), out.begin());
  if (std::any_of(values.begin() + 3, values.end(), [](double v) { return v != 0; }))
    reader.fields.count("numbers behind the third of " + std::string(attribute) + " have no meaning here and were left out", e);
}

void read_general(MjcfReader& reader, const XmlElement& e, Actuator& a) {
  constexpr std::string_view activations[] = {"none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user"};
  if (const auto word = read_supported(reader, e, "dyntype", activations, 4)) a.activation = static_cast<Activation>(*word);
  constexpr std::string_view gains[] = {"fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user"};
  if (const auto word = read_supported(reader, e, "gaintype", gains, 2)) a.gain = static_cast<GainKind>(*word);
  constexpr std::string_view biases[] = {"none", "affine", "muscle", "dcmotor", "so3", "user"};
  if (const auto word = read_supported(reader, e, "biastype", biases, 2)) a.bias = static_cast<BiasKind>(*word);
  read_parameters(reader, e, "dynprm", a.activation_parameters);
  read_parameters(reader, e, "gainprm", a.gain_parameters);
  read_parameters(reader, e, "biasprm", a.bias_parameters);
  reader.fields.read(e, "actearly", a.early);
  std::int32_t states = -1;
  if (!reader.fields.read(e, "actdim", states) || states == -1) return;
  if (states != (a.activation == Activation::none ? 0 : 1))
    reader.fields.fail("is " + std::to_string(states) + "; an actuator here has one activation, or none with dyntype none", e, "actdim");
}

// ---- where it acts

struct Target {
  std::string_view attribute;
  Transmission transmission;
};
constexpr Target targets[] = {{"joint", Transmission::joint},
                              {"jointinparent", Transmission::joint_in_parent},
                              {"tendon", Transmission::tendon},
                              {"cranksite", Transmission::slider_crank},
                              {"site", Transmission::site}};

bool read_target(MjcfReader& reader, const XmlElement& e, Actuator& a) {
  std::string_view first;
  for (const Target& target : targets) {
    if (e.find(target.attribute) == nullptr) continue;
    if (!first.empty()) {
      reader.fields.fail("stands beside " + std::string(first) + ": an actuator acts in one place", e, target.attribute);
      return false;
    }
    first = target.attribute;
    a.transmission = target.transmission;
    a.target = refer(e, target.attribute);
  }
  if (first.empty()) {
    reader.fields.fail("acts nowhere: it needs one of joint, jointinparent, tendon, site or cranksite", e);
    return false;
  }
  const bool crank = a.transmission == Transmission::slider_crank;
  if (!crank && e.find("slidersite") != nullptr) reader.fields.fail("belongs to a slider-crank, with cranksite", e, "slidersite");
  if (a.transmission != Transmission::site && e.find("refsite") != nullptr) reader.fields.fail("belongs to a site", e, "refsite");
  a.second_site = refer(e, crank ? "slidersite" : "refsite");
  if (crank && a.second_site.name.empty()) reader.fields.fail("needs the attribute slidersite", e);
  if (crank && !(a.crank_length > 0)) reader.fields.fail("needs a positive cranklength", e);
  return true;
}

// ---- ranges

/// Range of the joint or tendon that an actuator takes over.
std::optional<model::Range> range_of_target(const MjcfReader& reader, const Actuator& a) {
  const auto find = [&](const auto& list) -> std::optional<model::Range> {
    for (const auto& element : list)
      if (element.name == a.target.name) return element.range;
    return std::nullopt;
  };
  if (a.transmission == Transmission::joint) return find(reader.out.joints);
  if (a.transmission == Transmission::tendon) return find(reader.out.tendons);
  return std::nullopt;
}

// the range of the target about its middle, widened by a factor: that of the control, or of an integrator's activation
void inherit(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft) {
  Actuator& a = draft.actuator;
  if (!(draft.inherit_range > 0)) return;
  const bool integrates = a.activation == Activation::integrator;
  const Limits& given = integrates ? draft.activation : draft.control;
  if (given.range[0] != 0 || given.range[1] != 0)
    return reader.fields.fail("stands beside " + std::string(integrates ? "actrange" : "ctrlrange") + ": one is enough", e, "inheritrange");
  const std::optional<model::Range> range = range_of_target(reader, a);
  if (!range)
    return reader.fields.fail("needs a joint or tendon with a range, and " + in_quotes(a.target.name) + " is none", e, "inheritrange");
  const double middle = 0.5 * (range->lower + range->upper), half = 0.5 * (range->upper - range->lower) * draft.inherit_range;
  (integrates ? a.activation_range : a.control_range) = model::Range{middle - half, middle + half};
}

void settle_ranges(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft) {
  Actuator& a = draft.actuator;
  a.force_range = make_range(reader, e, "forcerange", draft.force);
  // a class may hold a range for elements of other kinds
  if (a.activation != Activation::none) {
    a.activation_range = make_range(reader, e, "actrange", draft.activation);
  } else if (e.find("actrange") != nullptr) {
    reader.fields.fail("bounds an activation, and the actuator has none", e, "actrange");
  }
  const bool inherits = draft.inherit_range > 0 && a.activation != Activation::integrator;
  if (!inherits) a.control_range = make_range(reader, e, "ctrlrange", draft.control);
  inherit(reader, e, draft);
}

// a positive third bias of a position servo is a damping ratio
void settle_damping(Actuator& a) {
  if (a.gain_parameters[0] != 0 - a.bias_parameters[1] || !(a.bias_parameters[2] > 0) || a.bias != BiasKind::affine) return;
  a.damping_ratio = a.bias_parameters[2];
  a.bias_parameters[2] = 0;
}

}  // namespace

void read_actuator(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft) {
  Actuator& a = draft.actuator;
  XmlFields& fields = reader.fields;
  fields.read(e, "group", a.group);
  read_limits(reader, e, "ctrlrange", "ctrllimited", draft.control);
  read_limits(reader, e, "forcerange", "forcelimited", draft.force);
  read_limits(reader, e, "actrange", "actlimited", draft.activation);
  fields.read_up_to(e, "gear", a.gear);
  fields.read(e, "cranklength", a.crank_length);
  if (e.name == "general") read_general(reader, e, a);
  if (e.name == "position" || e.name == "intvelocity") read_position(reader, e, draft);
  if (e.name == "velocity") read_velocity(reader, e, a);
  if (e.name == "damper") read_damper(reader, e, draft);
  if (e.name == "cylinder") read_cylinder(reader, e, a);
  if (e.name != "motor") return;
  a.activation = Activation::none;
  a.gain = GainKind::fixed;
  a.bias = BiasKind::none;
  a.gain_parameters[0] = 1;
}

void read_actuators(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    ActuatorDraft draft = reader.class_of(*e, reader.main_class()).actuator;
    read_actuator(reader, *e, draft);
    Actuator& a = draft.actuator;
    reader.fields.read_name(*e, "name", a.name);
    a.where = place_of(*e);
    if (!read_target(reader, *e, a)) continue;
    const bool filters = a.activation == Activation::filter || a.activation == Activation::filter_exact;
    if (filters && a.activation_parameters[0] < 0) reader.fields.fail("has a negative time constant", *e);
    settle_ranges(reader, *e, draft);
    settle_damping(a);
    const std::string name = a.name;
    const std::size_t before = reader.out.actuators.size();
    reader.append(reader.out.actuators, std::move(a), [](auto& x, const auto& see) {
      const bool joint = x.transmission == Transmission::joint || x.transmission == Transmission::joint_in_parent;
      const bool tendon = x.transmission == Transmission::tendon;
      see(joint ? ElementKind::joint : tendon ? ElementKind::tendon : ElementKind::site, x.target);
      see(ElementKind::site, x.second_site);
    });
    for (std::size_t i = before; i < reader.out.actuators.size(); ++i)
      reader.note_replica(ElementKind::actuator, name, reader.out.actuators[i].name.substr(name.size()));
  }
}

}  // namespace trilith::io
