#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "io/mesh_object.h"
#include "model/make_assembly.h"

namespace trilith {

/// What holds for every mesh that a reader returns, whatever the bytes were; then the checks of an assembly. Returns 0.
inline int check_mesh_file(Result<io::MeshFile> file) {
  if (!file) {
    if (file.errors().empty()) __builtin_trap();
    return 0;
  }
  model::AssemblyInput input;
  input.source = "fuzz";
  for (io::MeshObject& object : file.value().objects) {
    for (const std::uint32_t v : object.mesh.face_vertex)
      if (v >= object.mesh.vertices.size()) __builtin_trap();
    for (std::size_t f = 0; f < object.mesh.face_count(); ++f)
      if (object.mesh.face(f).size() < 3) __builtin_trap();
    for (const Vec3d& p : object.mesh.vertices)
      if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0)) __builtin_trap();
    input.blocks.push_back({object.name, std::move(object.mesh), false, {}, object.where});
  }
  model::AssemblyOptions options;
  options.threads = 1;
  (void)model::make_assembly(std::move(input), options);
  return 0;
}

}  // namespace trilith
