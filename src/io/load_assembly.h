#pragma once
#include <string>

#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// Reads an assembly file of any known format: Trilith JSON, COMPAS 2 JSON, OBJ (one block per object). The content decides, then the
/// extension; a file of another kind is refused by its name. `source` is `path`. `sha256`: of the file; where it names mesh files, of the
/// text that `sha256sum FILE MESH...` would print in its folder, paths as the file writes them, in order of first mention.
Result<model::AssemblyInput> load_assembly(const std::string& path);

}  // namespace trilith::io
