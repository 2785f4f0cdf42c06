#include "io/compas_json.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "io/json_fields.h"
#include "io/text_position.h"
#include "linalg/fixed.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 7> node_keys = {"block", "is_support", "section", "mesh_size", "x", "y", "z"};

/// A key of a COMPAS dictionary: an integer where it is one, else a text in Python's quotes.
struct KeyOrder {
  bool whole = false;
  std::int64_t number = 0;
  std::string_view text;
  const Json::Member* member = nullptr;

  friend bool operator<(const KeyOrder& a, const KeyOrder& b) {
    if (a.whole != b.whole) return a.whole;
    return a.whole ? a.number < b.number : a.text < b.text;
  }
};

KeyOrder key_of(const Json::Member& member) {
  KeyOrder key;
  key.text = member.first;
  key.member = &member;
  const char* const end = key.text.data() + key.text.size();
  const auto [stop, code] = std::from_chars(key.text.data(), end, key.number);
  key.whole = code == std::errc() && stop == end;
  return key;
}

// COMPAS keeps no order: numbers by value, then texts
std::vector<KeyOrder> sorted(const Json::Object& object) {
  std::vector<KeyOrder> keys;
  keys.reserve(object.size());
  for (const Json::Member& member : object) keys.push_back(key_of(member));
  std::sort(keys.begin(), keys.end());
  return keys;
}

// 'name' as Python spells it
std::string id_of(std::string_view key) {
  const bool framed = key.size() > 2 && (key.front() == '\'' || key.front() == '"') && key.back() == key.front();
  return std::string(framed ? key.substr(1, key.size() - 2) : key);
}

