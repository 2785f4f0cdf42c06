#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "trilith/result.h"

namespace trilith::io {

struct UrdfOptions {
  std::vector<std::string> package_folders;  ///< where package://NAME/... is looked for: a folder of packages, or the package itself
  std::string root;                          ///< link to start from where the file holds several trees; empty: the only one
  bool zero_means_unlimited = false;         ///< effort="0", velocity="0": no limit (as exporters mean it); else nothing can move
  bool keep_going_without_meshes = false;    ///< a collision mesh that is not there is told, not refused: the link has no such shape
};

/// Reads a URDF file and the meshes that it names. Links are bodies: links on fixed joints are welded and stay addressable, and the name of
/// a fixed joint becomes a site at its child link. Joint types: revolute, continuous, prismatic, fixed, floating (a free joint: its link
/// becomes a child of the world), planar (two slides and a hinge, PREFIX_x, PREFIX_y, PREFIX_turn). `mimic` is kept and also added as an
/// equality of the two joints. Masses come from inertial elements only; a link without one has 0 kg, also where it has shapes. Meshes are
/// looked for beside the file, in the package folders, and in folders above the file that are packages (hold a package.xml). Tree faults
/// (two roots, two parents, circles), missing references, unknown types and xacro are refused; what is left out is told.
/// Source: ROS wiki, urdf/XML.
Result<model::ModelInput> load_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from a text. Meshes that it names are not there.
Result<model::ModelInput> parse_urdf(std::string_view text, const std::string& source, const UrdfOptions& options = {});

/// Most links and joints of one file.
inline constexpr std::size_t urdf_element_limit = 100'000;

}  // namespace trilith::io
