#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/assembly_json.h"
#include "model/make_assembly.h"

// Bytes through the strict JSON reader, the reader of assemblies and the checks. What was read is written and must be read back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace io = trilith::io;
  namespace model = trilith::model;
  const trilith::Result<io::Json> json = io::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  if (!json) return 0;
  const std::string text = io::write_json(json.value(), 1);
  const trilith::Result<io::Json> again = io::parse_json(text, "again.json");
  if (!again || io::write_json(again.value(), 1) != text) __builtin_trap();
  trilith::Result<model::AssemblyInput> input = io::parse_assembly_json(json.value(), "fuzz.json", nullptr);
  if (!input) {
    if (input.errors().empty()) __builtin_trap();
    return 0;
  }
  const std::string written = io::write_assembly_json(input.value());
  const trilith::Result<io::Json> back = io::parse_json(written, "back.json");
  if (!back || !io::parse_assembly_json(back.value(), "back.json", nullptr)) __builtin_trap();
  (void)model::make_assembly(std::move(input).value(), {});
  return 0;
}
