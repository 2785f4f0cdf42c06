#include "io/assembly_json.h"

#include <array>
#include <map>

#include "base/text.h"
#include "io/json_fields.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 15> file_keys = {"schema",       "engine",  "input_sha256", "settings", "comment",
                                                        "units",        "gravity", "friction",     "density",  "contact_gap",
                                                        "contact_area", "blocks",  "interfaces",   "loads",    "tension_Pa"};
constexpr std::array<std::string_view, 6> block_keys = {"id", "mesh", "vertices", "faces", "fixed", "density"};
constexpr std::array<std::string_view, 8> interface_keys = {"a", "b", "polygon", "friction", "normal", "t1", "tension_Pa", "tension_N"};
constexpr std::array<std::string_view, 5> load_keys = {"block", "force_N", "pressure_Pa", "point", "polygon"};

// a member that is there and not null
const Json* given(const Json::Object& object, std::string_view key) {
  for (const auto& [name, value] : object)
    if (name == key) return value.is_null() ? nullptr : &value;
  return nullptr;
}

class AssemblyReader {
 public:
  AssemblyReader(std::string_view source, MeshFiles* meshes) : fields_(source), meshes_(meshes) { out_.source = source; }

  Result<model::AssemblyInput> read(const Json& root);

 private:
  bool schema_fits(const Json::Object& root);
  void tell_mesh_file(const MeshFiles::File& file);
  void header(const Json::Object& root);
  void blocks(const Json::Array& items, const JsonPath& path);
  void block(const Json& item, const JsonPath& path);
  void shape(const Json::Object& item, const JsonPath& path, geom::Mesh& mesh);
  void mesh_file(const Json& reference, const JsonPath& path, geom::Mesh& mesh);
  void faces(const Json& value, const JsonPath& path, geom::Mesh& mesh);
  void densities(const Json::Object& by_id, const JsonPath& path);
  void interfaces(const Json::Array& items, const JsonPath& path);
  void interface(const Json& item, const JsonPath& path, model::InterfaceInput& out);
  void load(const Json& item, const JsonPath& path, model::LoadInput& out);
  std::string required_text(const Json::Object& item, std::string_view key, const JsonPath& path);

  JsonFields fields_;
  MeshFiles* meshes_;
  model::AssemblyInput out_;
  std::vector<std::uint32_t> corners_;  // scratch
};

Result<model::AssemblyInput> AssemblyReader::read(const Json& root) {
  const JsonPath top;
  const Json::Object* object = fields_.object(root, top);
  if (object == nullptr || !schema_fits(*object)) return std::move(fields_.errors);
  fields_.warn_unknown(*object, top, "the file", file_keys);
  header(*object);
  const Json* list = given(*object, "blocks");
  if (list == nullptr)
    fields_.fail("the file has no \"blocks\": not an assembly", top);
  else if (const Json::Array* items = fields_.array(*list, top.at("blocks")))
    blocks(*items, top.at("blocks"));
  if (const Json* density = given(*object, "density"); density != nullptr && density->object() != nullptr)
    densities(*density->object(), top.at("density"));
  if (const Json* patches = given(*object, "interfaces"))
    if (const Json::Array* items = fields_.array(*patches, top.at("interfaces"))) interfaces(*items, top.at("interfaces"));
  if (const Json* loads = given(*object, "loads"))
    if (const Json::Array* items = fields_.array(*loads, top.at("loads")))
      for (std::size_t i = 0; i < items->size() && !fields_.full(); ++i)
        load((*items)[i], top.at("loads").at(i), out_.loads.emplace_back());
  if (!fields_.errors.empty()) return std::move(fields_.errors);
  out_.warnings = std::move(fields_.warnings);
  if (meshes_ != nullptr)
    for (const auto& file : meshes_->files()) tell_mesh_file(*file);
  return std::move(out_);
}

void AssemblyReader::tell_mesh_file(const MeshFiles::File& file) {
  out_.warnings.insert(out_.warnings.end(), file.content.warnings.begin(), file.content.warnings.end());
  if (file.content.in_metres && out_.unit && *out_.unit != "m")
    out_.warnings.push_back({"glTF lengths are metres by its standard, here they are read in " + *out_.unit + " as the rest", file.path});
}

