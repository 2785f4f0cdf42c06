#include "io/urdf_shapes.h"

#include <algorithm>
#include <filesystem>

#include "base/math.h"
#include "base/text.h"
#include "geom/mesh_edges.h"
#include "io/read_mesh.h"

namespace trilith::io {
namespace {

constexpr std::string_view shape_names[] = {"box", "sphere", "cylinder", "capsule", "mesh"};

std::string last_part(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

/// All objects of a file in one mesh, scaled; a mirror turns the faces so that they stay outward.
geom::Mesh merge(const MeshFile& file, const Vec3d& scale) {
  geom::Mesh all;
  for (const MeshObject& object : file.objects) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    for (const Vec3d& p : object.mesh.vertices) all.vertices.push_back({scale.x * p.x, scale.y * p.y, scale.z * p.z});
    for (std::size_t f = 0; f < object.mesh.face_count(); ++f) {
      const auto face = object.mesh.face(f);
      for (const std::uint32_t corner : face) all.face_vertex.push_back(first + corner);
      all.face_start.push_back(static_cast<std::uint32_t>(all.face_vertex.size()));
    }
  }
  if (scale.x * scale.y * scale.z < 0)
    for (std::size_t f = 0; f < all.face_count(); ++f) geom::reverse_face(all, f);
  return all;
}

}  // namespace

Mat3d roll_pitch_yaw(const Vec3d& rpy) {
  const auto [sr, cr] = sincos(rpy.x);
  const auto [sp, cp] = sincos(rpy.y);
  const auto [sy, cy] = sincos(rpy.z);
  return {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
           sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,  //
           -sp, cp * sr, cp * cr}};
}

const XmlElement* child_of(const XmlElement& element, std::string_view name) {
  for (const XmlElement* child = element.first_child; child != nullptr; child = child->next)
    if (child->name == name) return child;
  return nullptr;
}

Posed read_urdf_origin(const XmlElement& owner, XmlFields& fields) {
  Posed pose = identity_pose<double>();
  const XmlElement* origin = child_of(owner, "origin");
  if (origin == nullptr) return pose;
  Vec3d rpy{0, 0, 0};
  fields.read(*origin, "xyz", pose.p);
  if (fields.read(*origin, "rpy", rpy)) pose.R = roll_pitch_yaw(rpy);
  return pose;
}

std::vector<std::string> package_folders_above(const std::string& path) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  for (; !error && folder.has_relative_path(); folder = folder.parent_path())
    if (std::filesystem::exists(folder / "package.xml", error)) found.push_back(folder.string());
  return found;
}

void UrdfShapes::add_material(const XmlElement& material) {
  const XmlElement* colour = child_of(material, "color");
  double rgba[4] = {};
  if (colour == nullptr || !fields_.read(*colour, "rgba", rgba)) return;
  auto& kept = materials_[std::string(material.value("name"))];
  for (int i = 0; i < 4; ++i) kept[i] = static_cast<float>(rgba[i]);
}

void UrdfShapes::read_colour(const XmlElement& visual, model::Geom& geom) {
  const XmlElement* material = child_of(visual, "material");
  if (material == nullptr) return;
  double rgba[4] = {};
  if (const XmlElement* colour = child_of(*material, "color"); colour != nullptr && fields_.read(*colour, "rgba", rgba)) {
    for (int i = 0; i < 4; ++i) geom.rgba[i] = static_cast<float>(rgba[i]);
  } else if (const auto known = materials_.find(material->value("name")); known != materials_.end()) {
    geom.rgba = known->second;
  }
}

void UrdfShapes::add_shapes(const XmlElement& link, std::int32_t body) {
  int number = 0;
  for (const XmlElement* child = link.first_child; child != nullptr && !fields_.full(); child = child->next)
    if (child->name == "collision" || child->name == "visual") add_shape(*child, body, number++);
}

void UrdfShapes::add_shape(const XmlElement& element, std::int32_t body, int number) {
  const bool visual = element.name == "visual";
  model::Geom geom;
  geom.name = input_.bodies[body].name + ":" + std::to_string(number);
  geom.body = body;
  geom.visual_only = visual;
  geom.density = 0;
  geom.where = place_of(element);
  geom.pose = read_urdf_origin(element, fields_);
  if (visual) read_colour(element, geom);
  for (const XmlElement* child = element.first_child; child != nullptr; child = child->next)
    if (child->name != "origin" && child->name != "geometry" && child->name != "material")
      fields_.count("elements \"" + escape(child->name) + "\" of shapes are left out", *child);
  const XmlElement* geometry = child_of(element, "geometry");
  if (geometry == nullptr || geometry->first_child == nullptr) {
    if (visual) return fields_.count("visual elements without a geometry are left out", element);
    return fields_.fail("has no geometry", element);
  }
  if (read_geometry(*geometry, visual, geom) == Outcome::read) input_.geoms.push_back(std::move(geom));
}

