#include "io/load_assembly.h"

#include <filesystem>

#include "base/sha256.h"
#include "io/assembly_json.h"
#include "io/compas_json.h"
#include "io/file.h"
#include "io/gltf.h"
#include "io/mesh_folder.h"
#include "io/read_mesh.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string digest_of_all(const std::string& path, const std::string& text, const MeshFiles& meshes) {
  std::string own = sha256_hex(text);
  if (meshes.files().empty()) return own;
  return sha256_hex(digest_line(own, base_name(path)) + digest_list(meshes));
}

Result<model::AssemblyInput> from_mesh(const std::string& path, const std::string& text, Result<MeshFile> file) {
  if (!file) return file.errors();
  model::AssemblyInput input;
  input.source = path;
  input.sha256 = sha256_hex(text);
  if (file.value().in_metres) input.unit.emplace("m");
  input.warnings = std::move(file.value().warnings);
  input.blocks.reserve(file.value().objects.size());
  for (MeshObject& object : file.value().objects) {
    model::BlockInput& block = input.blocks.emplace_back();
    block.id = std::move(object.name);
    block.mesh = std::move(object.mesh);
    block.where = std::move(object.where);
  }
  return input;
}

Result<model::AssemblyInput> from_json(const std::string& path, const std::string& text) {
  Result<Json> root = parse_json(text, path);
  if (!root) return root.errors();
  if (is_gltf_json(root.value())) return from_mesh(path, text, parse_gltf(root.value(), path));
  MeshFiles meshes(folder_of(path));
  Result<model::AssemblyInput> input =
      is_compas_json(root.value()) ? parse_compas_json(root.value(), path) : parse_assembly_json(root.value(), path, &meshes);
  if (input) input.value().sha256 = digest_of_all(path, text, meshes);
  return input;
}

}  // namespace

Result<model::AssemblyInput> load_assembly(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return load_mesh_folder(path);
  Result<std::string> text = read_file(path);
  if (!text) return text.errors();
  const auto refuse = [&](std::string what) { return Error{std::move(what), path, Error::Kind::refused}; };
  const std::string formats = "read are: Trilith JSON, COMPAS JSON, " + std::string(mesh_formats) + ", or a folder of meshes";
  const Sniffed sniffed = sniff(text.value());
  if (sniffed.kind == FileKind::empty) return refuse("empty file");
  const bool bytes = sniffed.kind == FileKind::other && (sniffed.name != binary_name || !has_mesh_extension(path));
  if (bytes) return refuse("is " + std::string(sniffed.name) + "; " + formats);
  const bool json = sniffed.kind == FileKind::json || (sniffed.kind == FileKind::text && path.ends_with(".json"));
  if (json) return from_json(path, text.value());
  Result<MeshFile> file = read_mesh(text.value(), path);
  if (!file && file.errors().front().what.starts_with(unknown_mesh)) return refuse("no known kind of file; " + formats);
  return from_mesh(path, text.value(), std::move(file));
}

std::optional<Json> load_compas_assembly(const std::string& path, const std::string& sha256) {
  const Result<std::string> text = read_file(path);
  if (!text || sha256_hex(text.value()) != sha256 || sniff(text.value()).kind != FileKind::json) return std::nullopt;
  Result<Json> root = parse_json(text.value(), path);
  if (!root || !is_compas_2_assembly(root.value())) return std::nullopt;
  return std::move(root).value();
}

}  // namespace trilith::io
