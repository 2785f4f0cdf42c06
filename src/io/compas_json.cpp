#include "io/compas_json.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "io/compas_data.h"
#include "io/compas_geometry.h"
#include "io/compas_model.h"
#include "io/mesh_object.h"
#include "io/text_position.h"
#include "linalg/fixed.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 15> node_keys = {"block",  "is_support",   "section",   "mesh_size", "x",       "y",
                                                        "z",      "displacement", "is_placed", "course",    "element", "transformation",
                                                        "placed", "part",         "name"};
constexpr std::string_view readable = "read are assemblies, block models, and meshes or shapes alone or in lists";

class CompasReader {
 public:
  explicit CompasReader(std::string_view source) : fields_(source), geometry_(fields_), elements_(fields_, geometry_) {
    out_.source = source;
  }

  Result<model::AssemblyInput> read(const Json& root);

 private:
  void top(const CompasObject& object);
  void problem(const CompasObject& object);
  void list(const Json::Array& items, const JsonPath& path);
  void name_list();
  void single(const CompasObject& object);
  void graph(const Json& graph, const JsonPath& path, const Json* blocks);
  void node(const Json::Member& member, const Json* defaults, const JsonPath& path, const Json* blocks);
  void block(const Json& value, const JsonPath& path, model::BlockInput& out);
  bool support(const Json& node, const Json* block, const Json* defaults, const JsonPath& path);
  void edges(const Json::Object& edges, const JsonPath& path);
  void edge(std::string_view from, const Json::Member& to, const JsonPath& path);
  void interface(std::string_view from, std::string_view to, const Json& value, const JsonPath& path);
  void tell_forces(const JsonPath& path);

  JsonFields fields_;
  CompasGeometry geometry_;
  CompasElements elements_;
  model::AssemblyInput out_;
  std::vector<model::InterfaceInput> patches_;
  bool forces_told_ = false;
};

Result<model::AssemblyInput> CompasReader::read(const Json& root) {
  const JsonPath path;
  if (const Json::Array* items = root.array()) {
    list(*items, path);
    if (fields_.errors.empty()) name_list();
    if (fields_.errors.empty() && out_.blocks.empty()) fields_.fail("the list is empty", path);
  } else if (const Json* type = given(&root, "dtype"); type == nullptr || fields_.string(*type, path.at("dtype"))) {
    top(CompasObject(root, path));
  }
  if (!fields_.errors.empty()) return std::move(fields_.errors);
  if (!patches_.empty()) out_.interfaces = std::move(patches_);
  out_.warnings.insert(out_.warnings.begin(), fields_.warnings.begin(), fields_.warnings.end());
  return std::move(out_);
}

// what a file holds shows in its members, whatever version wrote it; the type serves to refuse by name
void CompasReader::top(const CompasObject& object) {
  const Json& data = object.data();
  const JsonPath& path = object.path();
  if (given(&data, "model") != nullptr && object.type() == "Problem") return problem(object);
  if (given(&data, "elements") != nullptr && given(&data, "graph") != nullptr) elements_.open(data, path);
  if (const Json* old = given(&data, "assembly"); old != nullptr && given(&data, "blocks") != nullptr) {
    const JsonPath inner = path.at("assembly");
    const CompasObject assembly(*old, inner);
    return graph(assembly.data(), assembly.path(), given(&data, "blocks"));
  }
  if (const Json* inner = given(&data, "graph")) {
    const JsonPath below = path.at("graph");
    const CompasObject network(*inner, below);
    return graph(network.data(), network.path(), nullptr);
  }
  if (given(&data, "node") != nullptr) return graph(data, path, nullptr);
  if (CompasGeometry::is_mesh(object)) return single(object);
  const Json* blocks = given(&data, "blocks");
  if (blocks != nullptr && blocks->array() != nullptr) {
    const JsonPath below = path.at("blocks");
    list(*blocks->array(), below);
    return name_list();
  }
  const bool assembly = object.type() == "Assembly" || object.type() == "CRA_Assembly";
  if (assembly) return fields_.fail("a COMPAS assembly without data/graph", path);
  const std::string type = object.dtype().empty() ? "no COMPAS assembly" : "is a COMPAS " + in_quotes(object.dtype()) + ", not an assembly";
  const JsonPath none, at_type = none.at("dtype");
  fields_.fail(type + "; " + std::string(readable), object.dtype().empty() ? path : at_type);
}

