#include "io/compas_write.h"

#include <algorithm>
#include <map>

#include "io/compas_data.h"
#include "io/compas_geometry.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"

namespace trilith::io {
namespace {

Json numbers(const Vec3d& p) { return Json::Array{p.x, p.y, p.z}; }

Json typed(std::string_view dtype, Json data) {
  Json out;
  out.set("dtype", dtype);
  out.set("data", std::move(data));
  return out;
}

/// An interface with its force, in the order in which it is written.
struct Written {
  const model::Interface* face = nullptr;
  std::vector<Vec3d> points;  // in the unit of the file
  std::vector<Vec3d> forces;  // N, in (n, t1, t2); empty where there is no force state
  std::vector<double> pulls;  // N, likewise; empty: none
};

/// The polygons that a file gave, by the two ids of their edge, in its unit.
using GivenPolygons = std::map<std::pair<std::string, std::string>, std::vector<std::vector<Vec3d>>>;

bool same_point(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Member of an object that is there, or nullptr.
Json* member(Json* object, std::string_view key) {
  if (object == nullptr || object->object() == nullptr) return nullptr;
  for (auto& [name, value] : *object->object())
    if (name == key) return &value;
  return nullptr;
}

void put(Json& object, std::string_view key, Json value) {
  if (Json* old = member(&object, key))
    *old = std::move(value);
  else
    object.set(std::string(key), std::move(value));
}

class CompasWriter {
 public:
  CompasWriter(const model::Assembly& assembly, std::span<const std::vector<Vec3d>> forces, const CompasMotion* motion)
      : assembly_(assembly), motion_(motion), scale_(model::unit_scale(assembly.unit).value_or(model::UnitScale{})) {
    for (std::size_t i = 0; i < assembly.interfaces.size(); ++i) {
      const model::Interface& face = assembly.interfaces[i];
      faces_.push_back({&face,
                        {},
                        i < forces.size() ? forces[i] : std::vector<Vec3d>{},
                        motion != nullptr && i < motion->pulls.size() ? motion->pulls[i] : std::vector<double>{}});
      for (const Vec3d& p : face.polygon) faces_.back().points.push_back(in_file_unit(p));
    }
  }

  Json fresh() const;
  /// Nothing where `original` has another form than expected.
  std::optional<Json> edited(const Json& original);

 private:
  Vec3d in_file_unit(const Vec3d& p) const {
    const auto back = [this](double x) { return x * scale_.divisor / scale_.factor; };
    return {back(p.x), back(p.y), back(p.z)};
  }
  Json block_json(const model::Block& block) const;
  Json interface_json(const Written& written) const;
  Json displacement_json(const model::Block& block) const;
  Json edges_json() const;
  GivenPolygons given_polygons(const Json& edges) const;
  void keep_order(const GivenPolygons& given);
  bool follow(const std::vector<Vec3d>& polygon, Written& written) const;

  const model::Assembly& assembly_;
  const CompasMotion* motion_;
  model::UnitScale scale_;
  std::vector<Written> faces_;
};

Json CompasWriter::block_json(const model::Block& block) const {
  Json vertices{Json::Object{}}, faces{Json::Object{}};
  for (std::size_t v = 0; v < block.mesh.vertices.size(); ++v) {
    const Vec3d p = in_file_unit(block.mesh.vertices[v]);
    vertices.set(std::to_string(v), Json::Object{{"x", p.x}, {"y", p.y}, {"z", p.z}});
  }
  for (std::size_t f = 0; f < block.mesh.face_count(); ++f) {
    Json::Array face;
    for (const std::uint32_t v : block.mesh.face(f)) face.emplace_back(static_cast<double>(v));
    faces.set(std::to_string(f), std::move(face));
  }
  Json data;
  data.set("attributes", Json::Object{{"name", block.id}, {"node", nullptr}});
  data.set("default_vertex_attributes", Json::Object{{"x", 0}, {"y", 0}, {"z", 0}});
  data.set("default_edge_attributes", Json::Object{});
  data.set("default_face_attributes", Json::Object{});
  data.set("vertex", std::move(vertices));
  data.set("face", std::move(faces));
  data.set("facedata", Json::Object{});
  data.set("edgedata", Json::Object{});
  data.set("max_vertex", static_cast<double>(block.mesh.vertices.size()) - 1);
  data.set("max_face", static_cast<double>(block.mesh.face_count()) - 1);
  return typed("compas_assembly.datastructures/Block", std::move(data));
}

// the frame's axes are t1 and t2, so that its z axis is the normal from the first node of the edge into the second
Json CompasWriter::interface_json(const Written& written) const {
  const model::Interface& face = *written.face;
  Json::Array points, forces;
  for (const Vec3d& p : written.points) points.push_back(numbers(p));
  for (std::size_t i = 0; i < written.forces.size(); ++i) {
    const Vec3d& f = written.forces[i];
    forces.push_back(Json::Object{{"c_np", f.x}, {"c_nn", i < written.pulls.size() ? written.pulls[i] : 0.0}, {"c_u", f.y}, {"c_v", f.z}});
  }
  const double per_length = scale_.divisor / scale_.factor;
  Json frame;
  frame.set("point", numbers(in_file_unit(face.polygon[0])));
  frame.set("xaxis", numbers(face.t1));
  frame.set("yaxis", numbers(face.t2));
  Json data;
  data.set("points", std::move(points));
  data.set("size", face.area * per_length * per_length);
  data.set("frame", typed("compas.geometry/Frame", std::move(frame)));
  data.set("forces", written.forces.empty() ? Json() : Json(std::move(forces)));
  data.set("mesh", nullptr);
  return typed("compas_assembly.datastructures/Interface", std::move(data));
}

/// Six numbers of a free block; null where there is no motion.
Json CompasWriter::displacement_json(const model::Block& block) const {
  if (motion_ == nullptr || block.fixed) return {};
  const std::array<double, 6>& d = motion_->displacements[static_cast<std::size_t>(&block - assembly_.blocks.data())];
  const Vec3d move = in_file_unit({d[0], d[1], d[2]});
  return Json::Array{move.x, move.y, move.z, d[3], d[4], d[5]};
}

Json CompasWriter::edges_json() const {
  std::vector<std::map<std::uint32_t, Json::Array>> by_block(assembly_.blocks.size());
  for (const Written& written : faces_) by_block[written.face->a][written.face->b].push_back(interface_json(written));
  Json edges{Json::Object{}};
  for (std::size_t a = 0; a < by_block.size(); ++a) {
    Json ends{Json::Object{}};
    for (auto& [b, list] : by_block[a]) ends.set(python_key(assembly_.blocks[b].id), Json::Object{{"interfaces", std::move(list)}});
    edges.set(python_key(assembly_.blocks[a].id), std::move(ends));
  }
  return edges;
}

Json CompasWriter::fresh() const {
  Json nodes{Json::Object{}};
  double largest = -1;
  for (const model::Block& block : assembly_.blocks) {
    const Vec3d p = in_file_unit(block.com);
    nodes.set(python_key(block.id),
              Json::Object{{"x", p.x}, {"y", p.y}, {"z", p.z}, {"block", block_json(block)}, {"is_support", block.fixed}});
    if (Json motion = displacement_json(block); !motion.is_null())
      put((*nodes.object())[nodes.object()->size() - 1].second, "displacement", std::move(motion));
    if (const CompasKey key = compas_key(python_key(block.id)); key.whole) largest = std::max(largest, static_cast<double>(key.number));
  }
  Json graph;
  graph.set("attributes", Json::Object{{"name", "Graph"}});
  graph.set("default_node_attributes", Json::Object{{"x", 0},
                                                    {"y", 0},
                                                    {"z", 0},
                                                    {"block", nullptr},
                                                    {"is_support", false},
                                                    {"section", nullptr},
                                                    {"mesh_size", nullptr},
                                                    {"displacement", Json::Array{0, 0, 0, 0, 0, 0}}});
  graph.set("default_edge_attributes", Json::Object{{"interfaces", nullptr}});
  graph.set("node", std::move(nodes));
  graph.set("edge", edges_json());
  graph.set("max_node", largest);
  Json data;
  data.set("attributes", Json::Object{{"name", "Assembly"}, {"unit", assembly_.unit}, {"force_unit", "N"}});
  data.set("graph", typed("compas.datastructures/Graph", std::move(graph)));
  return typed("compas_assembly.datastructures/Assembly", std::move(data));
}

// everything of the original but its edges, and who is a support
std::optional<Json> CompasWriter::edited(const Json& original) {
  Json out = original;
  Json* data = member(&out, "data");
  Json* graph = member(data, "graph");
  if (Json* inner = member(graph, "data")) graph = inner;
  Json* nodes = member(graph, "node");
  if (nodes == nullptr || nodes->object() == nullptr) return std::nullopt;
  std::map<std::string_view, const model::Block*> by_id;
  for (const model::Block& block : assembly_.blocks) by_id.emplace(block.id, &block);
  for (auto& [key, node] : *nodes->object()) {
    const auto found = by_id.find(compas_id(key));
    if (found == by_id.end() || node.object() == nullptr) return std::nullopt;
    put(node, "is_support", found->second->fixed);
    if (Json motion = displacement_json(*found->second); !motion.is_null()) put(node, "displacement", std::move(motion));
  }
  if (const Json* edges = member(graph, "edge")) keep_order(given_polygons(*edges));
  put(*graph, "edge", edges_json());
  if (Json* adjacency = member(graph, "adjacency")) {
    Json both{Json::Object{}};
    std::map<std::string, Json> ends;
    for (const Written& written : faces_) {
      const std::string a = python_key(assembly_.blocks[written.face->a].id), b = python_key(assembly_.blocks[written.face->b].id);
      put(ends[a], b, nullptr);
      put(ends[b], a, nullptr);
    }
    for (const model::Block& block : assembly_.blocks) {
      Json& list = ends[python_key(block.id)];
      both.set(python_key(block.id), list.is_null() ? Json(Json::Object{}) : std::move(list));
    }
    *adjacency = std::move(both);
  }
  if (Json* attributes = member(data, "attributes"); attributes != nullptr && attributes->object() != nullptr) {
    put(*attributes, "unit", assembly_.unit);
    put(*attributes, "force_unit", "N");
  }
  return out;
}

GivenPolygons CompasWriter::given_polygons(const Json& edges) const {
  GivenPolygons out;
  JsonFields fields("");
  CompasGeometry geometry(fields);
  const JsonPath top;
  if (edges.object() == nullptr) return out;
  for (const auto& [from, ends] : *edges.object()) {
    if (ends.object() == nullptr) continue;
    for (const auto& [to, attributes] : *ends.object()) {
      std::string_view key;
      const Json* found = given_one(&attributes, {"interfaces", "interface"}, key);
      const Json::Array* list = found == nullptr ? nullptr : found->array();
      const std::size_t count = list != nullptr ? list->size() : found != nullptr ? 1 : 0;
      for (std::size_t i = 0; i < count; ++i) {
        const CompasObject object(list != nullptr ? (*list)[i] : *found, top);
        const Json* points = given(&object.data(), "points");
        if (points == nullptr) continue;
        out[{compas_id(from), compas_id(to)}].push_back(geometry.points(*points, object.path(), 3));
      }
    }
  }
  return out;
}

// the loader turns polygons that run clockwise: the file keeps its own order
void CompasWriter::keep_order(const GivenPolygons& given) {
  for (Written& written : faces_) {
    const auto found = given.find({assembly_.blocks[written.face->a].id, assembly_.blocks[written.face->b].id});
    if (found == given.end()) continue;
    for (const std::vector<Vec3d>& polygon : found->second)
      if (follow(polygon, written)) break;
  }
}

// the points of `polygon` with the forces that belong to them; a repeated point carries nothing
bool CompasWriter::follow(const std::vector<Vec3d>& polygon, Written& written) const {
  std::vector<Vec3d> forces(polygon.size(), Vec3d{0, 0, 0});
  std::vector<double> pulls(polygon.size(), 0.0);
  for (std::size_t i = 0; i < written.points.size(); ++i) {
    const auto at = std::find_if(polygon.begin(), polygon.end(),
                                 [&](const Vec3d& p) { return same_point(scale_.to_metres(p), written.face->polygon[i]); });
    if (at == polygon.end()) return false;
    if (i < written.forces.size()) forces[static_cast<std::size_t>(at - polygon.begin())] = written.forces[i];
    if (i < written.pulls.size()) pulls[static_cast<std::size_t>(at - polygon.begin())] = written.pulls[i];
  }
  if (!written.forces.empty()) written.forces = std::move(forces);
  if (!written.pulls.empty()) written.pulls = std::move(pulls);
  written.points = polygon;
  return true;
}

}  // namespace

std::string write_compas_json(const model::Assembly& assembly, std::span<const std::vector<Vec3d>> forces, const Json* original,
                              const CompasMotion* motion) {
  CompasWriter writer(assembly, forces, motion);
  if (original != nullptr)
    if (const std::optional<Json> edited = writer.edited(*original)) return write_json(*edited, 0) + "\n";
  return write_json(writer.fresh(), 0) + "\n";
}

}  // namespace trilith::io
