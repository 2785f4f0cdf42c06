#include "io/compas_geometry.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "io/compas_shapes.h"
#include "io/text_position.h"
#include "linalg/fixed.h"

namespace trilith::io {
namespace {

constexpr std::array<std::string_view, 7> shape_types = {"Box", "Polyhedron", "Cylinder", "Cone", "Sphere", "Capsule", "Torus"};

bool is_shape(std::string_view type) { return std::find(shape_types.begin(), shape_types.end(), type) != shape_types.end(); }

}  // namespace

Vec3d CompasTransform::operator()(const Vec3d& p) const { return p.x * x + p.y * y + p.z * z + shift; }

CompasTransform CompasTransform::after(const CompasTransform& inner) const {
  const auto turn = [this](const Vec3d& p) { return (*this)(p)-shift; };
  return {turn(inner.x), turn(inner.y), turn(inner.z), (*this)(inner.shift)};
}

bool CompasTransform::mirrors() const { return dot(x, cross(y, z)) < 0; }

void CompasGeometry::apply(const CompasTransform& transform, geom::Mesh& mesh) {
  for (Vec3d& p : mesh.vertices) p = transform(p);
  if (!transform.mirrors()) return;
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    std::reverse(mesh.face_vertex.begin() + mesh.face_start[f] + 1, mesh.face_vertex.begin() + mesh.face_start[f + 1]);
}

bool CompasGeometry::is_mesh(const CompasObject& object) {
  const Json& data = object.data();
  return (given(&data, "vertex") != nullptr && given(&data, "face") != nullptr) || is_shape(object.type()) ||
         (given(&data, "vertices") != nullptr && given(&data, "faces") != nullptr) || given(&data, "xsize") != nullptr;
}

void CompasGeometry::mesh(const Json& value, const JsonPath& path, geom::Mesh& out) {
  const CompasObject object(value, path);
  const Json& data = object.data();
  if (given(&data, "vertex") != nullptr && given(&data, "face") != nullptr) return vertex_and_face(data, object.path(), out);
  if (given(&data, "vertices") != nullptr && given(&data, "faces") != nullptr) return polyhedron(data, object.path(), out);
  if (given(&data, "xsize") != nullptr) return box(data, object.path(), out);
  if (is_shape(object.type())) return round(object, out);
  if (!object.dtype().empty() && object.type() != "Mesh" && object.type() != "Block")
    return fields_.fail("is a COMPAS " + in_quotes(object.dtype()) + "; blocks are read from meshes, boxes, polyhedra and round shapes",
                        path);
  fields_.fail("a block needs \"vertex\" and \"face\"", object.path());
}

void CompasGeometry::vertex_and_face(const Json& data, const JsonPath& path, geom::Mesh& out) {
  const JsonPath vertex_path = path.at("vertex"), face_path = path.at("face");
  const Json::Object* points = fields_.object(*given(&data, "vertex"), vertex_path);
  const Json::Object* list = fields_.object(*given(&data, "face"), face_path);
  if (points == nullptr || list == nullptr) return;
  std::string_view found;
  vertices(*points, given_one(&data, {"default_vertex_attributes", "dva"}, found), vertex_path, out);
  for (const CompasKey& key : sorted_members(*list)) {
    if (fields_.full()) return;
    face(key.member->second, face_path.at(key.member->first), out);
  }
}

void CompasGeometry::vertices(const Json::Object& object, const Json* defaults, const JsonPath& path, geom::Mesh& out) {
  vertex_keys_ = sorted_members(object);
  for (std::size_t k = 0; k < vertex_keys_.size(); ++k) {
    const CompasKey& key = vertex_keys_[k];
    if (fields_.full()) return;
    const JsonPath here = path.at(key.member->first);
    if (k > 0 && key == vertex_keys_[k - 1]) fields_.fail("vertex key appears twice", here);
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
    out.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  }
}

void CompasGeometry::face(const Json& value, const JsonPath& path, geom::Mesh& out) {
  const Json::Array* list = fields_.array(value, path);
  if (list == nullptr) return;
  if (list->size() < 3) return fields_.fail("a face needs at least 3 corners, has " + std::to_string(list->size()), path);
  corners_.clear();
  for (std::size_t c = 0; c < list->size(); ++c) {
    std::uint32_t index = 0;
    if (!corner((*list)[c], path.at(c), index)) return;
    corners_.push_back(index);
  }
  out.add_face(corners_);
}

// a number, or the key as a text (COMPAS before .16)
bool CompasGeometry::corner(const Json& value, const JsonPath& path, std::uint32_t& index) {
  std::string text;
  if (value.string() != nullptr) {
    text = *value.string();
  } else {
    const std::optional<double> number = fields_.number(value, path);
    if (!number) return false;
    text = format_double(*number);
  }
  const CompasKey key = compas_key(text);
  const auto found = std::lower_bound(vertex_keys_.begin(), vertex_keys_.end(), key);
  if (found == vertex_keys_.end() || !(*found == key)) {
    fields_.fail("the block has no vertex " + (value.string() != nullptr ? in_quotes(text) : text), path);
    return false;
  }
  index = static_cast<std::uint32_t>(found - vertex_keys_.begin());
  return true;
}

void CompasGeometry::polyhedron(const Json& data, const JsonPath& path, geom::Mesh& out) {
  const JsonPath face_path = path.at("faces");
  out.vertices = points(*given(&data, "vertices"), path.at("vertices"), 4);
  const Json::Array* faces = fields_.array(*given(&data, "faces"), face_path);
  for (std::size_t f = 0; faces != nullptr && f < faces->size() && !fields_.full(); ++f) {
    const JsonPath here = face_path.at(f);
    const Json::Array* list = fields_.array((*faces)[f], here);
    corners_.clear();
    for (std::size_t c = 0; list != nullptr && c < list->size(); ++c) {
      const double index = fields_.number((*list)[c], here.at(c)).value_or(-1);
      if (!(index >= 0 && index < static_cast<double>(out.vertices.size())) ||
          index != static_cast<double>(static_cast<std::uint32_t>(index)))
        return fields_.fail("vertex index " + format_double(index) + " is not one of 0 to " + std::to_string(out.vertices.size()) + " - 1",
                            here);
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    if (corners_.size() < 3) return fields_.fail("a face needs at least 3 corners, has " + std::to_string(corners_.size()), here);
    out.add_face(corners_);
  }
}

double CompasGeometry::size(const Json& data, std::string_view key, const JsonPath& path) {
  const Json* value = given(&data, key);
  const std::optional<double> number = value == nullptr ? std::nullopt : fields_.number(*value, path.at(key));
  if (value == nullptr) fields_.fail("a shape needs " + in_quotes(key), path);
  if (number && !(*number > 0)) fields_.fail("must be above 0, got " + format_double(*number), path.at(key));
  return number.value_or(1);
}

void CompasGeometry::box(const Json& data, const JsonPath& path, geom::Mesh& out) {
  const Vec3d sides_of_box{size(data, "xsize", path), size(data, "ysize", path), size(data, "zsize", path)};
  out = make_box(sides_of_box);
  if (const Json* axes = given(&data, "frame"))
    if (const auto place = frame(*axes, path.at("frame"))) apply(*place, out);
}

// version 2 gives round shapes a frame; version 1 spelt each its own way
void CompasGeometry::round(const CompasObject& object, geom::Mesh& out) {
  const Json& data = object.data();
  const JsonPath& path = object.path();
  const std::string_view type = object.type();
  const Json* axes = given(&data, "frame");
  if (axes == nullptr) return fields_.fail("a " + std::string(type) + " without a frame; save it as a mesh, or with COMPAS 2", path);
  if (type == "Torus")
    out = make_torus(size(data, "radius_axis", path), size(data, "radius_pipe", path), sides);
  else if (type == "Sphere")
    out = make_capsule(size(data, "radius", path), 0, sides);
  else if (type == "Capsule")
    out = make_capsule(size(data, "radius", path), size(data, "height", path), sides);
  else if (type == "Cone")
    out = make_cone(size(data, "radius", path), size(data, "height", path), sides);
  else if (type == "Cylinder")
    out = make_cylinder(size(data, "radius", path), size(data, "height", path), sides);
  else
    return fields_.fail("a " + std::string(type) + " without its points", path);
  if (const auto place = frame(*axes, path.at("frame"))) apply(*place, out);
  if (round_told_) return;
  round_told_ = true;
  fields_.warn("round shapes are taken as polyhedra with " + std::to_string(sides) + " sides and their corners on the surface", path);
}

std::optional<Vec3d> CompasGeometry::point(const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  const Json& data = object.data();
  if (data.object() == nullptr) return fields_.vector(data, object.path());
  Vec3d out{};
  const std::array<std::pair<std::string_view, double*>, 3> axes = {{{"x", &out.x}, {"y", &out.y}, {"z", &out.z}}};
  for (const auto& [key, target] : axes) {
    const Json* number = given(&data, key);
    if (number == nullptr) {
      fields_.fail("a point needs x, y and z", object.path());
      return std::nullopt;
    }
    const auto read = fields_.number(*number, object.path().at(key));
    if (!read) return std::nullopt;
    *target = *read;
  }
  return out;
}

std::vector<Vec3d> CompasGeometry::points(const Json& value, const JsonPath& path, std::size_t least) {
  const Json::Array* list = fields_.array(value, path);
  if (list == nullptr) return {};
  std::vector<Vec3d> out;
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto read = point((*list)[i], path.at(i));
    if (!read) return {};
    out.push_back(*read);
  }
  if (out.size() >= least) return out;
  fields_.fail("needs at least " + std::to_string(least) + " points, has " + std::to_string(out.size()), path);
  return {};
}

std::optional<std::pair<Vec3d, Vec3d>> CompasGeometry::axes(const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  const Json& data = object.data();
  const Json *x = given(&data, "xaxis"), *y = given(&data, "yaxis");
  const JsonPath& here = object.path();
  if (const Json::Array* rows = data.array(); rows != nullptr && rows->size() >= 2) {
    const auto u = point((*rows)[0], here.at(0)), v = point((*rows)[1], here.at(1));
    return u && v ? std::optional(std::pair(*u, *v)) : std::nullopt;
  }
  if (x == nullptr || y == nullptr) {
    fields_.fail("a frame needs \"xaxis\" and \"yaxis\"", here);
    return std::nullopt;
  }
  const auto u = point(*x, here.at("xaxis")), v = point(*y, here.at("yaxis"));
  return u && v ? std::optional(std::pair(*u, *v)) : std::nullopt;
}

std::optional<CompasTransform> CompasGeometry::frame(const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  const auto directions = axes(value, path);
  const Json* origin = given(&object.data(), "point");
  const auto place = origin == nullptr ? std::optional(Vec3d{0, 0, 0}) : point(*origin, object.path().at("point"));
  if (!directions || !place) return std::nullopt;
  const Vec3d normal = cross(directions->first, directions->second);
  if (!(norm(directions->first) > 0) || !(norm(normal) > 0)) {
    fields_.fail("the axes of a frame are zero or parallel", object.path());
    return std::nullopt;
  }
  CompasTransform out;
  out.x = unit(directions->first);
  out.z = unit(normal);
  out.y = cross(out.z, out.x);
  out.shift = *place;
  return out;
}

std::optional<CompasTransform> CompasGeometry::transform(const Json& value, const JsonPath& path) {
  const CompasObject object(value, path);
  const Json* matrix = object.data().array() != nullptr ? &object.data() : given(&object.data(), "matrix");
  const Json::Array* rows = matrix == nullptr ? nullptr : matrix->array();
  double m[4][4] = {};
  bool good = rows != nullptr && rows->size() == 4;
  for (std::size_t i = 0; good && i < 4; ++i) {
    const Json::Array* row = (*rows)[i].array();
    good = row != nullptr && row->size() == 4;
    for (std::size_t k = 0; good && k < 4; ++k) {
      const double* number = (*row)[k].number();
      good = number != nullptr;
      m[i][k] = good ? *number : 0;
    }
  }
  if (!good || m[3][0] != 0 || m[3][1] != 0 || m[3][2] != 0 || m[3][3] != 1) {
    fields_.fail("a transformation needs a matrix of 4 rows of 4 numbers, the last 0 0 0 1", object.path());
    return std::nullopt;
  }
  return CompasTransform{
      {m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}, {m[0][3], m[1][3], m[2][3]}};
}

}  // namespace trilith::io
