#pragma once
#include <limits>
#include <optional>

#include "cli/arguments.h"
#include "model/generate.h"

/// How the kinds of `trilith generate` read their options: what is not given keeps its default.
namespace trilith::cli {

inline void read(Arguments& arguments, std::string_view name, double& value) { value = arguments.number(name).value_or(value); }
inline void read(Arguments& arguments, std::string_view name, int& value) {
  value = arguments.integer(name, 0, std::numeric_limits<int>::max()).value_or(value);
}
inline void read(Arguments& arguments, std::string_view name, std::uint64_t& value) {
  if (const auto given = arguments.integer(name, 0, std::numeric_limits<int>::max())) value = static_cast<std::uint64_t>(*given);
}
inline void read(Arguments& arguments, std::string_view name, bool& value) { value = value || arguments.has(name); }
inline void read_degrees(Arguments& arguments, std::string_view name, double& radians) {
  if (const auto degrees = arguments.number(name)) radians = *degrees * model::radians_per_degree;
}
inline void read(Arguments& arguments, std::string_view name, model::Bond& bond) {
  constexpr std::string_view names[] = {"stack", "running"};
  if (const auto given = arguments.choice(name, names)) bond = *given == "stack" ? model::Bond::stack : model::Bond::running;
}
/// The assembly, unless the options were refused or have a fault.
template <class Options>
std::optional<model::AssemblyInput> built(Arguments& arguments, const Options& options, model::AssemblyInput (*generate)(const Options&)) {
  if (arguments.failed()) return std::nullopt;
  for (const Error& error : model::faults(options)) arguments.refuse(error.where, error.what);
  if (arguments.failed()) return std::nullopt;
  return generate(options);
}

}  // namespace trilith::cli
