#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "io/urdf_reader.h"

namespace trilith::io {
namespace {

using model::Joint;
using model::JointKind;

/// Joints with the same lack of limits: one line for all.
struct Unlimited {
  std::vector<std::string> effort, velocity;
  const XmlElement* first = nullptr;
};

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return text + (names.size() > most ? ", ... (" + std::to_string(names.size()) + ")" : "");
}

class ModelEmitter {
 public:
  ModelEmitter(const UrdfRobot& robot, const UrdfOptions& options, UrdfShapes& shapes, XmlFields& fields, model::ModelInput& input)
      : robot_(robot), options_(options), shapes_(shapes), fields_(fields), input_(input) {}

  void emit(std::int32_t root) {
    model::Body world;
    const bool taken = std::ranges::any_of(robot_.links, [](const UrdfLink& link) { return link.name == "world"; });
    world.name = taken ? "" : "world";
    world.where = input_.source;
    input_.bodies.push_back(std::move(world));
    std::vector<Task> stack{{root, 0, -1, identity_pose<double>(), identity_pose<double>()}};
    while (!stack.empty() || !floating_.empty()) {
      if (stack.empty()) {  // links that float come last, as children of the world, in file order
        stack.assign(floating_.rbegin(), floating_.rend());
        floating_.clear();
      }
      const Task task = stack.back();
      stack.pop_back();
      const std::int32_t body = add_body(task);
      const UrdfLink& link = robot_.links[task.link];
      for (const std::int32_t joint : link.child_joints)
        if (robot_.joints[joint].kind == UrdfJointKind::floating) set_afloat(joint, body, task.X_WB);
      for (const std::int32_t joint : link.child_joints | std::views::reverse)
        if (robot_.joints[joint].kind != UrdfJointKind::floating) stack.push_back(below(joint, body, task.X_WB));
    }
    tell_limits();
    couple_followers();
  }

 private:
  struct Task {
    std::int32_t link, parent, joint;
    Posed X_PB, X_WB;
  };

  Task below(std::int32_t index, std::int32_t parent, const Posed& X_WP) const {
    const UrdfJoint& joint = robot_.joints[index];
    return {joint.child, parent, index, joint.pose, X_WP * joint.pose};
  }

  /// A link that floats hangs on nothing: it becomes a child of the world, where it stands in the pose of the file.
  void set_afloat(std::int32_t index, std::int32_t parent, const Posed& X_WP) {
    const UrdfJoint& joint = robot_.joints[index];
    const Posed X_WB = X_WP * joint.pose;
    floating_.push_back({joint.child, 0, index, X_WB, X_WB});
    if (input_.bodies[parent].parent != 0)
      fields_.warn("is floating: its coordinates are the pose of link " + in_quotes(robot_.links[joint.child].name) + " in the world",
                   *joint.element);
  }

  std::int32_t add_body(const Task& task) {
    const UrdfLink& link = robot_.links[task.link];
    const auto index = static_cast<std::int32_t>(input_.bodies.size());
    model::Body body;
    body.name = link.name;
    body.parent = task.parent;
    body.pose = task.X_PB;
    body.inertial = link.inertial;
    body.where = place_of(*link.element);
    input_.bodies.push_back(std::move(body));
    if (task.joint >= 0) add_joint(robot_.joints[task.joint], index);
    shapes_.add_shapes(*link.element, index);
    return index;
  }

  void add_joint(const UrdfJoint& source, std::int32_t body) {
    Joint joint;
    joint.name = source.name;
    joint.body = body;
    joint.where = place_of(*source.element);
    switch (source.kind) {
      case UrdfJointKind::fixed:
        return add_site(source, body);
      case UrdfJointKind::floating:
        joint.kind = JointKind::free;
        break;
      case UrdfJointKind::planar:
        return add_planar(source, joint);
      case UrdfJointKind::prismatic:
        joint.kind = JointKind::slide;
        break;
      case UrdfJointKind::revolute:
      case UrdfJointKind::continuous:
        joint.kind = JointKind::hinge;
        break;
    }
    if (joint.kind != JointKind::free) {
      joint.axis = read_axis(source);
      read_dynamics(*source.element, joint);
      read_limit(source, joint);
      read_mimic(*source.element, joint);
    }
    input_.joints.push_back(std::move(joint));
  }

  /// A fixed joint moves nothing; its name stays a place.
  void add_site(const UrdfJoint& source, std::int32_t body) {
    model::Site site;
    site.name = source.name;
    site.body = body;
    site.where = place_of(*source.element);
    input_.sites.push_back(std::move(site));
    if (child_of(*source.element, "mimic") != nullptr) fields_.warn("is fixed: mimic is left out", *source.element);
  }

  Vec3d read_axis(const UrdfJoint& source) {
    Vec3d axis{1, 0, 0};
    if (const XmlElement* element = child_of(*source.element, "axis"); element != nullptr && fields_.require(*element, "xyz"))
      fields_.read(*element, "xyz", axis);
    return axis;
  }