bool UrdfShapes::read_size(const XmlElement& shape, model::Geom& geom) {
  if (shape.name == "box") {
    geom.kind = model::GeomKind::box;
    if (!fields_.require(shape, "size") || !fields_.read(shape, "size", geom.size)) return false;
    geom.size = 0.5 * geom.size;
    return true;
  }
  geom.kind = shape.name == "sphere"     ? model::GeomKind::sphere
              : shape.name == "cylinder" ? model::GeomKind::cylinder
                                         : model::GeomKind::capsule;
  double length = 0;
  const bool radius = fields_.require(shape, "radius") && fields_.read(shape, "radius", geom.size.x);
  if (geom.kind == model::GeomKind::sphere) return radius;
  if (!fields_.require(shape, "length") || !fields_.read(shape, "length", length)) return false;
  geom.size.y = 0.5 * length;
  return radius;
}

UrdfShapes::Outcome UrdfShapes::read_geometry(const XmlElement& geometry, bool visual, model::Geom& geom) {
  const XmlElement& shape = *geometry.first_child;
  if (shape.next != nullptr) fields_.warn("holds more than one shape: the first is taken", geometry);
  if (shape.name == "mesh") return read_mesh_geometry(shape, visual, geom);
  if (std::ranges::find(shape_names, shape.name) == std::end(shape_names)) {
    const std::string what = "is no known shape: " + list_words(shape_names);
    if (!visual) fields_.fail(what, shape);
    if (visual) fields_.warn(what + "; left out", shape);
    return visual ? Outcome::left_out : Outcome::refused;
  }
  return read_size(shape, geom) ? Outcome::read : Outcome::refused;
}

std::vector<std::string> UrdfShapes::candidates(std::string_view filename) const {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!filename.starts_with(scheme)) continue;
    const std::string path(filename.substr(scheme.size()));
    const std::string package = path.substr(0, path.find('/')), rest = path.size() > package.size() ? path.substr(package.size() + 1) : "";
    std::vector<std::string> places;
    for (const std::string& folder : options_.package_folders) {
      places.push_back(join_path(folder, path));
      if (last_part(folder) == package) places.push_back(join_path(folder, rest));
    }
    for (const std::string& folder : package_folders_above(input_.source))
      if (last_part(folder) == package) places.push_back(join_path(folder, rest));
    places.push_back(path);
    return places;
  }
  if (filename.starts_with("file://")) return {std::string(filename.substr(7))};
  return {std::string(filename)};
}

UrdfShapes::Outcome UrdfShapes::missing(const std::string& what, const XmlElement& mesh, bool visual) {
  if (visual) {
    fields_.count("visual meshes that are not there are left out, the first is " + what, mesh);
    return Outcome::left_out;
  }
  if (!options_.keep_going_without_meshes) {
    fields_.fail(what, mesh);
    return Outcome::refused;
  }
  fields_.warn(what + ": the link has no such collision shape", mesh);
  return Outcome::left_out;
}

UrdfShapes::Outcome UrdfShapes::read_mesh_geometry(const XmlElement& mesh, bool visual, model::Geom& geom) {
  std::string filename;
  if (!fields_.require(mesh, "filename") || !fields_.read_text(mesh, "filename", filename)) return Outcome::refused;
  Vec3d scale{1, 1, 1};
  if (mesh.find("scale") != nullptr && !fields_.read(mesh, "scale", scale)) return Outcome::refused;
  if (scale.x * scale.y * scale.z == 0) {
    fields_.fail("must not hold a 0", mesh, "scale");
    return Outcome::refused;
  }
  const bool plain = scale.x == 1 && scale.y == 1 && scale.z == 1;
  const std::string name =
      filename + (plain ? "" : " x " + format_double(scale.x) + " " + format_double(scale.y) + " " + format_double(scale.z));
  geom.kind = model::GeomKind::mesh;
  geom.asset.name = name;
  if (const auto known = meshes_.find(name); known != meshes_.end() && known->second) return Outcome::read;
  std::string tried;
  for (const std::string& path : candidates(filename)) {
    if (files_ != nullptr && !files_->real_path(path).empty()) {
      if (visual && !has_mesh_extension(path)) {
        fields_.count("visual meshes that are not " + std::string(mesh_formats) + " are left out", mesh);
        return Outcome::left_out;
      }
      const bool read = load_mesh(path, name, scale, mesh);
      meshes_[name] = read;
      return read ? Outcome::read : Outcome::refused;
    }
    tried += (tried.empty() ? "" : ", ") + in_quotes(files_ == nullptr ? path : join_path(files_->root(), path));
  }
  const bool package = filename.find("://") != std::string::npos;
  return missing(
      "mesh " + in_quotes(filename) + " is not there; tried " + tried + (package ? " (--package DIR names where packages lie)" : ""), mesh,
      visual);
}

bool UrdfShapes::load_mesh(const std::string& path, const std::string& name, const Vec3d& scale, const XmlElement& element) {
  Result<RootedFiles::File> file = files_->read(path, "mesh", place_of(element, *element.find("filename")));
  if (!file) {
    fields_.take(file.errors());
    return false;
  }
  Result<MeshFile> content = read_mesh(file.value().text, path);
  if (!content) {
    fields_.take(content.errors());
    return false;
  }
  for (const Warning& warning : content.value().warnings) fields_.take(warning);
  model::MeshAsset asset;
  asset.name = name;
  asset.mesh = merge(content.value(), scale);
  asset.where = place_of(element);
  input_.meshes.push_back(std::move(asset));
  return true;
}

}  // namespace trilith::io
