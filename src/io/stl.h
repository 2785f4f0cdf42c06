#pragma once
#include <string_view>

#include "io/mesh_object.h"

namespace trilith::io {

/// True for a binary STL: the count behind its 80-byte header fits the size exactly. A header that begins with "solid" changes nothing.
bool is_binary_stl(std::string_view bytes);

/// Reads an STL, ascii or binary. Equal points are welded, as the format has no indices. Each `solid` is named after itself, a binary file
/// after the file; every closed shell is one object (`append_bodies`). Normals are not read: the winding counts. Refused, with line or
/// triangle: a count that does not fit the size (before anything is allocated), an end within a facet, a number that is not finite, a facet
/// with other than 3 corners, no facet. Source: 3D Systems, StereoLithography Interface Specification (1988).
Result<MeshFile> parse_stl(std::string_view bytes, std::string_view source);

}  // namespace trilith::io
