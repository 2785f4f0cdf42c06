#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/mjcf.h"
#include "model/make_model.h"

// Bytes through the XML reader, the MJCF reader and the checks of a model. No crash, no hang, no leak, no number that is not finite, no
// refusal without a reason. A text names no files, so nothing is opened.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace model = trilith::model;
  trilith::Result<model::ModelInput> input = trilith::io::parse_mjcf({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (!input) {
    if (input.errors().empty() || input.errors().size() > trilith::max_errors) __builtin_trap();
    return 0;
  }
  for (const model::Body& body : input.value().bodies) {
    if (body.parent < 0 || body.parent >= static_cast<std::int32_t>(input.value().bodies.size())) __builtin_trap();
    for (const double r : body.pose.R.m)
      if (!std::isfinite(r)) __builtin_trap();
  }
  for (const model::Geom& geom : input.value().geoms)
    if (!std::isfinite(geom.pose.p.x + geom.size.x + geom.size.y + geom.size.z)) __builtin_trap();
  const trilith::Result<model::Model> made = model::make_model(std::move(input).value());
  if (!made && made.errors().empty()) __builtin_trap();
  if (made && !std::isfinite(made.value().mass)) __builtin_trap();
  return 0;
}
