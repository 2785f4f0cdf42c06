#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/compas_geometry.h"
#include "model/assembly.h"

namespace trilith::io {

/// The elements of compas_model and compas_dem: blocks with a geometry, a material and a transformation, in groups that move with them.
class CompasElements {
 public:
  CompasElements(JsonFields& fields, CompasGeometry& geometry) : fields_(fields), geometry_(geometry) {}

  /// Takes up the elements, materials, groups and the transformation of a model.
  void open(const Json& model, const JsonPath& path);
  /// Element by its guid, or nullptr.
  const Json* find(std::string_view guid) const;
  /// True for a typed object that holds a geometry of its own.
  static bool is_element(const CompasObject& object);
  /// Mesh in the element's own axes, and the density of its material.
  void read(const CompasObject& object, model::BlockInput& out);
  /// Moves a mesh by the transformations of element `guid`, of its groups and of the model.
  void place(const std::string& guid, geom::Mesh& mesh) const;

  /// The name that a mesh, shape or element carries; empty where it has none.
  static std::string name_of(const Json& value, const JsonPath& path);
  /// Friction of a compas_dem problem: `mu` of its contact model.
  std::optional<double> friction(const Json& problem, const JsonPath& path);
  /// Ids of the blocks whose motion a compas_dem problem prescribes. Loads and motions that are not zero are told and left out.
  std::vector<std::string> held_blocks(const Json& problem, const JsonPath& path);

 private:
  void open_elements(const Json& elements, const JsonPath& path);
  void open_tree(const Json& node, CompasTransform above, int depth);
  void material(const Json& reference, const JsonPath& path, model::BlockInput& out);

  JsonFields& fields_;
  CompasGeometry& geometry_;
  std::map<std::string, const Json*, std::less<>> elements_;
  std::map<std::string, CompasTransform, std::less<>> own_, placed_;
  const Json* materials_ = nullptr;
  bool features_told_ = false;
};

}  // namespace trilith::io
