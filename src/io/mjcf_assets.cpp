#include <algorithm>
#include <cmath>

#include "geom/hull.h"
#include "io/bytes.h"
#include "io/mjcf_reader.h"
#include "io/msh.h"
#include "io/png_heights.h"
#include "io/read_mesh.h"

namespace trilith::io {
namespace {

std::string without_folders(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// the path of an asset from the folder of the main file
std::string asset_path(const MjcfReader& reader, const std::string& file) {
  return join_path(reader.compiler.mesh_folder, reader.compiler.strip_path ? without_folders(file) : file);
}

std::optional<std::string> read_bytes_of(MjcfReader& reader, const XmlElement& e, std::string_view kind, std::string& path) {
  path = asset_path(reader, std::string(e.value("file")));
  if (reader.files == nullptr) {
    reader.fields.fail("names a file, and this text may name none", e, "file");
    return std::nullopt;
  }
  Result<RootedFiles::File> file = reader.files->read(path, kind, place_of(e, *e.find("file")));
  if (file) return std::move(file.value().text);
  reader.fields.take(file.errors());
  return std::nullopt;
}

// ---- meshes

/// All objects of a mesh file as one mesh.
geom::Mesh join(const MeshFile& file) {
  geom::Mesh mesh;
  for (const MeshObject& object : file.objects) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), object.mesh.vertices.begin(), object.mesh.vertices.end());
    const auto corners = static_cast<std::uint32_t>(mesh.face_vertex.size());
    for (const std::uint32_t v : object.mesh.face_vertex) mesh.face_vertex.push_back(first + v);
    for (std::size_t f = 1; f < object.mesh.face_start.size(); ++f) mesh.face_start.push_back(corners + object.mesh.face_start[f]);
  }
  return mesh;
}

std::optional<geom::Mesh> mesh_from_file(MjcfReader& reader, const XmlElement& e) {
  std::string path;
  const std::optional<std::string> bytes = read_bytes_of(reader, e, "mesh", path);
  if (!bytes) return std::nullopt;
  const bool msh = path.ends_with(".msh") || path.ends_with(".MSH");
  const std::string source = join_path(reader.files->root(), path);
  Result<MeshFile> file = msh ? parse_msh(*bytes, source) : read_mesh(*bytes, source);
  if (!file) {
    // what is wrong with the whole file is told at the place that names it
    for (Error error : file.errors()) {
      if (error.where.ends_with(path))
        error = {"mesh file " + in_quotes(path) + " " + error.what, place_of(e, *e.find("file")), error.kind};
      reader.fields.take({error});
    }
    return std::nullopt;
  }
  for (const Warning& warning : file.value().warnings) {
    // one mesh is wanted, whatever the file holds
    if (warning.what.find("closed shells") == std::string::npos) reader.fields.take(warning);
  }
  return join(file.value());
}

std::optional<geom::Mesh> hull_of(MjcfReader& reader, const XmlElement& e, const std::vector<Vec3d>& points) {
  std::optional<geom::Mesh> hull = geom::make_hull(points);
  if (!hull) reader.fields.fail("has vertices without faces, and their convex hull is flat", e, "vertex");
  if (hull) reader.fields.count("a mesh without faces became the convex hull of its vertices", e);
  return hull;
}

std::optional<geom::Mesh> mesh_in_line(MjcfReader& reader, const XmlElement& e) {
  std::vector<double> xyz, corners;
  if (!reader.fields.read_list(e, "vertex", xyz)) return std::nullopt;
  if (xyz.size() % 3 != 0 || xyz.size() < 12) {
    reader.fields.fail("needs three numbers for each of at least 4 vertices, got " + std::to_string(xyz.size()), e, "vertex");
    return std::nullopt;
  }
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < xyz.size(); i += 3) points.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
  if (e.find("face") == nullptr) return hull_of(reader, e, points);
  if (!reader.fields.read_list(e, "face", corners)) return std::nullopt;
  if (corners.size() % 3 != 0 || corners.empty()) {
    reader.fields.fail("needs three vertex numbers for each triangle, got " + std::to_string(corners.size()), e, "face");
    return std::nullopt;
  }
  geom::Mesh mesh;
  mesh.vertices = std::move(points);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    std::uint32_t triangle[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const double v = corners[i + k];
      if (v < 0 || v >= static_cast<double>(mesh.vertices.size()) || v != static_cast<double>(static_cast<std::int64_t>(v))) {
        reader.fields.fail(
            "names vertex " + std::to_string(v) + ", and there are " + std::to_string(mesh.vertices.size()) + ", counted from 0", e,
            "face");
        return std::nullopt;
      }
      triangle[k] = static_cast<std::uint32_t>(v);
    }
    mesh.add_face(triangle);
  }
  return mesh;
}

