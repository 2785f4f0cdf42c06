#pragma once
#include <optional>
#include <vector>

#include "cli/arguments.h"
#include "statics/rbe.h"

namespace trilith::cli {

/// The options of the penalty program.
std::span<const Option> rbe_options();

/// Nothing unless one of its options or `solver` admm or osqp asks for the report.
std::optional<statics::RbeSettings> read_rbe_options(Arguments& arguments, std::string_view solver);

}  // namespace trilith::cli
