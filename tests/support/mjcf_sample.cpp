#include "support/mjcf_sample.h"

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "support/mjcf_writer.h"

namespace trilith::test {
namespace {

/// Names that later sections refer to, and how long the vectors of a state are.
struct Made {
  std::vector<std::string> bodies, scalar_joints, limited_joints, ball_joints, spheres, solids, sites, spatial_tendons, limited_tendons,
      tendons, actuators;
  int nq = 0, nv = 0, nu = 0, na = 0, nmocap = 0;
};

class Sample {
 public:
  Sample(std::uint64_t seed, MjcfDialect dialect) : w_(seed, dialect) {}

  MjcfSample make();

 private:
  void compiler();
  void option();
  void defaults();
  void default_entries(bool main);
  void default_actuators();
  void visuals();
  void assets();
  void world();
  void body(int depth, int copies);
  void joints(int depth, int copies);
  void joint(const std::string& kind, int copies);
  void joint_attributes(const std::string& kind);
  void inertial();
  void geom(int copies, bool must_weigh = false);
  void geom_attributes();
  void site(int copies);
  void mocap();
  void placed_classes();
  void nested_frames();
  void replicate();
  void contact();
  void equality();
  void equality_base();
  void tendon();
  void tendon_attributes(bool fixed, bool in_class = false);
  void path();
  void actuator();
  void actuator_base(bool limited);
  void transmission();
  void general(const std::string& name, bool stateful);
  void servo(const std::string& kind, const std::string& name);
  void sensor();
  void frame_sensor(const std::string& tag);
  void keyframe();
  void place(bool with_position);
  void solver(std::string_view solref, std::string_view solimp);
  void include(const std::string& name, const std::string& root);

  std::string name(const char* stem) { return stem + std::to_string(next_name_++) + "_"; }
  std::string pick(const std::vector<std::string>& list) { return list[w_.random.index(list.size())]; }
  /// Attributes of one kind of element, in the element or in the section of classes.
  void orientation();
  void maybe_class(double p = 0.3) {
    if (w_.chance(p)) w_.set("class", w_.word({"main", "first", "second"}));
  }