// compas_dem: a model with its friction, supports and loads
void CompasReader::problem(const CompasObject& object) {
  const JsonPath inner = object.path().at("model");
  const std::optional<double> friction = elements_.friction(object.data(), object.path());
  const std::vector<std::string> supports = elements_.held_blocks(object.data(), object.path());
  top(CompasObject(*given(&object.data(), "model"), inner));
  out_.friction = friction;
  for (model::BlockInput& block : out_.blocks)
    block.fixed = block.fixed || std::find(supports.begin(), supports.end(), block.id) != supports.end();
}

// meshes and shapes, also in lists of lists
void CompasReader::list(const Json::Array& items, const JsonPath& path) {
  for (std::size_t i = 0; i < items.size() && !fields_.full(); ++i) {
    const JsonPath here = path.at(i);
    if (const Json::Array* inner = items[i].array()) {
      list(*inner, here);
      continue;
    }
    model::BlockInput& out = out_.blocks.emplace_back();
    out.where = fields_.where(here);
    out.id = elements_.name_of(items[i], here);
    out.fixed = support(items[i], &items[i], nullptr, here);
    const std::size_t told = fields_.errors.size();
    block(items[i], here, out);
    if (fields_.errors.size() > told) return;  // a list of the wrong things is told once
  }
}

// names where every block has one of its own, else numbers from 0
void CompasReader::name_list() {
  std::set<std::string_view> names;
  for (const model::BlockInput& block : out_.blocks) names.insert(block.id);
  const bool good = names.size() == out_.blocks.size() &&
                    std::all_of(names.begin(), names.end(), [](std::string_view name) { return name_fault(name).empty(); });
  if (good) return;
  for (std::size_t i = 0; i < out_.blocks.size(); ++i) out_.blocks[i].id = std::to_string(i);
}

// one mesh: each closed shell is a block
void CompasReader::single(const CompasObject& object) {
  geom::Mesh mesh;
  geometry_.mesh(object.data(), object.path(), mesh);
  if (!object.type().empty() && mesh.face_count() == 0 && fields_.errors.empty()) fields_.fail("a mesh without faces", object.path());
  if (!fields_.errors.empty()) return;
  MeshFile file;
  std::string name = elements_.name_of(object.data(), object.path());
  if (!name_fault(name).empty()) name = file_stem(out_.source);
  append_bodies(std::move(mesh), name, fields_.where(object.path()), file);
  settle_names(file, "mesh", out_.source);
  out_.warnings = std::move(file.warnings);
  for (MeshObject& body : file.objects) {
    model::BlockInput& block = out_.blocks.emplace_back();
    block.id = std::move(body.name);
    block.mesh = std::move(body.mesh);
    block.where = std::move(body.where);
  }
}

// `blocks`: where an older file keeps them beside the graph
void CompasReader::graph(const Json& graph, const JsonPath& path, const Json* blocks) {
  std::string_view key, defaults_key;
  const Json* nodes = given_one(&graph, {"node", "vertex"}, key);
  if (nodes == nullptr) return fields_.fail("the graph has no \"node\"", path);
  const Json* defaults = given_one(&graph, {"default_node_attributes", "dna", "node_attributes", "dva"}, defaults_key);
  const JsonPath node_path = path.at(key), edge_path = path.at("edge");
  const Json::Object* members = fields_.object(*nodes, node_path);
  if (members == nullptr) return;
  out_.blocks.reserve(members->size());
  for (const CompasKey& member : sorted_members(*members)) {
    if (fields_.full()) return;
    node(*member.member, defaults, node_path, blocks);
  }
  if (const Json* links = given(&graph, "edge"))
    if (const Json::Object* object = fields_.object(*links, edge_path)) edges(*object, edge_path);
}

