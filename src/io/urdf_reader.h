#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/urdf.h"
#include "io/urdf_shapes.h"
#include "io/xml_fields.h"

/// The stages of reading a URDF: elements to lists, lists to a tree, the tree to a model.
namespace trilith::io {

enum class UrdfJointKind : std::uint8_t { revolute, continuous, prismatic, fixed, floating, planar };

struct UrdfJoint {
  std::string name;
  const XmlElement* element = nullptr;
  UrdfJointKind kind = UrdfJointKind::fixed;
  std::int32_t parent = -1, child = -1;  ///< links
  Posed pose = identity_pose<double>();  ///< X_PC in the pose of the file
};

struct UrdfLink {
  std::string name;
  const XmlElement* element = nullptr;
  std::optional<Inertiad> inertial;
  std::int32_t parent_joint = -1;
  std::vector<std::int32_t> child_joints;
};

struct UrdfRobot {
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
};

/// Links and joints of the file; references resolved, one parent each.
UrdfRobot read_urdf_robot(const XmlElement& root, XmlFields& fields, UrdfShapes& shapes);

/// The link that carries all others: the only one without a parent, or `wanted`. -1 and an error where there is none, several, or a circle.
std::int32_t find_urdf_root(const UrdfRobot& robot, const std::string& wanted, const XmlElement& root, XmlFields& fields);

/// Bodies, joints, shapes, sites of fixed joints and equalities of followers, depth first from `root`.
void emit_urdf_model(const UrdfRobot& robot, std::int32_t root, const UrdfOptions& options, UrdfShapes& shapes, XmlFields& fields,
                     model::ModelInput& input);

}  // namespace trilith::io