bool AssemblyReader::schema_fits(const Json::Object& root) {
  const Json* value = given(root, "schema");
  if (value == nullptr) return true;
  const JsonPath top;
  const JsonPath path = top.at("schema");
  const std::optional<std::string> text = fields_.string(*value, path);
  if (!text) return false;
  const Schema ours = parse_schema(assembly_schema), theirs = parse_schema(*text);
  if (theirs.name != ours.name || theirs.version == 0) {
    fields_.fail("schema is " + in_quotes(*text) + ", an assembly has " + in_quotes(assembly_schema), path);
    return false;
  }
  if (theirs.version > ours.version) {
    fields_.fail("made by a newer version: schema is " + in_quotes(*text) + ", this one reads " + in_quotes(assembly_schema), path);
    return false;
  }
  return true;
}

void AssemblyReader::header(const Json::Object& root) {
  const JsonPath top;
  if (const Json* units = given(root, "units")) out_.unit = fields_.string(*units, top.at("units"));
  if (const Json* gravity = given(root, "gravity")) out_.gravity = fields_.vector(*gravity, top.at("gravity"));
  if (const Json* friction = given(root, "friction")) out_.friction = fields_.number(*friction, top.at("friction"));
  if (const Json* gap = given(root, "contact_gap")) out_.contact_gap = fields_.number(*gap, top.at("contact_gap"));
  if (const Json* area = given(root, "contact_area")) out_.contact_area = fields_.number(*area, top.at("contact_area"));
  if (const Json* tension = given(root, "tension_Pa")) out_.tension_Pa = fields_.number(*tension, top.at("tension_Pa"));
  if (const Json* density = given(root, "density"); density != nullptr && density->object() == nullptr)
    out_.density = fields_.number(*density, top.at("density"));
}

void AssemblyReader::blocks(const Json::Array& items, const JsonPath& path) {
  out_.blocks.reserve(items.size());
  for (std::size_t i = 0; i < items.size() && !fields_.full(); ++i) block(items[i], path.at(i));
}

void AssemblyReader::block(const Json& item, const JsonPath& path) {
  model::BlockInput& out = out_.blocks.emplace_back();
  out.where = fields_.where(path);
  const Json::Object* object = fields_.object(item, path);
  if (object == nullptr) return;
  fields_.warn_unknown(*object, path, "a block", block_keys);
  const std::size_t told = fields_.errors.size();
  out.id = required_text(*object, "id", path);
  if (const std::string_view fault = name_fault(out.id); !fault.empty() && fields_.errors.size() == told)
    fields_.fail("block name " + in_quotes(out.id) + " " + std::string(fault), path.at("id"));
  if (const Json* fixed = given(*object, "fixed")) out.fixed = fields_.boolean(*fixed, path.at("fixed")).value_or(false);
  if (const Json* density = given(*object, "density")) out.density = fields_.number(*density, path.at("density"));
  shape(*object, path, out.mesh);
}

std::string AssemblyReader::required_text(const Json::Object& item, std::string_view key, const JsonPath& path) {
  if (const Json* value = given(item, key)) return fields_.string(*value, path.at(key)).value_or("");
  fields_.fail(in_quotes(key) + " is missing", path);
  return {};
}

// either a file or vertices with faces
void AssemblyReader::shape(const Json::Object& item, const JsonPath& path, geom::Mesh& mesh) {
  const Json* file = given(item, "mesh");
  const Json* vertices = given(item, "vertices");
  const Json* face_list = given(item, "faces");
  if (file != nullptr && (vertices != nullptr || face_list != nullptr))
    return fields_.fail("has both \"mesh\" and \"vertices\" or \"faces\"", path);
  if (file != nullptr) return mesh_file(*file, path.at("mesh"), mesh);
  if (vertices == nullptr || face_list == nullptr) return fields_.fail("needs \"mesh\", or \"vertices\" and \"faces\"", path);
  const std::size_t told = fields_.errors.size();
  mesh.vertices = fields_.points(*vertices, path.at("vertices"), 0);
  if (fields_.errors.size() > told) return;  // corners without their vertices say nothing
  faces(*face_list, path.at("faces"), mesh);
}

