#pragma once
#include <string_view>

#include "io/file_kind.h"
#include "io/mesh_object.h"

namespace trilith::io {

/// The formats of `read_mesh`, for messages.
inline constexpr std::string_view mesh_formats = "OBJ, STL, PLY, GLB, glTF";

/// What the refusal of a text that is no mesh begins with.
inline constexpr std::string_view unknown_mesh = "no known kind of mesh";

/// True where the name of a file ends like that of a mesh (.obj, .stl, .ply, .glb, .gltf, any case).
bool has_mesh_extension(std::string_view path);

/// Reads a mesh file of any of the `mesh_formats`: the content decides, then the extension of `source`. Another kind of file is refused by
/// its name ("is a PNG image").
Result<MeshFile> read_mesh(std::string_view bytes, std::string_view source);

}  // namespace trilith::io
