#include "io/compas_model.h"

#include "base/text.h"
#include "io/text_position.h"

namespace trilith::io {

void CompasElements::open(const Json& model, const JsonPath& path) {
  const JsonPath moved = path.at("transformation"), elements = path.at("elements");
  CompasTransform whole;
  if (const Json* transform = given(&model, "transformation")) whole = geometry_.transform(*transform, moved).value_or(whole);
  materials_ = given(&model, "materials");
  open_elements(*given(&model, "elements"), elements);
  if (const Json* root = given(given(&model, "tree"), "root")) open_tree(*root, whole, 0);
  for (const auto& [guid, own] : own_) placed_.try_emplace(guid, whole.after(own));
}

// a dictionary by guid, or a list whose elements carry theirs
void CompasElements::open_elements(const Json& elements, const JsonPath& path) {
  const auto take = [this](const std::string& guid, const Json& value, const JsonPath& here) {
    elements_.emplace(guid, &value);
    const CompasObject object(value, here);
    const Json* moved = given(&object.data(), "transformation");
    const auto own = moved == nullptr ? std::nullopt : geometry_.transform(*moved, object.path().at("transformation"));
    own_.emplace(guid, own.value_or(CompasTransform{}));
  };
  if (const Json::Object* members = elements.object())
    for (const auto& [guid, value] : *members) take(guid, value, path.at(guid));
  if (const Json::Array* items = elements.array())
    for (std::size_t i = 0; i < items->size(); ++i)
      if (const Json* guid = given(&(*items)[i], "guid"); guid != nullptr && guid->string() != nullptr)
        take(*guid->string(), (*items)[i], path.at(i));
}

// an element moves with the groups above it; nesting ends with that of the file
void CompasElements::open_tree(const Json& node, CompasTransform above, int depth) {
  const Json *guid = given(&node, "element"), *children = given(&node, "children");
  if (guid != nullptr && guid->string() != nullptr) {
    const auto own = own_.find(*guid->string());
    if (own != own_.end()) above = above.after(own->second);
    placed_.insert_or_assign(*guid->string(), above);
  }
  if (children == nullptr || children->array() == nullptr || depth > json_depth_limit) return;
  for (const Json& child : *children->array()) open_tree(child, above, depth + 1);
}

const Json* CompasElements::find(std::string_view guid) const {
  const auto found = elements_.find(guid);
  return found == elements_.end() ? nullptr : found->second;
}

bool CompasElements::is_element(const CompasObject& object) {
  std::string_view key;
  return given_one(&object.data(), {"geometry", "shape"}, key) != nullptr || given(&object.data(), "features") != nullptr;
}

void CompasElements::read(const CompasObject& object, model::BlockInput& out) {
  const Json& data = object.data();
  std::string_view key;
  const Json* geometry = given_one(&data, {"geometry", "shape"}, key);
  if (geometry == nullptr)
    return fields_.fail("is a COMPAS " + in_quotes(object.dtype()) + " without a geometry of its own; turn it into a mesh", object.path());
  geometry_.mesh(*geometry, object.path().at(key), out.mesh);
  const Json* features = given(&data, "features");
  if (features != nullptr && features->array() != nullptr && !features->array()->empty() && !features_told_) {
    features_told_ = true;
    fields_.warn("features of elements left out: the geometry is taken as stored", object.path().at("features"));
  }
  if (const Json* reference = given(&data, "material")) material(*reference, object.path().at("material"), out);
  const Json* frame = given(&data, "frame");
  const JsonPath frame_path = object.path().at("frame");
  const auto place = frame == nullptr ? std::nullopt : geometry_.frame(*frame, frame_path);
  if (!place) return;
  const Vec3d moved = (*place)({1, 2, 3});
  if (moved.x != 1 || moved.y != 2 || moved.z != 3)
    fields_.fail("an element with a frame of its own; save it with a newer compas_model", frame_path);
}

// in the element, or by its guid in the model
void CompasElements::material(const Json& reference, const JsonPath& path, model::BlockInput& out) {
  const Json* value = reference.string() == nullptr ? &reference : given(materials_, *reference.string());
  if (value == nullptr) return;
  const CompasObject object(*value, path);
  if (const Json* density = given(&object.data(), "density")) out.density = fields_.number(*density, object.path().at("density"));
}

void CompasElements::place(const std::string& guid, geom::Mesh& mesh) const {
  if (const auto found = placed_.find(guid); found != placed_.end()) CompasGeometry::apply(found->second, mesh);
}

std::string CompasElements::name_of(const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  for (const Json* name : {given(given(&object.data(), "attributes"), "name"), given(&value, "name"), given(&object.data(), "name")})
    if (name != nullptr && name->string() != nullptr) return *name->string();
  return {};
}

std::optional<double> CompasElements::friction(const Json& problem, const JsonPath& path) {
  const Json* properties = given(&problem, "contact_properties");
  if (properties == nullptr) return std::nullopt;
  const JsonPath here = path.at("contact_properties");
  const CompasObject outer(*properties, here);
  const Json* contact = given(&outer.data(), "contact_model");
  const JsonPath below = outer.path().at("contact_model");
  if (contact == nullptr) return std::nullopt;
  const CompasObject law(*contact, below);
  for (const std::string_view strength : {"c", "t_c"})
    if (const Json* value = given(&law.data(), strength); value != nullptr && (value->number() == nullptr || *value->number() != 0))
      fields_.warn("strength of joints left out: they are taken as dry", law.path().at(strength));
  const Json* mu = given(&law.data(), "mu");
  return mu == nullptr ? std::nullopt : fields_.number(*mu, law.path().at("mu"));
}

std::vector<std::string> CompasElements::held_blocks(const Json& problem, const JsonPath& path) {
  const Json* conditions = given(&problem, "boundary_conditions");
  if (conditions == nullptr) return {};
  const JsonPath here = path.at("boundary_conditions");
  const CompasObject object(*conditions, here);
  for (const std::string_view loads : {"body_forces", "point_loads", "surface_loads"})
    if (const Json* list = given(&object.data(), loads); list != nullptr && list->array() != nullptr && !list->array()->empty())
      fields_.warn(in_quotes(loads) + " left out: only weight is carried", object.path().at(loads));
  std::vector<std::string> ids;
  const Json* motions = given(&object.data(), "displacements");
  const JsonPath list_path = object.path().at("displacements");
  const Json::Array* items = motions == nullptr ? nullptr : fields_.array(*motions, list_path);
  bool moves = false;
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const Json* index = given(&(*items)[i], "block_index");
    if (index == nullptr || index->number() == nullptr) continue;
    ids.push_back(format_double(*index->number()));
    for (const std::string_view part : {"translation", "rotation"})
      if (const Json* values = given(&(*items)[i], part); values != nullptr && values->array() != nullptr)
        for (const Json& x : *values->array()) moves = moves || (x.number() != nullptr && *x.number() != 0);
  }
  if (moves) fields_.warn("motions of supports left out: they are held", list_path);
  return ids;
}

}  // namespace trilith::io