void CompasReader::node(const Json::Member& member, const Json* defaults, const JsonPath& path, const Json* blocks) {
  const JsonPath here = path.at(member.first), transform_path = here.at("transformation"), top_path;
  const Json::Object* attributes = fields_.object(member.second, here);
  if (attributes == nullptr) return;
  fields_.warn_unknown(*attributes, here, "a node", node_keys);
  std::string_view key;
  const Json* own = blocks != nullptr ? given(blocks, member.first) : given_one(&member.second, {"block", "element", "part"}, key);
  if (own == nullptr) return fields_.fail("node without a block", here);
  model::BlockInput& out = out_.blocks.emplace_back();
  out.id = compas_id(member.first);
  if (const std::string_view fault = name_fault(out.id); !fault.empty())
    fields_.fail("block name " + in_quotes(out.id) + " " + std::string(fault), here);
  out.where = fields_.where(here);

  // the block itself, or the key of an element of the model
  const JsonPath outside = top_path.at("blocks"), below = blocks != nullptr ? outside.at(member.first) : here.at(key);
  const Json* element = own->string() != nullptr ? elements_.find(*own->string()) : own;
  if (element == nullptr) return fields_.fail("the model has no element " + in_quotes(*own->string()), below);
  out.fixed = support(member.second, element, defaults, here);
  block(*element, below, out);
  if (own->string() != nullptr) elements_.place(*own->string(), out.mesh);
  if (const Json* moved = given(&member.second, "transformation"))
    if (const auto transform = geometry_.transform(*moved, transform_path)) CompasGeometry::apply(*transform, out.mesh);
}

void CompasReader::block(const Json& value, const JsonPath& path, model::BlockInput& out) {
  const CompasObject object(value, path);
  if (elements_.is_element(object)) return elements_.read(object, out);
  geometry_.mesh(value, path, out.mesh);
}

// the node's own word, else the block's, else the default of the graph
bool CompasReader::support(const Json& node, const Json* block, const Json* defaults, const JsonPath& path) {
  if (const Json* own = given(&node, "is_support")) return fields_.boolean(*own, path.at("is_support")).value_or(false);
  const CompasObject object(*block, path);
  const Json* geometry = given(&object.data(), "geometry");
  const JsonPath below = object.path().at("geometry");
  const CompasObject mesh(geometry == nullptr ? *block : *geometry, below);
  for (const Json* value : {given(&object.data(), "is_support"), given(given(&object.data(), "attributes"), "is_support"),
                            given(given(&mesh.data(), "attributes"), "is_support"), given(defaults, "is_support")})
    if (value != nullptr) return value->boolean() != nullptr && *value->boolean();
  return false;
}

void CompasReader::edges(const Json::Object& edges, const JsonPath& path) {
  for (const CompasKey& from : sorted_members(edges)) {
    const JsonPath here = path.at(from.member->first);
    if (from.member->second.is_null()) continue;
    const Json::Object* ends = fields_.object(from.member->second, here);
    if (ends == nullptr) continue;
    for (const CompasKey& to : sorted_members(*ends)) {
      if (fields_.full()) return;
      edge(from.text, *to.member, here);
    }
  }
}