void AssemblyReader::mesh_file(const Json& reference, const JsonPath& path, geom::Mesh& mesh) {
  const std::optional<std::string> text = fields_.string(reference, path);
  if (!text) return;
  if (meshes_ == nullptr) return fields_.fail("mesh files are not read here", path);
  Result<const MeshObject*> object = meshes_->find(*text, fields_.where(path));
  if (object) {
    mesh = object.value()->mesh;
    return;
  }
  for (const Error& error : object.errors())
    if (!fields_.full()) fields_.errors.push_back(error);
}

void AssemblyReader::faces(const Json& value, const JsonPath& path, geom::Mesh& mesh) {
  const Json::Array* items = fields_.array(value, path);
  if (items == nullptr) return;
  const auto count = static_cast<double>(mesh.vertices.size());
  mesh.face_start.reserve(items->size() + 1);
  for (std::size_t f = 0; f < items->size() && !fields_.full(); ++f) {
    const JsonPath face = path.at(f);
    const Json::Array* list = fields_.array((*items)[f], face);
    if (list == nullptr) continue;
    if (list->size() < 3) {
      fields_.fail("a face needs at least 3 corners, has " + std::to_string(list->size()), face);
      continue;
    }
    corners_.clear();
    for (std::size_t c = 0; c < list->size(); ++c) {
      const std::optional<double> index = fields_.number((*list)[c], face.at(c));
      if (!index) break;
      if (!(*index >= 0 && *index < count) || *index != static_cast<double>(static_cast<std::uint32_t>(*index))) {
        fields_.fail("vertex index " + format_double(*index) + " is not one of 0 to " + format_double(count - 1), face.at(c));
        break;
      }
      corners_.push_back(static_cast<std::uint32_t>(*index));
    }
    if (corners_.size() == list->size()) mesh.add_face(corners_);
  }
}

