#include "io/gltf.h"

#include "mesh_file_fuzz.h"

// Bytes through the GLB reader and then through the checks of an assembly. No crash, no hang, no leak, no number that is not finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace io = trilith::io;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return trilith::check_mesh_file(io::parse_glb(bytes, "fuzz.glb"));
}
