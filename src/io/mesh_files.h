#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/mesh_object.h"
#include "trilith/result.h"

namespace trilith::io {

/// The mesh files (`read_mesh`) that an assembly names. Each is read once. Only files inside `folder` are opened: no absolute path, no
/// "..", no symbolic link that leads out.
class MeshFiles {
 public:
  explicit MeshFiles(std::string folder) : folder_(std::move(folder)) {}

  struct File {
    std::string path;    ///< as written
    std::string sha256;  ///< of its bytes, hexadecimal
    MeshFile content;
    std::vector<std::pair<std::string_view, std::size_t>> names;  ///< of its objects, sorted
  };

  /// The object that `reference` (FILE or FILE#OBJECT) means. FILE alone must hold one object. `where` is the place of the reference. The
  /// pointer lives as long as this. A file that failed before gives an empty list of errors: it was told.
  Result<const MeshObject*> find(std::string_view reference, const std::string& where);

  /// The whole file; errors as with `find`.
  Result<const File*> open(const std::string& path, const std::string& where);

  /// Files that were opened, in order of first mention.
  const std::vector<std::unique_ptr<File>>& files() const { return files_; }

 private:
  std::string folder_;
  std::vector<std::unique_ptr<File>> files_;
  std::map<std::string, const File*, std::less<>> by_path_;  // nullptr: failed before
};

/// One line of what `sha256sum` prints: it marks and escapes names with a backslash.
std::string digest_line(const std::string& digest, const std::string& path);
/// The lines of all files that were opened, in order of first mention.
std::string digest_list(const MeshFiles& meshes);

}  // namespace trilith::io
