#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "trilith/result.h"

namespace trilith::io {

/// The files that a model is made of. Only files inside the root (the folder of the main file) or one of the allowed folders are opened;
/// symbolic links are followed before the folders are compared.
class RootedFiles {
 public:
  /// `main_file` as the user wrote it; `allowed_folders` beside its own.
  RootedFiles(const std::string& main_file, const std::vector<std::string>& allowed_folders);

  struct File {
    std::string path;    ///< as written, behind the folders that were put before it
    std::string real;    ///< all links resolved
    std::string sha256;  ///< of its bytes, hexadecimal
    std::string text;
  };

  /// Reads `path`, relative to the root (or absolute inside an allowed folder). Refused, naming `kind` ("mesh", "include") and the path as
  /// written: what is not there, lies outside, or cannot be read. The file is remembered for the digest.
  Result<File> read(const std::string& path, std::string_view kind, const std::string& where);
  /// Where `path` leads; empty where there is no such file.
  std::string real_path(const std::string& path) const;
  /// Folder of the main file, "" for the current one.
  const std::string& root() const { return root_; }

  /// SHA-256 of the main file's bytes; with other files of the text that `sha256sum MAIN FILE...` prints in its folder, each file once, in
  /// the order of first reading.
  std::string digest(std::string_view main_digest) const;

 private:
  bool is_inside(const std::string& real) const;

  std::string root_, name_;
  std::vector<std::string> folders_;                         // real
  std::vector<std::pair<std::string, std::string>> opened_;  // path, digest
};

/// The part of a path in front of its last slash: "" where there is none, "/" for the top.
std::string folder_of(std::string_view path);
/// `path` behind `folder`; an absolute path stays as it is.
std::string join_path(std::string_view folder, std::string_view path);

}  // namespace trilith::io
