#pragma once
#include <map>
#include <string>

#include "io/rooted_files.h"
#include "io/urdf.h"
#include "io/xml_fields.h"

namespace trilith::io {

/// rotation by roll, pitch, yaw about the fixed axes x, y, z (rad): Rz(yaw) Ry(pitch) Rx(roll).
Mat3d roll_pitch_yaw(const Vec3d& rpy);

/// The pose of the child `origin`; the identity where there is none.
Posed read_urdf_origin(const XmlElement& owner, XmlFields& fields);

/// First child of that name, or nullptr.
const XmlElement* child_of(const XmlElement& element, std::string_view name);

/// Collision and visual elements of links: primitives, meshes, colours.
class UrdfShapes {
 public:
  /// `files`: nullptr where no file may be opened.
  UrdfShapes(RootedFiles* files, const UrdfOptions& options, model::ModelInput& input, XmlFields& fields)
      : files_(files), options_(options), input_(input), fields_(fields) {}

  /// A material of the robot, by its name.
  void add_material(const XmlElement& material);
  /// Appends all shapes of `link` to the model, for `body`.
  void add_shapes(const XmlElement& link, std::int32_t body);

 private:
  enum class Outcome : std::uint8_t { read, refused, left_out };

  void add_shape(const XmlElement& element, std::int32_t body, int number);
  Outcome read_geometry(const XmlElement& geometry, bool visual, model::Geom& geom);
  Outcome read_mesh_geometry(const XmlElement& mesh, bool visual, model::Geom& geom);
  void read_colour(const XmlElement& visual, model::Geom& geom);
  bool read_size(const XmlElement& shape, model::Geom& geom);
  /// Where a mesh may lie, nearest first.
  std::vector<std::string> candidates(std::string_view filename) const;
  bool load_mesh(const std::string& path, const std::string& name, const Vec3d& scale, const XmlElement& element);
  Outcome missing(const std::string& what, const XmlElement& mesh, bool visual);

  RootedFiles* files_;
  const UrdfOptions& options_;
  model::ModelInput& input_;
  XmlFields& fields_;
  std::map<std::string, std::array<float, 4>, std::less<>> materials_;
  std::map<std::string, bool, std::less<>> meshes_;  // asset name: was it read
};

/// Folders above `path` that hold a package.xml, nearest first.
std::vector<std::string> package_folders_above(const std::string& path);

}  // namespace trilith::io
