#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/obj.h"
#include "model/make_assembly.h"

// Bytes through the OBJ reader and then through the checks of an assembly. No crash, no hang, no leak, no number that is not finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace io = trilith::io;
  namespace model = trilith::model;
  trilith::Result<io::MeshFile> file = io::parse_obj({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
  if (!file) {
    if (file.errors().empty()) __builtin_trap();
    return 0;
  }
  model::AssemblyInput input;
  input.source = "fuzz.obj";
  for (io::MeshObject& object : file.value().objects) {
    for (const std::uint32_t v : object.mesh.face_vertex)
      if (v >= object.mesh.vertices.size()) __builtin_trap();
    for (const trilith::Vec3d& p : object.mesh.vertices)
      if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0)) __builtin_trap();
    input.blocks.push_back({object.name, std::move(object.mesh), false, {}, object.where});
  }
  (void)model::make_assembly(std::move(input), {});
  return 0;
}
