#include "io/load_assembly.h"

#include "base/sha256.h"
#include "io/assembly_json.h"
#include "io/compas_json.h"
#include "io/file.h"
#include "io/file_kind.h"
#include "io/obj.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

constexpr std::string_view formats = "read are: Trilith JSON, COMPAS 2 JSON, OBJ";

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// one line of sha256sum: it marks and escapes names with a backslash
std::string digest_line(const std::string& digest, const std::string& path) {
  std::string line = path.find('\\') == std::string::npos ? "" : "\\";
  line += digest + "  ";
  for (const char c : path) line += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return line + "\n";
}

std::string digest_of_all(const std::string& path, const std::string& text, const MeshFiles& meshes) {
  std::string own = sha256_hex(text);
  if (meshes.files().empty()) return own;
  std::string list = digest_line(own, base_name(path));
  for (const auto& file : meshes.files()) list += digest_line(file->sha256, file->path);
  return sha256_hex(list);
}

Result<model::AssemblyInput> from_json(const std::string& path, const std::string& text) {
  Result<Json> root = parse_json(text, path);
  if (!root) return root.errors();
  MeshFiles meshes(folder_of(path));
  Result<model::AssemblyInput> input =
      is_compas_json(root.value()) ? parse_compas_json(root.value(), path) : parse_assembly_json(root.value(), path, &meshes);
  if (input) input.value().sha256 = digest_of_all(path, text, meshes);
  return input;
}

Result<model::AssemblyInput> from_obj(const std::string& path, const std::string& text) {
  Result<ObjFile> file = parse_obj(text, path);
  if (!file) return file.errors();
  model::AssemblyInput input;
  input.source = path;
  input.sha256 = sha256_hex(text);
  input.warnings = std::move(file.value().warnings);
  input.blocks.reserve(file.value().objects.size());
  for (ObjObject& object : file.value().objects) {
    model::BlockInput& block = input.blocks.emplace_back();
    block.id = std::move(object.name);
    block.mesh = std::move(object.mesh);
    block.where = path + ":" + std::to_string(object.line);
  }
  return input;
}

// a text that begins with one of the words an OBJ file is made of
bool looks_like_obj(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view word = text.substr(first, text.find_first_of(" \t\r\n", first) - first);
  return word == "v" || word == "o" || word == "g" || word == "mtllib" || word.starts_with('#');
}

}  // namespace

Result<model::AssemblyInput> load_assembly(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.errors();
  const auto refuse = [&](std::string what) { return Error{std::move(what), path, Error::Kind::refused}; };
  const Sniffed sniffed = sniff(text.value());
  switch (sniffed.kind) {
    case FileKind::empty:
      return refuse("empty file");
    case FileKind::other:
      return refuse("is " + std::string(sniffed.name) + "; " + std::string(formats));
    case FileKind::json:
      return from_json(path, text.value());
    case FileKind::text:
      break;
  }
  if (path.ends_with(".json")) return from_json(path, text.value());
  if (path.ends_with(".obj") || path.ends_with(".OBJ") || looks_like_obj(text.value())) return from_obj(path, text.value());
  return refuse("no known kind of file; " + std::string(formats));
}

}  // namespace trilith::io
