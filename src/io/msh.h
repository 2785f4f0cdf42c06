#pragma once
#include <string_view>

#include "io/mesh_object.h"

namespace trilith::io {

/// Reads MuJoCo's binary MSH: four 32-bit counts (vertices, normals, texture points, triangles), then vertices, normals, texture points as
/// floats and triangles as 32-bit vertex numbers, little-endian. Normals and texture points are left out: they serve viewers.
Result<MeshFile> parse_msh(std::string_view bytes, std::string_view source);

}  // namespace trilith::io
