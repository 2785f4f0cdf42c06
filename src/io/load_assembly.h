#pragma once
#include <optional>
#include <string>

#include "io/json.h"
#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// Reads an assembly of any known format: Trilith JSON, COMPAS JSON, a mesh file (`read_mesh`: one block per object), or a folder of
/// meshes (`load_mesh_folder`). The content decides, then the extension; a file of another kind is refused by its name. `source` is `path`.
/// `sha256`: of the file; where it names mesh files, of the text that `sha256sum FILE MESH...` would print in its folder, paths as the file
/// writes them, in order of first mention.
Result<model::AssemblyInput> load_assembly(const std::string& path);

/// The JSON of `path` where it is an assembly as COMPAS 2 writes it (`dtype` and data/graph/data) and still has the hash `sha256`.
std::optional<Json> load_compas_assembly(const std::string& path, const std::string& sha256);

}  // namespace trilith::io
