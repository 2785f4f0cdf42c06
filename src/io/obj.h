#pragma once
#include <string_view>

#include "io/mesh_object.h"

namespace trilith::io {

/// Reads a Wavefront OBJ. Places are those of an object's `o` or `g`, or of its first face; the vertices are those that its faces use. One
/// object per `o`; where the file has no `o`, one per `g`; a file without both is one object named after the file. Names are the rest of
/// the line. Indices count from 1 over the whole file, negative ones back from the face line. Faces may have any number of corners; only
/// their first index (`v/vt/vn`) is read. Colours and weights behind x y z, lines and points are left out with one warning each. Refused,
/// with line and column: an index that is 0 or out of range, a face with fewer than 3 corners, a number that is none or not finite, two
/// objects of one name, no face at all. `source` names the text ("wall.obj"). Source: Wavefront, appendix B1.
Result<MeshFile> parse_obj(std::string_view text, std::string_view source);

}  // namespace trilith::io
