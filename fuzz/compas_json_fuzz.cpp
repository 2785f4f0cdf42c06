#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/compas_json.h"
#include "io/compas_write.h"
#include "model/make_assembly.h"

// Bytes through the strict JSON reader, the reader of COMPAS files and the checks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace io = trilith::io;
  namespace model = trilith::model;
  const trilith::Result<io::Json> json = io::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  if (!json) return 0;
  (void)io::is_compas_json(json.value());
  trilith::Result<model::AssemblyInput> input = io::parse_compas_json(json.value(), "fuzz.json");
  if (!input) {
    if (input.errors().empty()) __builtin_trap();
    return 0;
  }
  const trilith::Result<model::Assembly> assembly = model::make_assembly(std::move(input).value(), {});
  if (!assembly) return 0;
  // what was made of it is written in the same layout, with and without the original, and read back
  for (const io::Json* original :
       {static_cast<const io::Json*>(nullptr), io::is_compas_2_assembly(json.value()) ? &json.value() : nullptr}) {
    const std::string written = io::write_compas_json(assembly.value(), {}, original);
    const trilith::Result<io::Json> back = io::parse_json(written, "back.json");
    if (!back || !io::parse_compas_json(back.value(), "back.json")) __builtin_trap();
  }
  return 0;
}