  Writer w_;
  Made made_;
  MjcfSample out_;
  int next_name_ = 0;
  bool degrees_ = true;
};

MjcfSample Sample::make() {
  out_.main = "model.xml";
  w_.open("mujoco");
  w_.set("model", "sample");
  compiler();
  option();
  visuals();
  defaults();
  assets();
  world();
  contact();
  tendon();
  equality();
  actuator();
  sensor();
  keyframe();
  w_.close();
  out_.files["model.xml"] = w_.text;
  return out_;
}

void Sample::compiler() {
  w_.open("compiler");
  degrees_ = w_.chance(0.7);
  w_.set("angle", degrees_ ? "degree" : "radian");
  w_.set("autolimits", "true");
  w_.may("eulerseq", w_.word({"xyz", "XYZ", "zyx", "xZy", "zxz"}), 0.7);
  w_.may("boundmass", w_.number(1e-3, 2e-3), 0.2);
  w_.may("boundinertia", w_.number(1e-6, 2e-6), 0.2);
  w_.may("settotalmass", w_.word({"-1", "12.5"}), 0.2);
  w_.may("balanceinertia", w_.flag(), 0.2);
  w_.may("strippath", "false", 0.2);
  w_.may("coordinate", "local", 0.2);
  w_.may("fitaabb", w_.flag());
  w_.may("inertiafromgeom", w_.word({"auto", "true"}), 0.3);
  w_.may("inertiagrouprange", w_.word({"0 5", "0 2"}), 0.3);
  w_.may("fusestatic", w_.debian ? "false" : w_.flag(), 0.2);
  w_.may("discardvisual", w_.debian ? "false" : w_.flag(), 0.2);
  w_.may("alignfree", "true", 0.2);
  if (!w_.debian && w_.chance()) {
    w_.set("assetdir", "meshes");
  } else {
    w_.set("meshdir", "meshes");
    w_.set("texturedir", "textures");
  }
  w_.close();
}

void Sample::option() {
  w_.open("option");
  w_.may("timestep", w_.number(0.001, 0.01));
  w_.may("impratio", w_.number(1, 20), 0.3);
  w_.may("tolerance", w_.number(1e-10, 1e-8), 0.3);
  w_.may("ls_tolerance", w_.number(1e-3, 1e-2), 0.3);
  w_.may("noslip_tolerance", w_.number(1e-7, 1e-6), 0.3);
  w_.may("gravity", w_.numbers(3, -10, 10));
  w_.may("wind", w_.numbers(3, -2, 2), 0.3);
  w_.may("magnetic", w_.numbers(3, -1, 1), 0.3);
  w_.may("density", w_.number(0, 2), 0.3);
  w_.may("viscosity", w_.number(0, 1e-3), 0.3);
  w_.may("o_margin", w_.number(0, 0.01), 0.3);
  w_.may("o_solref", "0.03 1.1", 0.3);
  w_.may("o_solimp", "0.8 0.9 0.002 0.4 1", 0.3);
  w_.may("o_friction", "0.9 0.8 0.004 0.0002 0.0003", 0.3);
  w_.may("integrator", w_.debian ? w_.word({"Euler", "RK4"}) : w_.word({"Euler", "RK4", "implicit", "implicitfast"}));
  w_.may("cone", w_.word({"pyramidal", "elliptic"}));
  w_.may("solver", w_.word({"Newton", "CG", "PGS"}));
  w_.may("iterations", w_.count(10, 100));
  w_.may("ls_iterations", w_.count(10, 50));
  w_.may("noslip_iterations", w_.count(0, 3));
  w_.open("flag");
  const auto on = [&] { return w_.word({"enable", "disable"}); };
  for (const char* name : {"constraint", "equality", "frictionloss", "limit", "contact", "gravity", "clampctrl", "warmstart",
                           "filterparent", "actuation", "refsafe", "sensor", "eulerdamp", "override"})
    w_.may(name, on(), 0.15);
  w_.may("passive", on(), w_.debian ? 0.2 : 0);  // newer ones switch springs and dampers
  if (w_.chance(0.2)) {
    const std::string both = on();
    w_.set("spring", both);
    w_.set("damper", both);
  }
  w_.close();
  w_.close();
}

// kept out of the motion: one line a kind
void Sample::visuals() {
  if (!w_.chance(0.3)) return;
  w_.open("visual"), w_.open("global"), w_.set("azimuth", "120"), w_.close(), w_.close();
  w_.open("statistic"), w_.set("extent", "2"), w_.close();
  w_.open("size"), w_.set("nkey", "1"), w_.close();
  w_.open("custom"), w_.open("text"), w_.set("name", "note"), w_.set("data", "nothing"), w_.close(), w_.close();
}

void Sample::solver(std::string_view solref, std::string_view solimp) {
  w_.may(solref, w_.word({"0.03 1.2", "0.015 0.8", "-800 -40"}), 0.3);
  w_.may(solimp, w_.word({"0.8 0.9 0.002 0.4 1", "0.95 0.99 0.001 0.5 2"}), 0.3);
}

void Sample::defaults() {
  w_.open("default");
  w_.may("class", "main", 0.3);
  default_entries(true);
  w_.open("default"), w_.set("class", "first");
  default_entries(false);
  w_.open("default"), w_.set("class", "second");
  default_entries(false);
  w_.close(), w_.close();
  placed_classes();
  // a damper is limited, and what its class says holds for every kind: a class of its own
  w_.open("default"), w_.set("class", "dampers"), w_.open("damper"), w_.set("ctrlrange", "0 3"), w_.may("kv", w_.number(0, 5));
  w_.may("forcelimited", "auto"), w_.may("forcerange", w_.range(-50, 50)), w_.may("gear", w_.number(0.5, 3)),
      w_.may("group", w_.count(0, 2));
  w_.may("cranklength", "0.3"), w_.close(), w_.close();
  w_.close();
}

// a shape, a site and their place as a class
void Sample::placed_classes() {
  w_.open("default"), w_.set("class", "placed");
  w_.open("geom"), w_.set("type", w_.word({"capsule", "box"})), w_.set("size", w_.numbers(3, 0.05, 0.1)), w_.may("mass", w_.number(0, 1));
  w_.may("material", "paint"), w_.may("shellinertia", "false", w_.debian ? 0 : 0.5);
  w_.chance(0.3) ? w_.set("fromto", "0 0 -9 0.2 0 -9") : place(true);
  w_.close();
  w_.open("site"), w_.set("type", w_.word({"capsule", "box"})), w_.set("size", w_.numbers(3, 0.05, 0.1));
  w_.chance(0.3) ? w_.set("fromto", "0 0 -9 0.2 0 -9") : place(true);
  w_.close(), w_.close();
  w_.open("default"), w_.set("class", "on_mesh"), w_.open("geom"), w_.set("type", "mesh"), w_.set("mesh", "wedge"),
      w_.set("fitscale", "1.1");
  w_.close(), w_.close();
  w_.open("default"), w_.set("class", "on_field"), w_.open("geom"), w_.set("type", "hfield"), w_.set("hfield", "ground"), w_.close(),
      w_.close();
}

// only what an element of any kind can take over
void Sample::default_entries(bool main) {
  w_.open("mesh"), w_.may("scale", w_.numbers(3, 0.5, 1.5)), w_.may("inertia", w_.word({"exact", "convex"}), 0.3), w_.close();
  w_.open("material"), w_.may("rgba", w_.numbers(4, 0, 1)), w_.close();
  w_.open("joint");
  joint_attributes("");
  if (!main) w_.may("type", "hinge");
  w_.close();
  w_.open("geom");
  geom_attributes();
  w_.may("rgba", w_.numbers(4, 0, 1));
  w_.close();
  w_.open("site"), w_.may("group", w_.count(0, 3)), w_.may("size", w_.numbers(3, 0.01, 0.05)), w_.close();
  w_.open("pair");
  w_.may("condim", w_.word({"1", "3", "4", "6"})), w_.may("friction", w_.numbers(5, 0.01, 1)), w_.may("margin", w_.number(0, 0.01));
  w_.may("gap", w_.number(0, 0.002)), solver("solref", "solimp"), w_.may("solreffriction", "0.04 1", 0.3);
  w_.close();
  w_.open("equality"), w_.may("active", w_.flag()), solver("solref", "solimp"), w_.close();
  w_.open("tendon");
  tendon_attributes(false, true);
  w_.close();
  default_actuators();
}

void Sample::default_actuators() {
  // in 2.2.2 an integrator in a class limits the activation of every kind, and a servo does not take over what
  // another kind has set
  const std::vector<std::string> kinds = {"general", "motor", "position", "velocity", "cylinder", "intvelocity"};
  const std::string& kind = kinds[w_.random.index(w_.debian ? 3 : 6)];
  w_.open(kind);
  if (kind == "general") {
    w_.may("dyntype", w_.debian ? "none" : w_.word({"none", "filter"})), w_.may("dynprm", "0.4"), w_.may("gaintype", "fixed"),
        w_.may("gainprm", w_.number(1, 5));
    w_.may("biastype", "affine"), w_.may("biasprm", "0 -2 -0.1", w_.debian ? 0 : 0.5), w_.may("actearly", w_.flag()),
        w_.may("actdim", "-1");
  }
  if (kind == "position" || kind == "intvelocity") {
    w_.may("kp", w_.number(1, 50));
    w_.chance() ? w_.may("kv", w_.number(0, 5)) : w_.may("dampratio", w_.number(0, 1.2));
  }
  if (kind == "position") w_.may("timeconst", w_.number(0.01, 0.1)), w_.may("inheritrange", "0");
  if (kind == "intvelocity") w_.may("inheritrange", "0"), w_.may("actlimited", "auto");
  if (kind == "velocity") w_.may("kv", w_.number(0, 5));
  if (kind == "cylinder") w_.may("timeconst", "0.3"), w_.may("area", "2"), w_.may("bias", "1 -2 -3"), w_.may("diameter", "0.4", 0.3);
  w_.may("ctrllimited", "auto");
  w_.may("forcelimited", "auto"), w_.may("forcerange", w_.range(-50, 50), 0.3), w_.may("gear", w_.number(0.5, 3));
  if (kind == "general" || kind == "intvelocity") w_.may("actrange", "0 0"), w_.may("ctrlrange", "0 0");
  if (kind == "general") w_.may("actlimited", "auto");
  w_.may("ctrlrange", "0 0", kind == "general" || kind == "intvelocity" ? 0 : 0.5);
  w_.may("group", w_.count(0, 2)), w_.may("cranklength", "0.3");
  w_.close();
}

/// A tetrahedron, outward.
std::string tetrahedron() { return "v 0 0 0\nv 0.2 0 0\nv 0 0.3 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"; }

template <class T>
void append_bytes(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void Sample::assets() {
  out_.files["meshes/tetrahedron.obj"] = tetrahedron();
  std::string heights;
  append_bytes<std::int32_t>(heights, 2), append_bytes<std::int32_t>(heights, 3);
  for (int i = 0; i < 6; ++i) append_bytes<float>(heights, static_cast<float>(w_.random.uniform(0, 2)));
  out_.files["meshes/ground.bin"] = heights;
  w_.open("asset");
  w_.open("mesh"), w_.set("file", "tetrahedron.obj"), maybe_class();
  w_.may("refpos", w_.numbers(3, -0.1, 0.1)), w_.may("refquat", "0.6 0 0.8 0"), w_.may("scale", w_.numbers(3, 0.5, 1.5)), w_.close();
  w_.open("mesh"), w_.set("name", "wedge"), w_.set("vertex", "0 0 0  0.3 0 0  0 0.2 0  0 0 0.1"), w_.may("inertia", "exact");
  w_.may("face", "0 2 1  0 1 3  1 2 3  2 0 3"), w_.close();
  w_.open("hfield"), w_.set("name", "ground"), w_.set("file", "ground.bin"), w_.set("size", "1 2 0.3 0.1"), w_.close();
  w_.open("hfield"), w_.set("name", "steps"), w_.set("nrow", "2"), w_.set("ncol", "2"), w_.set("size", "1 1 0.2 0.1");
  w_.may("elevation", "0 1 2 3"), w_.close();
  w_.open("material"), w_.set("name", "paint"), maybe_class(), w_.may("rgba", w_.numbers(4, 0, 1)), w_.close();
  w_.open("texture"), w_.set("name", "grid"), w_.set("type", "2d"), w_.set("builtin", "checker"), w_.set("width", "8"),
      w_.set("height", "8");
  w_.close();
  w_.close();
}

void Sample::orientation() {
  const double whole = degrees_ ? 180 : 3.14;
  switch (w_.random.index(6)) {
    case 0:
      return w_.set("quat", w_.numbers(4, 0.1, 1));
    case 1:
      return w_.set("axisangle", join({w_.direction(), w_.number(-whole, whole)}));
    case 2:
      return w_.set("xyaxes", join({"1", w_.numbers(3, -0.5, 0.5), "1", w_.number(-0.5, 0.5)}));
    case 3:
      return w_.set("zaxis", w_.direction());
    case 4:
      return w_.set("euler", w_.numbers(3, -whole, whole));
    default:
      return;
  }
}

void Sample::place(bool with_position) {
  if (with_position) w_.may("pos", w_.numbers(3, -0.5, 0.5), 0.7);
  orientation();
}

void Sample::world() {
  w_.open("worldbody");
  w_.open("geom"), w_.set("name", "floor"), w_.set("type", "plane"), w_.set("size", "0 0 1"), w_.set("pos", "0 0 -2"), w_.close();
  w_.open("geom"), w_.set("name", "hills"), w_.set("type", "hfield"), w_.set("hfield", w_.word({"ground", "steps"})),
      w_.set("pos", "5 0 -2");
  w_.close();
  w_.open("camera"), w_.set("name", "eye"), w_.set("pos", "0 -3 1"), w_.close();
  w_.open("light"), w_.set("pos", "0 0 3"), w_.close();
  site(1);
  made_.sites.push_back("fixed_site");
  w_.open("site"), w_.set("name", "fixed_site"), w_.set("pos", "0.3 0.2 2"), w_.close();
  for (int i = 0; i < 3; ++i) body(0, 1);
  mocap();
  if (!w_.debian) replicate(), nested_frames();
  w_.open("geom"), w_.set("class", "placed"), w_.close();
  w_.open("site"), w_.set("class", "placed"), w_.close();
  w_.open("geom"), w_.set("class", "on_mesh"), w_.close();
  w_.open("geom"), w_.set("class", "on_field"), w_.set("pos", "9 9 -4"), w_.close();
  if (w_.chance(0.7)) include("part", w_.word({"mujoco", "mujocoinclude"}));
  w_.close();
}

// a body in a file of its own
void Sample::include(const std::string& stem, const std::string& root) {
  Writer outer = w_;
  w_.text.clear();
  w_.open(root);
  body(1, 1);
  w_.close();
  out_.files[stem + ".xml"] = w_.text;
  outer.random = w_.random;
  w_ = outer;
  w_.open("include"), w_.set("file", stem + ".xml"), w_.close();
}

// frames and copies within each other, around everything that they may hold
void Sample::nested_frames() {
  const auto body_with = [&](const auto& inside) {
    w_.open("body"), inside(), w_.open("geom"), w_.set("size", "0.1"), w_.close(), w_.close();
  };
  const auto copies = [&](const char* count) { w_.open("replicate"), w_.set("count", count), w_.may("offset", w_.numbers(3, -0.3, 0.3)); };
  const auto small = [&](const char* tag) { w_.open(tag), w_.set("size", "0.05"), w_.close(); };
  w_.open("frame");
  place(true);
  w_.open("frame");
  place(true);
  body_with([&] {
    w_.open("frame"), w_.open("freejoint"), w_.close(), w_.close();
    copies("2"), small("geom"), w_.open("frame"), w_.set("pos", "0.1 0 0"), small("site"), w_.close();
    copies("11"), small("site"), w_.close(), w_.close();
  });
  w_.close();
  body_with([&] { w_.open("frame"), w_.set("euler", "0 0 0.3"), w_.open("joint"), w_.close(), inertial(), w_.close(); });
  body_with([&] { copies("1"), w_.open("joint"), w_.set("type", "slide"), w_.close(), inertial(), w_.close(); });
  copies("2"), body_with([&] { w_.open("joint"), w_.close(); }), w_.close();
  w_.close();
  made_.nq += 11, made_.nv += 10;
}

void Sample::mocap() {
  w_.open("body"), w_.set("name", name("mocap")), w_.set("mocap", "true"), w_.set("pos", w_.numbers(3, 2, 3));
  orientation();
  w_.open("geom"), w_.set("size", "0.05"), w_.set("contype", "0"), w_.set("conaffinity", "0"), w_.close();
  w_.close();
  ++made_.nmocap;
}

void Sample::body(int depth, int copies) {
  const std::string own = name("body");
  w_.open("body"), w_.set("name", own);
  w_.may("childclass", w_.word({"first", "second"}), 0.3);
  w_.may("gravcomp", w_.number(0, 1), 0.3);
  w_.may("mocap", "false", 0.1);
  place(true);
  joints(depth, copies);
  if (w_.chance(0.3)) inertial();
  geom(copies, w_.debian);
  while (w_.chance(0.4)) geom(copies);
  site(copies);
  if (!w_.debian && w_.chance(0.4)) {
    w_.open("frame");
    w_.may("name", name("frame"));
    place(true);
    w_.may("childclass", "first", 0.3);
    geom(copies);
    site(copies);
    if (depth < 3) body(depth + 1, copies);
    w_.close();
  }
  while (depth < 3 && w_.chance(0.5)) body(depth + 1, copies);
  w_.close();
  if (copies == 1) made_.bodies.push_back(own);
}

void Sample::joints(int depth, int copies) {
  const std::uint64_t kind = w_.random.index(depth == 0 && copies == 1 ? 6 : 5);
  if (kind == 5 || (kind == 4 && depth == 0 && copies == 1)) {
    w_.open(kind == 5 ? "freejoint" : "joint"), w_.may("name", name("joint"));
    if (kind == 4) w_.set("type", "free"), w_.set("class", "main"), w_.set("limited", "false");
    if (kind == 5) w_.may("align", "auto");
    w_.close();
    made_.nq += 7, made_.nv += 6;
  } else if (kind == 4) {
    joint("ball", copies);
  } else if (kind > 0) {
    for (std::uint64_t i = 0; i < kind; ++i) joint(w_.word({"hinge", "slide"}), copies);
  }
}

void Sample::joint_attributes(const std::string& kind) {
  const bool element = !kind.empty();
  w_.may("pos", w_.numbers(3, -0.1, 0.1), 0.3);
  w_.may("axis", w_.direction(), 0.4);
  w_.may("stiffness", w_.number(0, 10), 0.3);
  w_.may("damping", w_.number(0, 2), 0.3);
  w_.may("armature", w_.number(0, 0.1), 0.3);
  w_.may("frictionloss", w_.number(0, 0.5), 0.3);
  w_.may("margin", w_.number(0, 0.05), 0.2);
  solver("solreflimit", "solimplimit");
  solver("solreffriction", "solimpfriction");
  w_.may("springdamper", element ? w_.word({"0 0", "0.2 0.8"}) : "0 0", 0.2);
  if (!element) {
    w_.may("limited", "auto", 0.2), w_.may("range", "0 0", 0.2), w_.may("actuatorfrclimited", "auto", 0.2);
    w_.may("actuatorfrcrange", "0 0", 0.2), w_.may("ref", "0", 0.2), w_.may("springref", "0", 0.2);
  }
  w_.may("actuatorgravcomp", w_.flag(), 0.2);
}

void Sample::joint(const std::string& kind, int copies) {
  const std::string own = name("joint");
  w_.open("joint"), w_.set("name", own), maybe_class(), w_.set("type", kind);
  joint_attributes(kind);
  const double size = kind == "slide" ? 0.5 : degrees_ ? 90 : 1.5;
  const bool limited = w_.chance();
  if (kind == "ball") {
    if (limited) w_.set("range", "0 " + w_.number(0.3 * size, size));
  } else {
    if (limited) w_.set("range", join({w_.number(-size, -0.1 * size), w_.number(0.1 * size, size)}));
    w_.may("ref", w_.number(-0.1 * size, 0.1 * size), 0.3);
    w_.may("springref", w_.number(-0.1 * size, 0.1 * size), 0.3);
    if (w_.chance(0.3)) w_.set("actuatorfrcrange", w_.range(-20, 20)), w_.may("actuatorfrclimited", "true");
  }
  if (limited) w_.may("limited", w_.word({"true", "auto"}));
  w_.close();
  const bool ball = kind == "ball";
  made_.nq += (ball ? 4 : 1) * copies, made_.nv += (ball ? 3 : 1) * copies;
  if (copies > 1) return;
  (ball ? made_.ball_joints : made_.scalar_joints).push_back(own);
  if (limited && !ball) made_.limited_joints.push_back(own);
}

void Sample::inertial() {
  w_.open("inertial"), w_.set("pos", w_.numbers(3, -0.1, 0.1)), w_.set("mass", w_.number(0.5, 5));
  if (w_.chance(0.7)) {
    w_.set("diaginertia", w_.numbers(3, 0.02, 0.03));
    orientation();
  } else {
    w_.set("fullinertia", join({w_.numbers(3, 0.02, 0.03), w_.numbers(3, -0.002, 0.002)}));
  }
  w_.close();
}

void Sample::geom_attributes() {
  w_.may("contype", w_.count(0, 3), 0.3), w_.may("conaffinity", w_.count(0, 3), 0.3);
  w_.may("condim", w_.word({"1", "3", "4", "6"}), 0.3), w_.may("group", w_.count(0, 2), 0.3), w_.may("priority", w_.count(0, 2), 0.3);
  w_.may("friction", w_.word({"0.7", "0.8 0.01", "0.9 0.02 0.003"}), 0.3);
  w_.may("solmix", w_.number(0.5, 2), 0.3), w_.may("margin", w_.number(0.002, 0.01), 0.2), w_.may("gap", w_.number(0, 0.001), 0.2);
  solver("solref", "solimp");
  w_.may("density", w_.number(200, 2000), 0.4);
}

void Sample::geom(int copies, bool must_weigh) {
  const std::string own = name("geom");
  const std::string kind = w_.word(must_weigh ? std::vector<std::string>{"sphere", "capsule", "ellipsoid", "cylinder", "box"}
                                              : std::vector<std::string>{"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"});
  const bool long_shape = kind != "sphere" && kind != "mesh";
  const bool fit = !w_.debian && kind != "mesh" && w_.chance(0.15);
  w_.open("geom"), w_.set("name", own), maybe_class(), w_.set("type", kind);
  geom_attributes();
  // 2.2.2 takes the volume of another body for that of a mesh
  if (kind == "mesh" && w_.debian) {
    w_.set("mass", "0");
  } else {
    w_.may("mass", w_.number(0.2, 2), 0.2);
  }
  w_.may("material", "paint", 0.3), w_.may("rgba", w_.numbers(4, 0, 1), 0.2);
  if (kind != "mesh" && !w_.debian) w_.may("shellinertia", w_.flag(), 0.2);
  if (kind == "mesh" || fit) w_.set("mesh", w_.word({"tetrahedron", "wedge"}));
  if (fit) w_.may("fitscale", w_.number(0.8, 1.2));
  if (!fit && long_shape && w_.chance(0.3)) {
    w_.set("size", w_.number(0.02, 0.1));
    w_.set("fromto", join({w_.numbers(3, -0.4, -0.1), w_.numbers(3, 0.1, 0.4)}));
  } else {
    if (kind != "mesh" && !fit) w_.set("size", w_.numbers(3, 0.02, 0.2));
    place(true);
  }
  w_.close();
  if (copies > 1) return;
  made_.solids.push_back(own);
  if ((kind == "sphere" || kind == "cylinder") && !fit) made_.spheres.push_back(own);
}

void Sample::site(int copies) {
  const std::string own = name("site");
  const std::string kind = w_.word({"sphere", "capsule", "ellipsoid", "cylinder", "box"});
  w_.open("site"), w_.set("name", own), maybe_class(), w_.set("type", kind), w_.may("group", w_.count(0, 3), 0.3);
  if (kind != "sphere" && w_.chance(0.3)) {
    w_.set("size", "0.02"), w_.set("fromto", join({w_.numbers(3, -0.1, -0.01), w_.numbers(3, 0.01, 0.1)}));
  } else {
    w_.set("size", w_.numbers(3, 0.01, 0.03));
    place(true);
  }
  w_.close();
  if (copies == 1) made_.sites.push_back(own);
}

void Sample::replicate() {
  const int count = 2 + static_cast<int>(w_.random.index(2));
  w_.open("replicate"), w_.set("count", std::to_string(count)), w_.may("sep", "-"), w_.may("offset", w_.numbers(3, 0.5, 1));
  w_.may("euler", w_.numbers(3, -0.5, 0.5)), w_.may("childclass", "second", 0.3);
  site(count);
  body(1, count);
  w_.close();
}

void Sample::contact() {
  if (!w_.debian && w_.chance(0.2)) w_.open("deformable"), w_.close();
  w_.open("contact");
  w_.open("pair"), w_.may("name", name("pair")), maybe_class(), w_.set("geom1", "floor"), w_.set("geom2", pick(made_.solids));
  w_.may("condim", w_.word({"1", "3", "4", "6"})), w_.may("friction", w_.numbers(5, 0.01, 1)), w_.may("margin", w_.number(0.002, 0.01));
  w_.may("gap", w_.number(0, 0.001)), solver("solref", "solimp"), w_.may("solreffriction", "0.04 1", 0.3), w_.close();
  w_.open("exclude"), w_.may("name", name("exclude")), w_.set("body1", made_.bodies[0]), w_.set("body2", made_.bodies[1]), w_.close();
  w_.close();
}

void Sample::equality_base() {
  w_.may("name", name("equality")), maybe_class(), w_.may("active", w_.flag(), 0.3);
  solver("solref", "solimp");
}

void Sample::equality() {
  w_.open("equality");
  for (const char* kind : {"connect", "weld"}) {
    w_.open(kind);
    equality_base();
    const bool weld = std::string_view(kind) == "weld";
    if (!w_.debian && w_.chance(0.4)) {
      w_.set("site1", made_.sites[0]), w_.set("site2", made_.sites[1]);
    } else {
      w_.set("body1", made_.bodies[0]), w_.may("body2", made_.bodies[1]);
      if (weld) w_.may("anchor", w_.numbers(3, -0.1, 0.1)), w_.may("relpose", w_.word({"0 0 0 0 0 0 0", "0.1 0 0.2 0.8 0 0.6 0"}));
      if (!weld) w_.set("anchor", w_.numbers(3, -0.2, 0.2));
    }
    if (weld) w_.may("torquescale", w_.number(0.5, 2));
    w_.close();
  }
  if (made_.scalar_joints.size() > 1) {
    w_.open("joint");
    equality_base();
    w_.set("joint1", made_.scalar_joints[0]), w_.may("joint2", made_.scalar_joints[1]);
    const std::string full = "0.1 0.9 0.2 0.05 0.01";
    w_.may("polycoef", w_.debian ? full : w_.word({"0.1", "0.1 0.9", full})), w_.close();
  }
  if (made_.tendons.size() > 1) {
    w_.open("tendon");
    equality_base();
    w_.set("tendon1", made_.tendons[0]), w_.may("tendon2", made_.tendons[1]), w_.may("polycoef", w_.numbers(5, -0.1, 0.1)), w_.close();
  }
  w_.close();
}

void Sample::tendon_attributes(bool fixed, bool in_class) {
  w_.may("group", w_.count(0, 3), 0.3), w_.may("frictionloss", w_.number(0, 0.5), 0.3), w_.may("margin", w_.number(0, 0.02), 0.3);
  w_.may("stiffness", w_.number(0, 20), 0.3), w_.may("damping", w_.number(0, 2), 0.3);
  w_.may("springlength", w_.debian ? "0.4" : w_.word({"0.4", "0.2 0.6"}), 0.3);
  w_.may("limited", "auto", 0.2);
  if (in_class) {
    w_.may("range", "0 0");
  } else {
    w_.may("actuatorfrclimited", "auto", 0.2), w_.may("armature", fixed ? w_.number(0, 0.1) : "0", 0.3);
  }
  solver("solreflimit", "solimplimit");
  solver("solreffriction", "solimpfriction");
}

// sites in the world and on a body, a wrap between, a pulley and a second branch
void Sample::path() {
  const auto point = [&](const std::string& site) { w_.open("site"), w_.set("site", site), w_.close(); };
  point("fixed_site");
  if (!made_.spheres.empty() && w_.chance(0.6)) {
    w_.open("geom"), w_.set("geom", pick(made_.spheres)), w_.may("sidesite", made_.sites.back(), 0.4), w_.close();
  }
  point(made_.sites[2]);
  if (!w_.chance(0.4)) return;
  w_.open("pulley"), w_.set("divisor", w_.word({"2", "1.5"})), w_.close();
  point("fixed_site");
  point(made_.sites[3]);
}

void Sample::tendon() {
  w_.open("tendon");
  for (int i = 0; i < 2; ++i) {
    const std::string own = name("tendon");
    w_.open("spatial"), w_.set("name", own), maybe_class();
    tendon_attributes(false);
    const bool limited = w_.chance();
    if (limited) w_.set("range", "0.1 " + w_.number(1, 9));
    w_.may("actuatorfrcrange", "-30 20", 0.3);
    path();
    w_.close();
    made_.tendons.push_back(own);
    if (limited) made_.limited_tendons.push_back(own);
  }
  if (!made_.scalar_joints.empty()) {
    const std::string own = name("tendon");
    w_.open("fixed"), w_.set("name", own), maybe_class();
    tendon_attributes(true);
    w_.may("range", "-0.5 0.7", 0.5), w_.may("actuatorfrcrange", "-10 10", 0.3);
    for (std::size_t i = 0; i < made_.scalar_joints.size() && i < 3; ++i)
      w_.open("joint"), w_.set("joint", made_.scalar_joints[i]), w_.set("coef", w_.number(-1, 1)), w_.close();
    w_.close();
    made_.tendons.push_back(own);
  }
  w_.close();
}

void Sample::actuator_base(bool limited) {
  w_.may("group", w_.count(0, 2), 0.3);
  if (limited && w_.chance()) w_.set("ctrlrange", w_.range(-2, 2)), w_.may("ctrllimited", "true");
  if (w_.chance(0.4)) w_.set("forcerange", w_.range(-90, 90)), w_.may("forcelimited", w_.word({"true", "auto"}));
}

void Sample::transmission() {
  const std::size_t kind = w_.random.index(5);
  if (kind == 0 && !made_.scalar_joints.empty()) {
    w_.set("joint", pick(made_.scalar_joints)), w_.may("gear", w_.number(0.5, 5));
  } else if (kind == 1 && !made_.ball_joints.empty()) {
    w_.set("jointinparent", pick(made_.ball_joints)), w_.set("gear", w_.numbers(3, -1, 1));
  } else if (kind == 2) {
    w_.set("site", made_.sites[2]), w_.may("refsite", "fixed_site"), w_.set("gear", w_.numbers(6, -1, 1));
  } else if (kind == 3) {
    w_.set("cranksite", made_.sites[2]), w_.set("slidersite", "fixed_site"), w_.set("cranklength", w_.number(5, 6));
  } else {
    w_.set("tendon", pick(made_.tendons)), w_.may("gear", w_.number(0.5, 5));
  }
}

void Sample::general(const std::string& own, bool stateful) {
  w_.open("general"), w_.set("name", own), maybe_class();
  actuator_base(true);
  transmission();
  std::vector<std::string> kinds = {"none", "integrator", "filter", "filterexact"};
  if (w_.debian) kinds = stateful ? std::vector<std::string>{"integrator", "filter"} : std::vector<std::string>{"none"};
  const std::string dynamics = w_.word(kinds);
  w_.set("dyntype", dynamics), w_.may("dynprm", w_.number(0.05, 1)), w_.set("gaintype", w_.word({"fixed", "affine"}));
  w_.may("gainprm", w_.numbers(3, 0.5, 2)), w_.set("biastype", w_.word({"none", "affine"})), w_.may("biasprm", w_.numbers(3, -1, 0));
  w_.may("actearly", w_.flag(), 0.3);
  w_.may("actdim", dynamics == "none" ? "0" : "1", 0.3);
  if (dynamics != "none") ++made_.na, w_.may("actrange", w_.range(-1, 1), 0.4), w_.may("actlimited", "auto", 0.3);
  w_.close();
}

void Sample::servo(const std::string& kind, const std::string& own) {
  w_.open(kind), w_.set("name", own);
  if (!w_.debian && kind != "damper") maybe_class();
  const bool position = kind == "position", integrates = kind == "intvelocity";
  const bool inherits = !w_.debian && (position || integrates) && !made_.limited_joints.empty() && w_.chance();
  if (inherits) {
    w_.set("joint", pick(made_.limited_joints)), w_.set("inheritrange", w_.number(0.5, 1.2));
  } else {
    if (kind == "damper")
      w_.set("class", "dampers"), w_.may("ctrlrange", w_.range(0, 2), w_.debian ? 1 : 0.5), w_.may("forcerange", "-9 9", 0.3),
          w_.may("forcelimited", "auto");
    if (kind != "damper") actuator_base(true);
    if (kind == "damper") w_.may("group", w_.count(0, 2));
    transmission();
  }
  if (position || integrates) {
    w_.may("kp", w_.number(1, 50));
    w_.chance() ? w_.may("kv", w_.number(0, 5)) : w_.may("dampratio", w_.number(0, 1.2));
  }
  if (position) w_.set("timeconst", w_.word({"0", "0.05"}));
  if (integrates && !inherits) w_.set("actrange", w_.range(-1, 1)), w_.may("actlimited", "true");
  if (kind == "velocity" || kind == "damper") w_.may("kv", w_.number(0, 5), w_.debian ? 1 : 0.5);
  if (kind == "cylinder") {
    w_.set("timeconst", "0.2"), w_.may("bias", "0.1 -0.2 -0.3");
    w_.chance() ? w_.set("area", "0.5") : w_.set("diameter", "0.7");
  }
  const bool filters = position && w_.text.find("timeconst=\"0.05\"", w_.text.rfind("<position")) != std::string::npos;
  made_.na += integrates || filters || kind == "cylinder";
  w_.close();
}

void Sample::actuator() {
  w_.open("actuator");
  // those with an activation behind those without: 2.2.2 wants it
  bool first = true;
  for (const char* kind : {"general", "motor", "position", "velocity", "damper", "intvelocity", "cylinder", "general"}) {
    const std::string own = name("actuator");
    if (std::string_view(kind) == "general") {
      general(own, !first);
      first = false;
    } else {
      servo(kind, own);
    }
    made_.actuators.push_back(own);
    ++made_.nu;
  }
  w_.close();
}

void Sample::frame_sensor(const std::string& tag) {
  w_.open(tag), w_.may("name", name("sensor"));
  const auto frame = [&](const char* type, const char* object) {
    const std::size_t kind = w_.random.index(4);
    w_.set(type, std::array{"body", "xbody", "geom", "site"}[kind]);
    w_.set(object, kind < 2 ? pick(made_.bodies) : kind == 2 ? pick(made_.solids) : pick(made_.sites));
  };
  frame("objtype", "objname");
  if (tag.find("acc") == std::string::npos && w_.chance()) frame("reftype", "refname");
  // not for directions
  if (tag.find("axis") == std::string::npos && tag != "framequat") w_.may("cutoff", w_.number(1, 9), 0.2);
  w_.close();
}

void Sample::sensor() {
  w_.open("sensor");
  const auto simple = [&](std::initializer_list<const char*> tags, const char* attribute, const std::vector<std::string>& objects) {
    for (const char* tag : tags) {
      if (objects.empty() && attribute != nullptr) continue;
      w_.open(tag), w_.may("name", name("sensor"));
      if (attribute != nullptr) w_.set(attribute, pick(objects));
      if (std::string_view(tag) != "ballquat") w_.may("cutoff", w_.number(1, 9), 0.2);
      w_.close();
    }
  };
  simple({"touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "rangefinder"}, "site", made_.sites);
  simple({"jointpos", "jointvel"}, "joint", made_.scalar_joints);
  simple({"jointlimitpos", "jointlimitvel", "jointlimitfrc"}, "joint", made_.limited_joints);
  simple({"ballquat", "ballangvel"}, "joint", made_.ball_joints);
  simple({"tendonpos", "tendonvel"}, "tendon", made_.tendons);
  simple({"tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"}, "tendon", made_.limited_tendons);
  simple({"actuatorpos", "actuatorvel", "actuatorfrc"}, "actuator", made_.actuators);
  simple({"subtreecom", "subtreelinvel", "subtreeangmom"}, "body", made_.bodies);
  simple({"clock"}, nullptr, {});
  if (!w_.debian) {
    simple({"jointactuatorfrc"}, "joint", made_.scalar_joints);
    simple({"tendonactuatorfrc"}, "tendon", made_.tendons);
    simple({"e_potential", "e_kinetic"}, nullptr, {});
  }
  for (const char* tag :
       {"framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel", "framelinacc", "frameangacc"})
    frame_sensor(tag);
  w_.close();
}

void Sample::keyframe() {
  w_.open("keyframe");
  w_.open("key"), w_.may("name", "start"), w_.may("time", w_.number(0, 2));
  w_.may("qpos", w_.numbers(made_.nq, 0.1, 0.2)), w_.may("qvel", w_.numbers(made_.nv, -1, 1)), w_.may("ctrl", w_.numbers(made_.nu, 0, 1));
  if (made_.na > 0) w_.may("act", w_.numbers(made_.na, 0, 1));
  w_.may("mpos", w_.numbers(3 * made_.nmocap, -1, 1)), w_.may("mquat", w_.numbers(4 * made_.nmocap, 0.1, 1));
  w_.close(), w_.close();
}

}  // namespace

MjcfSample make_mjcf_sample(std::uint64_t seed, MjcfDialect dialect) { return Sample(seed, dialect).make(); }

}  // namespace trilith::test