// {id: number}; a block's own density stands above it
void AssemblyReader::densities(const Json::Object& by_id, const JsonPath& path) {
  std::map<std::string_view, std::size_t> index_of;
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < out_.blocks.size(); ++i) {
    index_of.emplace(out_.blocks[i].id, i);
    ids.push_back(out_.blocks[i].id);
  }
  for (const auto& [id, value] : by_id) {
    const JsonPath at = path.at(id);
    const std::optional<double> density = fields_.number(value, at);
    const auto found = index_of.find(id);
    if (found == index_of.end()) {
      const std::string_view near = nearest_name(id, ids);
      fields_.fail("no block " + in_quotes(id) + (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"), at);
    } else if (density) {
      model::BlockInput& block = out_.blocks[found->second];
      if (block.density && *block.density != *density)
        fields_.warn("left out: block " + in_quotes(id) + " has a density of its own", at);
      else
        block.density = density;
    }
  }
}

void AssemblyReader::interfaces(const Json::Array& items, const JsonPath& path) {
  out_.interfaces.emplace();
  out_.interfaces->reserve(items.size());
  for (std::size_t i = 0; i < items.size() && !fields_.full(); ++i) interface(items[i], path.at(i), out_.interfaces->emplace_back());
}

void AssemblyReader::interface(const Json& item, const JsonPath& path, model::InterfaceInput& out) {
  out.where = fields_.where(path);
  const Json::Object* object = fields_.object(item, path);
  if (object == nullptr) return;
  fields_.warn_unknown(*object, path, "an interface", interface_keys);
  out.a = required_text(*object, "a", path);
  out.b = required_text(*object, "b", path);
  if (const Json* polygon = given(*object, "polygon"))
    out.polygon = fields_.points(*polygon, path.at("polygon"), 3);
  else
    fields_.fail("\"polygon\" is missing", path);
  if (const Json* friction = given(*object, "friction")) out.friction = fields_.number(*friction, path.at("friction"));
  if (const Json* normal = given(*object, "normal")) out.normal = fields_.vector(*normal, path.at("normal"));
  if (const Json* t1 = given(*object, "t1")) out.t1 = fields_.vector(*t1, path.at("t1"));
  if (const Json* stress = given(*object, "tension_Pa")) out.tension_Pa = fields_.number(*stress, path.at("tension_Pa"));
  if (const Json* force = given(*object, "tension_N")) out.tension_N = fields_.number(*force, path.at("tension_N"));
}

void AssemblyReader::load(const Json& item, const JsonPath& path, model::LoadInput& out) {
  out.where = fields_.where(path);
  const Json::Object* object = fields_.object(item, path);
  if (object == nullptr) return;
  fields_.warn_unknown(*object, path, "a load", load_keys);
  out.block = required_text(*object, "block", path);
  if (const Json* force = given(*object, "force_N")) out.force = fields_.vector(*force, path.at("force_N"));
  if (const Json* pressure = given(*object, "pressure_Pa")) out.pressure = fields_.number(*pressure, path.at("pressure_Pa"));
  if (const Json* point = given(*object, "point")) out.point = fields_.vector(*point, path.at("point"));
  if (const Json* polygon = given(*object, "polygon")) out.polygon = fields_.points(*polygon, path.at("polygon"), 3);
}

Json point(const Vec3d& p) { return Json::Array{p.x, p.y, p.z}; }

Json points(const std::vector<Vec3d>& list) {
  Json::Array out;
  out.reserve(list.size());
  for (const Vec3d& p : list) out.push_back(point(p));
  return out;
}

Json block_json(const model::BlockInput& block) {
  Json::Array faces;
  for (std::size_t f = 0; f < block.mesh.face_count(); ++f) {
    Json::Array face;
    for (const std::uint32_t corner : block.mesh.face(f)) face.emplace_back(static_cast<double>(corner));
    faces.emplace_back(std::move(face));
  }
  Json out;
  out.set("id", block.id);
  out.set("vertices", points(block.mesh.vertices));
  out.set("faces", std::move(faces));
  if (block.fixed) out.set("fixed", true);
  if (block.density) out.set("density", *block.density);
  return out;
}

Json interface_json(const model::InterfaceInput& patch) {
  Json out;
  out.set("a", patch.a);
  out.set("b", patch.b);
  out.set("polygon", points(patch.polygon));
  if (patch.friction) out.set("friction", *patch.friction);
  if (patch.normal) out.set("normal", point(*patch.normal));
  if (patch.t1) out.set("t1", point(*patch.t1));
  if (patch.tension_Pa) out.set("tension_Pa", *patch.tension_Pa);
  if (patch.tension_N) out.set("tension_N", *patch.tension_N);
  return out;
}

Json load_json(const model::LoadInput& load) {
  Json out;
  out.set("block", load.block);
  if (load.force) out.set("force_N", point(*load.force));
  if (load.pressure) out.set("pressure_Pa", *load.pressure);
  if (load.point) out.set("point", point(*load.point));
  if (!load.polygon.empty()) out.set("polygon", points(load.polygon));
  return out;
}

}  // namespace

Result<model::AssemblyInput> parse_assembly_json(const Json& root, std::string_view source, MeshFiles* meshes) {
  return AssemblyReader(source, meshes).read(root);
}

std::string write_assembly_json(const model::AssemblyInput& assembly) {
  Json out;
  out.set("schema", assembly_schema);
  out.set("engine", TRILITH_VERSION);
  out.set("units", assembly.unit.value_or("m"));
  if (assembly.gravity) out.set("gravity", point(*assembly.gravity));
  if (assembly.friction) out.set("friction", *assembly.friction);
  if (assembly.density) out.set("density", *assembly.density);
  if (assembly.tension_Pa) out.set("tension_Pa", *assembly.tension_Pa);
  if (assembly.contact_gap) out.set("contact_gap", *assembly.contact_gap);
  if (assembly.contact_area) out.set("contact_area", *assembly.contact_area);
  Json::Array blocks;
  for (const model::BlockInput& block : assembly.blocks) blocks.push_back(block_json(block));
  out.set("blocks", std::move(blocks));
  if (assembly.interfaces) {
    Json::Array patches;
    for (const model::InterfaceInput& patch : *assembly.interfaces) patches.push_back(interface_json(patch));
    out.set("interfaces", std::move(patches));
  }
  if (!assembly.loads.empty()) {
    Json::Array loads;
    for (const model::LoadInput& load : assembly.loads) loads.push_back(load_json(load));
    out.set("loads", std::move(loads));
  }
  return write_json(out, 1) + "\n";
}

}  // namespace trilith::io
