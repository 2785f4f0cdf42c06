#pragma once
#include <string_view>

#include "io/mesh_object.h"

namespace trilith::io {

/// Reads a PLY, ascii or binary of either byte order: element `vertex` with x y z, element `face` with a list `vertex_indices` (or
/// `vertex_index`). Other properties are skipped, other elements skipped with one warning. Every closed shell is one object
/// (`append_bodies`). Refused: a count that the file has no room for (before anything is allocated), an index out of range, a face with
/// fewer than 3 corners, a number that is not finite, no face. Source: G. Turk, The PLY Polygon File Format (1994).
Result<MeshFile> parse_ply(std::string_view bytes, std::string_view source);

}  // namespace trilith::io