// `interfaces` or `contacts` are lists, the older `interface` is one; before that its parts stood in the edge itself
void CompasReader::edge(std::string_view from, const Json::Member& to, const JsonPath& path) {
  const JsonPath here = path.at(to.first);
  if (given(&to.second, "interface_points") != nullptr) return interface(from, to.first, to.second, here);
  std::string_view key;
  const Json* found = given_one(&to.second, {"interfaces", "contacts", "interface", "interactions", "interaction"}, key);
  if (found == nullptr) return;
  const JsonPath below = here.at(key);
  const Json::Array* items = found->array();
  if (items == nullptr) return interface(from, to.first, *found, below);
  for (std::size_t i = 0; i < items->size() && !fields_.full(); ++i) interface(from, to.first, (*items)[i], below.at(i));
}

// COMPAS frames: the first axis is t1, the second t2, and their product points from the first node of the edge into the second
void CompasReader::interface(std::string_view from, std::string_view to, const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  const Json& data = object.data();
  const JsonPath& here = object.path();
  std::string_view points_key, frame_key, forces_key;
  const Json* points = given_one(&data, {"points", "interface_points"}, points_key);
  const Json* frame = given_one(&data, {"frame", "interface_uvw"}, frame_key);
  const Json* forces = given_one(&data, {"forces", "interface_forces"}, forces_key);
  if (points == nullptr) return fields_.fail("interface without \"points\"", here);
  model::InterfaceInput out;
  out.a = compas_id(from);
  out.b = compas_id(to);
  out.where = fields_.where(path);
  out.polygon = geometry_.points(*points, here.at(points_key), 3);
  if (frame != nullptr)
    if (const auto axes = geometry_.axes(*frame, here.at(frame_key))) {
      out.t1 = axes->first;
      out.normal = cross(axes->first, axes->second);
    }
  const bool empty = forces != nullptr && forces->array() != nullptr && forces->array()->empty();
  if (forces != nullptr && !empty) tell_forces(here.at(forces_key));
  patches_.push_back(std::move(out));
}

void CompasReader::tell_forces(const JsonPath& path) {
  if (forces_told_) return;
  forces_told_ = true;
  fields_.warn("forces stored with the interfaces are left out", path);
}

bool is_typed(const Json& value) { return value.find("dtype") != nullptr || value.find("datatype") != nullptr; }

// the first value of a list, or of a list of lists
const Json* first_value(const Json& value) {
  const Json* at = &value;
  while (const Json::Array* items = at->array()) {
    if (items->empty()) return nullptr;
    at = &items->front();
  }
  return at;
}

bool is_graph(const Json& value) {
  std::string_view key;
  return value.find("node") != nullptr &&
         given_one(&value, {"edge", "adjacency", "dna", "dea", "default_node_attributes", "node_attributes"}, key) != nullptr;
}

}  // namespace

bool is_compas_json(const Json& root) {
  if (root.array() != nullptr) {
    const Json* first = first_value(root);
    return first != nullptr && (is_typed(*first) || (first->find("vertex") != nullptr && first->find("face") != nullptr));
  }
  if (is_typed(root) || is_graph(root)) return true;
  const Json *blocks = root.find("blocks"), *graph = root.find("graph"), *data = root.find("data");
  if (root.find("assembly") != nullptr && blocks != nullptr) return true;
  if (blocks != nullptr && blocks->array() != nullptr && first_value(*blocks) != nullptr && is_typed(*first_value(*blocks))) return true;
  if (graph != nullptr && (is_typed(*graph) || is_graph(*graph))) return true;
  if (root.find("vertex") != nullptr && root.find("face") != nullptr) return true;
  return data != nullptr && (data->find("dna") != nullptr || data->find("graph") != nullptr || data->find("node") != nullptr);
}

bool is_compas_2_assembly(const Json& root) {
  const Json *dtype = root.find("dtype"), *graph = given(given(&root, "data"), "graph");
  if (dtype == nullptr || dtype->string() == nullptr || !dtype->string()->ends_with("Assembly")) return false;
  return given(given(graph, "data"), "node") != nullptr;
}

Result<model::AssemblyInput> parse_compas_json(const Json& root, std::string_view source) { return CompasReader(source).read(root); }

}  // namespace trilith::io
