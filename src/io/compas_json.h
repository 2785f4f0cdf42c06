#pragma once
#include <string_view>

#include "io/json.h"
#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// True for whatever COMPAS wrote: a top-level `dtype`, or the layouts of its versions before 2.
bool is_compas_json(const Json& root);

/// True for an assembly in the layout of version 2, which `write_compas_json` fills in.
bool is_compas_2_assembly(const Json& root);

/// Reads what COMPAS wrote, in the layouts of all its versions: assemblies of compas_assembly and compas_cra (2, 1, and before), block
/// models and problems of compas_model and compas_dem, lists of meshes and shapes, a single mesh (one block per closed shell). Block ids
/// are the keys of the graph's nodes, in numerical order; in lists the names where all differ, else numbers. Edges with interfaces or
/// contacts give the polygons through which the blocks push; forces stored there are left out with a warning. Other types are refused by
/// name, once. `sha256` is left empty.
Result<model::AssemblyInput> parse_compas_json(const Json& root, std::string_view source);

}  // namespace trilith::io
