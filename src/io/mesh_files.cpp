#include "io/mesh_files.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/sha256.h"
#include "base/text.h"
#include "io/file.h"
#include "io/read_mesh.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

std::string or_empty(char* resolved) {
  std::string out(resolved == nullptr ? "" : resolved);
  std::free(resolved);
  return out;
}

bool climbs(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (path.substr(at, slash - at) == "..") return true;
    at = slash + 1;
  }
  return false;
}

// what is wrong with a path as written; empty where nothing is
std::string_view path_fault(std::string_view path) {
  if (path.empty()) return "names no file";
  if (path.front() == '/') return "is an absolute path; meshes lie in the folder of the file that names them";
  if (climbs(path)) return "leaves the folder of the file that names it";
  if (std::any_of(path.begin(), path.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; })) return "holds a control character";
  return {};
}

std::string list_names(const MeshFile& file) {
  constexpr std::size_t shown = 5;
  std::string out;
  for (std::size_t i = 0; i < file.objects.size() && i < shown; ++i) out += (i == 0 ? "" : ", ") + in_quotes(file.objects[i].name);
  return file.objects.size() > shown ? out + ", ..." : out;
}

}  // namespace

Result<const MeshObject*> MeshFiles::find(std::string_view reference, const std::string& where) {
  const std::size_t hash = reference.find('#');
  const std::string path(reference.substr(0, hash));
  const Result<const File*> opened = open(path, where);
  if (!opened) return opened.errors();
  const File& file = *opened.value();
  const auto refuse = [&](std::string what) { return Error{std::move(what), where, Error::Kind::refused}; };
  if (hash == std::string_view::npos) {
    if (file.content.objects.size() == 1) return &file.content.objects.front();
    return refuse(in_quotes(path) + " holds " + std::to_string(file.content.objects.size()) +
                  " objects; name one as FILE#OBJECT: " + list_names(file.content));
  }
  const std::string_view name = reference.substr(hash + 1);
  const auto found = std::lower_bound(file.names.begin(), file.names.end(), std::pair(name, std::size_t{0}));
  if (found != file.names.end() && found->first == name) return &file.content.objects[found->second];
  std::vector<std::string_view> names;
  names.reserve(file.names.size());
  for (const auto& [candidate, index] : file.names) names.push_back(candidate);
  const std::string_view near = nearest_name(name, names);
  const std::string hint = near.empty() ? "; it has " + list_names(file.content) : "; did you mean " + in_quotes(near) + "?";
  return refuse(in_quotes(path) + " has no object " + in_quotes(name) + hint);
}

Result<const MeshFiles::File*> MeshFiles::open(const std::string& path, const std::string& where) {
  if (const auto known = by_path_.find(path); known != by_path_.end()) {
    if (known->second == nullptr) return std::vector<Error>{};
    return known->second;
  }
  by_path_[path] = nullptr;
  const auto refuse = [&](std::string what, Error::Kind kind) {
    return Error{"mesh " + in_quotes(path) + " " + std::move(what), where, kind};
  };
  if (const std::string_view fault = path_fault(path); !fault.empty()) return refuse(std::string(fault), Error::Kind::refused);
  // symbolic links are followed before the folder is compared
  const std::string root = or_empty(::realpath(folder_.empty() ? "." : folder_.c_str(), nullptr));
  const std::string real = or_empty(::realpath((folder_.empty() ? path : folder_ + "/" + path).c_str(), nullptr));
  if (real.empty() || root.empty()) return refuse("is not there", Error::Kind::refused);
  if (root != "/" && !real.starts_with(root + "/"))
    return refuse("is a link out of the folder of the file that names it", Error::Kind::refused);
  Result<std::string> text = read_file(real);
  if (!text) return refuse("cannot be read: " + text.errors().front().what, Error::Kind::io);
  Result<MeshFile> content = read_mesh(text.value(), path);
  if (!content) {
    std::vector<Error> errors = content.errors();
    // what is wrong with the whole file is told at the place that names it
    for (Error& error : errors)
      if (error.where == path) error = {"mesh " + in_quotes(path) + ": " + error.what, where, error.kind};
    return errors;
  }
  auto file = std::make_unique<File>(File{path, sha256_hex(text.value()), std::move(content).value(), {}});
  for (std::size_t i = 0; i < file->content.objects.size(); ++i) file->names.emplace_back(file->content.objects[i].name, i);
  std::sort(file->names.begin(), file->names.end());
  by_path_[path] = file.get();
  files_.push_back(std::move(file));
  return files_.back().get();
}

std::string digest_line(const std::string& digest, const std::string& path) {
  std::string line;
  if (path.find('\\') != std::string::npos) line += '\\';
  line += digest + "  ";
  for (const char c : path) line += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return line + "\n";
}

std::string digest_list(const MeshFiles& meshes) {
  std::string list;
  for (const auto& file : meshes.files()) list += digest_line(file->sha256, file->path);
  return list;
}

}  // namespace trilith::io
