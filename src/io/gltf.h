#pragma once
#include <string_view>

#include "io/json.h"
#include "io/mesh_object.h"

namespace trilith::io {

/// True for a JSON value that is a glTF scene.
bool is_gltf_json(const Json& root);

/// Reads glTF 2: one object per node with a mesh, in the order of the nodes of the scene, depth first, with the transforms of the node and
/// its parents. Triangles, strips and fans, indexed or not; all component types, sparse accessors. Lengths are metres; y-up is turned to
/// z-up, (x, y, z) to (x, -z, y), with one warning. Points and lines, skins, morph targets are left out with a warning each. Refused, with
/// the JSON pointer: a range outside its buffer, a node met twice, compressed or external buffers, a number that is not finite, no mesh.
/// Source: Khronos glTF 2.0.
Result<MeshFile> parse_glb(std::string_view bytes, std::string_view source);

/// The same from a .gltf text whose buffers are data URIs.
Result<MeshFile> parse_gltf(const Json& root, std::string_view source);

}  // namespace trilith::io
