#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/compas_json.h"
#include "model/make_assembly.h"

// Bytes through the strict JSON reader, the reader of COMPAS assemblies and the checks.
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
  (void)model::make_assembly(std::move(input).value(), {});
  return 0;
}