// refpos is taken off, refquat turned back, then scaled; a mirror turns the faces
bool place(MjcfReader& reader, const XmlElement& e, const MeshDraft& draft, geom::Mesh& mesh) {
  Vec3d origin{};
  reader.fields.read(e, "refpos", origin);
  Orientation turn;
  reader.fields.read(e, "refquat", std::span(turn.values).first(4));
  const Result<Quaterniond> q = make_rotation(turn, false, {});
  if (!q) {
    reader.fields.fail(q.errors().front().what, e, "refquat");
    return false;
  }
  const Vec3d s = draft.scale;
  if (s.x == 0 || s.y == 0 || s.z == 0) {
    reader.fields.fail("must not hold 0", e, "scale");
    return false;
  }
  for (Vec3d& v : mesh.vertices) {
    const Vec3d turned = rotate(conjugate(q.value()), v - origin);
    v = {s.x * turned.x, s.y * turned.y, s.z * turned.z};
  }
  if (s.x * s.y * s.z > 0) return true;
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    std::reverse(mesh.face_vertex.begin() + mesh.face_start[f] + 1, mesh.face_vertex.begin() + mesh.face_start[f + 1]);
  return true;
}

void read_mesh_asset(MjcfReader& reader, const XmlElement& e) {
  MeshDraft draft = reader.class_of(e, reader.main_class()).mesh;
  read_mesh_class(reader, e, draft);
  model::MeshAsset asset;
  asset.where = place_of(e);
  asset.inertia = draft.inertia;
  const bool has_file = e.find("file") != nullptr, in_line = e.find("vertex") != nullptr;
  if (has_file == in_line) return reader.fields.fail(has_file ? "has a file and vertices" : "has neither a file nor vertices", e);
  reader.fields.read_name(e, "name", asset.name);
  if (asset.name.empty() && has_file) asset.name = file_stem(e.value("file"));
  std::optional<geom::Mesh> mesh = has_file ? mesh_from_file(reader, e) : mesh_in_line(reader, e);
  if (!mesh || !place(reader, e, draft, *mesh)) return;
  asset.mesh = std::move(*mesh);
  reader.out.meshes.push_back(std::move(asset));
}

// ---- height fields

/// True for numbers of rows and columns that a field may have.
bool is_grid(std::int32_t rows, std::int32_t columns) {
  return rows >= 1 && columns >= 1 && std::int64_t{rows} * std::int64_t{columns} <= height_limit;
}

/// Heights moved and scaled to 0..1.
void normalise(std::vector<float>& heights) {
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const float lowest = *low, span = *high - *low;
  for (float& h : heights) h = span > 0 ? (h - lowest) / span : 0;
}

/// A pixel is a height; the image's lowest row is the first of the field.
bool heights_from_png(MjcfReader& reader, const XmlElement& e, std::string_view bytes, model::HeightFieldAsset& asset) {
  const Result<GreyImage> read = read_grey_png(bytes, height_limit);
  if (!read) {
    reader.fields.fail(read.errors().front().what, e, "file");
    return false;
  }
  const GreyImage& image = read.value();
  if (image.had_colours) reader.fields.count("of a coloured PNG the red values are the heights", e);
  if (image.had_16_bits) reader.fields.count("of a PNG of 16 bits the upper 8 are the heights", e);
  asset.rows = static_cast<std::int32_t>(image.rows), asset.columns = static_cast<std::int32_t>(image.columns);
  asset.heights.reserve(image.values.size());
  for (std::size_t r = image.rows; r-- > 0;)
    for (std::size_t c = 0; c < image.columns; ++c) asset.heights.push_back(static_cast<float>(image.values[r * image.columns + c]));
  return true;
}