const Json* given(const Json* object, std::string_view key) {
  const Json* value = object == nullptr ? nullptr : object->find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool ends_with_type(std::string_view dtype, std::string_view type) {
  return dtype == type || (dtype.ends_with(type) && dtype[dtype.size() - type.size() - 1] == '/');
}

class CompasReader {
 public:
  explicit CompasReader(std::string_view source) : fields_(source) { out_.source = source; }

  Result<model::AssemblyInput> read(const Json& root);

 private:
  bool is_assembly(const Json& root);
  void graph(const Json& graph, const JsonPath& path);
  void node(const Json::Member& member, const Json* defaults, const JsonPath& path);
  void mesh(const Json& data, const JsonPath& path, geom::Mesh& out);
  void vertices(const Json::Object& object, const Json* defaults, const JsonPath& path, geom::Mesh& out);
  void face(const Json& value, const JsonPath& path, geom::Mesh& out);
  bool support(const Json& node, const Json* block, const Json* defaults, const JsonPath& path);
  void edges(const Json::Object& edges, const JsonPath& path);
  void edge(std::string_view from, const Json::Member& to, const JsonPath& path);
  void interface(std::string_view from, std::string_view to, const Json& value, const JsonPath& path);
  void frame(const Json& value, const JsonPath& path, model::InterfaceInput& out);

  JsonFields fields_;
  model::AssemblyInput out_;
  std::vector<std::int64_t> vertex_keys_;  // ascending, of the block that is being read
  std::vector<std::uint32_t> corners_;     // scratch
  std::vector<model::InterfaceInput> patches_;
  bool forces_told_ = false;
};

Result<model::AssemblyInput> CompasReader::read(const Json& root) {
  if (!is_assembly(root)) return std::move(fields_.errors);
  const JsonPath top, data_path = top.at("data");
  const Json* data = given(&root, "data");
  const Json* found = given(data, "graph");
  if (found == nullptr) {
    fields_.fail("a COMPAS assembly without data/graph", data == nullptr ? top : data_path);
    return std::move(fields_.errors);
  }
  // the graph is an object of its own type, or its bare data
  const JsonPath graph_path = data_path.at("graph"), inner_path = graph_path.at("data");
  const Json* inner = given(found, "data");
  graph(inner == nullptr ? *found : *inner, inner == nullptr ? graph_path : inner_path);
  if (!fields_.errors.empty()) return std::move(fields_.errors);
  if (!patches_.empty()) out_.interfaces = std::move(patches_);
  out_.warnings = std::move(fields_.warnings);
  return std::move(out_);
}

bool CompasReader::is_assembly(const Json& root) {
  const JsonPath top;
  if (root.array() != nullptr) {
    fields_.fail("a list of COMPAS objects; a COMPAS 2 assembly is read", top);
    return false;
  }
  const Json* type = given(&root, "dtype");
  const bool old = type == nullptr || given(&root, "value") != nullptr;
  if (!old && type->string() == nullptr) {
    (void)fields_.string(*type, top.at("dtype"));
    return false;
  }
  const std::string dtype = type != nullptr && type->string() != nullptr ? *type->string() : "";
  if (old) {
    fields_.fail("written by COMPAS 1 or older; load it there and save it again with COMPAS 2", top);
    return false;
  }
  if (ends_with_type(dtype, "Assembly") || ends_with_type(dtype, "CRA_Assembly")) return true;
  fields_.fail("is a COMPAS " + in_quotes(dtype) + ", not an assembly", top.at("dtype"));
  return false;
}

void CompasReader::graph(const Json& graph, const JsonPath& path) {
  const Json* nodes = given(&graph, "node");
  const JsonPath node_path = path.at("node"), edge_path = path.at("edge");
  if (nodes == nullptr) return fields_.fail("the graph has no \"node\"", path);
  const Json::Object* list = fields_.object(*nodes, node_path);
  if (list == nullptr) return;
  out_.blocks.reserve(list->size());
  for (const KeyOrder& key : sorted(*list)) {
    if (fields_.full()) return;
    node(*key.member, given(&graph, "default_node_attributes"), node_path);
  }
  if (const Json* links = given(&graph, "edge"))
    if (const Json::Object* object = fields_.object(*links, edge_path)) edges(*object, edge_path);
}

void CompasReader::node(const Json::Member& member, const Json* defaults, const JsonPath& path) {
  const JsonPath here = path.at(member.first), block_path = here.at("block"), data_path = block_path.at("data");
  const Json::Object* attributes = fields_.object(member.second, here);
  if (attributes == nullptr) return;
  fields_.warn_unknown(*attributes, here, "a node", node_keys);
  const Json* block = given(&member.second, "block");
  if (block == nullptr) return fields_.fail("node without a block", here);
  model::BlockInput& out = out_.blocks.emplace_back();
  out.id = id_of(member.first);
  if (const std::string_view fault = name_fault(out.id); !fault.empty())
    fields_.fail("block name " + in_quotes(out.id) + " " + std::string(fault), here);
  out.where = fields_.where(here);
  out.fixed = support(member.second, block, defaults, here);
  const Json* data = given(block, "data");
  mesh(data == nullptr ? *block : *data, data == nullptr ? block_path : data_path, out.mesh);
}

// the node's own word, else the block's, else the default of the graph
bool CompasReader::support(const Json& node, const Json* block, const Json* defaults, const JsonPath& path) {
  if (const Json* own = given(&node, "is_support")) return fields_.boolean(*own, path.at("is_support")).value_or(false);
  const Json* of_block = given(given(given(block, "data"), "attributes"), "is_support");
  const Json* value = of_block != nullptr ? of_block : given(defaults, "is_support");
  return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

void CompasReader::mesh(const Json& data, const JsonPath& path, geom::Mesh& out) {
  const Json *vertex = given(&data, "vertex"), *faces = given(&data, "face");
  if (vertex == nullptr || faces == nullptr) return fields_.fail("a block needs \"vertex\" and \"face\"", path);
  const JsonPath vertex_path = path.at("vertex"), face_path = path.at("face");
  const Json::Object* points = fields_.object(*vertex, vertex_path);
  const Json::Object* list = fields_.object(*faces, face_path);
  if (points == nullptr || list == nullptr) return;
  vertices(*points, given(&data, "default_vertex_attributes"), vertex_path, out);
  for (const KeyOrder& key : sorted(*list)) {
    if (fields_.full()) return;
    face(key.member->second, face_path.at(key.member->first), out);
  }
}

void CompasReader::vertices(const Json::Object& object, const Json* defaults, const JsonPath& path, geom::Mesh& out) {
  vertex_keys_.clear();
  for (const KeyOrder& key : sorted(object)) {
    if (fields_.full()) return;
    const JsonPath here = path.at(key.member->first);
    if (!key.whole) {
      fields_.fail("vertex key is no whole number", here);
      continue;
    }
    if (!vertex_keys_.empty() && vertex_keys_.back() == key.number) fields_.fail("vertex key appears twice", here);
    double xyz[3] = {0, 0, 0};
    constexpr std::string_view axes[3] = {"x", "y", "z"};
    for (std::size_t i = 0; i < 3; ++i) {
      const Json* own = given(&key.member->second, axes[i]);
      const Json* value = own != nullptr ? own : given(defaults, axes[i]);
      if (value == nullptr)
        fields_.fail("vertex without " + std::string(axes[i]), here);
      else
        xyz[i] = fields_.number(*value, here.at(axes[i])).value_or(0);
    }
    vertex_keys_.push_back(key.number);
    out.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  }
}

void CompasReader::face(const Json& value, const JsonPath& path, geom::Mesh& out) {
  const Json::Array* list = fields_.array(value, path);
  if (list == nullptr) return;
  if (list->size() < 3) return fields_.fail("a face needs at least 3 corners, has " + std::to_string(list->size()), path);
  corners_.clear();
  for (std::size_t c = 0; c < list->size(); ++c) {
    const std::optional<double> key = fields_.number((*list)[c], path.at(c));
    if (!key) return;
    const auto found = std::lower_bound(vertex_keys_.begin(), vertex_keys_.end(), *key,
                                        [](std::int64_t a, double b) { return static_cast<double>(a) < b; });
    if (found == vertex_keys_.end() || static_cast<double>(*found) != *key)
      return fields_.fail("the block has no vertex " + format_double(*key), path.at(c));
    corners_.push_back(static_cast<std::uint32_t>(found - vertex_keys_.begin()));
  }
  out.add_face(corners_);
}

void CompasReader::edges(const Json::Object& edges, const JsonPath& path) {
  for (const KeyOrder& from : sorted(edges)) {
    const JsonPath here = path.at(from.member->first);
    const Json::Object* ends = fields_.object(from.member->second, here);
    if (ends == nullptr) continue;
    for (const KeyOrder& to : sorted(*ends)) {
      if (fields_.full()) return;
      edge(from.text, *to.member, here);
    }
  }
}

// `interfaces` is a list, the older `interface` one
void CompasReader::edge(std::string_view from, const Json::Member& to, const JsonPath& path) {
  const JsonPath here = path.at(to.first), many = here.at("interfaces");
  const Json* list = given(&to.second, "interfaces");
  const Json* one = given(&to.second, "interface");
  if (list == nullptr && one != nullptr) return interface(from, to.first, *one, here.at("interface"));
  const Json::Array* items = list == nullptr ? nullptr : fields_.array(*list, many);
  if (items == nullptr) return;
  for (std::size_t i = 0; i < items->size() && !fields_.full(); ++i) interface(from, to.first, (*items)[i], many.at(i));
}

void CompasReader::interface(std::string_view from, std::string_view to, const Json& value, const JsonPath& path) {
  const JsonPath inner = path.at("data");
  const Json* data = given(&value, "data");
  const Json& body = data == nullptr ? value : *data;
  const JsonPath& here = data == nullptr ? path : inner;
  model::InterfaceInput out;
  out.a = id_of(from);
  out.b = id_of(to);
  out.where = fields_.where(path);
  const Json* points = given(&body, "points");
  if (points == nullptr) return fields_.fail("interface without \"points\"", here);
  out.polygon = fields_.points(*points, here.at("points"), 3);
  if (const Json* axes = given(&body, "frame")) frame(*axes, here.at("frame"), out);
  if (given(&body, "forces") != nullptr && !forces_told_) {
    forces_told_ = true;
    fields_.warn("forces stored with the interfaces are left out", here.at("forces"));
  }
  patches_.push_back(std::move(out));
}

// COMPAS frames: the first axis is t1, the second t2, and their product points from the first node of the edge into the second
void CompasReader::frame(const Json& value, const JsonPath& path, model::InterfaceInput& out) {
  const JsonPath inner = path.at("data");
  const Json* data = given(&value, "data");
  const Json& body = data == nullptr ? value : *data;
  const JsonPath& here = data == nullptr ? path : inner;
  const Json *x = given(&body, "xaxis"), *y = given(&body, "yaxis");
  if (x == nullptr || y == nullptr) return fields_.fail("a frame needs \"xaxis\" and \"yaxis\"", here);
  const std::optional<Vec3d> t1 = fields_.vector(*x, here.at("xaxis")), t2 = fields_.vector(*y, here.at("yaxis"));
  if (!t1 || !t2) return;
  out.t1 = t1;
  out.normal = cross(*t1, *t2);
}

}  // namespace

bool is_compas_json(const Json& root) {
  if (const Json::Array* items = root.array()) return !items->empty() && items->front().find("dtype") != nullptr;
  if (root.find("dtype") != nullptr) return true;
  if (root.find("assembly") != nullptr && root.find("blocks") != nullptr) return true;
  const Json* data = root.find("data");
  return data != nullptr && (data->find("dna") != nullptr || data->find("graph") != nullptr || data->find("node") != nullptr);
}

Result<model::AssemblyInput> parse_compas_json(const Json& root, std::string_view source) { return CompasReader(source).read(root); }

}  // namespace trilith::io
