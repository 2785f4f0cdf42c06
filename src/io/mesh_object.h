#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geom/mesh.h"
#include "trilith/result.h"

namespace trilith::io {

/// One named mesh of a file.
struct MeshObject {
  std::string name;
  geom::Mesh mesh;    ///< file units
  std::string where;  ///< "wall.obj:34", "wall.glb:/nodes/3"
};

/// What a mesh file holds, whatever its format.
struct MeshFile {
  std::vector<MeshObject> objects;
  std::vector<Warning> warnings;
  bool in_metres = false;  ///< the format itself says that lengths are metres (glTF)
};

/// "wall" of "in/wall.obj": what a file without names calls its mesh.
std::string file_stem(std::string_view source);

/// Gives every object a name of its own: the second "a" becomes "a.2". Names are checked (`name_fault`); what cannot be one becomes
/// `fallback`. One warning where anything was renamed.
void settle_names(MeshFile& file, std::string_view fallback, std::string_view source);

/// Appends the bodies of a mesh whose format knows no objects (STL, PLY, a single COMPAS mesh): every edge-connected closed shell is one
/// object, a shell inside another its cavity. One body keeps `name`, several are "name.1", "name.2", ... with one warning.
void append_bodies(geom::Mesh mesh, const std::string& name, const std::string& where, MeshFile& out);

/// Largest number of face corners that one file may unfold to: instances of glTF multiply what is stored.
inline constexpr std::uint64_t corner_limit = 50'000'000;

}  // namespace trilith::io
