#pragma once
#include <optional>
#include <vector>

#include "geom/mesh.h"
#include "io/compas_data.h"

namespace trilith::io {

/// An affine map: where the axes and the origin go.
struct CompasTransform {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, shift{0, 0, 0};

  Vec3d operator()(const Vec3d& p) const;
  /// This after `inner`.
  CompasTransform after(const CompasTransform& inner) const;
  /// True where it mirrors: faces wind the other way.
  bool mirrors() const;
};

/// Geometry of COMPAS files. Problems go into `fields` with their JSON pointer.
class CompasGeometry {
 public:
  explicit CompasGeometry(JsonFields& fields) : fields_(fields) {}

  /// True for what `mesh` reads.
  static bool is_mesh(const CompasObject& object);
  /// Meshes with any vertex keys; boxes and polyhedra; cylinders, cones, spheres, capsules and tori as polyhedra with `sides` sides, with
  /// one warning. Anything else is refused by its type.
  void mesh(const Json& value, const JsonPath& path, geom::Mesh& out);
  /// [x, y, z], {"x", "y", "z"}, or either inside a COMPAS object.
  std::optional<Vec3d> point(const Json& value, const JsonPath& path);
  std::vector<Vec3d> points(const Json& value, const JsonPath& path, std::size_t least);
  /// First and second axis of a frame: {"xaxis", "yaxis"}, or a list of vectors.
  std::optional<std::pair<Vec3d, Vec3d>> axes(const Json& value, const JsonPath& path);
  /// Frame with a point, axes made orthonormal.
  std::optional<CompasTransform> frame(const Json& value, const JsonPath& path);
  /// A 4 x 4 matrix by rows; its last row must be 0 0 0 1.
  std::optional<CompasTransform> transform(const Json& value, const JsonPath& path);

  /// Moves a mesh, turning its faces where the map mirrors.
  static void apply(const CompasTransform& transform, geom::Mesh& mesh);

  static constexpr int sides = 32;  ///< of a circle, where a shape is round

 private:
  void vertex_and_face(const Json& data, const JsonPath& path, geom::Mesh& out);
  void vertices(const Json::Object& object, const Json* defaults, const JsonPath& path, geom::Mesh& out);
  void face(const Json& value, const JsonPath& path, geom::Mesh& out);
  bool corner(const Json& value, const JsonPath& path, std::uint32_t& index);
  void polyhedron(const Json& data, const JsonPath& path, geom::Mesh& out);
  void box(const Json& data, const JsonPath& path, geom::Mesh& out);
  void round(const CompasObject& object, geom::Mesh& out);
  double size(const Json& data, std::string_view key, const JsonPath& path);

  JsonFields& fields_;
  std::vector<CompasKey> vertex_keys_;  // ascending, of the mesh that is being read
  std::vector<std::uint32_t> corners_;  // scratch
  bool round_told_ = false;
};

}  // namespace trilith::io
