#pragma once
#include <string_view>

#include "io/json.h"
#include "model/assembly.h"
#include "trilith/result.h"

namespace trilith::io {

/// True for whatever COMPAS wrote: a top-level `dtype`, or the layouts of its versions before 2.
bool is_compas_json(const Json& root);

/// Reads an assembly written by COMPAS 2 (compas_assembly or compas_cra). Block ids are the keys of the graph's nodes, in numerical order.
/// Edges with `interfaces` (or one `interface`) give the polygons through which the blocks push; forces stored there are left out with a
/// warning. Other types and COMPAS 1 are refused by name. `sha256` is left empty.
Result<model::AssemblyInput> parse_compas_json(const Json& root, std::string_view source);

}  // namespace trilith::io
