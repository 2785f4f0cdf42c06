#pragma once
#include <string>

#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// Reads a folder of mesh files as one assembly: the files with the extension of a mesh, sorted by name, without sub-folders. A file with
/// one object is a block named after the file ("a" of a.obj), others give "a/object". Links that lead out of the folder are refused; what
/// is no mesh is left out with one warning. `sha256` is that of the text that `sha256sum FILE...` prints in the folder for these files.
Result<model::AssemblyInput> load_mesh_folder(const std::string& path);

}  // namespace trilith::io
