#include "io/read_mesh.h"

#include <algorithm>
#include <array>
#include <optional>

#include "io/gltf.h"
#include "io/obj.h"
#include "io/ply.h"
#include "io/stl.h"

namespace trilith::io {
namespace {

bool ends_like(std::string_view path, std::string_view lower) {
  if (path.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), path.end() - static_cast<std::ptrdiff_t>(lower.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

// a text that begins with one of the words an OBJ file is made of
bool looks_like_obj(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view word = text.substr(first, text.find_first_of(" \t\r\n", first) - first);
  return word == "v" || word == "o" || word == "g" || word == "mtllib" || word.starts_with('#');
}

Result<MeshFile> read_json_mesh(std::string_view bytes, std::string_view source) {
  const Result<Json> root = parse_json(bytes, source);
  if (!root) return root.errors();
  if (is_gltf_json(root.value())) return parse_gltf(root.value(), source);
  return Error{"is JSON, but no glTF scene; meshes are read from " + std::string(mesh_formats), std::string(source), Error::Kind::refused};
}

}  // namespace

bool has_mesh_extension(std::string_view path) {
  constexpr std::array<std::string_view, 5> endings = {".obj", ".stl", ".ply", ".glb", ".gltf"};
  return std::any_of(endings.begin(), endings.end(), [path](std::string_view ending) { return ends_like(path, ending); });
}

Result<MeshFile> read_mesh(std::string_view bytes, std::string_view source) {
  const auto refuse = [source](std::string what) { return Error{std::move(what), std::string(source), Error::Kind::refused}; };
  const Sniffed sniffed = sniff(bytes);
  const bool named_stl = ends_like(source, ".stl");
  switch (sniffed.kind) {
    case FileKind::empty:
      return refuse("empty file");
    case FileKind::json:
      return read_json_mesh(bytes, source);
    case FileKind::stl:
      return parse_stl(bytes, source);
    case FileKind::ply:
      return parse_ply(bytes, source);
    case FileKind::glb:
      return parse_glb(bytes, source);
    case FileKind::other:
      // bytes that say nothing of themselves: a binary STL that was cut off
      if (named_stl && sniffed.name == binary_name) return parse_stl(bytes, source);
      return refuse("is " + std::string(sniffed.name) + "; meshes are read from " + std::string(mesh_formats));
    case FileKind::text:
      break;
  }
  if (named_stl) return parse_stl(bytes, source);
  if (ends_like(source, ".obj") || looks_like_obj(bytes)) return parse_obj(bytes, source);
  return refuse(std::string(unknown_mesh) + "; read are " + std::string(mesh_formats));
}

}  // namespace trilith::io
