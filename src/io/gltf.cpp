#include "io/gltf.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "geom/mesh_bodies.h"
#include "io/gltf_buffers.h"
#include "io/json_fields.h"
#include "io/text_position.h"
#include "linalg/fixed.h"

namespace trilith::io {
namespace {

/// An affine map: the columns of the linear part, and where the origin goes.
struct Affine {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, shift{0, 0, 0};

  Vec3d turn(const Vec3d& p) const { return p.x * x + p.y * y + p.z * z; }
  Vec3d operator()(const Vec3d& p) const { return turn(p) + shift; }
  Affine operator()(const Affine& inner) const { return {turn(inner.x), turn(inner.y), turn(inner.z), (*this)(inner.shift)}; }
};

Affine affine_of(const std::array<double, 4>& q, const Vec3d& scale, const Vec3d& shift) {
  const auto [x, y, z, w] = q;
  return {scale.x * Vec3d{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
          scale.y * Vec3d{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
          scale.z * Vec3d{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}, shift};
}

Vec3d z_up(const Vec3d& p) { return {p.x, -p.z, p.y}; }

bool is_finite(const Vec3d& p) { return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0; }

class GltfReader {
 public:
  GltfReader(const Json& root, std::string_view binary, std::string_view source)
      : root_(root), fields_(source), buffers_(root, binary, fields_), source_(source) {}

  Result<MeshFile> read();

 private:
  bool version_fits();
  void extensions();
  std::vector<std::size_t> scene_roots();
  void walk(const std::vector<std::size_t>& roots);
  Affine local(const Json& node, const JsonPath& path);
  template <std::size_t N>
  std::optional<std::array<double, N>> numbers(const Json& node, std::string_view key, const JsonPath& path);
  void node_mesh(std::size_t index, const Json& node, const Affine& to_world);
  void primitive(const Json& item, const JsonPath& path, const Affine& to_world, geom::Mesh& out);
  void triangles(const std::vector<std::uint32_t>& corners, double mode, bool mirrored, geom::Mesh& out);
  void leave_out(std::string what, std::string where);
  const Json::Array* list(std::string_view key) const {
    const Json* value = root_.find(key);
    return value == nullptr ? nullptr : value->array();
  }

  const Json& root_;
  JsonFields fields_;
  GltfBuffers buffers_;
  std::string source_;
  MeshFile file_;
  std::uint64_t corners_ = 0;
  std::vector<std::string> told_;
};

Result<MeshFile> GltfReader::read() {
  if (version_fits()) extensions();
  if (fields_.errors.empty()) buffers_.open();
  if (fields_.errors.empty()) walk(scene_roots());
  if (fields_.errors.empty() && file_.objects.empty()) fields_.fail("no node with a mesh of triangles", {});
  if (!fields_.errors.empty()) return std::move(fields_.errors);
  file_.warnings.push_back({"glTF is y-up: turned to z-up, (x, y, z) became (x, -z, y)", source_});
  file_.in_metres = true;
  settle_names(file_, "mesh", source_);
  return std::move(file_);
}

bool GltfReader::version_fits() {
  const JsonPath top;
  const Json* asset = root_.find("asset");
  const Json* version = asset == nullptr ? nullptr : asset->find("version");
  if (version != nullptr && version->string() != nullptr && version->string()->starts_with("2.")) return true;
  fields_.fail("glTF of another version than 2", top.at("asset"));
  return false;
}

// what the file cannot be read without
void GltfReader::extensions() {
  const JsonPath top, path = top.at("extensionsRequired");
  const Json::Array* names = list("extensionsRequired");
  for (std::size_t i = 0; names != nullptr && i < names->size() && !fields_.full(); ++i) {
    const std::optional<std::string> name = fields_.string((*names)[i], path.at(i));
    if (!name) continue;
    const bool harmless = *name == "KHR_mesh_quantization" || name->starts_with("KHR_materials_") || name->starts_with("KHR_texture_");
    if (!harmless) fields_.fail("needs the extension " + in_quotes(*name) + ", which is not read; export without it", path.at(i));
  }
}

// the nodes of the scene; without a scene, those that are nobody's children
std::vector<std::size_t> GltfReader::scene_roots() {
  const JsonPath top;
  const Json::Array *scenes = list("scenes"), *nodes = list("nodes");
  const std::size_t count = nodes == nullptr ? 0 : nodes->size();
  std::vector<std::size_t> roots;
  if (scenes != nullptr && !scenes->empty()) {
    const Json* chosen = root_.find("scene");
    const auto scene = chosen == nullptr ? 0 : buffers_.index(*chosen, scenes->size(), top.at("scene"));
    if (!scene) return roots;
    if (scenes->size() > 1) leave_out("scenes but the first shown", source_ + ":/scenes");
    const JsonPath all = top.at("scenes"), one = all.at(*scene), path = one.at("nodes");
    const Json* wanted = (*scenes)[*scene].find("nodes");
    const Json::Array* items = wanted == nullptr ? nullptr : fields_.array(*wanted, path);
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
      if (const auto node = buffers_.index((*items)[i], count, path.at(i))) roots.push_back(*node);
    return roots;
  }
  std::vector<bool> child(count, false);
  for (std::size_t n = 0; n < count; ++n) {
    const Json* children = (*nodes)[n].find("children");
    const Json::Array* items = children == nullptr ? nullptr : children->array();
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
      if (const double* k = (*items)[i].number(); k != nullptr && *k >= 0 && *k < static_cast<double>(count))
        child[static_cast<std::size_t>(*k)] = true;
  }
  for (std::size_t n = 0; n < count; ++n)
    if (!child[n]) roots.push_back(n);
  return roots;
}

// depth first without recursion; a node may be met once
void GltfReader::walk(const std::vector<std::size_t>& roots) {
  struct Visit {
    std::size_t node;
    Affine parent;
  };
  const JsonPath top, all = top.at("nodes");
  const Json::Array* nodes = list("nodes");
  if (nodes == nullptr) return;
  std::vector<Visit> stack;
  stack.reserve(roots.size());
  for (const auto root : roots) stack.push_back({root, {}});
  std::reverse(stack.begin(), stack.end());
  std::vector<bool> seen(nodes->size(), false);
  while (!stack.empty() && !fields_.full()) {
    const Visit visit = stack.back();
    stack.pop_back();
    const JsonPath path = all.at(visit.node), below = path.at("children");
    if (seen[visit.node]) return fields_.fail("node has two parents or is its own descendant", path);
    seen[visit.node] = true;
    const Json& node = (*nodes)[visit.node];
    if (fields_.object(node, path) == nullptr) return;
    const Affine to_world = visit.parent(local(node, path));
    node_mesh(visit.node, node, to_world);
    const Json* children = node.find("children");
    const Json::Array* items = children == nullptr ? nullptr : fields_.array(*children, below);
    for (std::size_t i = items == nullptr ? 0 : items->size(); i-- > 0;)
      if (const auto child = buffers_.index((*items)[i], nodes->size(), below.at(i))) stack.push_back({*child, to_world});
  }
}

template <std::size_t N>
std::optional<std::array<double, N>> GltfReader::numbers(const Json& node, std::string_view key, const JsonPath& path) {
  const Json* value = node.find(key);
  if (value == nullptr) return std::nullopt;
  const JsonPath here = path.at(key);
  const Json::Array* items = fields_.array(*value, here);
  if (items == nullptr) return std::nullopt;
  std::array<double, N> out{};
  if (items->size() != N) fields_.fail("needs " + std::to_string(N) + " numbers, has " + std::to_string(items->size()), here);
  for (std::size_t i = 0; i < N && i < items->size(); ++i) out[i] = fields_.number((*items)[i], here.at(i)).value_or(0);
  return out;
}

// a matrix by columns, or translation, rotation (x y z w) and scale
Affine GltfReader::local(const Json& node, const JsonPath& path) {
  if (const auto m = numbers<16>(node, "matrix", path)) {
    const auto& a = *m;
    if (a[3] != 0 || a[7] != 0 || a[11] != 0 || a[15] != 1) fields_.fail("node matrix is not affine", path.at("matrix"));
    return {{a[0], a[1], a[2]}, {a[4], a[5], a[6]}, {a[8], a[9], a[10]}, {a[12], a[13], a[14]}};
  }
  std::array<double, 4> q = numbers<4>(node, "rotation", path).value_or(std::array<double, 4>{0, 0, 0, 1});
  const auto scale = numbers<3>(node, "scale", path).value_or(std::array<double, 3>{1, 1, 1});
  const auto shift = numbers<3>(node, "translation", path).value_or(std::array<double, 3>{0, 0, 0});
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(square > 0.5 && square < 2)) fields_.fail("rotation is no unit quaternion", path.at("rotation"));
  const double length = sqrt(square);
  for (double& x : q) x /= length;
  return affine_of(q, {scale[0], scale[1], scale[2]}, {shift[0], shift[1], shift[2]});
}

void GltfReader::node_mesh(std::size_t index, const Json& node, const Affine& to_world) {
  const JsonPath top, nodes = top.at("nodes"), here = nodes.at(index), meshes = top.at("meshes");
  const Json* reference = node.find("mesh");
  if (reference == nullptr) return;
  const Json::Array* all = list("meshes");
  const auto which = buffers_.index(*reference, all == nullptr ? 0 : all->size(), here.at("mesh"));
  if (!which) return;
  if (node.find("skin") != nullptr) leave_out("skins left out: the mesh is taken as stored", fields_.where(here));
  const JsonPath path = meshes.at(*which), parts = path.at("primitives");
  const Json& mesh = (*all)[*which];
  const Json* primitives = mesh.find("primitives");
  const Json::Array* items = primitives == nullptr ? nullptr : fields_.array(*primitives, parts);
  if (items == nullptr) return fields_.fail("mesh without primitives", path);
  geom::Mesh out;
  for (std::size_t i = 0; i < items->size() && !fields_.full(); ++i) primitive((*items)[i], parts.at(i), to_world, out);
  if (out.face_count() == 0) return;
  geom::weld_equal_points(out);
  geom::drop_unused_vertices(out);
  std::string name = "node_" + std::to_string(index);
  for (const Json* named : {node.find("name"), mesh.find("name")})
    if (named != nullptr && named->string() != nullptr && name_fault(*named->string()).empty()) {
      name = *named->string();
      break;
    }
  file_.objects.push_back({std::move(name), std::move(out), fields_.where(here)});
}

void GltfReader::primitive(const Json& item, const JsonPath& path, const Affine& to_world, geom::Mesh& out) {
  constexpr double triangle_mode = 4, fan_mode = 6;
  const JsonPath attributes = path.at("attributes");
  const Json* given = item.find("mode");
  const double mode = given == nullptr ? triangle_mode : fields_.number(*given, path.at("mode")).value_or(triangle_mode);
  if (mode < triangle_mode) return leave_out("points and lines left out: only triangles make a block", fields_.where(path));
  if (mode > fan_mode) return fields_.fail("unknown mode of a primitive", path.at("mode"));
  if (item.find("targets") != nullptr) leave_out("morph targets left out", fields_.where(path));
  const Json* points = item.find("attributes") == nullptr ? nullptr : item.find("attributes")->find("POSITION");
  if (points == nullptr) return fields_.fail("primitive without POSITION", path);
  const std::vector<Vec3d> positions = buffers_.positions(*points, attributes.at("POSITION"));
  std::vector<std::uint32_t> corners;
  if (const Json* indices = item.find("indices")) {
    corners = buffers_.indices(*indices, positions.size(), path.at("indices"));
  } else {
    for (std::uint32_t i = 0; i < positions.size(); ++i) corners.push_back(i);
  }
  if (!fields_.errors.empty()) return;
  corners_ += corners.size() + positions.size();
  if (corners_ > corner_limit) return fields_.fail("the scene unfolds to more than " + std::to_string(corner_limit) + " vertices", path);

  const auto first = static_cast<std::uint32_t>(out.vertices.size());
  for (const Vec3d& p : positions) {
    out.vertices.push_back(z_up(to_world(p)));
    if (!is_finite(out.vertices.back())) return fields_.fail("a vertex is not finite", attributes.at("POSITION"));
  }
  for (std::uint32_t& corner : corners) corner += first;
  triangles(corners, mode, dot(to_world.x, cross(to_world.y, to_world.z)) < 0, out);
  if (mode == triangle_mode && corners.size() % 3 != 0) leave_out("corners behind the last whole triangle left out", fields_.where(path));
}

// lists, strips and fans; a mirroring node turns the winding
void GltfReader::triangles(const std::vector<std::uint32_t>& corners, double mode, bool mirrored, geom::Mesh& out) {
  const std::size_t step = mode == 4 ? 3 : 1;
  for (std::size_t i = 0; i + 2 < corners.size(); i += step) {
    const bool odd = mode == 5 && i % 2 == 1;
    std::array<std::uint32_t, 3> face = {corners[mode == 6 ? 0 : i], corners[i + 1], corners[i + 2]};
    if (odd != mirrored) std::swap(face[1], face[2]);
    out.add_face(face);
  }
}

void GltfReader::leave_out(std::string what, std::string where) {
  if (std::find(told_.begin(), told_.end(), what) != told_.end()) return;
  told_.push_back(what);
  file_.warnings.push_back({std::move(what), std::move(where)});
}

}  // namespace

bool is_gltf_json(const Json& root) {
  const Json* asset = root.find("asset");
  return asset != nullptr && asset->find("version") != nullptr && (root.find("meshes") != nullptr || root.find("nodes") != nullptr);
}

Result<MeshFile> parse_glb(std::string_view bytes, std::string_view source) {
  const auto refuse = [&](std::string what) { return Error{std::move(what), std::string(source), Error::Kind::refused}; };
  const Result<GlbChunks> chunks = split_glb(bytes);
  if (!chunks) return refuse(chunks.errors().front().what);
  const Result<Json> root = parse_json(chunks.value().json, std::string(source) + ":json");
  if (!root) return root.errors();
  return GltfReader(root.value(), chunks.value().binary, source).read();
}

Result<MeshFile> parse_gltf(const Json& root, std::string_view source) { return GltfReader(root, {}, source).read(); }

}  // namespace trilith::io
