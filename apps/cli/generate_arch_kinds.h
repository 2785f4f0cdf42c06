#pragma once
#include <span>

#include "cli/generate_kinds.h"

namespace trilith::cli {

/// Arches, vaults and domes.
std::span<const GenerateKind> generate_arch_kinds();

}  // namespace trilith::cli
