#include "io/rooted_files.h"

#include <algorithm>
#include <cstdlib>

#include "base/sha256.h"
#include "io/file.h"
#include "io/mesh_files.h"
#include "io/text_position.h"

namespace trilith::io {
namespace {

std::string resolved(const std::string& path) {
  char* found = ::realpath(path.empty() ? "." : path.c_str(), nullptr);
  std::string out(found == nullptr ? "" : found);
  std::free(found);
  return out;
}

}  // namespace

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string_view::npos) return "";
  return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

std::string join_path(std::string_view folder, std::string_view path) {
  if (folder.empty() || path.starts_with('/')) return std::string(path);
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(path);
}

RootedFiles::RootedFiles(const std::string& main_file, const std::vector<std::string>& allowed_folders)
    : root_(folder_of(main_file)), name_(main_file.substr(main_file.find_last_of('/') + 1)) {
  folders_.push_back(resolved(root_));
  for (const std::string& folder : allowed_folders) folders_.push_back(resolved(folder));
}

bool RootedFiles::is_inside(const std::string& real) const {
  return std::any_of(folders_.begin(), folders_.end(),
                     [&](const std::string& folder) { return !folder.empty() && (folder == "/" || real.starts_with(folder + "/")); });
}

std::string RootedFiles::real_path(const std::string& path) const { return resolved(join_path(root_, path)); }

Result<RootedFiles::File> RootedFiles::read(const std::string& path, std::string_view kind, const std::string& where) {
  const auto refuse = [&](const std::string& what, Error::Kind error_kind) {
    return Error{std::string(kind) + " file " + in_quotes(path) + " " + what, where, error_kind};
  };
  if (path.empty()) return refuse("has no name", Error::Kind::refused);
  if (std::any_of(path.begin(), path.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }))
    return refuse("holds a control character in its name", Error::Kind::refused);
  const std::string real = real_path(path);
  if (real.empty()) return refuse("is not there (looked in " + in_quotes(root_.empty() ? "." : root_) + ")", Error::Kind::refused);
  if (!is_inside(real))
    return refuse("lies outside of the model's folder " + in_quotes(root_.empty() ? "." : root_) + "; allow its folder to read it",
                  Error::Kind::refused);
  Result<std::string> text = read_file(real);
  if (!text) return refuse("cannot be read: " + text.errors().front().what, text.errors().front().kind);
  File file{path, real, sha256_hex(text.value()), std::move(text).value()};
  const bool known = std::any_of(opened_.begin(), opened_.end(), [&](const auto& opened) { return opened.first == path; });
  if (!known) opened_.emplace_back(path, file.sha256);
  return file;
}

std::string RootedFiles::digest(std::string_view main_digest) const {
  if (opened_.empty()) return std::string(main_digest);
  std::string list = digest_line(std::string(main_digest), name_);
  for (const auto& [path, digest] : opened_) list += digest_line(digest, path);
  return sha256_hex(list);
}

}  // namespace trilith::io
