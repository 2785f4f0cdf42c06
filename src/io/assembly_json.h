#pragma once
#include <string>
#include <string_view>

#include "io/json.h"
#include "io/mesh_files.h"
#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// Schema of the assembly files that are written; files with a higher number are refused.
inline constexpr std::string_view assembly_schema = "trilith.assembly/1";

/// Reads Trilith's own assembly format (docs/conventions.md) from a parsed file. `source` is the file name as the user wrote it, `meshes`
/// opens the files that blocks name (nullptr: such blocks are refused). Errors carry JSON pointers ("wall.json:/blocks/12/density");
/// unknown keys are left out with one warning each. `sha256` is left empty.
Result<model::AssemblyInput> parse_assembly_json(const Json& root, std::string_view source, MeshFiles* meshes);

/// The same format with every mesh written into it. Reading it back gives the same doubles.
std::string write_assembly_json(const model::AssemblyInput& assembly);

}  // namespace trilith::io