// two 32-bit counts, then rows x columns floats, little-endian
bool heights_from_file(MjcfReader& reader, const XmlElement& e, model::HeightFieldAsset& asset) {
  std::string path;
  const std::optional<std::string> bytes = read_bytes_of(reader, e, "height field", path);
  if (!bytes) return false;
  const auto refuse = [&](const std::string& what) {
    reader.fields.fail(what, e, "file");
    return false;
  };
  if (is_png(*bytes)) return heights_from_png(reader, e, *bytes, asset);
  if (bytes->size() < 8) return refuse("is too short for a height field");
  asset.rows = io::read_bytes<std::int32_t>(*bytes, 0);
  asset.columns = io::read_bytes<std::int32_t>(*bytes, 4);
  const bool counts = is_grid(asset.rows, asset.columns);
  const auto cells = counts ? std::uint64_t(asset.rows) * std::uint64_t(asset.columns) : 0;
  if (!counts || bytes->size() != 8 + 4 * cells)
    return refuse("says " + std::to_string(asset.rows) + " x " + std::to_string(asset.columns) + " heights, which does not fit its " +
                  std::to_string(bytes->size()) + " bytes");
  for (std::uint64_t i = 0; i < cells; ++i) asset.heights.push_back(io::read_bytes<float>(*bytes, 8 + 4 * i));
  if (!std::all_of(asset.heights.begin(), asset.heights.end(), [](float h) { return std::isfinite(h); }))
    return refuse("holds a height that is not finite");
  return true;
}

// from the top row down; none: flat
bool heights_in_line(MjcfReader& reader, const XmlElement& e, model::HeightFieldAsset& asset) {
  if (!reader.fields.require(e, "nrow") || !reader.fields.require(e, "ncol")) return false;
  reader.fields.read(e, "nrow", asset.rows);
  reader.fields.read(e, "ncol", asset.columns);
  const bool counts = is_grid(asset.rows, asset.columns);
  if (!counts) {
    reader.fields.fail("needs rows and columns, and at most " + std::to_string(height_limit) + " heights", e);
    return false;
  }
  const auto rows = static_cast<std::size_t>(asset.rows), columns = static_cast<std::size_t>(asset.columns);
  std::vector<double> values;
  if (e.find("elevation") == nullptr) {
    asset.heights.assign(rows * columns, 0);
    return true;
  }
  if (!reader.fields.read_list(e, "elevation", values)) return false;
  if (values.size() != rows * columns) {
    reader.fields.fail("needs " + std::to_string(rows * columns) + " numbers, got " + std::to_string(values.size()), e, "elevation");
    return false;
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) asset.heights.push_back(static_cast<float>(values[(rows - 1 - r) * columns + c]));
  return true;
}

void read_height_field(MjcfReader& reader, const XmlElement& e) {
  model::HeightFieldAsset asset;
  asset.where = place_of(e);
  reader.fields.read_name(e, "name", asset.name);
  if (!reader.fields.require(e, "size") || !reader.fields.read(e, "size", asset.size)) return;
  if (std::any_of(asset.size.begin(), asset.size.end(), [](double s) { return !(s > 0); }))
    return reader.fields.fail("needs 4 positive numbers", e, "size");
  const bool has_file = e.find("file") != nullptr;
  if (has_file && (e.find("nrow") != nullptr || e.find("ncol") != nullptr || e.find("elevation") != nullptr))
    return reader.fields.fail("stands beside rows, columns or heights, which the file gives", e, "file");
  if (asset.name.empty() && has_file) asset.name = file_stem(e.value("file"));
  if (!(has_file ? heights_from_file(reader, e, asset) : heights_in_line(reader, e, asset))) return;
  normalise(asset.heights);
  reader.out.height_fields.push_back(std::move(asset));
}

void read_material(MjcfReader& reader, const XmlElement& e) {
  std::array<float, 4> rgba = reader.class_of(e, reader.main_class()).rgba;
  read_rgba(reader, e, rgba);
  std::string name;
  if (reader.fields.read_name(e, "name", name)) reader.material_rgba.emplace(name, rgba);
}

}  // namespace

void read_mesh_class(MjcfReader& reader, const XmlElement& e, MeshDraft& draft) {
  reader.fields.read(e, "scale", draft.scale);
  constexpr std::string_view words[] = {"legacy", "exact", "convex", "shell"};
  if (const auto word = reader.fields.read_word(e, "inertia", words)) draft.inertia = static_cast<model::MeshAsset::Inertia>(*word);
}

void read_assets(MjcfReader& reader, const XmlElement& section) {
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) {
    if (e->name == "mesh") read_mesh_asset(reader, *e);
    if (e->name == "hfield") read_height_field(reader, *e);
    if (e->name == "material") read_material(reader, *e);
  }
}

}  // namespace trilith::io
