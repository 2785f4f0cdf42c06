#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "model/generate.h"

namespace trilith::cli {

/// One kind of assembly that `trilith generate` can make, with its own options.
struct GenerateKind {
  std::string_view name;
  std::string_view summary;
  std::span<const Option> options;
  /// None where the options are refused, which is told on stderr.
  std::optional<model::AssemblyInput> (*make)(Arguments& arguments);
  std::string_view friction = ".84";  ///< that it has where --friction gives none, for the help
};

std::span<const GenerateKind> generate_kinds();

}  // namespace trilith::cli
