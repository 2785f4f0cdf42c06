#include "io/urdf_reader.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "io/file.h"

namespace trilith::io {
namespace {

constexpr std::string_view joint_types[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
constexpr std::string_view known_of_robot[] = {"link", "joint", "material"};
constexpr std::string_view known_of_link[] = {"inertial", "visual", "collision"};
constexpr std::string_view known_of_joint[] = {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"};
constexpr std::string_view attributes_of_link[] = {"name", "type"};
constexpr std::string_view attributes_of_joint[] = {"name", "type"};

struct Named {
  std::int32_t index;
  const XmlElement* element;
};
using Names = std::unordered_map<std::string_view, Named>;

class RobotReader {
 public:
  RobotReader(XmlFields& fields, UrdfShapes& shapes) : fields_(fields), shapes_(shapes) {}

  UrdfRobot read(const XmlElement& root) {
    for (const XmlElement* child = root.first_child; child != nullptr; child = child->next)
      if (child->name == "material") shapes_.add_material(*child);
    for (const XmlElement* child = root.first_child; child != nullptr && !fields_.full(); child = child->next) read_element(*child);
    if (robot_.links.empty()) fields_.fail("holds no links", root);
    for (const XmlElement* child = root.first_child; child != nullptr && !fields_.full(); child = child->next)
      if (child->name == "joint") read_joint(*child);
    return std::move(robot_);
  }

 private:
  void read_element(const XmlElement& element) {
    if (element.name == "link") return read_link(element);
    if (std::ranges::find(known_of_robot, element.name) != std::end(known_of_robot)) return;
    if (element.name == "mujoco") return fields_.warn("settings of MuJoCo in a URDF are not read; an MJCF file holds them", element);
    fields_.count("elements " + in_quotes(element.name) + " are left out", element);
  }

  void tell_unknown(const XmlElement& element, std::span<const std::string_view> children, std::span<const std::string_view> attributes) {
    for (const XmlElement* child = element.first_child; child != nullptr; child = child->next)
      if (std::ranges::find(children, child->name) == children.end())
        fields_.count("elements " + in_quotes(child->name) + " of " + std::string(element.name) + "s are left out", *child);
    for (const XmlAttribute& attribute : element.attributes)
      if (std::ranges::find(attributes, attribute.name) == attributes.end())
        fields_.count("attributes " + in_quotes(attribute.name) + " of " + std::string(element.name) + "s are left out", element);
  }

  /// False where the name is missing or taken; both places are told.
  bool take_name(const XmlElement& element, std::string& name, Names& names, std::int32_t index) {
    if (!fields_.require(element, "name") || !fields_.read_name(element, "name", name)) return false;
    if (name.empty()) {
      fields_.fail("is empty", element, "name");
      return false;
    }
    const auto [first, is_new] = names.emplace(element.value("name"), Named{index, &element});
    if (is_new) return true;
    fields_.fail("is the second of this name: the first is at " + place_of(*first->second.element), element);
    return false;
  }

  void read_link(const XmlElement& element) {
    UrdfLink link;
    link.element = &element;
    if (!take_name(element, link.name, links_, static_cast<std::int32_t>(robot_.links.size()))) return;
    tell_unknown(element, known_of_link, attributes_of_link);
    if (const XmlElement* inertial = child_of(element, "inertial")) link.inertial = read_inertial(*inertial, element);
    robot_.links.push_back(std::move(link));
    if (robot_.links.size() > urdf_element_limit)
      fields_.fail("is beyond the limit of " + std::to_string(urdf_element_limit) + " links", element);
  }

  /// Mass properties in the link's frame: the origin's rotation turns the tensor.
  Inertiad read_inertial(const XmlElement& inertial, const XmlElement& link) {
    Inertiad own{0, {0, 0, 0}, {}};
    const XmlElement *mass = child_of(inertial, "mass"), *tensor = child_of(inertial, "inertia");
    if (mass == nullptr) fields_.fail("has no mass", inertial);
    if (mass != nullptr && fields_.require(*mass, "value")) fields_.read(*mass, "value", own.mass);
    if (own.mass < 0) fields_.fail("is negative: the mass of link " + in_quotes(link.value("name")) + " must be >= 0", *mass, "value");
    if (tensor != nullptr) {
      double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
      for (const auto& [key, out] : {std::pair{"ixx", &xx}, {"iyy", &yy}, {"izz", &zz}})
        if (fields_.require(*tensor, key)) fields_.read(*tensor, key, *out);
      for (const auto& [key, out] : {std::pair{"ixy", &xy}, {"ixz", &xz}, {"iyz", &yz}}) fields_.read(*tensor, key, *out);
      own.about_com = {{xx, xy, xz, xy, yy, yz, xz, yz, zz}};
    } else if (own.mass > 0) {
      fields_.warn("has a mass and no inertia: it is a point mass", inertial);
    }
    return transform(read_urdf_origin(inertial, fields_), own);
  }

  std::int32_t find_link(const XmlElement& joint, std::string_view role) {
    const XmlElement* end = child_of(joint, role);
    if (end == nullptr || end->find("link") == nullptr) {
      fields_.fail("names no " + std::string(role) + " link", joint);
      return -1;
    }
    const auto found = links_.find(end->value("link"));
    if (found != links_.end()) return found->second.index;
    std::vector<std::string_view> names;
    for (const UrdfLink& link : robot_.links) names.push_back(link.name);
    const std::string_view near = nearest_name(end->value("link"), names);
    fields_.fail("there is no link " + in_quotes(end->value("link")) + (near.empty() ? "" : ": did you mean " + in_quotes(near) + "?"),
                 joint);
    return -1;
  }

  void read_joint(const XmlElement& element) {
    UrdfJoint joint;
    joint.element = &element;
    const auto index = static_cast<std::int32_t>(robot_.joints.size());
    if (!take_name(element, joint.name, joints_, index) || !fields_.require(element, "type")) return;
    tell_unknown(element, known_of_joint, attributes_of_joint);
    const auto type = fields_.read_word(element, "type", joint_types);
    joint.parent = find_link(element, "parent");
    joint.child = find_link(element, "child");
    joint.pose = read_urdf_origin(element, fields_);
    if (type) joint.kind = static_cast<UrdfJointKind>(*type);
    if (type && joint.parent >= 0 && joint.child >= 0) connect(joint, index);
    robot_.joints.push_back(std::move(joint));
  }

  void connect(const UrdfJoint& joint, std::int32_t index) {
    UrdfLink& child = robot_.links[joint.child];
    if (joint.parent == joint.child) return fields_.fail("ties link " + in_quotes(child.name) + " to itself", *joint.element);
    if (child.parent_joint >= 0)
      return fields_.fail("link " + in_quotes(child.name) + " has two parents: joint " + in_quotes(robot_.joints[child.parent_joint].name) +
                              " and this one",
                          *joint.element);
    child.parent_joint = index;
    robot_.links[joint.parent].child_joints.push_back(index);
  }

  XmlFields& fields_;
  UrdfShapes& shapes_;
  UrdfRobot robot_;
  Names links_, joints_;
};

/// The first place that only xacro understands: an element of its own, or ${...} in an attribute.
const XmlElement* find_xacro(const XmlElement& root) {
  for (const XmlElement* at = &root; at != nullptr;) {
    const bool macro = at->name.starts_with("xacro:") || std::ranges::any_of(at->attributes, [](const XmlAttribute& a) {
                         return a.value.find("${") != std::string_view::npos;
                       });
    if (macro) return at;
    if (at->first_child != nullptr) {
      at = at->first_child;
      continue;
    }
    while (at != nullptr && at != &root && at->next == nullptr) at = at->parent;
    at = at == &root || at == nullptr ? nullptr : at->next;
  }
  return nullptr;
}

std::string loop_of(const UrdfRobot& robot, std::int32_t start) {
  std::vector<bool> seen(robot.links.size(), false);
  std::int32_t at = start;
  while (!seen[at]) {
    seen[at] = true;
    at = robot.joints[robot.links[at].parent_joint].parent;
  }
  std::string text = in_quotes(robot.links[at].name);
  const std::int32_t turn = at;
  do {
    const UrdfJoint& joint = robot.joints[robot.links[at].parent_joint];
    at = joint.parent;
    text += " hangs on " + in_quotes(robot.links[at].name) + " by joint " + in_quotes(joint.name) + (at == turn ? "" : ", which");
  } while (at != turn);
  return text;
}

Result<model::ModelInput> parse(std::string_view text, const std::string& source, const UrdfOptions& options, RootedFiles* files) {
  auto document = XmlDocument::parse(text, source);
  if (!document) return document.errors();
  const XmlElement& root = document.value()->root();
  model::Findings findings;
  XmlFields fields(findings);
  for (const Warning& warning : document.value()->warnings()) fields.take(warning);
  model::ModelInput input;
  input.source = source;
  input.format = "urdf";
  input.options.gravity = {0, 0, -9.81};
  input.inertia_rules.from_shapes = model::InertiaRules::FromShapes::never;
  if (root.name != "robot") return Error{"the root element of a URDF is \"robot\", here it is " + in_quotes(root.name), place_of(root)};
  if (const XmlElement* macro = find_xacro(root))
    return Error{"this is xacro, not URDF: run \"xacro FILE > robot.urdf\" first", place_of(*macro)};
  if (root.find("name") != nullptr) fields.read_text(root, "name", input.name);
  UrdfShapes shapes(files, options, input, fields);
  const UrdfRobot robot = read_urdf_robot(root, fields, shapes);
  if (fields.ok()) {
    const std::int32_t top = find_urdf_root(robot, options.root, root, fields);
    if (top >= 0) emit_urdf_model(robot, top, options, shapes, fields, input);
  }
  fields.tell_counts();
  if (!findings.ok()) return std::move(findings.errors());
  input.warnings = std::move(findings.warnings());
  const std::string digest = sha256_hex(text);
  input.sha256 = files == nullptr ? digest : files->digest(digest);
  return input;
}

}  // namespace

UrdfRobot read_urdf_robot(const XmlElement& root, XmlFields& fields, UrdfShapes& shapes) { return RobotReader(fields, shapes).read(root); }

std::int32_t find_urdf_root(const UrdfRobot& robot, const std::string& wanted, const XmlElement& root, XmlFields& fields) {
  std::vector<std::int32_t> tops;
  std::vector<bool> reached(robot.links.size(), false);
  std::int32_t chosen = -1;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    if (robot.links[i].parent_joint < 0) tops.push_back(static_cast<std::int32_t>(i));
    if (!wanted.empty() && robot.links[i].name == wanted) chosen = static_cast<std::int32_t>(i);
  }
  if (!wanted.empty() && chosen < 0) {
    fields.fail("there is no link " + in_quotes(wanted) + " to start from", root);
    return -1;
  }
  std::vector<std::int32_t> stack = tops;
  while (!stack.empty()) {
    const std::int32_t at = stack.back();
    stack.pop_back();
    reached[at] = true;
    for (const std::int32_t joint : robot.links[at].child_joints) stack.push_back(robot.joints[joint].child);
  }
  const auto lost = std::ranges::find(reached, false);
  if (lost != reached.end()) {
    fields.fail("links go round in a circle: " + loop_of(robot, static_cast<std::int32_t>(lost - reached.begin())), root);
    return -1;
  }
  if (chosen >= 0) {
    fields.warn("link " + in_quotes(wanted) + " is the root: what does not hang on it is left out", root);
    return chosen;
  }
  if (tops.size() == 1) return tops[0];
  std::string names;
  for (std::size_t i = 0; i < tops.size() && i < 5; ++i) names += (i > 0 ? ", " : "") + in_quotes(robot.links[tops[i]].name);
  fields.fail("has " + std::to_string(tops.size()) + " roots: " + names + (tops.size() > 5 ? ", ..." : "") + " (--root NAME takes one)",
              root);
  return -1;
}

Result<model::ModelInput> parse_urdf(std::string_view text, const std::string& source, const UrdfOptions& options) {
  return parse(text, source, options, nullptr);
}

Result<model::ModelInput> load_urdf(const std::string& path, const UrdfOptions& options) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.errors();
  std::vector<std::string> folders = options.package_folders;
  for (std::string& folder : package_folders_above(path)) folders.push_back(std::move(folder));
  RootedFiles files(path, folders);
  return parse(text.value(), path, options, &files);
}

}  // namespace trilith::io
