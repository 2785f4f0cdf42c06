#pragma once
#include <cstdio>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/mjcf_sample.h"
#include "support/random.h"

/// Writes XML of random content: what samples of models are made with.
namespace trilith::test {

// what MuJoCo 2.2.2 does not know: "element.attribute"
inline const std::set<std::string_view> new_attributes = {"compiler.alignfree",
                                                          "option.ls_tolerance",
                                                          "option.ls_iterations",
                                                          "option.o_friction",
                                                          "flag.eulerdamp",
                                                          "flag.spring",
                                                          "flag.damper",
                                                          "joint.actuatorfrclimited",
                                                          "joint.actuatorfrcrange",
                                                          "joint.actuatorgravcomp",
                                                          "freejoint.align",
                                                          "mesh.inertia",
                                                          "hfield.elevation",
                                                          "body.gravcomp",
                                                          "pair.solreffriction",
                                                          "spatial.armature",
                                                          "spatial.actuatorfrcrange",
                                                          "spatial.actuatorfrclimited",
                                                          "fixed.armature",
                                                          "fixed.actuatorfrcrange",
                                                          "fixed.actuatorfrclimited",
                                                          "tendon.armature",
                                                          "tendon.actuatorfrcrange",
                                                          "tendon.actuatorfrclimited",
                                                          "general.actlimited",
                                                          "general.actearly",
                                                          "general.actdim",
                                                          "position.kv",
                                                          "position.dampratio",
                                                          "position.timeconst",
                                                          "position.inheritrange",
                                                          "intvelocity.kv",
                                                          "intvelocity.dampratio",
                                                          "intvelocity.inheritrange",
                                                          "intvelocity.actlimited",
                                                          "rangefinder.data"};

/// With blanks between. A list in braces is evaluated in order, which the operands of + are not.
inline std::string join(std::initializer_list<std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

class Writer {
 public:
  Writer(std::uint64_t seed, MjcfDialect dialect) : random(seed), debian(dialect == MjcfDialect::debian) {}

  Random random;
  bool debian;
  std::string text;

  void open(std::string_view name) {
    end_tag();
    text += "<" + std::string(name);
    names_.emplace_back(name);
    in_tag_ = true;
  }
  void close() {
    if (in_tag_) {
      text += "/>\n";
    } else {
      text += "</" + names_.back() + ">\n";
    }
    in_tag_ = false;
    names_.pop_back();
  }
  void set(std::string_view attribute, const std::string& value) {
    if (debian && new_attributes.count(names_.back() + "." + std::string(attribute)) > 0) return;
    text += " " + std::string(attribute) + "=\"" + value + "\"";
  }
  bool chance(double p = 0.5) { return random.uniform(0, 1) < p; }
  /// Set with a chance.
  void may(std::string_view attribute, const std::string& value, double p = 0.5) {
    if (chance(p)) set(attribute, value);
  }
  std::string number(double low, double high) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.4g", random.uniform(low, high));
    return buffer;
  }
  std::string numbers(int count, double low, double high) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i > 0 ? " " : "") + number(low, high);
    return list;
  }
  /// Two numbers, the second larger.
  std::string range(double low, double high) {
    const double middle = low + (high - low) * random.uniform(0.3, 0.7);
    return join({number(low, middle), number(middle + 1e-3 * (high - low), high)});
  }
  std::string word(const std::vector<std::string>& words) { return words[random.index(words.size())]; }
  std::string flag() { return word({"true", "false"}); }
  std::string count(int low, int high) {
    return std::to_string(low + static_cast<int>(random.index(static_cast<std::uint64_t>(high - low + 1))));
  }
  std::string direction() {
    const Vec3d d = random.direction();
    char buffer[80];
    std::snprintf(buffer, sizeof buffer, "%.4f %.4f %.4f", d.x, d.y, d.z);
    return buffer;
  }

 private:
  void end_tag() {
    if (in_tag_) text += ">\n";
    in_tag_ = false;
  }
  std::vector<std::string> names_;
  bool in_tag_ = false;
};

}  // namespace trilith::test