  /// In the plane across the axis: along x and y of the joint's frame where the axis is its z.
  void add_planar(const UrdfJoint& source, const Joint& like) {
    const Vec3d axis = read_axis(source);
    const double length = norm(axis);
    if (!(length > 0)) return fields_.fail("has an axis without length", *source.element);
    const Vec3d n = (1 / length) * axis;
    const Vec3d start = abs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d x = unit(start - dot(start, n) * n);
    for (const auto& [suffix, direction, kind] :
         {std::tuple{"_x", x, JointKind::slide}, {"_y", cross(n, x), JointKind::slide}, {"_turn", n, JointKind::hinge}}) {
      Joint joint = like;
      joint.name += suffix;
      joint.axis = direction;
      joint.kind = kind;
      read_dynamics(*source.element, joint);
      input_.joints.push_back(std::move(joint));
    }
    fields_.warn("is planar: it becomes the slides " + in_quotes(source.name + "_x") + ", " + in_quotes(source.name + "_y") +
                     " and the hinge " + in_quotes(source.name + "_turn"),
                 *source.element);
  }

  void read_dynamics(const XmlElement& element, Joint& joint) {
    const XmlElement* dynamics = child_of(element, "dynamics");
    if (dynamics == nullptr) return;
    fields_.read(*dynamics, "damping", joint.damping);
    fields_.read(*dynamics, "friction", joint.friction_loss);
  }

  /// Travel of a revolute or prismatic joint.
  void read_range(const UrdfJoint& source, const XmlElement* limit, Joint& joint) {
    const bool given = limit != nullptr && (limit->find("lower") != nullptr || limit->find("upper") != nullptr);
    if (source.kind == UrdfJointKind::continuous) {
      if (given) fields_.warn("is continuous: lower and upper are left out", *source.element);
      return;
    }
    if (!given) {
      const std::string_view word =
          source.kind == UrdfJointKind::revolute ? "turns without a limit, as a continuous one" : "slides without a limit";
      return fields_.warn("has no lower and upper: it " + std::string(word), *source.element);
    }
    model::Range range;
    fields_.read(*limit, "lower", range.lower);
    fields_.read(*limit, "upper", range.upper);
    joint.range = range;
  }

  void read_limit(const UrdfJoint& source, Joint& joint) {
    const XmlElement* limit = child_of(*source.element, "limit");
    read_range(source, limit, joint);
    double effort = 0, velocity = 0;
    const bool has_effort = limit != nullptr && fields_.read(*limit, "effort", effort),
               has_velocity = limit != nullptr && fields_.read(*limit, "velocity", velocity);
    if (has_effort && effort < 0) fields_.fail("must be >= 0, got " + format_double(effort), *limit, "effort");
    if (has_velocity && velocity < 0) fields_.fail("must be >= 0, got " + format_double(velocity), *limit, "velocity");
    const bool no_effort = has_effort && effort == 0, no_velocity = has_velocity && velocity == 0;
    if (no_effort || no_velocity) tell_zero(*source.element, no_effort, no_velocity);
    const bool free_zero = options_.zero_means_unlimited;
    if (has_effort && !(no_effort && free_zero)) joint.max_effort = effort;
    if (has_velocity && !(no_velocity && free_zero)) joint.max_velocity = velocity;
    if (has_effort && has_velocity) return;
    if (unlimited_.first == nullptr) unlimited_.first = source.element;
    if (!has_effort) unlimited_.effort.push_back(source.name);
    if (!has_velocity) unlimited_.velocity.push_back(source.name);
  }

  void tell_zero(const XmlElement& joint, bool effort, bool velocity) {
    const std::string what = effort && velocity ? "zero effort and zero velocity" : effort ? "zero effort" : "zero velocity";
    fields_.warn(
        "declares " + what +
            (options_.zero_means_unlimited ? ": taken as unlimited" : ": a controller cannot move it (--zero-means-unlimited lifts it)"),
        joint);
  }

  void tell_limits() {
    const auto& [effort, velocity, first] = unlimited_;
    if (first == nullptr) return;
    std::string what;
    if (!effort.empty()) what += "no effort is given for " + list_names(effort) + (effort == velocity ? "" : ": unlimited");
    if (effort == velocity) {
      what += ", and no velocity: both unlimited";
    } else if (!velocity.empty()) {
      what += (what.empty() ? "" : "; ") + ("no velocity is given for " + list_names(velocity)) + ": unlimited";
    }
    fields_.take(Warning{what, place_of(*first)});
  }

  void read_mimic(const XmlElement& element, Joint& joint) {
    const XmlElement* mimic = child_of(element, "mimic");
    if (mimic == nullptr) return;
    model::Mimic follow;
    if (!fields_.require(*mimic, "joint") || !fields_.read_text(*mimic, "joint", follow.joint.name)) return;
    fields_.read(*mimic, "multiplier", follow.multiplier);
    fields_.read(*mimic, "offset", follow.offset);
    joint.mimic = std::move(follow);
  }

  /// An equality for every follower, so that dynamics holds it.
  void couple_followers() {
    for (const Joint& joint : input_.joints) {
      if (!joint.mimic) continue;
      model::Equality equality;
      equality.name = joint.name + "_mimic";
      equality.kind = model::EqualityKind::joint;
      equality.a.name = joint.name;
      equality.b.name = joint.mimic->joint.name;
      equality.polynomial = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0};
      equality.where = joint.where;
      input_.equalities.push_back(std::move(equality));
    }
  }

  const UrdfRobot& robot_;
  const UrdfOptions& options_;
  UrdfShapes& shapes_;
  XmlFields& fields_;
  model::ModelInput& input_;
  std::vector<Task> floating_;
  Unlimited unlimited_;
};

}  // namespace

void emit_urdf_model(const UrdfRobot& robot, std::int32_t root, const UrdfOptions& options, UrdfShapes& shapes, XmlFields& fields,
                     model::ModelInput& input) {
  ModelEmitter(robot, options, shapes, fields, input).emit(root);
}

}  // namespace trilith::io
